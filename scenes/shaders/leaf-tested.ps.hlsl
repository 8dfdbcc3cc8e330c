// dxc: -T ps_6_0 -E main
// The same leaf with an alpha test in place of coverage.
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0, float3 tint : COLOR0) : SV_Target0
{
    float width = 0.45 * (1 - uv.y * uv.y) * (1 + 0.3 * uv.y);
    float edge = width - abs(uv.x), rib = abs(uv.x) < 0.03 ? 0.75 : 1;
    if (edge < 0)
        discard;
    return float4(tint * rib * (0.8 + 0.2 * uv.y), 1);
}
