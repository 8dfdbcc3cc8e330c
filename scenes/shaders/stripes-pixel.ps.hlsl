// dxc: -T ps_6_0 -E main
// Rings that are finer than pixels towards the corner, evaluated once a pixel.
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0
{
    float2 p = uv * 128;
    return frac(dot(p, p) / 128) < 0.5 ? float4(1, 1, 1, 1) : float4(0, 0, 0, 1);
}
