// dxc: -T ps_6_0 -E main
// A metal that reflects the cube map around it, color its reflectance at normal incidence; rough picks the mip.
TextureCube<float4> surroundings : register(t0);
SamplerState how : register(s0);
cbuffer Camera : register(b0) { float4x4 view_projection; float3 eye; };
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; float2 tile; float4 color; };
float4 main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world : TEXCOORD0, float2 uv : TEXCOORD1) : SV_Target0
{
    float3 n = normalize(normal), v = normalize(eye - world), r = reflect(-v, n);
    float grazing = pow(1 - saturate(dot(n, v)), 5);
    float3 metal = lerp(color.rgb, 1, grazing);
    float3 seen = rough > 0 ? surroundings.SampleLevel(how, r, rough).rgb : surroundings.Sample(how, r).rgb;
    return float4(seen * metal, 1);
}
