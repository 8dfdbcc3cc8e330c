// dxc: -T ps_6_0 -E main
// Eight outputs of different types and widths, all of one gradient.
struct Out
{
    float4 t0 : SV_Target0; float4 t1 : SV_Target1; float4 t2 : SV_Target2; float4 t3 : SV_Target3;
    float3 t4 : SV_Target4; uint t5 : SV_Target5; float2 t6 : SV_Target6; float4 t7 : SV_Target7;
};
Out main(float4 pos : SV_Position, float2 uv : TEXCOORD0)
{
    Out o;
    o.t0 = float4(uv, 0, 0.25);
    o.t1 = float4(uv.y, uv.x, 0.5, 1);
    o.t2 = float4(uv.x, 0.375, uv.y, 1);
    o.t3 = float4(uv * 1000, -uv);
    o.t4 = float3(uv.x * 4, uv.y, 2);
    o.t5 = uint(pos.x) << 16 | uint(pos.y);
    o.t6 = 1 - 2 * uv;
    o.t7 = float4(uv, uv.x * uv.y, 0.5);
    return o;
}
