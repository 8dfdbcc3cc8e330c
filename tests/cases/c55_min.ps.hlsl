// dxc: -T ps_6_0 -E main
cbuffer B : register(b0) { min16float a; min16float b; float c; };
float4 main() : SV_Target { return float4(a, b, c, 1); }
