/* Sections -> a pipeline. What was decoded goes through pipeline_create() (a derived one: pipeline_derive()) as if a
 * title had given it, and what that makes is encoded again and compared with the sections: hardware state, links and
 * layouts that no creation would give are refused, so that no damage gives a wrong PSO. Exports are patched here,
 * never compiled. */
#include "pso/pack.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

struct load {
	const struct pso_image *image;
	const char *name;
	struct kiln_diags *diags;
	struct arena arena;                             /* the description's strings */
	struct kiln_graphics_pipeline_desc desc;
};

static bool refuse(struct load *l, unsigned section, const char *why)
{
	diag_add(l->diags, DIAG_PSO_BLOB_INVALID, l->name, "section %s: %s", pso_section_names[section], why);
	return false;
}

static struct reader open_section(const struct load *l, unsigned section)
{
	return (struct reader){.data = l->image->section[section].data, .size = l->image->section[section].size};
}

/* ---- which sections there must be ---- */

static bool check_sections(struct load *l)
{
	enum { BOTH = 1, BASE_ONLY, DERIVED_ONLY, MAY_BASE, MAY };
	static const uint8_t rule[PSO_SECTION_COUNT] = {[PSO_METADATA] = BOTH, [PSO_NAME] = MAY, [PSO_BASE] = DERIVED_ONLY,
		[PSO_EXECUTION] = BOTH, [PSO_BLEND] = BOTH, [PSO_RASTER] = BOTH, [PSO_DEPTH] = BOTH, [PSO_TARGETS] = BASE_ONLY,
		[PSO_GEOMETRY] = BASE_ONLY, [PSO_HARDWARE] = BASE_ONLY, [PSO_LAYOUT] = BASE_ONLY, [PSO_ROOT] = MAY_BASE,
		[PSO_VS] = BASE_ONLY, [PSO_PS] = MAY_BASE, [PSO_VS_DEBUG] = MAY_BASE, [PSO_PS_DEBUG] = MAY_BASE};
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++) {
		bool there = l->image->section[i].data != NULL, derived = l->image->derived;
		bool must = rule[i] == BOTH || (derived ? rule[i] == DERIVED_ONLY : rule[i] == BASE_ONLY);
		bool may = must || rule[i] == MAY || (rule[i] == MAY_BASE && !derived);
		if (there && !may)
			return refuse(l, i, "this PSO cannot have it");
		if (!there && must)
			return refuse(l, i, "it is missing");
	}
	return true;
}

/* Key and versions; a section that belongs to another PSO is found here. */
static bool check_metadata(struct load *l)
{
	struct buf expected = {0};
	const struct pso_span *s = &l->image->section[PSO_METADATA];
	struct reader r = open_section(l, PSO_METADATA);
	pso_put_metadata(pso_image_key(l->image), &expected);
	enum { VERSIONS = 12 };
	bool complete = s->size == expected.size;
	bool versions = complete && !memcmp(s->data, expected.data, VERSIONS);
	bool same = versions && !memcmp(s->data, expected.data, s->size);
	buf_finish(&expected);
	if (!complete)
		return refuse(l, PSO_METADATA, "its size is wrong");
	if (!versions)
		diag_add(l->diags, DIAG_PSO_BLOB_VERSION, l->name,
			"the serialised PSO has structures, ISA and compiler of versions %u, %u and %u", reader_u32(&r), reader_u32(&r),
			reader_u32(&r));
	else if (!same)
		diag_add(l->diags, DIAG_PSO_BLOB_CRC, l->name, "the key in section META is not that of the sections");
	return same;
}

/* ---- decoding ---- */

static bool read_part(struct load *l, unsigned section, enum desc_part part, size_t skip, size_t rest)
{
	struct reader r = open_section(l, section);
	reader_bytes(&r, skip);
	if (graphics_desc_read_part(&r, &l->arena, part, &l->desc) && r.at + rest == r.size)
		return true;
	return refuse(l, section, "it is cut off, too long or holds a flag that is not 0 or 1");
}

static bool read_state(struct load *l)
{
	return read_part(l, PSO_EXECUTION, DESC_LIMITS, 4, 0) && read_part(l, PSO_BLEND, DESC_BLEND, 0, 0) &&
		read_part(l, PSO_RASTER, DESC_RASTER, 0, 0) && read_part(l, PSO_DEPTH, DESC_DEPTH, 0, 0);
}

static bool name_program(struct load *l, unsigned section, unsigned code, struct isa_program *p)
{
	struct reader r = open_section(l, section);
	const struct pso_span *s = &l->image->section[code];
	if (!r.data)
		return true;
	if (reader_u64(&r) != XXH3_64bits(s->data, s->size))
		return refuse(l, section, "it belongs to another program");
	p->name = arena_string(&p->arena, reader_string(&r));
	for (size_t i = 0; i < p->resource_count && !r.failed; i++)
		p->resources[i].name = arena_string(&p->arena, reader_string(&r));
	return (!r.failed && r.at == r.size) || refuse(l, section, "it does not name as much as the program has");
}

static struct isa_program *read_program(struct load *l, unsigned code, unsigned debug)
{
	char where[256];
	const struct pso_span *s = &l->image->section[code];
	snprintf(where, sizeof where, "%.200s: section %s", l->name, pso_section_names[code]);
	struct isa_program *p = isa_program_decode(s->data, s->size, where, l->diags);
	bool ok = p && (p->allocated || refuse(l, code, "its registers are not physical")) &&
		((!*p->name) || refuse(l, code, "it holds a name")) && name_program(l, debug, code, p);
	if (ok)
		return p;
	isa_program_destroy(p);
	return NULL;
}

static bool read_base(struct load *l, struct pipeline_inputs *in, struct isa_program **vs, struct isa_program **ps,
	struct root_signature **root)
{
	const struct pso_span *s = l->image->section;
	struct reader hardware = open_section(l, PSO_HARDWARE);
	if (!read_state(l) || !read_part(l, PSO_TARGETS, DESC_TARGETS, 0, 0) ||
		!read_part(l, PSO_GEOMETRY, DESC_GEOMETRY, 0, 8) || !read_part(l, PSO_LAYOUT, DESC_LAYOUT, 0, 4))
		return false;
	in->policy = (enum kiln_export_policy)reader_u32(&hardware);
	*vs = read_program(l, PSO_VS, PSO_VS_DEBUG);
	if (*vs && s[PSO_PS].data)
		*ps = read_program(l, PSO_PS, PSO_PS_DEBUG);
	else if (s[PSO_PS_DEBUG].data)
		return refuse(l, PSO_PS_DEBUG, "there is no pixel shader");
	if (s[PSO_ROOT].data)
		*root = root_signature_parse(s[PSO_ROOT].data, s[PSO_ROOT].size, l->name, l->diags);
	in->vs = *vs;
	in->ps = *ps;
	in->root = *root;
	return *vs && (*ps || !s[PSO_PS].data) && (*root || !s[PSO_ROOT].data);
}

/* What was made records the same as the sections: programs aside, which have one encoding. */
static bool check_same(struct load *l, const struct pipeline *p)
{
	struct buf again[PSO_SECTION_COUNT] = {{0}};
	bool same = true;
	pso_put_state(p, again);
	for (unsigned i = PSO_EXECUTION; i <= PSO_ROOT; i++) {
		const struct pso_span *s = &l->image->section[i];
		bool equal = s->size == again[i].size && (!s->size || !memcmp(s->data, again[i].data, s->size));
		if (!equal && same)
			diag_add(l->diags, DIAG_PSO_BLOB_STALE, l->name, "section %s holds what this version of Kiln would not make",
				pso_section_names[i]);
		same &= equal;
		buf_finish(&again[i]);
	}
	return same;
}

static struct pipeline *finish(struct load *l, struct pipeline *p)
{
	if (p && check_same(l, p)) {
		p->deserialized = true;
		p->key = pso_image_key(l->image);
		return p;
	}
	if (!p)
		diag_add(l->diags, DIAG_PSO_BLOB_INVALID, l->name, "what the serialised PSO holds cannot be made into one");
	pipeline_release(p);
	return NULL;
}

static struct pipeline *load_base(struct load *l)
{
	struct pipeline_inputs in = {.name = l->name, .desc = &l->desc};
	struct isa_program *vs = NULL, *ps = NULL;
	struct root_signature *root = NULL;
	bool ok = read_base(l, &in, &vs, &ps, &root);
	struct pipeline *p = finish(l, ok ? pipeline_create(&in, l->diags) : NULL);
	isa_program_destroy(vs);
	isa_program_destroy(ps);
	root_signature_destroy(root);
	return p;
}

static struct pipeline *load_derived(struct load *l, struct pipeline *base, const struct pipeline_options *options)
{
	struct reader r = open_section(l, PSO_BASE);
	uint64_t key = reader_u64(&r);
	const char *base_name = pso_image_base(l->image);
	if (!base || base->base || pso_base_key(base, l->image->console) != key) {
		diag_add(l->diags, DIAG_PSO_BLOB_BASE, l->name, "it derives from '%s', and %s", base_name,
			base ? "the PSO given is not that one" : "no base was given");
		return NULL;
	}
	l->desc = base->desc;
	if (!*base_name || !read_state(l))
		return finish(l, NULL);
	const struct kiln_derived_pipeline_desc d = {&l->desc.BlendState, &l->desc.RasterizerState, &l->desc.DepthStencilState,
		&l->desc.SampleMask, &l->desc.ShaderLimits};
	return finish(l, pipeline_derive(base, l->name, &d, options, l->diags));
}

struct pipeline *pso_image_load(const struct pso_image *image, const char *name, struct pipeline *base,
	const struct pipeline_options *options, struct kiln_diags *diags)
{
	const char *own = pso_image_name(image);
	struct load l = {.image = image, .name = name ? name : *own ? own : "PSO", .diags = diags};
	struct pipeline *p = NULL;
	if (image->section[PSO_NAME].data && !*own && image->section[PSO_NAME].size != 1)
		refuse(&l, PSO_NAME, "it is no string");
	else if (check_sections(&l) && check_metadata(&l))
		p = image->derived ? load_derived(&l, base, options) : load_base(&l);
	arena_finish(&l.arena);
	return p;
}

struct isa_program *pack_shader_program(const struct pso_image *image, const char *name, struct kiln_diags *diags)
{
	struct load l = {.image = image, .name = name, .diags = diags};
	bool pixel = image->section[PSO_PS].data != NULL;
	unsigned code = pixel ? PSO_PS : PSO_VS, debug = pixel ? PSO_PS_DEBUG : PSO_VS_DEBUG;
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++)
		if ((i == code) != (image->section[i].data != NULL) && i != debug) {
			refuse(&l, i, i == code ? "the shader has no instructions" : "a shader has none");
			return NULL;
		}
	struct isa_program *p = read_program(&l, code, debug);
	if (!p || p->stage == (pixel ? ISA_PIXEL : ISA_VERTEX))
		return p;
	refuse(&l, code, "it is of another stage");
	isa_program_destroy(p);
	return NULL;
}
