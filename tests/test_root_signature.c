/* Serialised root signatures: the corpus's own, hand-assembled ones in all three versions, each rule broken once, and
 * truncations. Expected values from the HLSL source and facts 8.11. */
#include "frontend/frontend.h"
#include "pso/pso.h"
#include "tests/corpus.h"
#include <criterion/criterion.h>

static struct root_signature *parse(const uint32_t *words, size_t count, struct kiln_diags *diags)
{
	return root_signature_parse((const uint8_t *)words, count * 4, "test", diags);
}

/* tests/corpus/hlsl/ps_root_signature.hlsl: root constants, a table and a static sampler, as DXC serialised them */
Test(root_signature, as_dxc_serialises)
{
	size_t size;
	uint8_t *data = corpus_container("ps_root_signature", &size);
	struct kiln_diags *diags = kiln_diags_create();
	struct fe_container c;
	cr_assert(fe_container_parse(data, size, "ps_root_signature", &c, diags));
	const struct fe_part *p = fe_container_find(&c, FE_FOURCC('R', 'T', 'S', '0'));
	cr_assert_not_null(p);
	struct root_signature *r = root_signature_parse(p->data, p->size, "ps_root_signature", diags);
	cr_assert_not_null(r, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	cr_expect_eq(r->version, 2);
	cr_expect_eq(r->flags, 1);
	cr_assert_eq(r->parameter_count, 2);
	const struct root_parameter *constants = &r->parameters[0], *table = &r->parameters[1];
	cr_expect(constants->type == 1 && constants->visibility == 0 && constants->reg == 0 && constants->num_constants == 4);
	cr_expect(table->type == 0 && table->visibility == 5);
	cr_assert_eq(table->range_count, 1);
	const struct root_range *range = &table->ranges[0];
	cr_expect(range->type == 0 && range->count == 2 && range->reg == 0 && range->space == 0 && range->offset == 0);
	cr_expect_eq(range->flags, 0);
	cr_assert_eq(r->sampler_count, 1);
	/* linear, clamp in U, wrap in V and W, and DXC's defaults: anisotropy 16, LESS_EQUAL, opaque white, FLT_MAX */
	const uint32_t words[10] = {0x15, 3, 1, 1, 0, 16, 4, 2, 0, 0x7f7fffff};
	cr_expect_arr_eq(r->samplers[0].words, words, sizeof words);
	cr_expect(r->samplers[0].reg == 0 && r->samplers[0].space == 0 && r->samplers[0].visibility == 0);
	root_signature_destroy(r);

	/* no shorter prefix of it is a root signature, and none is read past its end */
	for (uint32_t n = 0; n < p->size; n++) {
		uint8_t *prefix = malloc(n ? n : 1);
		memcpy(prefix, p->data, n);
		kiln_diags_clear(diags);
		cr_expect_null(root_signature_parse(prefix, n, "cut", diags), "%u bytes", n);
		cr_expect(kiln_diags_has(diags, DIAG_ROOT_SIGNATURE_BLOB), "%u bytes", n);
		free(prefix);
	}
	/* any bit flipped: refused with a diagnostic or accepted, never worse */
	uint8_t *flipped = malloc(p->size);
	for (uint32_t bit = 0; bit < p->size * 8; bit++) {
		memcpy(flipped, p->data, p->size);
		flipped[bit / 8] ^= (uint8_t)(1u << bit % 8);
		kiln_diags_clear(diags);
		r = root_signature_parse(flipped, p->size, "flipped", diags);
		cr_expect_neq(r == NULL, kiln_diags_count(diags) == 0, "bit %u", bit);
		root_signature_destroy(r);
	}
	free(flipped);
	kiln_diags_destroy(diags);
	mem_free(data);
}

/* Version 1.1: constants b0 (all), table t0-1 + u1-3 (PS), root CBV b1 (VS), one static sampler. Word numbers in the rows
 * below are places in this. */
enum { BASE_WORDS = 48 };
static const uint32_t base[BASE_WORDS] = {
	/*  0 header         */ 2, 3, 24, 1, 35 * 4, 1,
	/*  6 parameters     */ 1, 0, 15 * 4, 0, 5, 18 * 4, 2, 1, 32 * 4,
	/* 15 constants      */ 0, 0, 4,
	/* 18 table          */ 2, 20 * 4,
	/* 20 t0, 2          */ 0, 2, 0, 0, 0, 0xffffffff,
	/* 26 u1, 3          */ 1, 3, 1, 0, 0, 0xffffffff,
	/* 32 root CBV b1    */ 1, 0, 8,
	/* 35 static sampler */ 0x15, 3, 1, 1, 0, 16, 4, 2, 0, 0x7f7fffff, 0, 0, 0,
};

Test(root_signature, version_1_1)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct root_signature *r = parse(base, BASE_WORDS, diags);
	cr_assert_not_null(r, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	cr_assert(r->parameter_count == 3 && r->parameters[1].range_count == 2);
	cr_expect_eq(r->parameters[1].ranges[0].offset, 0);
	cr_expect_eq(r->parameters[1].ranges[1].offset, 2); /* appended: after t0 and t1 */
	cr_expect_eq(r->parameters[1].ranges[1].reg, 1);
	cr_expect(r->parameters[2].type == 2 && r->parameters[2].reg == 1 && r->parameters[2].flags == 8);
	root_signature_destroy(r);
	kiln_diags_destroy(diags);
}

/* Version 1.0: no flags in the blob; it behaves as volatile descriptors and volatile data. */
Test(root_signature, version_1_0)
{
	static const uint32_t words[] = {
		/*  0 header     */ 1, 2, 24, 0, 24, 0,
		/*  6 parameters */ 0, 0, 48, 4, 0, 96,
		/* 12 table      */ 2, 56,
		/* 14 t0 on      */ 0, 0xffffffff, 0, 0, 0,
		/* 19 b3-6 at 7  */ 2, 4, 3, 1, 7,
		/* 24 root UAV   */ 5, 2,
	};
	struct kiln_diags *diags = kiln_diags_create();
	struct root_signature *r = parse(words, ARRAY_COUNT(words), diags);
	cr_assert_not_null(r, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	const struct root_range *ranges = r->parameters[0].ranges;
	cr_assert_eq(r->parameters[0].range_count, 2);
	cr_expect(ranges[0].count == 0xffffffff && ranges[0].flags == 3 && ranges[0].offset == 0);
	cr_expect(ranges[1].type == 2 && ranges[1].count == 4 && ranges[1].reg == 3 && ranges[1].space == 1);
	cr_expect(ranges[1].flags == 3 && ranges[1].offset == 7);
	cr_expect(r->parameters[1].type == 4 && r->parameters[1].reg == 5 && r->parameters[1].space == 2);
	cr_expect_eq(r->parameters[1].flags, 2);
	root_signature_destroy(r);
	kiln_diags_destroy(diags);
}

/* Version 1.2: static samplers have a word of flags more. */
Test(root_signature, version_1_2)
{
	uint32_t words[BASE_WORDS + 1];
	struct kiln_diags *diags = kiln_diags_create();
	memcpy(words, base, sizeof base);
	words[0] = 3;
	words[42] = 4; /* opaque white, integer */
	words[48] = 1;
	struct root_signature *r = parse(words, BASE_WORDS + 1, diags);
	cr_assert_not_null(r, "%s", kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "");
	cr_expect_eq(r->samplers[0].flags, 1);
	root_signature_destroy(r);
	words[48] = 4;
	cr_expect_null(parse(words, BASE_WORDS + 1, diags));
	kiln_diags_destroy(diags);
}

/* One rule a row: words changed in the base, and what the refusal says; NULL: still accepted. */
static const struct {
	struct { uint8_t word; uint32_t value; } change[3];
	const char *says;
} rules[] = {
	{{{0, 0}}, "unknown version 0"},
	{{{0, 4}}, "unknown version 4"},
	{{{0, 0x43425844}}, "this is a container"},
	{{{5, 0x1000}}, "unknown root signature flags"},
	{{{5, 0xfff}}, NULL},
	{{{1, 0xffffffff}}, "parameters cost"},
	{{{1, 65}}, "parameters cost"},
	{{{2, 1 << 20}}, "do not lie inside"},
	{{{2, 25}}, "not aligned"},
	{{{3, 0xffffffff}}, "static samplers, at most"},
	{{{4, 0xfffffffc}}, "do not lie inside"},
	{{{6, 5}}, "unknown type 5"},
	{{{7, 8}}, "unknown visibility 8"},
	{{{7, 7}}, NULL},
	{{{8, 1 << 20}}, "do not lie inside"},
	{{{8, 61}}, "not aligned"},
	{{{17, 61}}, NULL},                                     /* 61 + 1 + 2 = 64 dwords */
	{{{17, 62}}, "cost 65 dwords"},
	{{{17, 0xffffffff}}, "cost"},
	{{{18, 0xffffffff}}, "do not lie inside"},
	{{{19, 0xfffffffc}}, "do not lie inside"},
	{{{20, 4}}, "unknown range type"},
	{{{21, 0}}, "a range of no descriptors"},
	{{{21, 0xffffffff}}, "appended after an unbounded"},
	{{{21, 0xffffffff}, {31, 100}}, NULL},                  /* an offset of its own: tables may alias */
	{{{22, 0xffffffff}}, "pass the last register"},
	{{{22, 0xfffffffe}}, NULL},                             /* the last two registers */
	{{{23, 0xfffffff0}}, "reserved"},
	{{{23, 0xffffffef}}, NULL},
	{{{25, 0xfffffffe}}, "pass the last of the table"},
	{{{24, 6}}, "more than one DATA_"},
	{{{24, 9}}, "contradicts"},
	{{{24, 0x10001}}, "contradicts"},
	{{{24, 0x10000}}, NULL},
	{{{24, 5}}, NULL},
	{{{24, 0x20}}, "unknown flags"},
	{{{26, 3}}, "samplers and other descriptors"},
	{{{26, 3}, {30, 2}}, "samplers have no data"},
	{{{26, 0}}, "t1 of space 0 is bound twice"},            /* t0-1 and t1-3 */
	{{{26, 0}, {29, 1}}, NULL},                             /* another space */
	{{{32, 0}}, "b0 of space 0 is bound twice"},            /* VS against all */
	{{{15, 1}, {7, 5}}, NULL},                              /* VS against PS */
	{{{33, 0xffffffff}}, "reserved"},
	{{{34, 1}}, "unknown flags"},
	{{{34, 12}}, "more than one DATA_"},
	{{{35, 2}}, "unknown filter"},
	{{{35, 0x155}}, NULL},                                  /* maximum anisotropic */
	{{{35, 0x215}}, "unknown filter"},
	{{{35, 0x95}, {41, 0}}, "without a comparison function"},
	{{{35, 0x95}, {41, 8}}, NULL},
	{{{36, 0}}, "unknown address mode"},
	{{{38, 6}}, "unknown address mode"},
	{{{39, 0x41800000}}, "MipLODBias"},                     /* 16.0 */
	{{{39, 0x417fd70a}}, NULL},                             /* 15.99 */
	{{{39, 0xc1800000}}, NULL},                             /* -16.0 */
	{{{39, 0x7fc00000}}, "MipLODBias"},
	{{{40, 17}}, "MaxAnisotropy"},
	{{{42, 3}}, "unknown border colour"},                   /* integer borders came with 1.2 */
	{{{43, 0x7fc00000}}, "NaN"},
	{{{44, 0xffc00001}}, "NaN"},
	{{{46, 0xfffffff0}}, "reserved"},
	{{{47, 8}}, "unknown visibility"},
};

Test(root_signature, each_rule)
{
	struct kiln_diags *diags = kiln_diags_create();
	for (size_t i = 0; i < ARRAY_COUNT(rules); i++) {
		uint32_t words[BASE_WORDS];
		memcpy(words, base, sizeof base);
		for (size_t k = 0; k < 3 && (k == 0 || rules[i].change[k].word); k++)
			words[rules[i].change[k].word] = rules[i].change[k].value;
		kiln_diags_clear(diags);
		struct root_signature *r = parse(words, BASE_WORDS, diags);
		const char *text = kiln_diags_count(diags) ? kiln_diags_get(diags, 0)->text : "";
		if (rules[i].says)
			cr_expect(!r && strstr(text, rules[i].says), "row %zu: '%s' instead of '%s'", i, text, rules[i].says);
		else
			cr_expect(r, "row %zu: %s", i, text);
		root_signature_destroy(r);
	}
	kiln_diags_destroy(diags);
}

/* Each constant buffer that is no array once, then a table for each other resource of the programs: the longer one where
 * both name it. */
Test(root_signature, by_default)
{
	struct isa_resource vs_resources[] = {
		{.name = "A", .cls = ISA_CBV, .lower = 0, .count = 1}, {.name = "t", .cls = ISA_SRV, .lower = 1, .count = 1},
		{.name = "B", .cls = ISA_CBV, .lower = 3, .count = 2, .space = 1}, {.name = "s", .cls = ISA_SAMPLER, .count = 1},
	};
	struct isa_resource ps_resources[] = {
		{.name = "A", .cls = ISA_CBV, .lower = 0, .count = 1}, {.name = "C", .cls = ISA_CBV, .lower = 7, .count = 0xffffffff},
		{.name = "D", .cls = ISA_CBV, .lower = 0, .count = 1, .space = 2}, {.name = "t", .cls = ISA_SRV, .lower = 1, .count = 3},
		{.name = "u", .cls = ISA_UAV, .lower = 1, .count = 1}, {.name = "t", .cls = ISA_SRV, .lower = 1, .count = 1, .space = 5},
	};
	struct isa_program vs = {.resources = vs_resources, .resource_count = ARRAY_COUNT(vs_resources)};
	struct isa_program ps = {.resources = ps_resources, .resource_count = ARRAY_COUNT(ps_resources)};
	const struct isa_program *const programs[] = {&vs, NULL, &ps};
	static const uint32_t cbvs[][2] = {{0, 0}, {0, 2}}; /* register, space */
	static const struct root_range tables[] = { /* type, count, register, space, flags */
		{0, 3, 1, 0, 3, 0}, {2, 2, 3, 1, 3, 0}, {3, 1, 0, 0, 1, 0}, {2, 0xffffffff, 7, 0, 3, 0}, {1, 1, 1, 0, 3, 0}, {0, 1, 1, 5, 3, 0}};
	struct root_signature *r = root_signature_default(programs, 3);
	cr_assert_eq(r->parameter_count, ARRAY_COUNT(cbvs) + ARRAY_COUNT(tables));
	for (size_t i = 0; i < ARRAY_COUNT(cbvs); i++) {
		const struct root_parameter *p = &r->parameters[i];
		cr_expect(p->type == 2 && p->visibility == 0 && p->reg == cbvs[i][0] && p->space == cbvs[i][1], "parameter %zu", i);
	}
	for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
		const struct root_parameter *p = &r->parameters[ARRAY_COUNT(cbvs) + i];
		const struct root_range *g = p->ranges, *t = &tables[i];
		cr_expect(p->type == 0 && p->visibility == 0 && p->range_count == 1, "table %zu", i);
		cr_expect(g->type == t->type && g->count == t->count && g->reg == t->reg && g->space == t->space &&
			g->flags == t->flags && g->offset == 0, "table %zu: type %u count %u register %u", i, g->type, g->count, g->reg);
	}
	root_signature_destroy(r);
	root_signature_destroy(NULL);
	kiln_diags_destroy(NULL);
}
