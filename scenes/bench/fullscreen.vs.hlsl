// dxc: -T vs_6_0 -E main
// One triangle that covers the whole viewport; no vertex buffer.
struct Out { float4 pos : SV_Position; float2 uv : TEXCOORD0; };

Out main(uint id : SV_VertexID)
{
    Out o;
    o.uv  = float2((id << 1) & 2, id & 2);
    o.pos = float4(o.uv * float2(2, -2) + float2(-1, 1), 0.5, 1);
    return o;
}
