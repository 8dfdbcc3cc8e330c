// dxc: -T ps_6_0 -E main
// Hemisphere ambient that fades toward the foot, one directional light, fog toward the clear colour.
static const float3 to_light = float3(0.48, 0.8, -0.36);
static const float3 fog = float3(0.02, 0.03, 0.05);
float4 main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world_pos : TEXCOORD0, float3 color : COLOR) : SV_Target0
{
    float3 ambient = lerp(float3(0.10, 0.09, 0.12), float3(0.34, 0.40, 0.52), normal.y * 0.5 + 0.5) * saturate(0.35 + world_pos.y * 0.3);
    float3 lit = color * color * (ambient + float3(1.0, 0.92, 0.8) * saturate(dot(normal, to_light)));
    return float4(lerp(lit, fog, saturate((pos.w - 24) / 32)), 1);
}
