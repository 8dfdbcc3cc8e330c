// dxc: -T ps_6_0 -E main
// Hemisphere ambient, one directional light, Blinn-Phong highlight.
cbuffer Light : register(b1)
{
    float3 to_light; float shininess;
    float3 light; float specular;
    float3 sky; float unused0;
    float3 ground; float unused1;
    float3 eye; float unused2;
    float3 albedo; float unused3;
};
float4 main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world_pos : TEXCOORD0) : SV_Target0
{
    float3 n = normalize(normal), v = normalize(eye - world_pos), h = normalize(v + to_light);
    float3 ambient = lerp(ground, sky, n.y * 0.5 + 0.5);
    float diffuse = saturate(dot(n, to_light));
    float gloss = diffuse > 0 ? pow(saturate(dot(n, h)), shininess) * specular : 0;
    return float4(albedo * (ambient + light * diffuse) + light * gloss, 1);
}
