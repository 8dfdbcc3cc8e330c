// dxc: -T ps_6_6 -E main -O3
// The body is HLSL here and C in tests/test_control_flow.c.
#define LOOP [loop]
#define BRANCH [branch]
#define OUT uint4
cbuffer C : register(b0) { uint cb0, cb1; };
uint4 main(nointerpolation uint2 v : V) : SV_Target0
{
	uint in0 = v.x, in1 = v.y, a = in0, b = in1, c = cb0, d = cb1;
#include "loops.h"
}
