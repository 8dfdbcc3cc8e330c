// dxc: -T ps_6_0 -E main
// Sample by sample: one texel a sample, side by side.
RasterizerOrderedTexture2D<float> target : register(u0);
void main(float4 p : SV_Position, nointerpolation float4 c : COLOR, uint s : SV_SampleIndex)
{
	uint2 at = uint2((uint)p.x * 4 + s, (uint)p.y);
	target[at] = target[at] * c.a + c.r;
}
