// dxc: -T ps_6_0 -E main
// blend: constant colour with fractional alpha, for SRC_ALPHA / INV_SRC_ALPHA.
float4 main(float4 pos : SV_Position) : SV_Target0
{
    return float4(0.1, 0.2, 0.3, 0.25);
}
