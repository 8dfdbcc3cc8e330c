// dxc: -T ps_6_0 -E main
// The destination of every cell: 32x32 pixels in a grid of 40, a gradient from top to bottom.
float4 main(float4 pos : SV_Position) : SV_Target0
{
    int2 at = int2(pos.xy) % 40 - 4;
    if (any(at < 0) || any(at >= 32))
        return float4(0.125, 0.125, 0.125, 1);
    return float4(0.25, 0.5, 1, 1) + (at.y + 0.5) / 32 * float4(0.5, -0.25, -1, -0.75);
}
