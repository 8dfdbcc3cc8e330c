// dxc: -T ps_6_6 -E main -HV 2021 -O3
// One access a line, each with operands of its own; tests/test_access.c has the operands that have to arrive.
struct S { float4 a; uint2 b; int c; };
Buffer<float4> typed : register(t0);
StructuredBuffer<S> structs : register(t1);
ByteAddressBuffer bytes : register(t2);
tbuffer T : register(t3) { float4 tx; uint4 ty; };
RWBuffer<int4> rwtyped : register(u0);
RWStructuredBuffer<S> rwstructs : register(u1);
RWByteAddressBuffer rwbytes : register(u2);
RWTexture1D<float> img1 : register(u3);
RWTexture2D<uint> img2 : register(u4);
RWTexture2DArray<float4> imga : register(u5);
RWTexture3D<int> img3 : register(u6);
AppendStructuredBuffer<uint2> app : register(u7);
ConsumeStructuredBuffer<uint2> con : register(u8);
RWStructuredBuffer<uint> counted : register(u9);
RWByteAddressBuffer several[3] : register(u10);
RWBuffer<uint> counters : register(u20);

float4 main(nointerpolation float4 f : F, nointerpolation int4 i : I) : SV_Target
{
	float4 r = 0;
	uint old, n, stride;
	r += typed[i.x];
	r += structs[i.y].b.y;
	r += structs[i.z].a;
	r += asfloat(bytes.Load(i.w * 4));
	r += asfloat(bytes.Load3(100)).zxyx;
	r += tx + ty.w;
	rwtyped[i.x] = int4(i.y, 5, i.z, 7);
	r += rwtyped[9].y;
	rwstructs[i.w].a.yz = f.xy;
	rwstructs[3].c = -2;
	rwbytes.Store2(i.x * 8, uint2(i.w, 11));
	rwbytes.Store4(64, uint4(1, 2, 3, i.z));
	img1[i.y] = f.z;
	img2[i.zw] = 17;
	imga[i.xyz] = f.wzyx;
	img3[i.wzy] = -5;
	r += imga[i.zyx];
	InterlockedAdd(img2[i.xy], 3u, old); r += old;
	InterlockedMin(img3[i.xyz], -7, old); r += old;
	InterlockedCompareExchange(img2[i.yx], 4u, 5u, old); r += old;
	rwbytes.InterlockedOr(i.y * 4, 6, old); r += old;
	rwbytes.InterlockedMax(12, 8);
	rwbytes.InterlockedCompareExchange(16, 9, i.x, old); r += old;
	InterlockedExchange(rwstructs[i.x].b.x, 21u, old); r += old;
	InterlockedXor(counters[i.z], 22u);
	InterlockedCompareStore(counters[2], 23u, 24u);
	app.Append(uint2(i.x, 31));
	r += con.Consume().y;
	r += counted.IncrementCounter();
	r += counted.DecrementCounter();
	several[i.x].Store(4, 41);
	several[NonUniformResourceIndex(i.y)].InterlockedAnd(8, 42);
	typed.GetDimensions(n); r += n;
	structs.GetDimensions(n, stride); r += n + stride;
	return r;
}
