// dxc: -T ps_6_0 -E main
// Word 0 counts lanes before the discard of odd columns, word 1 those behind it; the derivative makes helpers work.
RWByteAddressBuffer count : register(u0);
float4 main(float4 p : SV_Position) : SV_Target
{
	uint before;
	count.InterlockedAdd(0, 1, before);
	if ((uint)p.x & 1)
		discard;
	count.InterlockedAdd(4, 1, before);
	return ddx(p.x);
}
