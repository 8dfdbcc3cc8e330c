// dxc: -T ps_6_0 -E main
// Programmable blending: old * alpha + colour, not commutative.
RasterizerOrderedTexture2D<float> target : register(u0);
void main(float4 p : SV_Position, nointerpolation float4 c : COLOR)
{
	target[(uint2)p.xy] = target[(uint2)p.xy] * c.a + c.r;
}
