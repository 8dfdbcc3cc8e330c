// dxc: -T ps_6_6 -E main
// From the heap: old * alpha + colour, not commutative.
void main(float4 p : SV_Position, nointerpolation float4 c : COLOR)
{
	RasterizerOrderedTexture2D<float> target = ResourceDescriptorHeap[0];
	target[(uint2)p.xy] = target[(uint2)p.xy] * c.a + c.r;
}
