	BRANCH switch (((((cb1 & 7u) < (cb0 & 7u)) ? b : (d & b)) ^ (a * (d >> (c & 31u)))) & 7u) {
	case 4: 
		if (((((in1 * d) * a) & 7u) == (d & 7u))) {
			BRANCH switch (((c | (in1 ^ d)) / (4294967295u | 1u)) & 7u) {
			case 5: 
				a = (a ^ ((b % (cb1 | 1u)) + (a - in1)));
				break;
			case 4: 
			case 2: 
				if (((b & 7u) <= (in1 & 7u))) return OUT(a, b, c ^ 0x55u, d);
				break;
			default:
				{ uint i1 = 0u; LOOP do { ++i1;
					a = (7u >> (cb0 & 31u));
					b = (((((cb1 & 7u) <= (d & 7u)) ? c : cb0) << (a & 31u)) ^ (b - (cb1 * cb1)));
				} while (i1 < 6u && ((((b + b) * in1) & 7u) == (a & 7u))); }
				break;
			}
			{ uint i2 = 0u; LOOP do { ++i2;
				if ((((17u + (a + a)) & 7u) < (((d / (in1 | 1u)) * c) & 7u))) {
					a = (((in0 - b) + (a | in0)) << (((cb1 & in0) ^ (d | c)) & 31u));
					d = ((7u * (c ^ in1)) + (a >> ((a ^ c) & 31u)));
					a = (((d & 7u) < ((in0 * in0) & 7u)) ? ((cb1 - cb1) * b) : 1u);
				} else {
					c = ((in1 | (a * in0)) * cb0);
					d = in1;
					a = (cb1 | ((b ^ in1) % ((a ^ in1) | 1u)));
				}
				if (((((d | cb1) / (a | 1u)) & 7u) > (((a >> (cb1 & 31u)) | b) & 7u))) break;
			} while (i2 < 6u && (((((d & 7u) > (in0 & 7u)) ? cb0 : cb1) & 7u) < ((d - (b + b)) & 7u))); }
			LOOP for (uint i3 = 0u; i3 < ((((cb0 | cb1) % ((cb1 / (in1 | 1u)) | 1u)) % (5u | 1u)) & 7u); ++i3) {
				a = (((b & c) - (c + in1)) % (a | 1u));
				if (((((a ^ d) >> (b & 31u)) & 7u) != (((d ^ in1) ^ (((a & 7u) <= (d & 7u)) ? a : b)) & 7u))) {
					b = (7u >> ((c | (cb0 + b)) & 31u));
					a = 5u;
					d = ((a - 5u) << (a & 31u));
				} else {
					d = (((c & 7u) < ((((a & 7u) != (c & 7u)) ? in0 : b) & 7u)) ? ((cb0 | in1) & (d | cb0)) : in0);
					b = cb0;
					a = (((cb1 * in0) / ((b - in1) | 1u)) / (d | 1u));
				}
			}
		} else {
			c = (((cb1 * a) + in1) ^ c);
			c = ((c ^ in1) % ((((d & 7u) != (cb1 & 7u)) ? (in1 - in0) : (in0 - in0)) | 1u));
		}
		{ uint t = a; a = b; b = t; }
		break;
	case 5: 
		c = b;
		{ uint i4 = 0u; LOOP do { ++i4;
			b = a;
			b = ((((cb0 & 7u) <= (a & 7u)) ? 2u : 255u) + (a & in0));
			{ uint t = a; a = b; b = t; }
		} while (i4 < 6u && ((b & 7u) <= (((cb0 & cb0) - d) & 7u))); }
		break;
	default:
		c = ((d ^ (a % (in0 | 1u))) * ((in0 & cb0) * (cb1 + cb0)));
		b = (b ^ (cb1 * (in1 * cb1)));
		break;
	}
	d = b;
	{ uint i5 = 0u; LOOP do { ++i5;
		{ uint i6 = 0u; LOOP do { ++i6;
			b = cb1;
			if (((c & 7u) < ((cb1 - cb1) & 7u))) {
				d = 17u;
				if ((((((in0 & 7u) < (cb0 & 7u)) ? 255u : (in0 / (c | 1u))) & 7u) >= (((in0 >> (c & 31u)) ^ (cb1 | in1)) & 7u))) break;
				if (((((cb1 - d) + (((b & 7u) == (a & 7u)) ? c : a)) & 7u) > (cb0 & 7u))) continue;
			}
			{ uint t = a; a = b; b = t; }
		} while (i6 < 6u && ((((in0 | d) - (c + c)) & 7u) == (in0 & 7u))); }
	} while (i5 < 6u && ((cb1 & 7u) > ((b >> ((cb1 ^ b) & 31u)) & 7u))); }
	if (((b & 7u) == (in0 & 7u))) return OUT(a, b, c ^ 0x55u, d);
	return OUT(a, b, c, d);
