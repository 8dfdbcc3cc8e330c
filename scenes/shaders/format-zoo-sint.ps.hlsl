// dxc: -T ps_6_0 -E main
// Red leaves 8 bits on both sides, blue leaves 16.
int4 main(float4 pos : SV_Position) : SV_Target0 { return int4((int(pos.x) - 32) * 5, int(pos.y) - 32, 70000 * (int(pos.x) / 32) - 35000, -7); }
