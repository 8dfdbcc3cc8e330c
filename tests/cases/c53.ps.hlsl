// dxc: -T ps_6_0 -E main
// Without a turn of the loop x has no value: a phi of undef.
cbuffer b : register(b0) { uint n; };
float4 main(float4 pos : SV_Position) : SV_Target
{
	float x;
	[loop] for (uint i = 0; i < n; i++)
		x = pos.x * i;
	return float4(x, 1, 2, 3);
}
