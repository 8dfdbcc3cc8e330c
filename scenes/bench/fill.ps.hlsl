// dxc: -T ps_6_0 -E main
// fill: constant colour, the cheapest pixel shader there is.
float4 main(float4 pos : SV_Position) : SV_Target0
{
    return float4(0.25, 0.5, 0.75, 1.0);
}
