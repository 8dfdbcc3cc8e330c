// dxc: -T vs_6_0 -E main
// Rising ones blue and white, slow ones red.
struct Particle { float2 at, velocity; };
StructuredBuffer<Particle> particles : register(t0);
void main(uint id : SV_VertexID, out float4 position : SV_Position, out float3 color : COLOR)
{
	Particle p = particles[id];
	position = float4(p.at, 0, 1);
	color = lerp(float3(0.6, 0.2, 0.1), float3(0.3, 0.5, 0.9), saturate(p.velocity.y));
}
