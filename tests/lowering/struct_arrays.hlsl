// dxc: -T ps_6_0 -E main
cbuffer C : register(b0) { uint idx; int s; };
static const int2x2 m[3] = { {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12} };
struct T { float a; int b[3]; float2 c; };
float4 main(nointerpolation uint2 v : V) : SV_Target0
{
    T t[3]; uint u = v.x;
    for (int i = 0; i < 3; ++i) { t[i].a = i; t[i].b[0] = s; t[i].b[1] = i * u; t[i].b[2] = v.y; t[i].c = float2(i, u); }
    t[idx % 3].b[u % 3] = 7; t[u % 3].c = 9;
    return float4(t[u % 3].a + m[idx % 3][u & 1][s & 1], t[idx % 3].b[(u >> 2) % 3], t[(u >> 3) % 3].c);
}
