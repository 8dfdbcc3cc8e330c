// dxc: -T vs_6_0 -E main
// One triangle that covers the viewport.
float4 main(uint id : SV_VertexID) : SV_Position
{
	return float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0.5, 1);
}
