// dxc: -T ps_6_0 -E main
// As blend-zoo, with a second source for the SRC1 factors.
cbuffer Cell : register(b0) { float4 left; float4 step; float4 second; };
struct Out { float4 color : SV_Target0; float4 second : SV_Target1; };
Out main(float4 pos : SV_Position, float2 uv : TEXCOORD0)
{
    Out o;
    o.color = left + uv.x * step;
    o.second = second;
    return o;
}
