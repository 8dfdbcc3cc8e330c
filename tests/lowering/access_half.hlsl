// dxc: -T ps_6_2 -E main -HV 2021 -enable-16bit-types
// Buffers of native 16-bit types; tests/test_access.c has the operands that have to arrive.
struct S { half a; half3 b; int16_t c; };
StructuredBuffer<S> structs : register(t0);
ByteAddressBuffer bytes : register(t1);
Buffer<half4> typed : register(t2);
Texture2D<half2> image : register(t3);
RWStructuredBuffer<S> rwstructs : register(u0);
RWByteAddressBuffer rwbytes : register(u1);
RWTexture2D<half2> rwimage : register(u2);
SamplerState s : register(s0);

float4 main(nointerpolation float4 f : F, nointerpolation int4 i : I, half2 g : G) : SV_Target
{
	float4 r = 0;
	r.x += structs[i.y].a;
	r.xyz += structs[i.w].b;
	r.xy += bytes.Load<half2>(i.x * 2);
	r += typed[i.w];
	r.xy += image.Sample(s, g);
	rwstructs[3].b = half3(f.xyz);
	rwstructs[i.x].c = (int16_t)i.w;
	rwbytes.Store<int16_t>(6, (int16_t)-9);
	rwimage[i.zw] = half2(f.wz);
	return r;
}
