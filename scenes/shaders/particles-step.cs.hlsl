// dxc: -T cs_6_0 -E main
struct Particle { float2 at, velocity; };
RWStructuredBuffer<Particle> particles : register(u0);
cbuffer Step : register(b0) { float dt, gravity; uint count; };
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
	if (id.x >= count)
		return;
	Particle p = particles[id.x];
	p.velocity.y += gravity * dt;
	p.at += p.velocity * dt;
	particles[id.x] = p;
}
