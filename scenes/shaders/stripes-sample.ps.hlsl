// dxc: -T ps_6_0 -E main
// The same, evaluated once a sample: `sample` moves the input to each sample's place.
float4 main(float4 pos : SV_Position, sample float2 uv : TEXCOORD0) : SV_Target0
{
    float2 p = uv * 128;
    return frac(dot(p, p) / 128) < 0.5 ? float4(1, 1, 1, 1) : float4(0, 0, 0, 1);
}
