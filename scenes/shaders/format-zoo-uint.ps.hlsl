// dxc: -T ps_6_0 -E main
// Red leaves 8 bits, blue leaves 16, alpha leaves 2.
uint4 main(float4 pos : SV_Position) : SV_Target0 { return uint4(uint(pos.x) * 5, uint(pos.y) * 4, 70000 * (uint(pos.x) / 32), 7); }
