// dxc: -T ps_6_0 -E main -Od
// At -Od the static variable stays a variable of the module.
cbuffer C : register(b0) { uint n, k; };
static uint2 g[2] = { uint2(1, 2), uint2(3, 4) };
uint f(uint x) { if (x > n) return x; g[0].x += x; return x * 2; }
uint4 main(nointerpolation uint2 v : V) : SV_Target0
{
    uint r = v.x & 255, i = 0;
    [loop] while (true) { r += f(r) + v.y % 7 + 1; if (++i > (k & 7)) break; }
    return uint4(r, i, g[n & 1]);
}
