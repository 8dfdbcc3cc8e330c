/* Serialised root signatures (RTS0, versions 1.0, 1.1, 1.2): bytes -> struct root_signature, and the default one.
 * Takes any byte string. Gives a signature that D3D12's runtime would accept: ranges have registers, offsets are resolved,
 * flags are those of version 1.1 and up (1.0 gets what it implies), nothing overlaps, and it costs at most 64 dwords
 * (facts 8.11, 7.6). */
#include "pso/pso.h"
#include <string.h>

enum { RANGE_SRV, RANGE_UAV, RANGE_CBV, RANGE_SAMPLER, RANGE_TYPES };
enum { VERSION_1_0 = 1, VERSION_1_1, VERSION_1_2 };
enum { /* flags of ranges and root descriptors */
	DESCRIPTORS_VOLATILE = 1, DATA_VOLATILE = 2, DATA_STATIC_AT_EXECUTE = 4, DATA_STATIC = 8, KEEP_BOUNDS_CHECKS = 0x10000
};
enum {
	DATA_FLAGS = DATA_VOLATILE | DATA_STATIC_AT_EXECUTE | DATA_STATIC,
	ROOT_FLAGS = 0xfff, VISIBILITIES = 8,
	COST_MAX = 64, SAMPLERS_MAX = 2032,
	BINDINGS_MAX = 8192 /* ours: the overlap check is quadratic */
};
static const uint32_t unbounded = 0xffffffff, append = 0xffffffff, reserved_space = 0xfffffff0;

/* What a parameter, range or static sampler binds: registers [first, last] of a class ('t', 'u', 'b' or 's'). */
struct binding {
	char class;
	uint32_t space, first, last, visibility;
};
struct parse {
	struct reader r;
	const char *where;
	struct kiln_diags *diags;
	struct root_signature *out;
	struct binding *bindings;
	size_t binding_count, binding_cap;
	uint64_t cost;
};

static bool refuse(struct parse *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct parse *p, const char *fmt, ...)
{
	char text[200];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_add(p->diags, DIAG_ROOT_SIGNATURE_BLOB, p->where, "%s", text);
	return false;
}

/* Goes to an array in the blob: aligned, and all of it inside. */
static bool seek(struct parse *p, uint32_t at, uint32_t count, uint32_t size, const char *what)
{
	if (count == 0)
		return true;
	if (at % 4 == 0 && at <= p->r.size && count <= (p->r.size - at) / size) {
		p->r.at = at;
		return true;
	}
	return refuse(p, "%s: %u of %u bytes at byte %u %s", what, count, size, at,
		at % 4 ? "are not aligned" : "do not lie inside the blob");
}

/* Registers first to last, checked on their own; overlaps are looked for at the end. */
static bool bind(struct parse *p, struct binding b, const char *what)
{
	if (b.space >= reserved_space)
		return refuse(p, "%s: register space 0x%08x is reserved", what, b.space);
	if (b.last < b.first)
		return refuse(p, "%s: registers from %c%u on pass the last register", what, b.class, b.first);
	if (p->binding_count == BINDINGS_MAX)
		return refuse(p, "%s: more than %d ranges", what, BINDINGS_MAX);
	*ARRAY_PUSH(p->bindings, p->binding_count, p->binding_cap) = b;
	return true;
}

/* Names the rule that the flags break; NULL if none. */
static const char *flags_fault(uint32_t flags, uint32_t allowed)
{
	uint32_t data = flags & DATA_FLAGS;
	if (flags & DATA_FLAGS & ~allowed)
		return "samplers have no data, so no DATA_ flag";
	if (flags & ~allowed)
		return "unknown flags";
	if (data & (data - 1))
		return "more than one DATA_ flag";
	if ((flags & DESCRIPTORS_VOLATILE) && (flags & (DATA_STATIC | KEEP_BOUNDS_CHECKS)))
		return "DESCRIPTORS_VOLATILE contradicts static data or kept bounds checks";
	return NULL;
}

static bool check_flags(struct parse *p, uint32_t flags, uint32_t allowed, const char *what)
{
	const char *fault = flags_fault(flags, allowed);
	return !fault || refuse(p, "%s: flags 0x%x: %s", what, flags, fault);
}

/* next: the descriptor after the range before, or ~0 where that one is unbounded. */
static bool read_range(struct parse *p, struct root_range *range, uint64_t *next, uint32_t visibility, const char *what)
{
	static const char classes[RANGE_TYPES] = {'t', 'u', 'b', 's'};
	uint32_t type = reader_u32(&p->r);
	range->count = reader_u32(&p->r);
	range->reg = reader_u32(&p->r);
	range->space = reader_u32(&p->r);
	if (type >= RANGE_TYPES)
		return refuse(p, "%s: unknown range type %u", what, type);
	range->type = (uint8_t)type;
	if (p->out->version > VERSION_1_0)
		range->flags = reader_u32(&p->r);
	else
		range->flags = type == RANGE_SAMPLER ? DESCRIPTORS_VOLATILE : DESCRIPTORS_VOLATILE | DATA_VOLATILE;
	range->offset = reader_u32(&p->r);
	if (!check_flags(p, range->flags, type == RANGE_SAMPLER ? DESCRIPTORS_VOLATILE :
		DESCRIPTORS_VOLATILE | KEEP_BOUNDS_CHECKS | DATA_FLAGS, what))
		return false;
	if (range->count == 0)
		return refuse(p, "%s: a range of no descriptors", what);
	if (range->offset == append) {
		if (*next > UINT32_MAX)
			return refuse(p, "%s: appended after an unbounded range", what);
		range->offset = (uint32_t)*next;
	}
	*next = range->count == unbounded ? UINT64_MAX : (uint64_t)range->offset + range->count;
	if (*next != UINT64_MAX && *next > UINT32_MAX)
		return refuse(p, "%s: descriptors %u + %u pass the last of the table", what, range->offset, range->count);
	/* where the sum wraps, last < first tells bind() */
	uint32_t last = range->count == unbounded ? UINT32_MAX : range->reg + (range->count - 1);
	return bind(p, (struct binding){classes[type], range->space, range->reg, last, visibility}, what);
}

static bool read_table(struct parse *p, struct root_parameter *par, const char *what)
{
	uint32_t count = reader_u32(&p->r), at = reader_u32(&p->r), size = p->out->version == VERSION_1_0 ? 20 : 24;
	uint64_t next = 0;
	bool samplers = false, others = false;
	if (!seek(p, at, count, size, what))
		return false;
	if (count > BINDINGS_MAX)
		return refuse(p, "%s: more than %d ranges", what, BINDINGS_MAX);
	par->ranges = arena_array(&p->out->arena, count, sizeof *par->ranges);
	par->range_count = count;
	for (uint32_t i = 0; i < count; i++) {
		char place[64];
		snprintf(place, sizeof place, "%s range %u", what, i);
		if (!read_range(p, &par->ranges[i], &next, par->visibility, place))
			return false;
		if (par->ranges[i].type == RANGE_SAMPLER)
			samplers = true;
		else
			others = true;
	}
	p->cost += 1;
	return !(samplers && others) || refuse(p, "%s: samplers and other descriptors in one table", what);
}

static bool read_constants(struct parse *p, struct root_parameter *par, const char *what)
{
	par->reg = reader_u32(&p->r);
	par->space = reader_u32(&p->r);
	par->num_constants = reader_u32(&p->r);
	p->cost += par->num_constants;
	return bind(p, (struct binding){'b', par->space, par->reg, par->reg, par->visibility}, what);
}

static bool read_descriptor(struct parse *p, struct root_parameter *par, const char *what)
{
	static const char classes[ROOT_PARAMETER_TYPES] = {
		[ROOT_PARAMETER_CBV] = 'b', [ROOT_PARAMETER_SRV] = 't', [ROOT_PARAMETER_UAV] = 'u'};
	par->reg = reader_u32(&p->r);
	par->space = reader_u32(&p->r);
	par->flags = p->out->version == VERSION_1_0 ? DATA_VOLATILE : reader_u32(&p->r);
	p->cost += 2;
	return check_flags(p, par->flags, DATA_FLAGS, what) &&
		bind(p, (struct binding){classes[par->type], par->space, par->reg, par->reg, par->visibility}, what);
}

/* Parameter i of those at byte `at`. */
static bool read_parameter(struct parse *p, uint32_t at, uint32_t i)
{
	/* one row a type: bytes of its payload in version 1.0 and later, and what reads it */
	static const struct {
		uint8_t size, size_1_1;
		bool (*read)(struct parse *, struct root_parameter *, const char *);
	} rows[ROOT_PARAMETER_TYPES] = {
		[ROOT_PARAMETER_TABLE] = {8, 8, read_table}, [ROOT_PARAMETER_CONSTANTS] = {12, 12, read_constants},
		[ROOT_PARAMETER_CBV] = {8, 12, read_descriptor}, [ROOT_PARAMETER_SRV] = {8, 12, read_descriptor},
		[ROOT_PARAMETER_UAV] = {8, 12, read_descriptor},
	};
	char what[32];
	snprintf(what, sizeof what, "parameter %u", i);
	p->r.at = at + 12u * i;
	uint32_t type = reader_u32(&p->r), visibility = reader_u32(&p->r), payload = reader_u32(&p->r);
	if (type >= ROOT_PARAMETER_TYPES)
		return refuse(p, "%s: unknown type %u", what, type);
	if (visibility >= VISIBILITIES)
		return refuse(p, "%s: unknown visibility %u", what, visibility);
	struct root_parameter *par = &p->out->parameters[i];
	par->type = (uint8_t)type;
	par->visibility = (uint8_t)visibility;
	return seek(p, payload, 1, p->out->version == VERSION_1_0 ? rows[type].size : rows[type].size_1_1, what) &&
		rows[type].read(p, par, what);
}

/* ---- static samplers ---- */

static bool filter_known(uint32_t filter)
{
	switch (filter & ~0x180u) { /* bits 7 and 8: standard, comparison, minimum, maximum */
	case 0x00: case 0x01: case 0x04: case 0x05: case 0x10: case 0x11: case 0x14: case 0x15: case 0x54: case 0x55:
		return true;
	}
	return false;
}

const char *root_sampler_fault(const struct root_sampler *s, uint32_t version)
{
	enum { FILTER, U, V, W, MIP_BIAS, MAX_ANISOTROPY, COMPARISON, BORDER, MIN_LOD, MAX_LOD };
	float bias = bits_float(s->words[MIP_BIAS]), min = bits_float(s->words[MIN_LOD]), max = bits_float(s->words[MAX_LOD]);
	if (!filter_known(s->words[FILTER]))
		return "unknown filter";
	for (int i = U; i <= W; i++)
		if (s->words[i] < 1 || s->words[i] > 5)
			return "unknown address mode";
	if (!(bias >= -16.0f && bias <= 15.99f))
		return "MipLODBias outside [-16, 15.99]";
	if (s->words[MAX_ANISOTROPY] > 16)
		return "MaxAnisotropy above 16";
	if ((s->words[FILTER] & 0x180) == 0x80 && (s->words[COMPARISON] < 1 || s->words[COMPARISON] > 8))
		return "a comparison filter without a comparison function";
	if (s->words[BORDER] > (version >= VERSION_1_2 ? 4u : 2u))
		return "unknown border colour";
	if (min != min || max != max)
		return "MinLOD or MaxLOD is NaN";
	if (s->visibility >= VISIBILITIES)
		return "unknown visibility";
	if (s->flags & ~3u)
		return "unknown flags";
	return NULL;
}

static bool read_sampler(struct parse *p, struct root_sampler *s, uint32_t i)
{
	char what[32];
	snprintf(what, sizeof what, "static sampler %u", i);
	for (int k = 0; k < 10; k++)
		s->words[k] = reader_u32(&p->r);
	s->reg = reader_u32(&p->r);
	s->space = reader_u32(&p->r);
	s->visibility = reader_u32(&p->r);
	s->flags = p->out->version >= VERSION_1_2 ? reader_u32(&p->r) : 0;
	const char *fault = root_sampler_fault(s, p->out->version);
	if (fault)
		return refuse(p, "%s: %s", what, fault);
	return bind(p, (struct binding){'s', s->space, s->reg, s->reg, s->visibility}, what);
}

/* ---- the whole ---- */

static bool check_overlaps(struct parse *p)
{
	for (size_t i = 0; i < p->binding_count; i++) {
		const struct binding *a = &p->bindings[i];
		for (size_t k = 0; k < i; k++) {
			const struct binding *b = &p->bindings[k];
			bool together = a->visibility == b->visibility || a->visibility == 0 || b->visibility == 0;
			if (together && a->class == b->class && a->space == b->space && a->first <= b->last && b->first <= a->last)
				return refuse(p, "register %c%u of space %u is bound twice for one stage", a->class,
					a->first > b->first ? a->first : b->first, a->space);
		}
	}
	return true;
}

static bool read_signature(struct parse *p)
{
	struct root_signature *out = p->out;
	out->version = reader_u32(&p->r);
	uint32_t parameters = reader_u32(&p->r), parameters_at = reader_u32(&p->r);
	uint32_t samplers = reader_u32(&p->r), samplers_at = reader_u32(&p->r);
	out->flags = reader_u32(&p->r);
	if (p->r.failed)
		return refuse(p, "%zu bytes are shorter than the 24-byte header", p->r.size);
	if (p->r.size >= 4 && memcmp(p->r.data, "DXBC", 4) == 0)
		return refuse(p, "this is a container; give its part RTS0");
	if (out->version < VERSION_1_0 || out->version > VERSION_1_2)
		return refuse(p, "unknown version %u; 1, 2 and 3 (1.0, 1.1, 1.2) are known", out->version);
	if (out->flags & ~(uint32_t)ROOT_FLAGS)
		return refuse(p, "unknown root signature flags 0x%x", out->flags);
	if (parameters > COST_MAX)
		return refuse(p, "%u parameters cost more than %d dwords", parameters, COST_MAX);
	if (!seek(p, parameters_at, parameters, 12, "parameters"))
		return false;
	out->parameters = arena_array(&out->arena, parameters, sizeof *out->parameters);
	out->parameter_count = parameters;
	for (uint32_t i = 0; i < parameters; i++)
		if (!read_parameter(p, parameters_at, i))
			return false;
	if (p->cost > COST_MAX)
		return refuse(p, "the parameters cost %llu dwords, at most %d are allowed", (unsigned long long)p->cost, COST_MAX);

	if (samplers > SAMPLERS_MAX)
		return refuse(p, "%u static samplers, at most %d are allowed", samplers, SAMPLERS_MAX);
	if (!seek(p, samplers_at, samplers, out->version >= VERSION_1_2 ? 56 : 52, "static samplers"))
		return false;
	out->samplers = arena_array(&out->arena, samplers, sizeof *out->samplers);
	out->sampler_count = samplers;
	for (uint32_t i = 0; i < samplers; i++)
		if (!read_sampler(p, &out->samplers[i], i))
			return false;
	return check_overlaps(p);
}

struct root_signature *root_signature_parse(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags)
{
	struct parse p = {.r = {.data = data, .size = size}, .where = where ? where : "root signature", .diags = diags};
	p.out = mem_alloc(sizeof *p.out);
	bool ok = read_signature(&p);
	mem_free(p.bindings);
	if (ok)
		return p.out;
	root_signature_destroy(p.out);
	return NULL;
}

/* ---- the default one ---- */

static bool default_is_table(const struct isa_resource *r) { return r->cls != ISA_CBV || r->count != 1; }

static bool same_registers(const struct root_parameter *p, const struct isa_resource *r, uint8_t type)
{
	if (!default_is_table(r))
		return p->type == ROOT_PARAMETER_CBV && p->reg == r->lower && p->space == r->space;
	return p->type == ROOT_PARAMETER_TABLE && p->ranges->type == type && p->ranges->reg == r->lower &&
		p->ranges->space == r->space;
}

/* A parameter for the resource, unless it has one; a second stage's longer array makes the range longer. */
static void default_parameter(struct root_signature *out, uint32_t *cost, const struct isa_resource *r)
{
	static const uint8_t types[] = {[ISA_SRV] = RANGE_SRV, [ISA_UAV] = RANGE_UAV, [ISA_CBV] = RANGE_CBV,
		[ISA_SAMPLER] = RANGE_SAMPLER};
	uint32_t price = default_is_table(r) ? 1 : 2;

	if (r->flags & ISA_RESOURCE_HEAP) { /* no entry, but leave to index that heap directly */
		out->flags |= r->cls == ISA_SAMPLER ? 0x800 : 0x400;
		return;
	}
	for (size_t i = 0; i < out->parameter_count; i++) {
		struct root_parameter *p = &out->parameters[i];

		if (!same_registers(p, r, types[r->cls]))
			continue;
		if (p->type == ROOT_PARAMETER_TABLE && p->ranges->count < r->count)
			p->ranges->count = r->count;
		return;
	}
	if (*cost + price > COST_MAX)
		return;
	*cost += price;
	struct root_parameter *p = &out->parameters[out->parameter_count++];
	if (!default_is_table(r)) {
		*p = (struct root_parameter){.type = ROOT_PARAMETER_CBV, .reg = r->lower, .space = r->space};
		return;
	}
	struct root_range range = {.type = types[r->cls], .count = r->count, .reg = r->lower, .space = r->space,
		.flags = DESCRIPTORS_VOLATILE | (r->cls == ISA_SAMPLER ? 0 : DATA_VOLATILE)};
	*p = (struct root_parameter){.type = ROOT_PARAMETER_TABLE, .range_count = 1,
		.ranges = arena_copy(&out->arena, &range, sizeof range)};
}

struct root_signature *root_signature_default(const struct isa_program *const *programs, size_t count)
{
	struct root_signature *out = mem_alloc(sizeof *out);
	uint32_t cost = 0;

	out->version = VERSION_1_1;
	out->flags = 1; /* ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT */
	out->parameters = arena_array(&out->arena, COST_MAX, sizeof *out->parameters);
	for (int tables = 0; tables < 2; tables++)
		for (size_t i = 0; i < count; i++)
			for (size_t k = 0; programs[i] && k < programs[i]->resource_count; k++)
				if (default_is_table(&programs[i]->resources[k]) == tables)
					default_parameter(out, &cost, &programs[i]->resources[k]);
	return out;
}

void root_signature_destroy(struct root_signature *r)
{
	if (!r)
		return;
	arena_finish(&r->arena);
	mem_free(r);
}
