// dxc: -T ps_6_0 -E main
cbuffer C : register(b0) { min16int s; min16uint t; };
int4 main(nointerpolation min16uint2 v : V) : SV_Target0
{
    min16uint u = v.x; min16int w = (min16int)v.y;
    return int4((u * t) / 7, u % (t | 1), (w >> 2) + max(s, w), w < s ? (int)(w * s) : (int)(u << 3));
}
