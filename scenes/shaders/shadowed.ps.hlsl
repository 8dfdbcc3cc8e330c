// dxc: -T ps_6_0 -E main
// The sun where the shadow map lets it through: four comparisons, each filtered over four texels.
Texture2D<float> shadow : register(t0);
SamplerComparisonState nearer : register(s0);
cbuffer Camera : register(b0) { float4x4 view_projection; float3 eye; };
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; float2 tile; float4 color; };
cbuffer Sun : register(b2) { float4x4 sun; float3 to_sun; float texel; };
float4 main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world : TEXCOORD0, float2 uv : TEXCOORD1) : SV_Target0
{
    float3 n = normalize(normal), v = eye - world, h = normalize(normalize(v) + to_sun);
    float4 at = mul(sun, float4(world, 1));
    float2 place = at.xy * float2(0.5, -0.5) + 0.5;
    float lit = 0;
    [unroll] for (int i = 0; i < 4; i++)
        lit += shadow.SampleCmpLevelZero(nearer, place - texel / 2, at.z, int2(i & 1, i >> 1)) / 4;
    lit *= saturate(dot(n, to_sun) * 1.2);
    float3 sky = lerp(float3(0.16, 0.11, 0.09), float3(0.17, 0.24, 0.42), n.y * 0.5 + 0.5);
    float3 light = sky + lit * float3(1.55, 1.12, 0.70);
    float shine = gloss * lit * pow(saturate(dot(n, h)), 60);
    float far = saturate(length(v) / 34);
    return float4(lerp(color.rgb * light + shine, float3(0.62, 0.50, 0.44), far * far * far), 1);
}
