// dxc: -T cs_6_0 -E main
// 16 fans of 64 particles, each faster than the one before.
struct Particle { float2 at, velocity; };
RWStructuredBuffer<Particle> particles : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex, uint3 group : SV_GroupID)
{
	float across = (lane - 31.5) / 32, speed = (group.x + 1) / 16.0;
	Particle p = {float2(0, -0.75), speed * float2(across, 1.5 - across * across)};
	particles[id.x] = p;
}
