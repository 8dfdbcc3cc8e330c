/* Helpers of the impure rows of isa.def: inputs, constants, scratch, derivatives, discard, exports. */
#include "isa/exec.h"
#include <string.h>

void exec_write(const struct exec *x, const struct isa_operand *d, const uint32_t *words)
{
	if (d->file == ISA_OFF)
		return;
	uint32_t *v = x->w->v[d->value];
	for (unsigned l = 0; l < x->lanes; l++)
		v[l] = (words[l] & x->mask[l]) | (v[l] & ~x->mask[l]);
}

static void LD_IN(const struct exec *x, const struct isa_inst *in)
{
	exec_write(x, &in->at[0], x->w->in[in->at[1].value][in->at[2].value]);
}

/* Lanes become helpers on the way. */
static void LD_SYS(const struct exec *x, const struct isa_inst *in)
{
	if (in->at[1].value == ISA_SYS_helper) {
		uint32_t helper[ISA_LANES_MAX];
		for (unsigned l = 0; l < x->lanes; l++)
			helper[l] = x->w->live >> l & 1 ? 0 : ~0u;
		exec_write(x, &in->at[0], helper);
		return;
	}
	exec_write(x, &in->at[0], x->w->sys[in->at[1].value]);
}

/* ---- constants ---- */

static void write_row(const struct exec *x, const struct isa_inst *in, const uint32_t row[4])
{
	for (unsigned c = 0; c < 4; c++) {
		struct isa_operand word = {ISA_LIT, row[c]};
		uint32_t room[ISA_LANES_MAX];
		if (in->at[c].file == ISA_S)
			x->w->s[in->at[c].value] = row[c];
		else
			exec_write(x, &in->at[c], exec_source(x, &word, room));
	}
}

/* One fetch where the row is uniform, else one for each change of row from lane to lane. */
static void LD_CB(const struct exec *x, const struct isa_inst *in)
{
	const struct isa_operand none = {ISA_LIT, 0}, *element = in->at[5].file == ISA_OFF ? &none : &in->at[5];
	uint32_t room[2][ISA_LANES_MAX], words[4][ISA_LANES_MAX] = {{0}}, row[4] = {0};
	if (element->file != ISA_V && in->at[6].file != ISA_V) {
		x->env->cbuffer_row(x->env->user, in->at[4].value, exec_uniform(x, element), exec_uniform(x, &in->at[6]), row);
		write_row(x, in, row);
		return;
	}
	const uint32_t *index = exec_source(x, element, room[0]), *at = exec_source(x, &in->at[6], room[1]);
	for (unsigned l = 0, last = ISA_LANES_MAX; l < x->lanes; l++) {
		if (!x->mask[l])
			continue;
		if (last == ISA_LANES_MAX || at[last] != at[l] || index[last] != index[l])
			x->env->cbuffer_row(x->env->user, in->at[4].value, index[l], at[l], row);
		last = l;
		for (unsigned c = 0; c < 4; c++)
			words[c][l] = row[c];
	}
	for (unsigned c = 0; c < 4; c++)
		exec_write(x, &in->at[c], words[c]);
}

static void LD_CONST(const struct exec *x, const struct isa_inst *in)
{
	uint32_t base = in->at[1].value, count = in->at[2].value;
	if (in->at[0].file == ISA_S) {
		uint32_t i = exec_uniform(x, &in->at[3]);
		x->w->s[in->at[0].value] = i < count ? x->p->constants[base + i] : 0;
		return;
	}
	uint32_t room[ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *i = exec_source(x, &in->at[3], room);
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = x->mask[l] && i[l] < count ? x->p->constants[base + i[l]] : 0;
	exec_write(x, &in->at[0], words);
}

/* ---- scratch ---- */

static void LD_SCRATCH(const struct exec *x, const struct isa_inst *in)
{
	uint32_t base = in->at[1].value, count = in->at[2].value, room[ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *i = exec_source(x, &in->at[3], room);
	for (unsigned l = 0; l < x->lanes; l++)
		words[l] = x->mask[l] && i[l] < count ? x->w->scratch[base + i[l]][l] : 0;
	exec_write(x, &in->at[0], words);
}

static void ST_SCRATCH(const struct exec *x, const struct isa_inst *in)
{
	uint32_t base = in->at[0].value, count = in->at[1].value, room[2][ISA_LANES_MAX];
	const uint32_t *i = exec_source(x, &in->at[2], room[0]), *word = exec_source(x, &in->at[3], room[1]);
	for (unsigned l = 0; l < x->lanes; l++)
		if (x->mask[l] && i[l] < count)
			x->w->scratch[base + i[l]][l] = word[l];
}

/* ---- group-shared memory ---- */

/* The word at index i of an array at word `base`, or NULL past its end. */
static uint32_t *lds_word(const struct exec *x, uint32_t base, uint32_t count, uint32_t i)
{
	return i < count ? &x->w->lds[base + i] : NULL;
}

static void LDS_LOAD(const struct exec *x, const struct isa_inst *in)
{
	uint32_t base = in->at[1].value, count = in->at[2].value, room[ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *i = exec_source(x, &in->at[3], room);
	for (unsigned l = 0; l < x->lanes; l++) {
		const uint32_t *word = x->mask[l] ? lds_word(x, base, count, i[l]) : NULL;
		words[l] = word ? *word : 0;
	}
	exec_write(x, &in->at[0], words);
}

static void LDS_STORE(const struct exec *x, const struct isa_inst *in)
{
	uint32_t base = in->at[0].value, count = in->at[1].value, room[2][ISA_LANES_MAX];
	const uint32_t *i = exec_source(x, &in->at[2], room[0]), *value = exec_source(x, &in->at[3], room[1]);
	for (unsigned l = 0; l < x->lanes; l++) {
		uint32_t *word = x->mask[l] ? lds_word(x, base, count, i[l]) : NULL;
		if (word)
			*word = value[l];
	}
}

uint32_t isa_atomic(unsigned op, uint32_t old, uint32_t value)
{
	switch ((enum isa_atomic_op)op) {
	case ISA_ATOMIC_ADD: return old + value;
	case ISA_ATOMIC_AND: return old & value;
	case ISA_ATOMIC_OR: return old | value;
	case ISA_ATOMIC_XOR: return old ^ value;
	case ISA_ATOMIC_MIN_I32: return (int32_t)value < (int32_t)old ? value : old;
	case ISA_ATOMIC_MAX_I32: return (int32_t)value > (int32_t)old ? value : old;
	case ISA_ATOMIC_MIN_U32: return value < old ? value : old;
	case ISA_ATOMIC_MAX_U32: return value > old ? value : old;
	case ISA_ATOMIC_EXCHANGE: return value;
	}
	return old;
}

/* Both atomics: the operation's number, or the value to compare with, stands behind the array. */
static void LDS_ATOMIC(const struct exec *x, const struct isa_inst *in)
{
	bool swap = in->op == ISA_lds_atomic_cmpswap;
	uint32_t base = in->at[1].value, count = in->at[2].value, room[3][ISA_LANES_MAX], words[ISA_LANES_MAX] = {0};
	const uint32_t *i = exec_source(x, &in->at[swap ? 3 : 4], room[0]), *value = exec_source(x, &in->at[5], room[1]);
	const uint32_t *compare = swap ? exec_source(x, &in->at[4], room[2]) : NULL;
	for (unsigned l = 0; l < x->lanes; l++) {
		uint32_t *word = x->mask[l] ? lds_word(x, base, count, i[l]) : NULL;
		if (!word)
			continue;
		words[l] = *word;
		if (!swap)
			*word = isa_atomic(in->at[3].value, *word, value[l]);
		else if (*word == compare[l])
			*word = value[l];
	}
	exec_write(x, &in->at[0], words);
}

/* ---- derivatives: lanes 4k to 4k+3 are a quad's (0,0) (1,0) (0,1) (1,1) ---- */

static void derivative(const struct exec *x, const struct isa_inst *in, unsigned keep, unsigned step)
{
	uint32_t room[ISA_LANES_MAX], words[ISA_LANES_MAX];
	const uint32_t *s = exec_source(x, &in->at[1], room);
	for (unsigned l = 0; l < x->lanes; l++) {
		unsigned from = (l & ~3u) | (l & keep);
		float d = bits_float(s[from | step]) - bits_float(s[from & ~step]);
		words[l] = d == d ? float_bits(d) : 0x7fc00000;
	}
	exec_write(x, &in->at[0], words);
}

static void DDX_COARSE(const struct exec *x, const struct isa_inst *in) { derivative(x, in, 0, 1); }
static void DDY_COARSE(const struct exec *x, const struct isa_inst *in) { derivative(x, in, 0, 2); }
static void DDX_FINE(const struct exec *x, const struct isa_inst *in) { derivative(x, in, 2, 1); }
static void DDY_FINE(const struct exec *x, const struct isa_inst *in) { derivative(x, in, 1, 2); }

/* ---- what lies outside the wave: inputs at other places, images, buffers ---- */

/* Scalar results are those of the first active lane. */
static void ACCESS(const struct exec *x, const struct isa_inst *in)
{
	const struct isa_info *info = &isa_info[in->op];
	uint32_t room[ISA_OPERANDS_MAX][ISA_LANES_MAX], words[4][ISA_LANES_MAX] = {{0}};
	struct isa_access a = {.inst = in, .lanes = x->lanes, .exec = x->w->exec, .live = x->w->exec & x->w->live, .result = words};
	bool scalar = false;
	for (unsigned i = 0; i < info->count; i++) {
		if (i < info->results)
			scalar |= in->at[i].file == ISA_S;
		else if (in->at[i].file != ISA_OFF && in->at[i].file != ISA_IMM)
			a.source[i] = exec_source(x, &in->at[i], room[i]);
	}
	if (scalar)
		a.exec &= ~a.exec + 1;
	if (x->env->access)
		x->env->access(x->env->user, &a);
	for (unsigned c = 0; c < info->results; c++) {
		if (in->at[c].file == ISA_S)
			x->w->s[in->at[c].value] = words[c][__builtin_ctzll(a.exec)];
		else
			exec_write(x, &in->at[c], words[c]);
	}
}

/* ---- discard and exports ---- */

static void KILL(const struct exec *x, const struct isa_inst *in)
{
	uint32_t room[ISA_LANES_MAX];
	const uint32_t *c = exec_source(x, &in->at[0], room);
	uint64_t dead = 0;
	for (unsigned l = 0; l < x->lanes; l++)
		dead |= (uint64_t)(x->mask[l] && c[l]) << l;
	x->w->record.kills += (unsigned)__builtin_popcountll(dead & x->w->live);
	x->w->live &= ~dead;
}

/* Bits of `bits` in word `word` of slot t take the source's. */
static void export_word(const struct exec *x, uint32_t t, unsigned word, const struct isa_operand *o, uint32_t bits)
{
	if (!bits || o->file == ISA_OFF)
		return;
	uint32_t room[ISA_LANES_MAX], *out = x->w->out[t][word];
	const uint32_t *s = exec_source(x, o, room);
	for (unsigned l = 0; l < x->lanes; l++)
		out[l] = (s[l] & x->mask[l] & bits) | (out[l] & ~(x->mask[l] & bits));
}

static void exported(const struct exec *x, uint32_t t) { x->w->exported[t] |= x->w->exec & x->w->live; }

static void EXP_SYM(const struct exec *x, const struct isa_inst *in)
{
	for (unsigned c = 0; c < 4; c++)
		export_word(x, in->at[0].value, c, &in->at[3 + c], in->at[2].value >> c & 1 ? ~0u : 0);
	exported(x, in->at[0].value);
}

static void EXP(const struct exec *x, const struct isa_inst *in)
{
	uint32_t t = in->at[0].value, form = in->at[1].value, m = in->at[2].value;
	bool packed = form >= ISA_FORM_fp16_abgr && form <= ISA_FORM_sint16_abgr;
	for (unsigned c = 0; packed && c < 2; c++)
		export_word(x, t, c, &in->at[3 + c], (m >> 2 * c & 1 ? 0xffffu : 0) | (m >> (2 * c + 1) & 1 ? 0xffff0000u : 0));
	for (unsigned c = 0; !packed && c < 4; c++)
		export_word(x, t, c, &in->at[3 + c], m >> c & 1 ? ~0u : 0);
	exported(x, t);
}

void exec_helper(const struct exec *x, const struct isa_inst *in)
{
	switch (in->op) {
#define PURE(name, ...)
#define IMPURE(name, code, operands, unit, cost, fn, doc) \
	case ISA_##name: \
		fn(x, in); \
		break;
#define FLOW(name, ...)
#include "isa/isa.def"
	}
}
