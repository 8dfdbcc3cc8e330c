// dxc: -T ps_6_0 -E main
// Each pixel in the order of its drawing: primitive, x, y.
AppendStructuredBuffer<uint3> list : register(u0);
void main(float4 p : SV_Position, uint primitive : SV_PrimitiveID)
{
	list.Append(uint3(primitive, (uint2)p.xy));
}
