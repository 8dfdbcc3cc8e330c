// dxc: -T ps_6_0 -E main
// The test changes the number 7 in the signature.
float4 main() : SV_Target7 { return float4(1, 2, 3, 4); }
