// dxc: -T ps_6_0 -E main
// tex: four trilinear taps of a mip-mapped RGBA8 texture.
Texture2D<float4> albedo : register(t0);
SamplerState      linear_wrap : register(s0);

float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0
{
    float4 c = albedo.Sample(linear_wrap, uv * 1.7);
    c += albedo.Sample(linear_wrap, uv.yx * 2.3);
    c += albedo.Sample(linear_wrap, uv * float2(0.9, -1.1));
    c += albedo.Sample(linear_wrap, float2(uv.x + uv.y, uv.x - uv.y));
    return c * 0.25;
}
