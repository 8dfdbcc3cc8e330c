// dxc: -T ps_6_0 -E main
float4 main(float4 pos : SV_Position) : SV_Target
{
	float4 o = float4(1, 0, 0, 1);
	if (pos.x > 4)
		o = float4(0, 1, 0, 1);
	o.a = 0.5;
	if ((uint)pos.y & 1)
		discard;
	return o;
}
