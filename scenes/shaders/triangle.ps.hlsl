// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position, float4 col : COLOR) : SV_Target0 { return col; }
