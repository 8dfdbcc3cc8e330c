// dxc: -T ps_6_2 -E main -enable-16bit-types
cbuffer C : register(b0) { half4 a; half4 b; float c; double d; double2 e; };
uint4 main(float4 pos : SV_Position) : SV_Target0
{
    uint lo, hi, lo2, hi2;
    asuint(d, lo, hi);
    asuint(e.y, lo2, hi2);
    return uint4(lo, hi, lo2, hi2);
}
