// dxc: -T ps_6_0 -E main -Od
// Without optimisation: DXC's own folds x != x.
cbuffer b : register(b0) { float a, b, c; };
float4 main() : SV_Target
{
	float x = a / b;
	return float4(isnan(x) ? 2 : 1, x != x ? 2 : 1, isinf(c / b) ? 2 : 1, 1);
}
