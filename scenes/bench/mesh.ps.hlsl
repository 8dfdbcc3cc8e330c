// dxc: -T ps_6_0 -E main
// tris: one directional light.
float4 main(float4 pos : SV_Position, float3 nrm : NORMAL) : SV_Target0
{
    float d = saturate(dot(normalize(nrm), normalize(float3(0.4, 0.7, -0.6))));
    return float4(float3(0.9, 0.7, 0.5) * d + 0.1, 1);
}
