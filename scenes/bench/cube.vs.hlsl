// dxc: -T vs_6_0 -E main
// draws: many small draws; the placement comes from root (push) constants.
struct Place { float2 offset; float scale; float shade; };
#ifdef __spirv__
[[vk::push_constant]] Place place;
#else
ConstantBuffer<Place> place : register(b0);
#endif
struct Out { float4 pos : SV_Position; float3 nrm : NORMAL; };

Out main(float3 pos : POSITION, float3 nrm : NORMAL)
{
    Out o;
    float3 p = pos * place.scale;
    o.pos = float4(p.x + p.z * 0.35 + place.offset.x, p.y + p.z * 0.25 + place.offset.y, 0.5 + p.z * 0.25, 1);
    o.nrm = nrm * place.shade;
    return o;
}
