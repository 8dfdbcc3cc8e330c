// dxc: -T vs_6_0 -E main
cbuffer View : register(b0) { float4x4 view_projection; float4x4 world; };
struct Out { float4 pos : SV_Position; float3 normal : NORMAL; float3 world_pos : TEXCOORD0; };
Out main(float3 pos : POSITION, float3 normal : NORMAL)
{
    Out o;
    float4 w = mul(world, float4(pos, 1));
    o.pos = mul(view_projection, w);
    o.normal = mul((float3x3)world, normal);
    o.world_pos = w.xyz;
    return o;
}
