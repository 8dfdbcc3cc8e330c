// dxc: -T ps_6_0 -E main
// The surroundings of dynamic-cube-map: with color.a = 0 the sky, its light by direction alone; else a lit surface, its color
// and a darker one in squares where it has tiles.
cbuffer Camera : register(b0) { float4x4 view_projection; float3 eye; };
cbuffer Object : register(b1) { float3 place; float gloss; float3 size; float rough; float2 turn; float2 tile; float4 color; };
static const float3 to_sun = float3(0.6, 0.48, -0.64);
float3 sky(float3 d)
{
    float up = saturate(d.y), low = 1 - up;
    float3 base = lerp(float3(0.06, 0.17, 0.46), float3(0.95, 0.55, 0.34), pow(low, 5));
    float sun = saturate(dot(d, to_sun));
    return base + float3(1.0, 0.75, 0.4) * (0.4 * pow(sun, 12) + 6 * pow(sun, 600));
}
float4 main(float4 pos : SV_Position, float3 normal : NORMAL, float3 world : TEXCOORD0, float2 uv : TEXCOORD1) : SV_Target0
{
    if (color.a == 0)
        return float4(sky(normalize(world)), 1);
    float3 n = normalize(normal), v = eye - world;
    float2 square = frac(uv * 0.5);
    float dark = tile.x > 1 && (square.x < 0.5) == (square.y < 0.5) ? 0.35 : 1;
    float3 light = lerp(float3(0.20, 0.13, 0.10), float3(0.14, 0.22, 0.40), n.y * 0.5 + 0.5)
        + saturate(dot(n, to_sun)) * float3(1.9, 1.45, 0.95);
    float far = saturate(length(v) / 70);
    return float4(lerp(color.rgb * dark * light, float3(0.95, 0.55, 0.34), far * far), 1);
}
