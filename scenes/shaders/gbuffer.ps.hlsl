// dxc: -T ps_6_0 -E main
// What the light pass needs of a surface: its color and gloss, and its normal from [-1, 1] to [0, 1].
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; float2 tile; float4 color; };
struct Out { float4 albedo : SV_Target0; float4 normal : SV_Target1; };
Out main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world : TEXCOORD0, float2 uv : TEXCOORD1)
{
    Out o;
    float2 square = frac(uv), joint = step(0.04, square) * step(square, 0.96);
    o.albedo = float4(color.rgb * (tile.x > 1 && joint.x * joint.y == 0 ? 0.45 : 1), gloss);
    o.normal = float4(normalize(normal) * 0.5 + 0.5, 1);
    return o;
}
