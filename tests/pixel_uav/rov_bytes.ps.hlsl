// dxc: -T ps_6_0 -E main
// The same through bytes, a load and a store: old * alpha + colour, not commutative.
RasterizerOrderedByteAddressBuffer target : register(u0);
void main(float4 p : SV_Position, nointerpolation float4 c : COLOR)
{
	uint at = 4 * ((uint)p.y * 8 + (uint)p.x);
	target.Store(at, asuint(asfloat(target.Load(at)) * c.a + c.r));
}
