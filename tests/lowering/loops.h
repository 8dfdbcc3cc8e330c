	b = (1u - ((b ^ b) ^ (in0 ^ in1)));
	{ uint i1 = 0u; LOOP do { ++i1;
		b = d;
		b = (((in1 ^ a) % ((cb0 % (in1 | 1u)) | 1u)) * ((cb0 & cb1) * (d & d)));
		LOOP for (uint i2 = 0u; i2 < ((d & c) & 7u); ++i2) {
			a = in0;
			d = in0;
			LOOP for (uint i3 = 0u; i3 < (4294967295u & 7u); ++i3) {
				{ uint t = a; a = b; b = t; }
				if (((d & 7u) > (17u & 7u))) continue;
			}
		}
	} while (i1 < 6u && ((((c << (b & 31u)) * 1u) & 7u) >= (((b * cb0) + d) & 7u))); }
	{ uint t = a; a = b; b = t; }
	{ uint i4 = 0u; LOOP do { ++i4;
		if (((cb0 & 7u) <= (((d & b) << ((((in1 & 7u) != (c & 7u)) ? cb0 : in0) & 31u)) & 7u))) {
			if (((a & 7u) == (((cb0 + cb1) & 1u) & 7u))) {
				a = (((b * in1) >> (c & 31u)) % (((((cb0 & 7u) == (b & 7u)) ? cb0 : cb0) << ((in1 | b) & 31u)) | 1u));
				if ((((17u / ((in1 | cb1) | 1u)) & 7u) != (((cb1 * in1) / (d | 1u)) & 7u))) break;
			} else {
				BRANCH switch (((((in0 >> (c & 31u)) & 7u) >= (a & 7u)) ? a : c) & 7u) {
				case 2: 
					b = ((d | 17u) * (in1 * (c ^ in0)));
					break;
				default:
					a = d;
					d = in0;
					break;
				}
				BRANCH switch ((c % (a | 1u)) & 7u) {
				case 3: 
					a = 7u;
					a = 17u;
					b = in0;
					break;
				default:
					c = 0u;
					a = in0;
					c = (17u % (((a | in1) << ((cb0 * c) & 31u)) | 1u));
					break;
				}
			}
			c = 5u;
		}
		if (((b & 7u) < (((cb0 >> (in0 & 31u)) ^ (in0 - in1)) & 7u))) {
			if (((d & 7u) <= (4294967295u & 7u))) {
				if ((((((cb0 & 7u) != (c & 7u)) ? (((in1 & 7u) != (cb0 & 7u)) ? d : a) : (d | in0)) & 7u) >= (cb1 & 7u))) {
					b = ((a & (d << (cb0 & 31u))) / (b | 1u));
					a = (b << (((cb0 >> (c & 31u)) << ((a ^ c) & 31u)) & 31u));
					c = (((d & 7u) <= ((b << (in1 & 31u)) & 7u)) ? ((d + c) - (b / (b | 1u))) : (cb1 ^ (a & cb1)));
				} else {
					d = 17u;
					a = in1;
					b = ((((b & 7u) == (cb0 & 7u)) ? d : (a ^ in1)) + 255u);
				}
				if (((((in1 * in0) | (b ^ cb1)) & 7u) < ((c * (cb0 * a)) & 7u))) continue;
				b = a;
			}
			c = ((d - (((in0 & 7u) > (a & 7u)) ? cb0 : a)) | ((in0 & cb0) | (d | in1)));
		}
		c = (cb0 * ((cb0 - b) | cb0));
	} while (i4 < 6u && (((cb0 ^ 2u) & 7u) < ((cb0 / (255u | 1u)) & 7u))); }
	return OUT(a, b, c, d);
