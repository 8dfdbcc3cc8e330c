// dxc: -T vs_6_0 -E main
// Corners of triangles in clip space, and a colour that the whole triangle has.
void main(float4 at : POSITION, float4 c : COLOR, out float4 p : SV_Position, out nointerpolation float4 color : COLOR)
{
	p = at;
	color = c;
}
