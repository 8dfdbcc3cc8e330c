// dxc: -T ps_6_0 -E main
// Signature order is none of the targets' order.
struct Out { float depth : SV_Depth; float4 c2 : SV_Target2; uint coverage : SV_Coverage; float4 c0 : SV_Target0; };
Out main(float4 pos : SV_Position)
{
	Out o;
	o.depth = 0.25;
	o.c2 = float4(2, 2, 2, 2);
	o.coverage = pos.x < 4 ? 1 : 0;
	o.c0 = float4(7, 7, 7, 7);
	return o;
}
