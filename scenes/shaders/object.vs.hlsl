// dxc: -T vs_6_0 -E main
// A mesh in its place: scaled, turned about y (cosine, sine), moved; texture coordinates tiled about the middle.
cbuffer Camera : register(b0) { float4x4 view_projection; float3 eye; };
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; float2 tile; float4 color; };
struct Out { float4 pos : SV_Position; float3 normal : NORMAL; float3 world : TEXCOORD0; float2 uv : TEXCOORD1; };
Out main(float3 pos : POSITION, float3 normal : NORMAL, float2 uv : TEXCOORD)
{
    Out o;
    float3 p = pos * size, n = normal / size;
    o.world = float3(p.x * turn.x + p.z * turn.y, p.y, p.z * turn.x - p.x * turn.y) + place;
    o.normal = float3(n.x * turn.x + n.z * turn.y, n.y, n.z * turn.x - n.x * turn.y);
    o.pos = mul(view_projection, float4(o.world, 1));
    o.uv = (uv - 0.5) * tile + 0.5;
    return o;
}
