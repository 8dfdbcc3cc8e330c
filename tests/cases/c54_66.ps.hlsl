// dxc: -T ps_6_6 -E main
// The index of a handle is a register: t[1] is t5. The other compile is of shader model 6.0.
Texture2D<uint> t[3] : register(t4);
float4 main() : SV_Target { return t[1].Load(0); }
