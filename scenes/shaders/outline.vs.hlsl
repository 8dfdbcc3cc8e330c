// dxc: -T vs_6_0 -E main
// The mesh grown along its normals.
cbuffer View : register(b0) { float4x4 view_projection; float4x4 world; };
static const float thickness = 0.06;
float4 main(float3 pos : POSITION, float3 normal : NORMAL) : SV_Position
{
    return mul(view_projection, mul(world, float4(pos + normalize(normal) * thickness, 1)));
}
