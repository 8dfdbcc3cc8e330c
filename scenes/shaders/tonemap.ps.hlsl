// dxc: -T ps_6_0 -E main
// Linear light of any brightness to [0, 1] by a filmic curve (K. Narkowicz's fit of ACES); the sRGB target encodes it.
Texture2D<float4> picture : register(t0);
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0
{
    float3 x = picture.Load(int3(pos.xy, 0)).rgb * 0.8;
    return float4(saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)), 1);
}
