// dxc: -T vs_6_0 -E main
// Only where the light sees a mesh (object.vs.hlsl in short).
cbuffer Sun : register(b0) { float4x4 sun; };
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; };
float4 main(float3 pos : POSITION) : SV_Position
{
    float3 p = pos * size;
    return mul(sun, float4(float3(p.x * turn.x + p.z * turn.y, p.y, p.z * turn.x - p.x * turn.y) + place, 1));
}
