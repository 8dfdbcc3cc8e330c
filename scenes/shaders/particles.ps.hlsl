// dxc: -T ps_6_0 -E main
float4 main(float4 position : SV_Position, float3 color : COLOR) : SV_Target { return float4(color, 1); }
