// dxc: -T ps_6_0 -E main
// A pointed leaf in [-1, 1] x [-1, 1]: alpha falls from 1 to 0 over its edge.
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0, float3 tint : COLOR0) : SV_Target0
{
    float width = 0.45 * (1 - uv.y * uv.y) * (1 + 0.3 * uv.y);
    float edge = width - abs(uv.x), rib = abs(uv.x) < 0.03 ? 0.75 : 1;
    return float4(tint * rib * (0.8 + 0.2 * uv.y), saturate(edge * 8 + 0.5));
}
