/* Bindings before a draw: root arguments are set, tables lie in their heaps, and descriptors that no index chooses are
 * there and of the kind that the shader declares. What an index chooses is checked when it is read (binding.c). */
#include "sim/draw.h"
#include "sim/device.h"

static const uint32_t unbounded = 0xffffffff;

struct check {
	const struct draw_state *state;
	const struct isa_program *program;
	struct kiln_diags *diags;
	char what[200];               /* the resource, for diagnostics */
};

#define REFUSE(c, id, ...) (diag_add((c)->diags, DIAG_##id, (c)->state->where, __VA_ARGS__), false)
#define WARN(c, id, ...) diag_add((c)->diags, DIAG_##id, (c)->state->where, __VA_ARGS__)

static void name_resource(struct check *c, const struct isa_resource *r)
{
	static const char *const names[] = {
		[ISA_SRV] = "SRV", [ISA_UAV] = "UAV", [ISA_CBV] = "constant buffer", [ISA_SAMPLER] = "sampler"};

	snprintf(c->what, sizeof c->what, "%s '%s' (%c%u, space%u) of the %s shader", names[r->cls], r->name, "tubs"[r->cls],
		r->lower, r->space, isa_stage_names[c->program->stage]);
}

/* float, uint, int: what a component type of DXIL metadata or a format reads as */
enum numeric_class { CLASS_FLOAT, CLASS_UINT, CLASS_SINT };
static const char *const class_names[] = {"float", "uint", "int"};

static enum numeric_class declared_class(uint8_t type)
{
	switch (type) {
	case 3: case 5: case 7: return CLASS_UINT; /* u16, u32, u64 */
	case 2: case 4: case 6: return CLASS_SINT;
	}
	return CLASS_FLOAT;
}

static enum numeric_class format_class(const struct format_info *f)
{
	return f->numeric == FORMAT_UINT ? CLASS_UINT : f->numeric == FORMAT_SINT ? CLASS_SINT : CLASS_FLOAT;
}

static bool check_view(struct check *c, const struct isa_resource *r, const struct view *v)
{
	const char *fault = view_fault(r, v);

	if (fault)
		return REFUSE(c, DESCRIPTOR_MISMATCH, "%s: '%s': %s", c->what, v->resource->name, fault);
	if (view_is_target(c->state, v))
		return REFUSE(c, RESOURCE_READ_AND_TARGET, "%s reads '%s', which is a target of this draw as well", c->what,
			v->resource->name);
	if (v->resource && v->format && r->type && declared_class(r->type) != format_class(v->format))
		WARN(c, VIEW_FORMAT_MISMATCH, "%s is declared %s, its view of '%s' is %s", c->what,
			class_names[declared_class(r->type)], v->resource->name, v->format->name);
	return true;
}

static void check_sampler(struct check *c, const struct isa_resource *r, uint32_t filter)
{
	bool compares = (filter >> 7 & 3) == 1, declared = r->flags >> 3 & 1;

	if (compares != declared)
		WARN(c, SAMPLER_COMPARISON_MISMATCH, "%s is declared %s, its filter 0x%x %s", c->what,
			declared ? "SamplerComparisonState" : "SamplerState", filter, compares ? "compares" : "does not compare");
}

static bool check_descriptor(struct check *c, const struct isa_resource *r, const struct descriptor *d, uint64_t at)
{
	static const uint8_t wanted[] = {[ISA_SRV] = DESCRIPTOR_SRV,
		[ISA_UAV] = DESCRIPTOR_UAV,
		[ISA_CBV] = DESCRIPTOR_CBV,
		[ISA_SAMPLER] = DESCRIPTOR_SAMPLER};
	static const char *const names[] = {[DESCRIPTOR_SRV] = "an SRV",
		[DESCRIPTOR_UAV] = "a UAV",
		[DESCRIPTOR_CBV] = "a CBV",
		[DESCRIPTOR_SAMPLER] = "a sampler"};

	if (d->type == DESCRIPTOR_UNSET)
		return REFUSE(c, DESCRIPTOR_NOT_SET, "%s: descriptor %llu of the heap was never written", c->what,
			(unsigned long long)at);
	if (d->type != wanted[r->cls])
		return REFUSE(c, DESCRIPTOR_MISMATCH, "%s: descriptor %llu of the heap is %s", c->what, (unsigned long long)at,
			names[d->type]);
	if (r->cls == ISA_SAMPLER)
		check_sampler(c, r, d->u.sampler.Filter);
	return r->cls == ISA_SAMPLER || r->cls == ISA_CBV || check_view(c, r, &d->u.view);
}

static bool check_table(struct check *c, const struct isa_resource *r, const struct root_entry *e)
{
	const struct root_argument *a = &c->state->root[e->parameter];
	uint64_t first = (uint64_t)a->first + e->range->offset + (r->lower - e->range->reg);
	uint32_t count = r->count == unbounded ? 1 : r->count;

	if (a->kind != ROOT_TABLE)
		return REFUSE(c, COMMAND_LIST_DESCRIPTOR_TABLE_NOT_SET, "root parameter %d (table), %s, is not set", e->parameter,
			c->what);
	if ((a->heap->type == KILN_HEAP_SAMPLER) != (r->cls == ISA_SAMPLER))
		return REFUSE(c, DESCRIPTOR_MISMATCH, "root parameter %d, %s, is set to a heap of type %s", e->parameter, c->what,
			a->heap->type == KILN_HEAP_SAMPLER ? "SAMPLER" : "CBV_SRV_UAV");
	if (first + count > a->heap->count)
		return REFUSE(c, DESCRIPTOR_TABLE_TOO_LARGE, "%s needs descriptors %llu to %llu of a heap of %u", c->what,
			(unsigned long long)first, (unsigned long long)(first + count - 1), a->heap->count);
	return r->count != 1 || check_descriptor(c, r, &a->heap->list[first], first);
}

static bool check_root_buffer(struct check *c, const struct root_entry *e)
{
	static const uint8_t wanted[] = {[ROOT_PARAMETER_CONSTANTS] = ROOT_CONSTANTS,
		[ROOT_PARAMETER_CBV] = ROOT_CBV,
		[ROOT_PARAMETER_SRV] = ROOT_SRV,
		[ROOT_PARAMETER_UAV] = ROOT_UAV};
	static const char *const names[] = {
		[ROOT_PARAMETER_CONSTANTS] = "constants", [ROOT_PARAMETER_CBV] = "CBV", [ROOT_PARAMETER_SRV] = "SRV",
		[ROOT_PARAMETER_UAV] = "UAV"};
	uint8_t type = c->state->pipeline->root->parameters[e->parameter].type;

	return c->state->root[e->parameter].kind == wanted[type] ||
		   REFUSE(c, ROOT_PARAMETER_NOT_SET, "root parameter %d (%s), %s, is not set", e->parameter, names[type], c->what);
}

static bool check_resource(struct check *c, const struct isa_resource *r)
{
	if (r->flags & ISA_RESOURCE_HEAP)
		return c->state->heaps[r->cls == ISA_SAMPLER] || REFUSE(c, DESCRIPTOR_HEAP_NOT_SET,
			"the %s shader indexes the %s heap, and none is set", isa_stage_names[c->program->stage],
			r->cls == ISA_SAMPLER ? "sampler" : "resource");
	struct root_entry e = root_entry_find(c->state->pipeline->root, c->program->stage, r);

	name_resource(c, r);
	if (e.sampler) {
		check_sampler(c, r, e.sampler->words[0]);
		return true;
	}
	if (e.parameter < 0)
		return REFUSE(c, ROOT_PARAMETER_NOT_SET, "%s: the root signature has no place for it", c->what);
	return e.range ? check_table(c, r, &e) : check_root_buffer(c, &e);
}

bool bindings_check(const struct draw_state *s, const struct isa_program *p, struct kiln_diags *diags)
{
	struct check c = {.state = s, .program = p, .diags = diags};
	bool ok = true;

	for (size_t i = 0; p && i < p->resource_count; i++)
		ok &= check_resource(&c, &p->resources[i]);
	return ok;
}
