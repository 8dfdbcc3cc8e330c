// dxc: -T ps_6_0 -E main
// A colour that runs from left to right of the cell.
cbuffer Cell : register(b0) { float4 left; float4 step; float4 second; };
float4 main(float4 pos : SV_Position, float2 uv : TEXCOORD0) : SV_Target0 { return left + uv.x * step; }
