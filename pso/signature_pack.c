/* Signature packing: a linked vertex and pixel program -> the same pair with fewer parameters. Vertex outputs that the
 * pixel program never reads are not exported; the components it does read are packed, four to a parameter, among those
 * of one interpolation mode, type and precision, in the order of the vertex outputs. System values stay parameters of their
 * own. Code that fed a dropped export stays. */
#include "pso/pso.h"
#include <string.h>

enum { TARGET, FORM, MASK, SOURCE };               /* operands of exp */
enum { DROPPED = 0xff };

/* Where one component of a vertex output goes. */
struct place { uint8_t slot, component; };
struct packing {
	const struct isa_program *vs, *ps;
	const uint8_t *ps_param;                       /* as linked */
	uint8_t read[ISA_IO_MAX];                      /* [vertex output] components that the pixel program reads */
	uint8_t reader[ISA_IO_MAX];                    /* [vertex output] its first pixel input */
	struct place to[ISA_IO_MAX][4];                /* [vertex output][component] in the new outputs */
	uint8_t kept_vs[ISA_IO_MAX], kept_ps[ISA_IO_MAX]; /* new slot of what is not packed; DROPPED otherwise */
	struct isa_io slots[ISA_IO_MAX];               /* packed parameters, behind the kept slots on both sides */
	uint8_t slot_count, kept_vs_count, kept_ps_count;
};

static bool reads_input(const struct isa_inst *in)
{
	return in->op == ISA_ld_in || in->op == ISA_interp_snapped || in->op == ISA_interp_sample ||
		in->op == ISA_interp_centroid || in->op == ISA_ld_vertex;
}

static bool packable(const struct packing *k, size_t ps_slot)
{
	uint8_t o = k->ps_param[ps_slot];
	return k->ps->inputs[ps_slot].semantic == ISA_SEM_ARBITRARY && o < k->vs->output_count &&
		k->vs->outputs[o].semantic == ISA_SEM_ARBITRARY;
}

static void find_readers(struct packing *k)
{
	memset(k->reader, DROPPED, sizeof k->reader);
	for (size_t i = 0; i < k->ps->input_count; i++)
		if (packable(k, i))
			k->reader[k->ps_param[i]] = (uint8_t)i;
	for (size_t i = 0; i < k->ps->inst_count; i++) {
		const struct isa_inst *in = &k->ps->insts[i];
		if (reads_input(in) && packable(k, in->at[1].value))
			k->read[k->ps_param[in->at[1].value]] |= (uint8_t)(1u << in->at[2].value);
	}
}

static bool same_class(const struct isa_io *a, const struct isa_io *b)
{
	return a->interp == b->interp && a->type == b->type && a->min_precision == b->min_precision;
}

/* The parameter with room for one more component of this class; a new one where there is none. */
static uint8_t find_room(struct packing *k, const struct isa_io *like)
{
	uint8_t s = 0;
	while (s < k->slot_count && !(same_class(&k->slots[s], like) && k->slots[s].cols < 4))
		s++;
	if (s == k->slot_count) {
		k->slots[s] = (struct isa_io){.name = "PACKED", .index = s, .semantic = ISA_SEM_ARBITRARY, .type = like->type,
			.interp = like->interp, .min_precision = like->min_precision};
		k->slot_count++;
	}
	return s;
}

static void assign(struct packing *k)
{
	memset(k->to, DROPPED, sizeof k->to);
	memset(k->kept_vs, DROPPED, sizeof k->kept_vs);
	memset(k->kept_ps, DROPPED, sizeof k->kept_ps);
	for (size_t o = 0; o < k->vs->output_count; o++) {
		if (k->vs->outputs[o].semantic != ISA_SEM_ARBITRARY)
			k->kept_vs[o] = k->kept_vs_count++;
		for (uint8_t c = 0; c < 4; c++) {
			if (!(k->read[o] >> c & 1))
				continue;
			uint8_t s = find_room(k, &k->ps->inputs[k->reader[o]]);
			k->to[o][c] = (struct place){s, k->slots[s].cols++};
		}
	}
	for (size_t i = 0; i < k->ps->input_count; i++)
		if (!packable(k, i))
			k->kept_ps[i] = k->kept_ps_count++;
}

/* ---- new lists of slots ---- */

static uint32_t first_free_register(const struct packing *k)
{
	uint32_t next = 0;
	for (size_t i = 0; i < k->vs->output_count; i++)
		if (k->kept_vs[i] != DROPPED && k->vs->outputs[i].reg != UINT32_MAX && k->vs->outputs[i].reg >= next)
			next = k->vs->outputs[i].reg + 1;
	for (size_t i = 0; i < k->ps->input_count; i++)
		if (k->kept_ps[i] != DROPPED && k->ps->inputs[i].reg != UINT32_MAX && k->ps->inputs[i].reg >= next)
			next = k->ps->inputs[i].reg + 1;
	return next;
}

static struct isa_io *new_slots(const struct packing *k, struct isa_program *p, const struct isa_io *old, size_t old_count,
	const uint8_t *kept, size_t kept_count)
{
	struct isa_io *list = arena_array(&p->arena, kept_count + k->slot_count, sizeof *list);
	for (size_t i = 0; i < old_count; i++)
		if (kept[i] != DROPPED)
			list[kept[i]] = old[i];
	for (size_t s = 0; s < k->slot_count; s++) {
		list[kept_count + s] = k->slots[s];
		list[kept_count + s].reg = first_free_register(k) + (uint32_t)s;
		list[kept_count + s].used = (uint8_t)((1u << k->slots[s].cols) - 1);
	}
	return list;
}

/* ---- new instructions ---- */

struct pending { struct isa_operand source[ISA_IO_MAX][4]; uint8_t mask[ISA_IO_MAX]; };

/* Exports that stand together become one a parameter. */
static void flush(const struct packing *k, struct isa_program *p, struct pending *q)
{
	for (uint32_t s = 0; s < k->slot_count; s++) {
		if (!q->mask[s])
			continue;
		struct isa_inst *out = isa_append(p, ISA_exp);
		out->at[TARGET] = (struct isa_operand){ISA_IMM, ISA_PARAM0 + k->kept_vs_count + s};
		out->at[FORM] = (struct isa_operand){ISA_IMM, ISA_FORM_32_abgr};
		out->at[MASK] = (struct isa_operand){ISA_IMM, q->mask[s]};
		for (unsigned c = 0; c < 4; c++)
			if (q->mask[s] >> c & 1)
				out->at[SOURCE + c] = q->source[s][c];
	}
	memset(q, 0, sizeof *q);
}

static void collect(const struct packing *k, const struct isa_inst *in, struct pending *q)
{
	uint32_t o = in->at[TARGET].value - ISA_PARAM0;
	for (unsigned c = 0; c < 4; c++) {
		struct place to = k->to[o][c];
		if (!(in->at[MASK].value >> c & 1) || to.slot == DROPPED)
			continue;
		q->source[to.slot][to.component] = in->at[SOURCE + c];
		q->mask[to.slot] |= (uint8_t)(1u << to.component);
	}
}

static struct isa_program *pack_vertex(const struct packing *k)
{
	struct isa_program *p = isa_program_copy(k->vs);
	const struct isa_inst *insts = p->insts; /* stay in the arena while the list is built anew */
	size_t count = p->inst_count;
	struct pending q = {0};
	p->outputs = new_slots(k, p, p->outputs, p->output_count, k->kept_vs, k->kept_vs_count);
	p->output_count = (size_t)k->kept_vs_count + k->slot_count;
	p->insts = NULL;
	p->inst_count = 0;
	for (size_t i = 0; i < count; i++) {
		bool param = insts[i].op == ISA_exp && insts[i].at[TARGET].value >= ISA_PARAM0;
		uint32_t o = param ? insts[i].at[TARGET].value - ISA_PARAM0 : 0;
		if (param && k->kept_vs[o] == DROPPED) {
			collect(k, &insts[i], &q);
			continue;
		}
		flush(k, p, &q);
		struct isa_inst *out = isa_append(p, (enum isa_op)insts[i].op);
		*out = insts[i];
		if (param)
			out->at[TARGET].value = ISA_PARAM0 + k->kept_vs[o];
	}
	return p;
}

static struct isa_program *pack_pixel(const struct packing *k)
{
	struct isa_program *p = isa_program_copy(k->ps);
	p->inputs = new_slots(k, p, p->inputs, p->input_count, k->kept_ps, k->kept_ps_count);
	p->input_count = (size_t)k->kept_ps_count + k->slot_count;
	for (size_t i = 0; i < p->inst_count; i++) {
		struct isa_inst *in = &p->insts[i];
		if (!reads_input(in))
			continue;
		uint32_t slot = in->at[1].value;
		if (k->kept_ps[slot] != DROPPED) {
			in->at[1].value = k->kept_ps[slot];
			continue;
		}
		struct place to = k->to[k->ps_param[slot]][in->at[2].value];
		in->at[1].value = (uint32_t)k->kept_ps_count + to.slot;
		in->at[2].value = to.component;
	}
	return p;
}

/* ---- what was done, in words ---- */

static void report(const struct packing *k, const char *where, struct kiln_diags *diags)
{
	struct buf dropped = {0};
	unsigned before = 0, after = 0, slots = 0;
	for (size_t o = 0; o < k->vs->output_count; o++) {
		const struct isa_io *out = &k->vs->outputs[o];
		unsigned unread = ((1u << out->cols) - 1) & ~(unsigned)k->read[o];
		if (out->semantic != ISA_SEM_ARBITRARY)
			continue;
		slots++;
		before += out->cols;
		if (!unread)
			continue;
		buf_printf(&dropped, "%s%s%u", dropped.size ? ", " : "; not read: ", out->name, out->index);
		for (unsigned c = 0; k->read[o] && c < 4; c++)
			if (unread >> c & 1)
				buf_printf(&dropped, "%s%c", unread & ((1u << c) - 1) ? "" : ".", "xyzw"[c]);
	}
	for (unsigned s = 0; s < k->slot_count; s++)
		after += k->slots[s].cols;
	diag_add(diags, DIAG_SIGNATURE_PACKED, where, "%u parameters (%u components) became %u (%u components)%s", slots, before,
		k->slot_count, after, dropped.size ? buf_text(&dropped) : "");
	buf_finish(&dropped);
}

void signature_pack(const struct isa_program *vs, const struct isa_program *ps, const uint8_t ps_param[ISA_IO_MAX],
	const char *where, struct isa_program **packed_vs, struct isa_program **packed_ps, struct kiln_diags *diags)
{
	struct packing k = {.vs = vs, .ps = ps, .ps_param = ps_param};
	find_readers(&k);
	assign(&k);
	*packed_vs = pack_vertex(&k);
	*packed_ps = pack_pixel(&k);
	report(&k, where, diags);
}
