// dxc: -T ps_6_6 -E main -HV 2021
// 64-bit integers and doubles, two results a case; tests/test_wide.c says what they are.
cbuffer C : register(b0) { uint op; uint4 pad; double cd; int64_t ci; };
StructuredBuffer<double> table : register(t0);
static const int64_t array[3] = {-5, 0x123456789abcdefLL, 7};

uint4 both(uint64_t x, uint64_t y) { return uint4((uint)x, (uint)(x >> 32), (uint)y, (uint)(y >> 32)); }
uint4 reals(double x, double y)
{
	uint4 r;
	asuint(x, r.x, r.y);
	asuint(y, r.z, r.w);
	return r;
}

uint4 main(nointerpolation uint4 v : V, nointerpolation uint4 w : W) : SV_Target
{
	uint64_t a = (uint64_t)v.y << 32 | v.x, b = (uint64_t)v.w << 32 | v.z;
	int64_t s = (int64_t)a, t = (int64_t)b;
	double x = asdouble(v.x, v.y), y = asdouble(v.z, v.w);
	bool c = (w.x & 1) != 0;
	switch (op) {
	case 0: return both(a + b, a - b);
	case 1: return both(a * b, a / b);
	case 2: return both(a % b, (uint64_t)(s / t));
	case 3: return both((uint64_t)(s % t), a << (b & 63));
	case 4: return both(a >> (b & 63), (uint64_t)(s >> (t & 63)));
	case 5: return both(a & ~b, (a | b) ^ 0x0123456789abcdefULL);
	case 6: return uint4(a < b, a <= b, s < t, s <= t);
	case 7: return uint4(a == b, a != b, s > t, a >= b);
	case 8: return both(min(a, b), (uint64_t)max(s, t));
	case 9: return uint4(countbits(a), firstbithigh(a), firstbitlow(a), firstbithigh(s));
	case 10: return both(reversebits(a), c ? a : b);
	case 11: return both((uint64_t)(int64_t)(int)w.y, (uint64_t)w.y);
	case 12: return reals(x + y, x - y);
	case 13: return reals(x * y, x / y);
	case 14: return reals(min(x, y), max(x, y));
	case 15: return reals(abs(x), -x);
	case 16: return uint4(x < y, x <= y, x == y, x != y);
	case 17: return uint4(asuint((float)x), (uint)(int)x, (uint)x, x > y);
	case 18: return both((uint64_t)(int64_t)x, (uint64_t)x);
	case 19: return reals((double)s, (double)a);
	case 20: return uint4(asuint((float)s), asuint((float)a), 0, 0);
	case 21: return reals((double)asfloat(w.z), (double)(int)w.y);
	case 22: return reals(mad(x, y, 1.0L), c ? x : saturate(y));
	case 23: return reals(cd, (double)ci);
	case 24: return both((uint64_t)array[w.x % 3], WaveActiveSum(a));
	case 25: return both(WavePrefixSum(b), WaveReadLaneFirst(a));
	case 26: {
		uint64_t sum = 1;
		[loop] for (uint i = 0; i < (w.x & 7); i++)
			sum = sum * a + i;
		return both(sum, QuadReadAcrossX(a));
	}
	case 27: return both((uint64_t)(int64_t)asfloat(w.z), (uint64_t)asfloat(w.z));
	}
	return reals(table[w.x], 0);
}
