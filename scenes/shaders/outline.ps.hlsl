// dxc: -T ps_6_0 -E main
float4 main() : SV_Target0 { return float4(1, 0.35, 0, 1); }
