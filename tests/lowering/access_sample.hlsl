// dxc: -T ps_6_8 -E main -HV 2021 -O3
// One call a line, each with operands of its own; tests/test_access.c has the operands that have to arrive.
Texture1D<float4> t1 : register(t0);
Texture2D<float4> t2 : register(t1);
Texture3D<float4> t3 : register(t2);
TextureCube<float4> cube : register(t3);
Texture1DArray<float4> a1 : register(t4);
Texture2DArray<float4> a2 : register(t5);
TextureCubeArray<float4> cubes : register(t6);
Texture2D<uint4> ints : register(t7);
Texture2DMS<float4> ms : register(t8);
Texture2DMSArray<float4> msa : register(t9);
Texture2D<float> many[4] : register(t10);
Texture2D<float> endless[] : register(t20, space1);
SamplerState s : register(s0);
SamplerComparisonState cmp : register(s1);
SamplerState samplers[3] : register(s2);

float4 main(nointerpolation float4 f : F, nointerpolation int4 i : I) : SV_Target
{
	float4 r = 0;
	uint status, w, h, d, n;
	r += t1.Sample(s, f.x);
	r += t2.Sample(s, f.xy, int2(3, -4));
	r += t3.Sample(s, f.xyz, int3(1, 2, -3), 2.5);
	r += cube.Sample(s, f.zyx);
	r += a1.Sample(s, f.xw, -8);
	r += a2.Sample(s, f.xyw, int2(0, 7), 0.5, status);
	r += CheckAccessFullyMapped(status) ? 1 : 2;
	r += cubes.SampleBias(s, f, -1.5);
	r += t2.SampleBias(s, f.yx, 2.5, int2(1, 1), 0.25).xxxx;
	r += t2.SampleLevel(s, f.zw, 3, int2(-1, 0)).yyyy;
	r += t2.SampleGrad(s, f.xy, f.zw, f.wz, int2(2, 3), 1.25);
	r += cube.SampleGrad(s, f.xyz, f.yzw, f.wxy);
	r += t2.SampleCmp(cmp, f.xy, 0.125, int2(5, 6));
	r += cubes.SampleCmp(cmp, f, f.x);
	r += t2.SampleCmpLevelZero(cmp, f.yx, 0.375);
	r += t2.SampleCmpLevel(cmp, f.yy, 0.625, 1.5);
	r += a2.SampleCmpBias(cmp, f.xyz, 0.75, -0.5);
	r += t2.SampleCmpGrad(cmp, f.xy, 0.875, f.xz, f.yw);
	r += t2.Gather(s, f.xy, int2(-5, 4));
	r += t2.GatherBlue(s, f.xx);
	r += cubes.GatherAlpha(s, f);
	r += t2.GatherCmpRed(cmp, f.xy, f.z, int2(1, 0));
	r += t2.CalculateLevelOfDetail(s, f.xy);
	r += t3.CalculateLevelOfDetailUnclamped(s, f.xyz);
	r += t1.Load(int2(i.x, 2), 4);
	r += a2.Load(int4(i.xyz, 1), int2(-3, 5));
	r += t3.Load(int4(i.wzy, i.x));
	r += float4(ints.Load(i.xyz)).zzzz;
	r += ms.Load(i.zw, i.y, int2(1, 0));
	r += msa.Load(i.xyz, 6);
	r += many[i.x].Sample(samplers[2], f.xy);
	r += many[NonUniformResourceIndex(i.y)].SampleLevel(samplers[NonUniformResourceIndex(i.z)], f.yx, 0);
	r += endless[i.w + 5].Load(i.xxx);
	a2.GetDimensions(i.y, w, h, d, n); r += w + 2 * h + 3 * d + 5 * n;
	ms.GetDimensions(w, h, n); r += w + h + n;
	cubes.GetDimensions(0, w, h, d, n); r += d;
	return r;
}
