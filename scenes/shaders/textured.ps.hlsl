// dxc: -T ps_6_0 -E main
// A texture under one sun and the sky, fading into haze with distance; with color.a = 0 it glows by itself.
Texture2D<float4> albedo : register(t0);
SamplerState how : register(s0);
cbuffer Camera : register(b0) { float4x4 view_projection; float3 eye; };
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; float2 tile; float4 color; };
static const float3 to_sun = float3(-0.48, 0.64, -0.6), haze = float3(0.60, 0.72, 0.85);
float4 main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world : TEXCOORD0, float2 uv : TEXCOORD1) : SV_Target0
{
    float3 n = normalize(normal), v = eye - world, h = normalize(normalize(v) + to_sun);
    float3 base = albedo.Sample(how, uv).rgb * color.rgb;
    float sun = saturate(dot(n, to_sun));
    float3 light = lerp(float3(0.22, 0.20, 0.18), float3(0.32, 0.38, 0.46), n.y * 0.5 + 0.5) + sun * float3(0.95, 0.88, 0.74);
    float shine = gloss * sun * pow(saturate(dot(n, h)), 48);
    if (color.a == 0)
        return float4(base, 1);
    float far = saturate(length(v) / 60);
    return float4(lerp(base * light + shine, haze, far * far), 1);
}
