	{ uint i1 = 0u; LOOP do { ++i1;
		a = (((cb0 | b) * cb1) ^ in0);
	} while (i1 < 6u && (((b % ((cb0 + c) | 1u)) & 7u) >= (5u & 7u))); }
	{ uint i2 = 0u; LOOP do { ++i2;
		if ((((b & c) & 7u) != (cb0 & 7u))) {
			c = ((cb0 & cb0) - in1);
		} else {
			LOOP for (uint i3 = 0u; i3 < ((d << (in1 & 31u)) & 7u); ++i3) {
				b = ((c | (in1 << (cb0 & 31u))) >> (d & 31u));
				a = 255u;
			}
			if ((((in1 ^ (in1 * a)) & 7u) >= ((((in1 & 7u) <= (a & 7u)) ? (in0 + cb0) : in1) & 7u))) {
				d = a;
				if ((((0u - 2u) & 7u) <= (c & 7u))) {
					a = (in0 ^ cb1);
				}
				BRANCH switch (17u & 7u) {
				case 0: 
					b = cb0;
					c = b;
					break;
				case 5: 
					d = (((a & 7u) < (2u & 7u)) ? ((a + c) * (((in1 & 7u) > (in0 & 7u)) ? d : cb1)) : in1);
					d = 17u;
					break;
				default:
					d = c;
					break;
				}
			}
			if (((((a / (cb0 | 1u)) << (a & 31u)) & 7u) >= (((b ^ a) | 0u) & 7u))) {
				{ uint i4 = 0u; LOOP do { ++i4;
					d = in0;
					c = (b * cb0);
				} while (i4 < 6u && ((((b | in1) | (((cb1 & 7u) > (c & 7u)) ? cb0 : in0)) & 7u) <= (d & 7u))); }
				if (((in1 & 7u) > (d & 7u))) {
					b = (((cb0 | cb1) ^ (b | a)) - d);
					a = d;
					c = (((d / (in0 | 1u)) - (cb0 | in1)) | (in1 - (cb0 << (c & 31u))));
				}
			}
		}
		b = (((cb0 & cb0) >> (0u & 31u)) - (c >> ((b - in0) & 31u)));
	} while (i2 < 6u && (((a << ((c & c) & 31u)) & 7u) >= (((cb1 | c) * (((in1 & 7u) >= (a & 7u)) ? b : in1)) & 7u))); }
	d = (((a - b) % ((cb1 + b) | 1u)) * 7u);
	b = 255u;
	return OUT(a, b, c, d);
