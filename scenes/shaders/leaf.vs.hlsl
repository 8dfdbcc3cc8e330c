// dxc: -T vs_6_0 -E main
struct Out { float4 pos : SV_Position; float2 uv : TEXCOORD0; float3 tint : COLOR0; };
Out main(float3 pos : POSITION, float2 uv : TEXCOORD, float3 tint : COLOR)
{
    Out o; o.pos = float4(pos, 1); o.uv = uv; o.tint = tint; return o;
}
