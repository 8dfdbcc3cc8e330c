// dxc: -T ps_6_0 -E main
float2 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0 { return uv; }
