// dxc: -T ps_6_0 -E main
// alu: escape-time loop with divergent trip count, at most 256 iterations.
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0
{
    float2 c = uv * float2(3.0, 2.0) - float2(2.25, 1.0);
    float2 z = 0;
    uint   i = 0;
    [loop] for (; i < 256 && dot(z, z) < 4.0; ++i)
        z = float2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    float t = i / 256.0;
    return float4(t, t * t, sqrt(t), 1);
}
