// dxc: -T ps_6_0 -E main
// Point lights on what the G-buffer holds at this pixel; the place of the surface comes from its depth.
Texture2D<float4> albedo : register(t0);
Texture2D<float4> normals : register(t1);
Texture2D<float> depths : register(t2);
cbuffer Camera : register(b0) { float4x4 unproject; float3 eye; float count; };
cbuffer Lights : register(b1) { float4 lights[32]; }; // place, and 1 / radius^2; color
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0
{
    int3 at = int3(pos.xy, 0);
    float4 surface = albedo.Load(at);
    float3 n = normals.Load(at).xyz * 2 - 1;
    float depth = depths.Load(at);
    float3 night = lerp(float3(0.030, 0.028, 0.050), float3(0.004, 0.006, 0.022), saturate(1 - uv.y * 1.6));
    if (depth == 1)
        return float4(night, 1);
    float4 p = mul(unproject, float4(uv * float2(2, -2) + float2(-1, 1), depth, 1));
    float3 world = p.xyz / p.w, v = normalize(eye - world), sum = surface.rgb * (0.02 + 0.02 * n.y);
    for (int i = 0; i < count; i++) {
        float3 to = lights[2 * i].xyz - world;
        float square = dot(to, to), reach = saturate(1 - square * lights[2 * i].w);
        float3 l = to * rsqrt(square), h = normalize(l + v);
        float strength = reach * reach / (square + 0.05) * saturate(dot(n, l));
        sum += lights[2 * i + 1].rgb * strength * (surface.rgb + surface.a * pow(saturate(dot(n, h)), 40));
    }
    return float4(sum / (1 + sum * 0.6), 1);
}
