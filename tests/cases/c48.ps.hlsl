// dxc: -T ps_6_0 -E main
// Five rows are declared, one is stored.
void main(out float4 o[5] : SV_Target) { o[3] = float4(0, 1, 0, 1); }
