// dxc: -T vs_6_0 -E main
// tris: indexed mesh, position and normal from one vertex buffer.
struct In  { float3 pos : POSITION; float3 nrm : NORMAL; };
struct Out { float4 pos : SV_Position; float3 nrm : NORMAL; };

Out main(In i)
{
    Out o;
    o.pos = float4(i.pos, 1);
    o.nrm = i.nrm;
    return o;
}
