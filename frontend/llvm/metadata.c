/* Takes a module; gives stage, entry point, signatures, resources and flags from its dx.* metadata (facts section 8.6).
 * Every node is checked for kind and length: LLVM's verifier does not know these names. */
#include "frontend/llvm/llvm.h"
#include <string.h>

struct meta {
	LLVMModuleRef module;
	const struct fe_sink *sink;
	struct arena *a;
	struct isa_program *p;
	struct fe_meta *out;
};

static bool malformed(const struct meta *m, const char *what)
{
	diag_add(m->sink->diags, DIAG_DXIL_INVALID, m->sink->where, "metadata: %s is malformed", what);
	return false;
}

/* ---- nodes: a missing or wrong operand reads as empty, 0 or "" with false ---- */

struct node {
	LLVMValueRef *at;
	unsigned count;
};

static bool is_node(LLVMValueRef v)
{
	unsigned length;
	return v && LLVMIsAMDNode(v) && !LLVMGetMDString(v, &length);
}

static struct node open_node(const struct meta *m, LLVMValueRef v)
{
	struct node n = {NULL, 0};
	if (!is_node(v))
		return n;
	n.count = LLVMGetMDNodeNumOperands(v);
	n.at = arena_array(m->a, n.count, sizeof *n.at);
	LLVMGetMDNodeOperands(v, n.at);
	return n;
}

static struct node child(const struct meta *m, const struct node *n, unsigned i)
{
	return open_node(m, i < n->count ? n->at[i] : NULL);
}

static struct node named(const struct meta *m, const char *name)
{
	struct node n = {NULL, LLVMGetNamedMetadataNumOperands(m->module, name)};
	n.at = arena_array(m->a, n.count, sizeof *n.at);
	LLVMGetNamedMetadataOperands(m->module, name, n.at);
	return n;
}

static bool get_int(const struct node *n, unsigned i, uint64_t *out)
{
	*out = 0;
	return i < n->count && n->at[i] && lower_constant_int(n->at[i], out);
}

static uint32_t get_u32(const struct node *n, unsigned i)
{
	uint64_t v;
	get_int(n, i, &v);
	return (uint32_t)v;
}

static const char *get_string(const struct meta *m, const struct node *n, unsigned i)
{
	unsigned length = 0;
	const char *s = i < n->count && n->at[i] ? LLVMGetMDString(n->at[i], &length) : NULL;
	char *copy = arena_alloc(&m->p->arena, length + 1);
	if (s)
		memcpy(copy, s, length);
	return copy;
}

/* A list of (tag, value) pairs: the value of a tag as a place in the node, or ~0. */
static unsigned find_tag(const struct node *n, uint32_t tag)
{
	for (unsigned i = 0; i + 1 < n->count; i += 2)
		if (get_u32(n, i) == tag)
			return i + 1;
	return UINT32_MAX;
}

/* ---- signatures ---- */

/* DXIL metadata's component types to those of the signature parts. */
static uint8_t component_type(uint32_t t)
{
	static const uint8_t types[] = {
		0, ISA_U32, ISA_I16, ISA_U16, ISA_I32, ISA_U32, ISA_I64, ISA_U64, ISA_F16, ISA_F32, ISA_F64};
	return t < ARRAY_COUNT(types) ? types[t] : 0;
}

/* What the signature part calls minPrecision, of a 16-bit type without native 16-bit support. */
static uint8_t min_precision(const struct meta *m, uint8_t type)
{
	if (m->out->flags >> 23 & 1)
		return 0;
	return type == ISA_F16 ? 1 : type == ISA_I16 ? 4 : type == ISA_U16 ? 5 : 0;
}

static bool read_element(const struct meta *m, const struct node *n, struct fe_element *e, struct isa_io *slots,
	size_t *count)
{
	struct node indices = child(m, n, 4);
	const char *name = get_string(m, n, 1);
	int32_t start_row = (int32_t)get_u32(n, 8), start_col = (int8_t)get_u32(n, 9);
	uint8_t type = component_type(get_u32(n, 2));
	*e = (struct fe_element){get_u32(n, 6), get_u32(n, 7), (uint32_t)*count};
	if (!type || get_u32(n, 5) > ISA_INTERP_NOPERSPECTIVE_SAMPLE)
		return malformed(m, "a signature element");
	if (e->rows < 1 || e->rows > ISA_IO_MAX - *count || e->cols < 1 || e->cols > 4 || indices.count != e->rows)
		return malformed(m, "a signature element's size");
	if (start_row >= 0 && (start_col < 0 || start_col + (int32_t)e->cols > 4 || start_row >= ISA_IO_MAX))
		return malformed(m, "a signature element's place");
	for (uint32_t r = 0; r < e->rows; r++) {
		struct isa_io *io = &slots[(*count)++];
		*io = (struct isa_io){.name = name, .index = get_u32(&indices, r), .semantic = (uint8_t)get_u32(n, 3), .type = type,
			.interp = (uint8_t)get_u32(n, 5), .cols = (uint8_t)e->cols, .start_col = start_row >= 0 ? (uint8_t)start_col : 0,
			.min_precision = min_precision(m, type), .reg = start_row >= 0 ? (uint32_t)start_row + r : UINT32_MAX};
		if (io->semantic == ISA_SEM_TARGET)
			io->reg = io->index;
	}
	return true;
}

/* ids are places in the list in all DXIL there is; a call names elements by them. */
static bool read_signature(const struct meta *m, LLVMValueRef v, struct fe_element **elements, size_t *element_count,
	struct isa_io **slots, size_t *slot_count)
{
	struct node list = open_node(m, v);
	if (list.count > ISA_IO_MAX)
		return malformed(m, "a signature");
	*elements = arena_array(m->a, list.count, sizeof **elements);
	*slots = arena_array(&m->p->arena, ISA_IO_MAX, sizeof **slots);
	*element_count = list.count;
	for (unsigned i = 0; i < list.count; i++) {
		struct node e = child(m, &list, i);
		if (e.count < 10 || get_u32(&e, 0) != i)
			return malformed(m, "a signature element");
		if (!read_element(m, &e, &(*elements)[i], *slots, slot_count))
			return false;
	}
	return true;
}

/* ---- resources ---- */

static void read_extension(const struct meta *m, const struct node *record, unsigned i, struct isa_resource *r)
{
	struct node ext = child(m, record, i);
	unsigned type = find_tag(&ext, 0), stride = find_tag(&ext, 1);
	r->type = type < ext.count ? (uint8_t)get_u32(&ext, type) : 0;
	r->stride_or_size = stride < ext.count ? get_u32(&ext, stride) : 0;
}

static bool read_resource(const struct meta *m, const struct node *n, enum isa_resource_class cls, struct isa_resource *r)
{
	static const uint8_t lengths[] = {[ISA_SRV] = 9, [ISA_UAV] = 11, [ISA_CBV] = 8, [ISA_SAMPLER] = 8};
	if (n->count < lengths[cls])
		return malformed(m, "a resource");
	*r = (struct isa_resource){.name = get_string(m, n, 2), .cls = (uint8_t)cls, .space = get_u32(n, 3),
		.lower = get_u32(n, 4), .count = get_u32(n, 5)};
	switch (cls) {
	case ISA_SRV:
		r->kind = (uint8_t)get_u32(n, 6);
		r->sample_count = get_u32(n, 7);
		read_extension(m, n, 8, r);
		break;
	case ISA_UAV:
		r->kind = (uint8_t)get_u32(n, 6);
		/* globally coherent, counter, ROV */
		r->flags = (uint8_t)((get_u32(n, 7) & 1) << 2 | (get_u32(n, 8) & 1) | (get_u32(n, 9) & 1) << 1);
		read_extension(m, n, 10, r);
		break;
	case ISA_CBV:
		r->kind = ISA_KIND_CBUFFER;
		r->stride_or_size = get_u32(n, 6);
		break;
	default: /* sampler */
		r->kind = ISA_KIND_SAMPLER;
		r->flags = get_u32(n, 6) == 1 ? 8 : 0;
		break;
	}
	return true;
}

static bool read_resources(const struct meta *m, LLVMValueRef v)
{
	struct node classes = open_node(m, v), lists[4] = {{0}};
	size_t total = 0;
	for (unsigned c = 0; c < 4; c++) {
		lists[c] = child(m, &classes, c);
		total += lists[c].count;
	}
	if (classes.count && classes.count != 4)
		return malformed(m, "dx.resources");
	m->p->resources = arena_array(&m->p->arena, total, sizeof *m->p->resources);
	m->out->resource_ids = arena_array(m->a, total, sizeof *m->out->resource_ids);
	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; i < lists[c].count; i++) {
			struct node record = child(m, &lists[c], i);
			size_t at = m->p->resource_count;
			if (!read_resource(m, &record, (enum isa_resource_class)c, &m->p->resources[at]))
				return false;
			m->out->resource_ids[at] = get_u32(&record, 0);
			m->p->resource_count++;
		}
	return true;
}

/* ---- entry point ---- */

static const struct { char name[4]; uint8_t stage, supported; const char *words; } stages[] = {
	{"ps", ISA_PIXEL, 1, "pixel"}, {"vs", ISA_VERTEX, 1, "vertex"}, {"gs", ISA_GEOMETRY, 0, "geometry"},
	{"hs", ISA_HULL, 0, "hull"}, {"ds", ISA_DOMAIN, 0, "domain"}, {"cs", ISA_COMPUTE, 1, "compute"},
	{"ms", ISA_MESH, 0, "mesh"}, {"as", ISA_AMPLIFICATION, 0, "amplification"}, {"lib", 0, 0, "library"},
};

static bool read_stage(const struct meta *m)
{
	struct node model = named(m, "dx.shaderModel"), n = child(m, &model, 0);
	const char *name = get_string(m, &n, 0);
	for (size_t i = 0; i < ARRAY_COUNT(stages); i++) {
		if (strcmp(stages[i].name, name))
			continue;
		m->p->stage = stages[i].stage;
		if (stages[i].supported)
			return true;
		diag_add(m->sink->diags, DIAG_STAGE_UNSUPPORTED, m->sink->where, "%s shader (%s_%u_%u)", stages[i].words, name,
			get_u32(&n, 1), get_u32(&n, 2));
		return false;
	}
	return malformed(m, "dx.shaderModel");
}

static void read_properties(const struct meta *m, const struct node *tags)
{
	enum { TAG_FLAGS = 0, TAG_NUMTHREADS = 4, FLAG_EARLY_DEPTH = 3, FLAG_NATIVE_16BIT = 23 };
	unsigned flags = find_tag(tags, TAG_FLAGS), threads = find_tag(tags, TAG_NUMTHREADS);
	if (flags < tags->count)
		get_int(tags, flags, &m->out->flags);
	if (m->out->flags >> FLAG_EARLY_DEPTH & 1)
		m->p->flags |= ISA_EARLY_DEPTH;
	if (m->out->flags >> FLAG_NATIVE_16BIT & 1)
		m->p->flags |= ISA_NATIVE_16BIT;
	if (threads < tags->count) {
		struct node n = child(m, tags, threads);
		for (unsigned i = 0; i < 3; i++)
			m->p->threads[i] = get_u32(&n, i);
	}
}

/* [WaveSize(n)], and from shader model 6.8 on (least, most, preferred): the size that was asked for if it is among them. */
static bool read_wave_size(const struct meta *m, const struct node *tags)
{
	enum { TAG_WAVE_SIZE = 11, TAG_WAVE_RANGE = 23 };
	unsigned one = find_tag(tags, TAG_WAVE_SIZE), range = find_tag(tags, TAG_WAVE_RANGE);
	if (one >= tags->count && range >= tags->count)
		return true;
	struct node n = child(m, tags, one < tags->count ? one : range);
	uint32_t least = get_u32(&n, 0), most = n.count > 1 && get_u32(&n, 1) ? get_u32(&n, 1) : least;
	uint32_t preferred = n.count > 2 ? get_u32(&n, 2) : 0;
	if (preferred == 32 || preferred == 64)
		m->p->wave_size = (uint8_t)preferred;
	if (m->p->wave_size < least)
		m->p->wave_size = 64;
	if (m->p->wave_size > most)
		m->p->wave_size = 32;
	if (m->p->wave_size >= least && m->p->wave_size <= most)
		return true;
	diag_add(m->sink->diags, DIAG_DXIL_UNSUPPORTED, m->sink->where, "waves of %u to %u lanes; Kiln has waves of 32 and 64", least,
		most);
	return false;
}

static void read_denormals(const struct meta *m)
{
	static const char key[] = "fp32-denorm-mode";
	LLVMAttributeRef attribute =
		LLVMGetStringAttributeAtIndex(m->out->entry, LLVMAttributeFunctionIndex, key, sizeof key - 1);
	unsigned length = 0;
	const char *value = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
	if (length == 8 && !memcmp(value, "preserve", 8))
		m->p->flags |= ISA_FP32_PRESERVE;
}

static void derive_flags(struct isa_program *p)
{
	for (size_t i = 0; i < p->input_count; i++) {
		const struct isa_io *io = &p->inputs[i];
		if (p->stage == ISA_PIXEL && (io->semantic == ISA_SEM_SAMPLE_INDEX || io->interp == ISA_INTERP_LINEAR_SAMPLE ||
			io->interp == ISA_INTERP_NOPERSPECTIVE_SAMPLE))
			p->flags |= ISA_SAMPLE_FREQUENCY;
	}
}

bool fe_metadata(LLVMModuleRef module, const struct fe_sink *sink, struct arena *a, struct isa_program *p,
	struct fe_meta *out)
{
	struct meta meta = {module, sink, a, p, out}, *m = &meta;
	struct node entries = named(m, "dx.entryPoints"), entry = child(m, &entries, 0);
	struct node signatures = child(m, &entry, 2), tags = child(m, &entry, 4);
	if (!read_stage(m))
		return false;
	if (entry.count != 5 || !entry.at[0] || !LLVMIsAFunction(entry.at[0]) || LLVMIsDeclaration(entry.at[0]))
		return malformed(m, "dx.entryPoints");
	out->entry = entry.at[0];
	p->name = get_string(m, &entry, 1);
	read_properties(m, &tags);
	if (!read_wave_size(m, &tags))
		return false;
	read_denormals(m);
	LLVMValueRef in = signatures.count > 0 ? signatures.at[0] : NULL;
	LLVMValueRef output = signatures.count > 1 ? signatures.at[1] : NULL;
	if (!read_signature(m, in, &out->inputs, &out->input_count, &p->inputs, &p->input_count) ||
		!read_signature(m, output, &out->outputs, &out->output_count, &p->outputs, &p->output_count))
		return false;
	derive_flags(p);
	return read_resources(m, entry.at[3]);
}

void fe_metadata_names(LLVMModuleRef reflection, struct arena *a, struct isa_program *p, const uint32_t *resource_ids)
{
	struct meta meta = {.module = reflection, .a = a, .p = p}, *m = &meta;
	struct node root = named(m, "dx.resources"), classes = child(m, &root, 0);
	for (unsigned c = 0; c < 4; c++) {
		struct node list = child(m, &classes, c);
		for (unsigned i = 0; i < list.count; i++) {
			struct node record = child(m, &list, i);
			for (size_t r = 0; record.count && r < p->resource_count; r++)
				if (p->resources[r].cls == c && resource_ids[r] == get_u32(&record, 0) && !p->resources[r].name[0])
					p->resources[r].name = get_string(m, &record, 2);
		}
	}
}
