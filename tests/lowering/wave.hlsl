// dxc: -T ps_6_7 -E main -HV 2021 -enable-16bit-types
// Operations that see other lanes, four results a case; tests/test_wave.c says what they are.
cbuffer C : register(b0) { uint op; };
uint4 main(nointerpolation uint4 v : V) : SV_Target
{
	uint4 r = 0;
	uint a = v.x, b = v.y;
	int s = (int)v.x;
	float f = asfloat(v.z);
	uint16_t w = (uint16_t)v.x;
	half h = asfloat16((uint16_t)v.w);
	bool c = (v.x & 1) != 0;
	switch (op) {
	case 0: r = uint4(WaveGetLaneIndex(), WaveGetLaneCount(), WaveIsFirstLane(), WaveActiveAnyTrue(v.y == 7)); break;
	case 1: r = uint4(WaveActiveAllTrue(v.y < 7), WaveActiveAllEqual(v.y >> 3), WaveActiveCountBits(c), WavePrefixCountBits(c)); break;
	case 2: r = WaveActiveBallot(c); break;
	case 3: r = uint4(WaveReadLaneAt(a, b), WaveReadLaneFirst(a), WaveActiveSum(a), WaveActiveProduct(a)); break;
	case 4: r = uint4(WaveActiveMin(a), WaveActiveMax(a), WaveActiveMin(s), WaveActiveMax(s)); break;
	case 5: r = uint4(WaveActiveBitAnd(a), WaveActiveBitOr(a), WaveActiveBitXor(a), WavePrefixSum(a)); break;
	case 6: r = asuint(float4(WaveActiveSum(f), WaveActiveProduct(f), WaveActiveMin(f), WaveActiveMax(f))); break;
	case 7: r = uint4(asuint(WavePrefixSum(f)), asuint(WavePrefixProduct(f)), WavePrefixProduct(a), asuint(WaveReadLaneAt(f, 5))); break;
	case 8: r = uint4(asuint16(WaveActiveSum(h)), asuint16(WavePrefixProduct(h)), asuint16(WaveActiveMax(h)), (uint)WaveActiveMin(w)); break;
	case 9: r = uint4(QuadReadAcrossX(a), QuadReadAcrossY(a), QuadReadAcrossDiagonal(a), QuadReadLaneAt(a, b & 3)); break;
	case 10: r = uint4(QuadAny(c), QuadAll(c), IsHelperLane(), 0); break;
	case 11: r = WaveMatch(b); break;
	case 12: {
		uint4 m = WaveMatch(b);
		r = uint4(WaveMultiPrefixSum(a, m), WaveMultiPrefixProduct(a, m), WaveMultiPrefixBitXor(a, m), WaveMultiPrefixCountBits(c, m));
		break;
	}
	case 13: { /* in divergent control flow, and read behind it */
		uint x = 1000;
		if (c)
			x = WaveActiveSum(1u) + WavePrefixSum(b);
		r = uint4(x, WaveActiveSum(x), 0, 0);
		break;
	}
	case 14: { /* lanes leave the loop on different trips */
		uint sum = 0;
		[loop] for (uint i = 0; i < b; i++)
			sum += WaveActiveCountBits(true);
		r = uint4(sum, 0, 0, 0);
		break;
	}
	case 15: r = uint4(dot4add_i8packed(a, b, s), dot4add_u8packed(a, b, v.z), asuint(dot2add(half2(h, h), half2(2, 0.5), f)), 0); break;
	case 16: r = uint4(pack_u8(v), pack_clamp_u8((int4)v), pack_clamp_s8((int4)v), 0); break;
	case 17: r = (uint4)unpack_s8s32((int8_t4_packed)a) + unpack_u8u32((uint8_t4_packed)v.z); break;
	case 18: /* helper from here on: takes no part any more */
		if (c)
			discard;
		r = uint4(WaveActiveSum(a), WaveActiveBallot(true).x, IsHelperLane(), QuadReadAcrossX(a));
		break;
	}
	return r;
}
