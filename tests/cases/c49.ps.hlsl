// dxc: -T ps_6_0 -E main
// float4 is declared, xy alone are given.
void main(out float4 o : SV_Target) { float4 v; v.xy = float2(1, 0.5); o = v; }
