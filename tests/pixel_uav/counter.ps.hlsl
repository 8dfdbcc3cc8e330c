// dxc: -T ps_6_0 -E main
// Without targets: how often each pixel is drawn, and to what number its last drawing counted.
RWByteAddressBuffer count : register(u0);
RWStructuredBuffer<uint> last : register(u1);
void main(float4 p : SV_Position)
{
	uint before, pixel = (uint)p.y * 8 + (uint)p.x;
	count.InterlockedAdd(4 * pixel, 1, before);
	last[pixel] = before + 1;
}
