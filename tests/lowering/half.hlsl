// dxc: -T ps_6_2 -E main -HV 2021 -enable-16bit-types
// Native 16-bit types, four results a case; tests/test_half.c says what they are.
cbuffer C : register(b0) { uint op; half h0; half h1; int16_t i0; uint16_t u0; half3 row; int16_t last; };
static const half table[4] = {1.5h, -2.25h, 65504.0h, 6.0e-8h};

uint4 main(nointerpolation uint4 v : V) : SV_Target
{
	uint16_t x = (uint16_t)v.x, y = (uint16_t)v.y;
	int16_t s = (int16_t)v.x, t = (int16_t)v.y;
	half a = asfloat16(x), b = asfloat16(y), c = asfloat16((uint16_t)v.z);
	precise half4 r = 0;
	switch (op) {
	case 0: r = half4(a + b, a - b, a * b, a / b); break;
	case 1: r = half4(mad(a, b, c), dot(half2(a, b), half2(b, c)), sqrt(a), dot(half3(a, b, c), half3(c, a, b))); break;
	case 2: r = half4(min(a, b), max(a, b), abs(a), -a); break;
	case 3: r = half4((half)asfloat(v.w), floor(a), frac(a), saturate(a)); break;
	case 4: return uint4(asuint((float)a), a < b, a == b, a != b);
	case 5: return uint4((int)a, (uint)a, (int)(int16_t)a, (uint16_t)a);
	case 6: r = half4((half)(int)v.w, (half)v.w, (half)s, (half)x); break;
	case 7: return uint4(isnan(a), isinf(a), isfinite(a), a >= b);
	case 8: return uint4((int)(int16_t)(s + t), (int)(int16_t)(s * t), (int)(int16_t)(s / (t | (int16_t)1)), (int)(int16_t)(s >> (t & (int16_t)15)));
	case 9: return uint4((uint16_t)(x / (y | (uint16_t)1)), (uint16_t)(x % (y | (uint16_t)1)), (uint16_t)(x << (y & (uint16_t)15)), (uint16_t)(x >> (y & (uint16_t)15)));
	case 10: return uint4((int)min(s, t), max(x, y), s < t, x < y);
	case 11: return uint4(reversebits(x), countbits(x), firstbithigh(x), firstbitlow(x));
	case 12: return uint4(firstbithigh(s), asuint16(s < t ? a : b), asuint16(round(a)), asuint16(trunc(a)));
	case 13: return uint4(asuint16(table[v.z & 3]), asuint16(h0 + h1), (int)i0, u0);
	case 14: return uint4(asuint16(row.x), asuint16(row.y), asuint16(row.z), (int)last);
	case 15: return uint4(asuint16(a % b), asuint16(rcp(a)), asuint16(a - b * c), asuint16((half)1 / b));
	}
	return uint4(asuint16(r.x), asuint16(r.y), asuint16(r.z), asuint16(r.w));
}
