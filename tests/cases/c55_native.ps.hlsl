// dxc: -T ps_6_2 -E main -enable-16bit-types
// A row is eight halves: a at byte 0, b at 8, c at 16.
cbuffer B : register(b0) { half4 a; half4 b; float c; };
uint4 main() : SV_Target { return uint4(asuint16(b.x), asuint16(a.w), asuint(c), asuint16(b.w)); }
