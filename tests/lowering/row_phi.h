	d = cb0;
	if (((3u & 7u) > ((b >> ((b * c) & 31u)) & 7u))) {
		if (((cb0 & 7u) == ((((b & 7u) <= (c & 7u)) ? (a | c) : (((cb0 & 7u) == (in0 & 7u)) ? b : d)) & 7u))) {
			a = ((((((b & 7u) != (a & 7u)) ? b : in1) & 7u) > ((cb0 + cb1) & 7u)) ? 4294967295u : d);
		}
		LOOP for (uint i1 = 0u; i1 < (((a + (((in0 & 7u) >= (d & 7u)) ? a : cb0)) | in1) & 7u); ++i1) {
			BRANCH switch ((b | cb1) & 7u) {
			case 1: 
				LOOP for (uint i2 = 0u; i2 < (d & 7u); ++i2) {
					c = ((((d | in0) & 7u) < ((c + cb1) & 7u)) ? (5u + (a | a)) : (a + (c << (in1 & 31u))));
				}
				if (((cb1 & 7u) > (((in1 * cb0) - (in0 >> (a & 31u))) & 7u))) {
					a = (((cb1 + b) ^ (c & c)) & ((b & c) | (c >> (in1 & 31u))));
				} else {
					d = (a * ((cb1 & c) * b));
				}
				b = 2u;
				break;
			default:
				d = ((d & 0u) ^ ((d >> (in1 & 31u)) - a));
				break;
			}
			if (((((in0 + in0) & cb0) & 7u) <= (c & 7u))) {
				BRANCH switch (in1 & 7u) {
				case 1: 
					a = cb0;
					c = in0;
					break;
				case 2: 
					a = (((d - cb0) - (in0 ^ cb1)));
					a = (((a & 7u) < (cb0 & 7u)) ? ((a % (b | 1u)) * (a - cb1)) : 3u);
					a = (in1 - ((((c & 7u) == (d & 7u)) ? a : cb1) ^ in0));
					break;
				default:
					d = ((a | (cb0 ^ b)) | in1);
					break;
				}
				d = (((d << (a & 31u)) % (in1 | 1u)) + ((in0 << (in0 & 31u)) << (cb1 & 31u)));
				if (((cb1 & 7u) < (((cb1 & c) / ((b - d) | 1u)) & 7u))) {
					b = (cb0 - 17u);
					b = 0u;
				}
			}
		}
	} else {
		b = cb0;
		BRANCH switch ((d - in0) & 7u) {
		case 4: 
			break;
		case 5: 
		case 7: 
			{ uint i3 = 0u; LOOP do { ++i3;
				LOOP for (uint i4 = 0u; i4 < (cb1 & 7u); ++i4) {
					b = in1;
				}
			} while (i3 < 6u && ((c & 7u) >= (a & 7u))); }
			break;
		default:
			c = ((in0 * (((c & 7u) > (cb0 & 7u)) ? cb1 : b)) - 3u);
			d = (((((d & 7u) <= (b & 7u)) ? cb1 : a) + in0) & ((cb1 - d) % ((cb0 ^ cb0) | 1u)));
			break;
		}
		LOOP for (uint i5 = 0u; i5 < ((((a & a) + (a * a)) - (cb1 & (cb1 | c))) & 7u); ++i5) {
			a = (d | (cb0 % ((c >> (a & 31u)) | 1u)));
			c = (0u ^ (c << ((d - a) & 31u)));
			c = b;
		}
	}
	if (((in0 & 7u) < (a & 7u))) return OUT(a, b, c ^ 0x55u, d);
	b = c;
	return OUT(a, b, c, d);
