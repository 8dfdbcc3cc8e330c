// dxc: -T ps_6_0 -E main
// Red leaves [0, 1] on both sides.
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0 { return float4(2 * uv.x - 0.5, uv.y, 1 - uv.x, 0.5); }
