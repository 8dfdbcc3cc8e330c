	LOOP for (uint i1 = 0u; i1 < ((((c & in1) / (c | 1u)) * ((cb0 | b) << (in0 & 31u))) & 7u); ++i1) {
		if (((((cb1 * d) & (((d & 7u) > (b & 7u)) ? in0 : b)) & 7u) == (2u & 7u))) {
			LOOP for (uint i2 = 0u; i2 < ((((c * a) ^ (in0 | cb0)) + cb1) & 7u); ++i2) {
				BRANCH switch (a & 7u) {
				case 4: 
					a = 1u;
					b = ((((((d & 7u) == (cb1 & 7u)) ? a : cb1) & 7u) > (3u & 7u)) ? ((((d & 7u) > (a & 7u)) ? cb1 : d) * (a ^ cb1)) : (b >> (in1 & 31u)));
					break;
				case 2: 
					c = (c & ((cb1 >> (c & 31u)) - (d & d)));
					break;
				case 6: 
					c = (((in0 << (b & 31u)) / ((d | a) | 1u)) + in1);
					b = (in1 & (cb0 | (c & in0)));
					break;
				default:
					c = (((cb1 >> (in0 & 31u)) & (d + d)) >> ((c - 7u) & 31u));
					c = in0;
					d = ((cb0 & 17u) - ((in0 << (a & 31u)) << (17u & 31u)));
					break;
				}
			}
		} else {
			BRANCH switch ((c - in0) & 7u) {
			case 1: 
				if ((((b + (a * a)) & 7u) == (d & 7u))) {
					c = 4294967295u;
					b = (cb1 | d);
				}
				break;
			default:
				if (((in1 & 7u) < ((c ^ cb0) & 7u))) {
					b = (((in0 & d) * (b << (a & 31u))) << (c & 31u));
					a = ((b ^ cb1) << (3u & 31u));
				} else {
					d = ((d - d) & ((in1 + a) & (in0 * d)));
					c = cb1;
				}
				break;
			}
		}
		d = in0;
	}
	LOOP for (uint i3 = 0u; i3 < ((7u / (((cb1 ^ cb0) % ((a - b) | 1u)) | 1u)) & 7u); ++i3) {
		LOOP for (uint i4 = 0u; i4 < (((3u * (c - d)) * (((c & 7u) <= (cb1 & 7u)) ? (in0 * d) : (in0 << (in1 & 31u)))) & 7u); ++i4) {
			d = (((7u & 7u) < (d & 7u)) ? b : ((cb0 + cb0) ^ 17u));
		}
		if (((((in1 | cb1) & (c ^ d)) & 7u) >= ((cb0 * (b / (in0 | 1u))) & 7u))) break;
		LOOP for (uint i5 = 0u; i5 < ((255u / (cb1 | 1u)) & 7u); ++i5) {
			a = ((in0 >> ((d & cb1) & 31u)) + in0);
		}
	}
	c = (in1 % ((c * in1) | 1u));
	a = 2u;
	return OUT(a, b, c, d);
