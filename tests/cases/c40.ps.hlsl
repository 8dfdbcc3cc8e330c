// dxc: -T ps_6_0 -E main
cbuffer b : register(b0) { float zero, nan, big; uint pick; float none; };
float4 main() : SV_Target
{
	if (pick == 0)
		return float4(saturate(zero / none), min(nan, 2), max(2, nan), 0);
	return float4((float)(int)nan, (float)(int)big, 0, 0);
}
