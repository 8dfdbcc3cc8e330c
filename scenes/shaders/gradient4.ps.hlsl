// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0 { return float4(uv, 0.25, 0.5); }
