// dxc: -T vs_6_0 -E main
// A unit cube becomes a column that stands at (place.x, place.y) and is place.z high.
cbuffer View : register(b0) { float4x4 view_projection; };
struct Out { float4 pos : SV_Position; float3 normal : NORMAL; float3 world_pos : TEXCOORD0; float3 color : COLOR; };
Out main(float3 pos : POSITION, float3 normal : NORMAL, float3 place : PLACE, float4 color : COLOR)
{
    Out o;
    o.world_pos = float3(pos.x * 0.88 + place.x, (pos.y + 0.5) * place.z, pos.z * 0.88 + place.y);
    o.pos = mul(view_projection, float4(o.world_pos, 1));
    o.normal = normal;
    o.color = color.rgb;
    return o;
}
