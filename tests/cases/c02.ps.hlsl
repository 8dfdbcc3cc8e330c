// dxc: -T ps_6_0 -E main
// 1 + 2^-11: a half cuts it to 1.
float4 main() : SV_Target { return asfloat(0x3F801000); }
