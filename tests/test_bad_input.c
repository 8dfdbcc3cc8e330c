/* Damaged containers: cut, flipped and signed anew, wrongly signed, of another shader model, with absurd counts. Whatever
 * comes in, the program lives on and says what is wrong by number; only the lowering child may die. Inputs are copied to
 * heap blocks of their exact length, so that AddressSanitizer sees a read past the end. */
#include "frontend/frontend.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>

static uint8_t *exact_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	memcpy(copy, data, size);
	return copy;
}

static void store32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static void sign(uint8_t *data, size_t size)
{
	fe_container_digest(data, size, data + 4);
}

/* Compiles; either a program and no error, or no program and a numbered error: gives the first one's number, 0 for none. */
static uint32_t outcome(const uint8_t *data, size_t size, const char *what)
{
	struct kiln_diags *diags = kiln_diags_create();
	uint8_t *copy = exact_copy(data, size);
	/* a damaged module may run on: limits that no undamaged one of the corpus comes near */
	struct fe_options options = {.cpu_seconds = 2, .memory_mib = 1024};
	struct isa_program *p = fe_compile(copy, size, what, &options, diags);
	free(copy);
	uint32_t number = 0;
	for (size_t i = 0; i < kiln_diags_count(diags) && !number; i++) {
		const struct kiln_diag *d = kiln_diags_get(diags, i);
		number = d->severity == KILN_ERROR ? d->number : 0;
		cr_expect(d->text[0] && d->remedy[0] && d->where[0], "%s: diagnostic %u without words", what, d->number);
	}
	cr_expect_eq(p != NULL, number == 0, "%s: program %p, first error %u", what, (void *)p, number);
	isa_program_destroy(p);
	kiln_diags_destroy(diags);
	return number;
}

#ifdef KILN_HAS_LLVM
Test(bad_input, undamaged_is_accepted)
{
	size_t size;
	uint8_t *data = corpus_container("vs_position_color", &size);
	cr_expect_eq(outcome(data, size, "undamaged"), 0);

	/* the program under the name that DXC gives it with debug information */
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_container c, both;
	struct buf added = {0}, renamed = {0};
	const uint32_t dxil = FE_FOURCC('D', 'X', 'I', 'L'), ildb = FE_FOURCC('I', 'L', 'D', 'B');
	cr_assert(fe_container_parse(data, size, "vs_position_color", &c, diags));
	const struct fe_part *p = fe_container_find(&c, dxil);
	cr_assert(p && fe_container_with_part(&c, ildb, p->data, p->size, &added));
	cr_assert(fe_container_parse(added.data, added.size, "both", &both, diags));
	cr_assert(fe_container_with_part(&both, dxil, NULL, 0, &renamed));
	cr_expect_eq(outcome(renamed.data, renamed.size, "ILDB"), 0);
	buf_finish(&added);
	buf_finish(&renamed);
	kiln_diags_destroy(diags);
	mem_free(data);
}
#endif

static const char *const samples[] = {"vs_position_color", "ps_root_signature", "hs_bezier", "cf_switch_in_loop"};

Test(bad_input, cut_at_every_length)
{
	for (size_t i = 0; i < ARRAY_COUNT(samples); i++) {
		size_t size;
		uint8_t *data = corpus_container(samples[i], &size);
		for (size_t n = 0; n < size; n += n < 1024 ? 1 : 29) {
			cr_expect_eq(outcome(data, n, "cut"), DIAG_CONTAINER_TRUNCATED, "%s cut at %zu", samples[i], n);
			if (n < 32)
				continue;
			/* and with length and digest that fit the cut: the parts' own lengths are left to find out */
			uint8_t *cut = exact_copy(data, n);
			store32(cut + 24, (uint32_t)n);
			sign(cut, n);
			cr_expect_eq(outcome(cut, n, "cut and signed"), DIAG_CONTAINER_TRUNCATED, "%s cut at %zu", samples[i], n);
			free(cut);
		}
		mem_free(data);
	}
}

static void flip(const uint8_t *data, size_t size, size_t bit, const char *what)
{
	uint8_t *copy = exact_copy(data, size);
	char name[64];
	copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
	sign(copy, size);
	snprintf(name, sizeof name, "%s: bit %zu of byte %zu", what, bit % 8, bit / 8);
	outcome(copy, size, name);
	free(copy);
}

Test(bad_input, header_bits_flipped, .timeout = 120)
{
	size_t size;
	uint8_t *data = corpus_container("ps_out_float2", &size);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_container c;
	cr_assert(fe_container_parse(data, size, "ps_out_float2", &c, diags));
	for (size_t bit = 8 * 20; bit < 8 * (32 + 4 * (size_t)c.part_count); bit++)
		flip(data, size, bit, "header");
	/* part headers; one bit of each character is enough for a name */
	for (uint32_t i = 0; i < c.part_count; i++)
		for (size_t bit = 0; bit < 64; bit += bit < 32 ? 8 : 1)
			flip(data, size, 8 * (size_t)c.parts[i].offset + bit, "part header");
	kiln_diags_destroy(diags);
	mem_free(data);
}

Test(bad_input, program_bits_flipped, .timeout = 300)
{
	size_t size;
	uint8_t *data = corpus_container("ps_control_flow", &size);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_container c;
	cr_assert(fe_container_parse(data, size, "ps_control_flow", &c, diags));
	const struct fe_part *p = fe_container_find(&c, FE_FOURCC('D', 'X', 'I', 'L'));
	cr_assert_not_null(p);
	uint32_t random = 1;
	for (int i = 0; i < 150; i++) {
		random = random * 1664525u + 1013904223u;
		flip(data, size, 8 * ((size_t)p->offset + 8) + (random >> 8) % (8 * p->size), "bitcode");
	}
	kiln_diags_destroy(diags);
	mem_free(data);
}

/* The bounded parsers alone: every bit, and every length, of each part beside the bitcode. */
static void parse_part(const uint8_t *bytes, uint32_t size, uint32_t fourcc, struct kiln_diags *diags)
{
	uint8_t *copy = exact_copy(bytes, size);
	struct fe_part p = {fourcc, copy, size, 0};
	struct fe_signature signature;
	struct fe_bitcode bitcode;
	struct fe_psv psv;
	struct fe_hash hash;
	uint64_t features;
	kiln_diags_clear(diags);
	bool ok = fourcc == FE_FOURCC('P', 'S', 'V', '0') ? fe_psv_parse(&p, "part", &psv, diags) :
		fourcc == FE_FOURCC('H', 'A', 'S', 'H') ? fe_hash_parse(&p, "part", &hash, diags) :
		fourcc == FE_FOURCC('S', 'F', 'I', '0') ? fe_features_parse(&p, "part", &features, diags) :
		(fourcc & 0xffff) == ('S' | 'T' << 8) ? fe_bitcode_find(&p, "part", &bitcode, diags) :
		fe_signature_parse(&p, "part", &signature, diags);
	cr_expect_neq(ok, kiln_diags_count(diags) > 0, "part %08x of %u bytes", fourcc, size);
	free(copy);
}

static void parse_parts(const struct corpus_file *f, void *user)
{
	struct kiln_diags *diags = user;
	struct fe_container c;
	cr_assert(fe_container_parse(f->data, f->size, f->name, &c, diags), "%s", f->name);
	for (uint32_t i = 0; i < c.part_count; i++) {
		const struct fe_part *p = &c.parts[i];
		if (p->fourcc == FE_FOURCC('D', 'X', 'I', 'L') || p->fourcc == FE_FOURCC('R', 'T', 'S', '0'))
			continue;
		uint32_t depth = p->fourcc == FE_FOURCC('S', 'T', 'A', 'T') ? 24 : p->size; /* of STAT the header alone */
		uint8_t *copy = exact_copy(p->data, p->size);
		for (uint32_t n = 0; n <= depth; n++)
			parse_part(copy, n, p->fourcc, diags);
		for (uint32_t bit = 0; bit < depth * 8; bit++) {
			copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
			parse_part(copy, p->size, p->fourcc, diags);
			copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		free(copy);
	}
}

Test(bad_input, parts_alone, .timeout = 120)
{
	struct kiln_diags *diags = kiln_diags_create();
	corpus_each(parse_parts, diags);
	kiln_diags_destroy(diags);
}

Test(bad_input, digests)
{
	size_t size;
	uint8_t *data = corpus_container("vs_transform", &size);
	for (size_t i = 4; i < 20; i++) {
		data[i] ^= 1;
		cr_expect_eq(outcome(data, size, "wrong digest"), DIAG_CONTAINER_DIGEST);
		data[i] ^= 1;
	}
	data[size - 1] ^= 1;
	cr_expect_eq(outcome(data, size, "changed after signing"), DIAG_CONTAINER_DIGEST);
	memset(data + 4, 0, 16);
	cr_expect_eq(outcome(data, size, "unsigned"), DIAG_CONTAINER_UNSIGNED);
	memset(data + 4, 2, 16);
	cr_expect_eq(outcome(data, size, "preview bypass"), DIAG_CONTAINER_UNSIGNED);
	mem_free(data);
}

Test(bad_input, no_container)
{
	static const struct { const char *bytes; size_t size; uint32_t number; } rows[] = {
		{"", 0, DIAG_CONTAINER_TRUNCATED},
		{"D", 1, DIAG_CONTAINER_TRUNCATED},
		{"DXBC", 4, DIAG_CONTAINER_TRUNCATED},
		{"\0", 1, DIAG_CONTAINER_MAGIC},
		{"float4 main() : SV_Target { return 1; }", 39, DIAG_CONTAINER_MAGIC},
		{"BC\xc0\xde 0123456789012345678901234567890", 36, DIAG_CONTAINER_MAGIC},
		{"DXBC\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\2\0\0\0 \0\0\0\0\0\0\0", 32, DIAG_CONTAINER_PART},       /* version 2.0 */
		{"DXBC\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\0\0\0\xff\xff\xff\xff\0\0\0\0", 32, DIAG_CONTAINER_TRUNCATED},
		{"DXBC\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\0\0\0\0\0\0\0\0\0\0\0", 32, DIAG_CONTAINER_PART},        /* size 0 */
		{"DXBC\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\1\0\0\0 \0\0\0\0\0\0\0", 32, DIAG_CONTAINER_DIGEST},
	};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		cr_expect_eq(outcome((const uint8_t *)rows[i].bytes, rows[i].size, "no container"), rows[i].number, "row %zu", i);
}

/* A signed container of one part. */
static void one_part(const char *fourcc, const void *data, size_t size, struct buf *out)
{
	const struct fe_container none = {0};
	cr_assert(fe_container_with_part(&none, FE_FOURCC(fourcc[0], fourcc[1], fourcc[2], fourcc[3]), data, size, out));
}

Test(bad_input, without_dxil)
{
	static const struct { const char *fourcc, *says; } rows[] = {
		{"SHEX", "part SHEX holds shader model 5.1"}, {"SHDR", "part SHDR holds shader model 5.1"},
		{"RTS0", "none of its 1 parts"},
	};
	static const uint8_t ps_5_1[8] = {0x51, 0, 0, 0, 2, 0, 0, 0};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct kiln_diags *diags = kiln_diags_create();
		struct buf b = {0};
		one_part(rows[i].fourcc, ps_5_1, sizeof ps_5_1, &b);
		cr_expect_null(fe_compile(b.data, b.size, "old", NULL, diags));
		cr_assert_eq(kiln_diags_count(diags), 1);
		const struct kiln_diag *d = kiln_diags_get(diags, 0);
		cr_expect(d->number == DIAG_CONTAINER_NO_DXIL && strstr(d->text, rows[i].says), "%u %s", d->number, d->text);
		buf_finish(&b);
		kiln_diags_destroy(diags);
	}
	struct buf b = {0};
	one_part("KISA", "no program", 10, &b);
	cr_expect_eq(outcome(b.data, b.size, "damaged ISA"), DIAG_ISA_BINARY);
	buf_finish(&b);
}

/* Absurd numbers: a word of a part (or of the header, part NULL) replaced, and the container signed anew. */
static const struct {
	const char *part;
	uint32_t at, value, number;
} absurd[] = {
	{NULL, 28, 0xffffffff, DIAG_CONTAINER_TRUNCATED},  /* parts */
	{NULL, 28, 200, DIAG_CONTAINER_PART},
	{NULL, 28, 0, DIAG_CONTAINER_NO_DXIL},
	{NULL, 32, 0xffffffff, DIAG_CONTAINER_TRUNCATED},  /* offset of part 0 */
	{NULL, 32, 0xfffffffc, DIAG_CONTAINER_TRUNCATED},
	{NULL, 32, 0, DIAG_CONTAINER_PART},                /* into the header */
	{NULL, 32, 61, DIAG_CONTAINER_PART},               /* odd */
	{"ISG1", -4u, 0xffffffff, DIAG_CONTAINER_TRUNCATED}, /* the part's size */
	{"ISG1", -4u, 0x7ffffffc, DIAG_CONTAINER_TRUNCATED},
	{"ISG1", -8u, 0x4c495844, DIAG_CONTAINER_PART},    /* a second DXIL */
	{"ISG1", 0, 0xffffffff, DIAG_CONTAINER_PART},      /* elements */
	{"ISG1", 0, 0x08000001, DIAG_CONTAINER_PART},      /* times 32 wraps */
	{"ISG1", 4, 0xffffffe0, DIAG_CONTAINER_PART},
	{"ISG1", 8 + 4, 0xffffffff, DIAG_CONTAINER_PART},  /* a name */
	{"ISG1", 8 + 16, 77, DIAG_CONTAINER_PART},         /* component type */
	{"OSG1", 8 + 20, 1000, DIAG_CONTAINER_PART},       /* register */
	{"PSV0", 0, 0xffffffff, DIAG_CONTAINER_PART},      /* RuntimeInfo */
	{"PSV0", 0, 28, DIAG_CONTAINER_PART},
	{"PSV0", 4 + 28, 0xffffffff, DIAG_CONTAINER_PART}, /* element counts */
	{"PSV0", 4 + 48, 0xffffffff, DIAG_CONTAINER_PART}, /* entry name */
	{"PSV0", 4 + 56, 0xffffffff, DIAG_CONTAINER_PART}, /* resources */
	{"PSV0", 4 + 60, 0, DIAG_CONTAINER_PART},          /* their size */
	{"DXIL", 4, 0xffffffff, DIAG_CONTAINER_PART},      /* dwords */
	{"DXIL", 8, 0, DIAG_CONTAINER_PART},               /* magic */
	{"DXIL", 16, 0xffffffff, DIAG_CONTAINER_PART},     /* bitcode offset */
	{"DXIL", 20, 0xffffffff, DIAG_CONTAINER_PART},     /* bitcode size */
	{"DXIL", 20, 0, DIAG_CONTAINER_PART},
	{"STAT", 20, 0xffffffff, DIAG_CONTAINER_PART},
};

Test(bad_input, absurd_numbers)
{
	size_t size;
	uint8_t *data = corpus_container("vs_transform", &size);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_container c;
	cr_assert(fe_container_parse(data, size, "vs_transform", &c, diags));
	for (size_t i = 0; i < ARRAY_COUNT(absurd); i++) {
		const char *name = absurd[i].part;
		const struct fe_part *p = name ? fe_container_find(&c, FE_FOURCC(name[0], name[1], name[2], name[3])) : NULL;
		cr_assert(p || !name);
		uint8_t *copy = exact_copy(data, size);
		store32(copy + (uint32_t)((p ? p->offset + 8 : 0) + absurd[i].at), absurd[i].value);
		sign(copy, size);
		cr_expect_eq(outcome(copy, size, "absurd"), absurd[i].number, "row %zu", i);
		free(copy);
	}
	kiln_diags_destroy(diags);
	mem_free(data);
}
