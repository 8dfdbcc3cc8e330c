/* The rules of a program, checked before anything runs or rewrites it: sizes, slots and resources, then each
 * instruction against its row, then structured control flow. Takes any program that is whole in memory; what it
 * passes, every other file of this folder may trust. */
#include "isa/isa.h"

enum { ERRORS_MAX = 16, LDS_MAX = 1 << 16, THREADS_MAX = 1024 };

struct validator {
	const struct isa_program *p;
	const char *where;
	struct kiln_diags *diags;
	unsigned errors;
	size_t at;                      /* the instruction */
	uint32_t *open;                 /* labels around it, innermost last */
	size_t depth, cap;
	uint8_t *opened;                /* [labels] */
};

__attribute__((format(printf, 2, 3))) static void program_error(struct validator *v, const char *fmt, ...)
{
	if (v->errors++ >= ERRORS_MAX)
		return;
	va_list args;
	va_start(args, fmt);
	char text[256];
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_add(v->diags, DIAG_ISA_INVALID, v->where, "%s", text);
}

__attribute__((format(printf, 2, 3))) static void inst_error(struct validator *v, const char *fmt, ...)
{
	if (v->errors >= ERRORS_MAX) {
		v->errors++;
		return;
	}
	va_list args;
	va_start(args, fmt);
	char text[256];
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	struct buf line = {0};
	isa_print_inst(v->p, &v->p->insts[v->at], &line);
	program_error(v, "instruction %zu `%s`: %s", v->at, buf_text(&line), text);
	buf_finish(&line);
}

/* ---- the program's own numbers ---- */

static void check_registers(struct validator *v)
{
	const struct isa_program *p = v->p;
	size_t most = ISA_VGPRS_MAX + ISA_OPERANDS_MAX * p->inst_count;
	if (p->allocated && p->vgprs > ISA_VGPRS_MAX)
		program_error(v, "%u vector registers, at most %u", p->vgprs, ISA_VGPRS_MAX);
	if (p->allocated && p->sgprs > ISA_SGPRS_MAX)
		program_error(v, "%u scalar registers, at most %u", p->sgprs, ISA_SGPRS_MAX);
	if (!p->allocated && (p->vgprs > most || p->sgprs > most))
		program_error(v, "%u virtual and %u scalar registers, more than its instructions could name", p->vgprs, p->sgprs);
	if (p->labels > p->inst_count)
		program_error(v, "%u labels, more than instructions", p->labels);
}

static void check_sizes(struct validator *v)
{
	const struct isa_program *p = v->p;
	uint64_t threads = (uint64_t)p->threads[0] * p->threads[1];
	if (p->stage >= ISA_STAGE_COUNT || !isa_stage_names[p->stage])
		program_error(v, "no shader stage has number %u", p->stage);
	if (p->wave_size != 32 && p->wave_size != 64)
		program_error(v, "a wave of %u lanes; it has 32 or 64", p->wave_size);
	if (p->flags >> ISA_FLAG_COUNT)
		program_error(v, "unknown flags 0x%x", p->flags);
	if (p->flags & ISA_PATCHED && p->stage != ISA_PIXEL)
		program_error(v, "only pixel programs are patched");
	if (p->scratch > ISA_SCRATCH_MAX)
		program_error(v, "%u dwords of scratch, at most %u", p->scratch, ISA_SCRATCH_MAX);
	if (p->lds_bytes > LDS_MAX)
		program_error(v, "%u bytes of group memory, at most %u", p->lds_bytes, LDS_MAX);
	if (p->threads[0] > THREADS_MAX || p->threads[1] > THREADS_MAX || threads * p->threads[2] > THREADS_MAX)
		program_error(v, "a group of %u x %u x %u threads, at most %u", p->threads[0], p->threads[1], p->threads[2], THREADS_MAX);
}

static void check_io(struct validator *v, const char *what, const struct isa_io *io, size_t count)
{
	if (count > ISA_IO_MAX) {
		program_error(v, "%zu %ss, at most %u", count, what, ISA_IO_MAX);
		return;
	}
	for (size_t i = 0; i < count; i++, io++) {
		const char *fault = NULL;
		if (io->semantic >= ISA_SEM_COUNT)
			fault = "its semantic kind is unknown";
		else if (!io->type || io->type >= ISA_TYPE_COUNT)
			fault = "its component type is unknown";
		else if (io->interp >= ISA_INTERP_COUNT)
			fault = "its interpolation mode is unknown";
		else if (io->cols < 1 || io->cols > 4 || io->start_col + io->cols > 4)
			fault = "its components do not fit a register";
		else if (io->used >> io->cols)
			fault = "it uses components that it does not have";
		else if (io->reg != UINT32_MAX && io->reg >= ISA_IO_MAX)
			fault = "its register is past the last";
		if (fault)
			program_error(v, "%s %zu (%s%u): %s", what, i, io->name, io->index, fault);
	}
}

static void check_resources(struct validator *v)
{
	for (size_t i = 0; i < v->p->resource_count; i++) {
		const struct isa_resource *r = &v->p->resources[i];
		const char *fault = NULL;
		if (r->cls >= ISA_RESOURCE_CLASS_COUNT)
			fault = "its class is unknown";
		else if (r->kind >= ISA_RESOURCE_KIND_COUNT)
			fault = "its kind is unknown";
		else if (r->flags >> ISA_RESOURCE_FLAG_COUNT)
			fault = "it has unknown flags";
		else if (!r->count || (r->count != UINT32_MAX && r->lower > UINT32_MAX - (r->count - 1)))
			fault = "its range of registers is empty or wraps around";
		if (fault)
			program_error(v, "resource %zu (%s): %s", i, r->name, fault);
	}
}

/* ---- operands ---- */

static void check_register(struct validator *v, unsigned k, const struct isa_operand *o)
{
	const struct isa_program *p = v->p;
	uint32_t count = o->file == ISA_S && p->allocated ? p->sgprs : p->vgprs;
	if (o->value >= count)
		inst_error(v, "operand %u is register %u of %u", k, o->value, count);
}

static bool is_uniform(const struct isa_inst *in, const struct isa_info *info)
{
	for (unsigned k = info->results; k < info->count; k++)
		if (in->at[k].file == ISA_V)
			return false;
	return true;
}

/* Before isa_divergence() results that have to be scalar stand in virtual registers like all others. */
static bool result_fits(const struct validator *v, char letter, unsigned file)
{
	switch (letter) {
	case 'd': return file == ISA_V || file == ISA_S;
	case 'o': return file == ISA_V || file == ISA_S || file == ISA_OFF;
	case 'v': return file == ISA_V;
	default: return file == ISA_S || (file == ISA_V && !v->p->allocated);
	}
}

static void check_result(struct validator *v, unsigned k, const struct isa_inst *in, const struct isa_info *info)
{
	const struct isa_operand *o = &in->at[k];
	char letter = info->operands[k];
	if (!result_fits(v, letter, o->file))
		inst_error(v, "result %u is of the wrong file (kind %c)", k, letter);
	else if (o->file == ISA_S && letter != 's' && !is_uniform(in, info))
		inst_error(v, "a scalar result of a vector source");
	else if (o->file != ISA_OFF)
		check_register(v, k, o);
}

static void check_source(struct validator *v, unsigned k, char letter, const struct isa_operand *o)
{
	if (o->file == ISA_V || o->file == ISA_S)
		check_register(v, k, o);
	else if (o->file != ISA_LIT && (o->file != ISA_OFF || letter != 'y'))
		inst_error(v, "source %u is neither register nor literal (kind %c)", k, letter);
}

static bool is_target(uint32_t t)
{
	return t <= ISA_MRTZ || (t >= ISA_POS0 && t < ISA_POS0 + 4) || (t >= ISA_PARAM0 && t < ISA_TARGET_COUNT);
}

static bool number_fits(const struct isa_program *p, char letter, uint32_t n)
{
	switch (letter) {
	case 'l': return n < p->labels;
	case 'n': return n < p->input_count;
	case 'p': return n < 4;
	case 'r': return n < p->resource_count;
	case 'k': return n < ISA_SYS_COUNT;
	case 't': return is_target(n);
	case 'f': return n < ISA_FORM_COUNT;
	case 'm': return n < 16;
	case 'g': return n == ISA_U32 || n == ISA_I32 || n == ISA_F32;
	default: return true;
	}
}

static const char *number_name(char letter)
{
	switch (letter) {
	case 'l': return "label";
	case 'n': return "input slot";
	case 'p': return "component";
	case 'r': return "resource";
	case 'k': return "system value";
	case 't': return "export target";
	case 'f': return "export form";
	case 'm': return "channel mask";
	default: return "component type";
	}
}

static bool check_operands(struct validator *v, const struct isa_inst *in, const struct isa_info *info)
{
	unsigned before = v->errors;
	for (unsigned k = 0; k < info->count; k++) {
		const struct isa_operand *o = &in->at[k];
		char letter = info->operands[k];
		if (isa_is_result(info, k))
			check_result(v, k, in, info);
		else if (!isa_is_number(letter))
			check_source(v, k, letter, o);
		else if (o->file != ISA_IMM)
			inst_error(v, "operand %u is no number (kind %c)", k, letter);
		else if (!number_fits(v->p, letter, o->value))
			inst_error(v, "there is no %s %u here", number_name(letter), o->value);
	}
	return before == v->errors;
}

/* ---- what rows alone do not say ---- */

static void check_range(struct validator *v, uint32_t first, uint32_t count, size_t limit, const char *what)
{
	if ((uint64_t)first + count > limit)
		inst_error(v, "words %u to %llu of %zu %s", first, (unsigned long long)first + count, limit, what);
}

/* Which of the four sources are there: all that the mask names; of a packed form, the pair's one. */
static void check_channels(struct validator *v, const struct isa_inst *in, bool packed)
{
	uint32_t mask = in->at[2].value;
	uint32_t want = packed ? (uint32_t)((mask & 3) != 0) | (uint32_t)((mask & 12) != 0) << 1 : mask;
	for (unsigned c = 0; c < 4; c++)
		if ((in->at[3 + c].file != ISA_OFF) != (want >> c & 1))
			inst_error(v, "channel source %u has to be %s by the mask", c, want >> c & 1 ? "there" : "off");
}

static void check_export(struct validator *v, const struct isa_inst *in)
{
	static const uint8_t channels[ISA_FORM_COUNT] = {
		[ISA_FORM_32_r] = 1, [ISA_FORM_32_gr] = 3, [ISA_FORM_32_ar] = 9, [ISA_FORM_fp16_abgr] = 15, [ISA_FORM_unorm16_abgr] = 15,
		[ISA_FORM_snorm16_abgr] = 15, [ISA_FORM_uint16_abgr] = 15, [ISA_FORM_sint16_abgr] = 15, [ISA_FORM_32_abgr] = 15,
	};
	const struct isa_program *p = v->p;
	uint32_t target = in->at[0].value, form = in->at[1].value;
	bool pixel_target = target <= ISA_MRTZ;
	check_channels(v, in, form >= ISA_FORM_fp16_abgr && form <= ISA_FORM_sint16_abgr);
	if (in->at[2].value & ~(uint32_t)channels[form])
		inst_error(v, "form %s does not carry these channels", isa_form_names[form]);
	if (pixel_target != (p->stage == ISA_PIXEL))
		inst_error(v, "a program of stage %s does not export to this target", isa_stage_names[p->stage]);
	if (target < ISA_MRTZ && !(p->flags & ISA_PATCHED))
		inst_error(v, "colour targets take hardware exports once the program is patched; before, exp_sym");
	if (target >= ISA_PARAM0 && target - ISA_PARAM0 >= p->output_count)
		inst_error(v, "there is no output slot %u here", target - ISA_PARAM0);
}

static void check_symbolic(struct validator *v, const struct isa_inst *in)
{
	check_channels(v, in, false);
	if (in->at[0].value >= ISA_MRTZ)
		inst_error(v, "symbolic exports go to colour targets");
	if (v->p->stage != ISA_PIXEL || v->p->flags & ISA_PATCHED)
		inst_error(v, "symbolic exports stand in pixel programs that are not patched");
}

/* Class and kind of the resources that an instruction names. */
static void check_resource(struct validator *v, uint32_t resource, unsigned classes, bool image)
{
	const struct isa_resource *r = &v->p->resources[resource];
	if (!(1u << r->cls & classes))
		inst_error(v, "resource %u is of class %s, which this instruction does not take", resource,
			isa_resource_class_names[r->cls]);
	else if (r->cls != ISA_SAMPLER && isa_is_buffer(r) == image)
		inst_error(v, "resource %u is of kind %s, which this instruction does not take", resource,
			isa_resource_kind_names[r->kind]);
}

static void check_access(struct validator *v, const struct isa_inst *in)
{
	enum { SRV = 1 << ISA_SRV, UAV = 1 << ISA_UAV };
	switch (in->op) {
	case ISA_image_sample: case ISA_image_sample_b: case ISA_image_sample_l: case ISA_image_sample_d:
	case ISA_image_sample_c: case ISA_image_sample_c_lz: case ISA_image_sample_c_b: case ISA_image_sample_c_l:
	case ISA_image_sample_c_d: case ISA_image_gather4: case ISA_image_gather4_c:
		check_resource(v, in->at[ISA_IMAGE].value, SRV, true);
		check_resource(v, in->at[ISA_IMAGE_SAMPLER].value, 1 << ISA_SAMPLER, true);
		if ((in->op == ISA_image_gather4 || in->op == ISA_image_gather4_c) && in->at[ISA_IMAGE_MORE].value > 3)
			inst_error(v, "a texel has no component %u", in->at[ISA_IMAGE_MORE].value);
		break;
	case ISA_image_get_lod:
		check_resource(v, in->at[1].value, SRV, true);
		check_resource(v, in->at[3].value, 1 << ISA_SAMPLER, true);
		break;
	case ISA_image_load: check_resource(v, in->at[4].value, SRV | UAV, true); break;
	case ISA_image_store: check_resource(v, in->at[0].value, UAV, true); break;
	case ISA_image_atomic:
	case ISA_image_atomic_cmpswap: check_resource(v, in->at[1].value, UAV, true); break;
	case ISA_buffer_load: check_resource(v, in->at[4].value, SRV | UAV, false); break;
	case ISA_buffer_load_u16: check_resource(v, in->at[1].value, SRV | UAV, false); break;
	case ISA_buffer_store_b16:
	case ISA_buffer_store: check_resource(v, in->at[0].value, UAV, false); break;
	case ISA_buffer_atomic:
	case ISA_buffer_atomic_cmpswap:
	case ISA_buffer_counter: check_resource(v, in->at[1].value, UAV, false); break;
	default: break;
	}
	unsigned wave_op = in->op == ISA_wave_reduce || in->op == ISA_wave_scan || in->op == ISA_wave_multi_scan;
	if (in->op == ISA_wave_reduce_b64 || in->op == ISA_wave_scan_b64) {
		if (in->at[2].value >= ISA_WAVE_add_f16)
			inst_error(v, "there is no way %u to join lanes", in->at[2].value);
	}
	if (wave_op && in->at[1].value >= ISA_WAVE_OP_COUNT)
		inst_error(v, "there is no way %u to join lanes", in->at[1].value);
	if ((in->op == ISA_image_atomic || in->op == ISA_buffer_atomic) && in->at[3].value >= ISA_ATOMIC_COUNT)
		inst_error(v, "there is no atomic operation %u", in->at[3].value);
}

static void check_input(struct validator *v, const struct isa_inst *in)
{
	const struct isa_io *input = &v->p->inputs[in->at[1].value];
	if (in->at[2].value >= input->cols)
		inst_error(v, "input %u has %u components", in->at[1].value, input->cols);
	if (in->op != ISA_ld_in && v->p->stage != ISA_PIXEL)
		inst_error(v, "only pixel programs interpolate");
	if (in->op == ISA_ld_vertex && in->at[3].value > 2)
		inst_error(v, "a triangle has no vertex %u", in->at[3].value);
}

static void check_meaning(struct validator *v, const struct isa_inst *in)
{
	const struct isa_program *p = v->p;
	switch (in->op) {
	case ISA_ld_in: case ISA_interp_snapped: case ISA_interp_sample: case ISA_interp_centroid: case ISA_ld_vertex:
		check_input(v, in);
		break;
	case ISA_ld_cb:
		if (p->resources[in->at[4].value].cls != ISA_CBV)
			inst_error(v, "resource %u is no constant buffer", in->at[4].value);
		break;
	case ISA_ld_const: check_range(v, in->at[1].value, in->at[2].value, p->constant_count, "constants"); break;
	case ISA_ld_scratch: check_range(v, in->at[1].value, in->at[2].value, p->scratch, "words of scratch"); break;
	case ISA_st_scratch: check_range(v, in->at[0].value, in->at[1].value, p->scratch, "words of scratch"); break;
	case ISA_lds_load: case ISA_lds_atomic: case ISA_lds_atomic_cmpswap:
		check_range(v, in->at[1].value, in->at[2].value, p->lds_bytes / 4, "words of group memory");
		if (in->op == ISA_lds_atomic && in->at[3].value >= ISA_ATOMIC_COUNT)
			inst_error(v, "there is no atomic operation %u", in->at[3].value);
		break;
	case ISA_lds_store: check_range(v, in->at[0].value, in->at[1].value, p->lds_bytes / 4, "words of group memory"); break;
	case ISA_exp: check_export(v, in); break;
	case ISA_exp_sym: check_symbolic(v, in); break;
	default: check_access(v, in); break;
	}
}

/* ---- control flow ---- */

static void open_label(struct validator *v, uint32_t label)
{
	if (v->opened[label])
		inst_error(v, "label L%u opens twice", label);
	v->opened[label] = 1;
	*ARRAY_PUSH(v->open, v->depth, v->cap) = label;
}

static void check_flow(struct validator *v, const struct isa_inst *in)
{
	uint32_t label = in->at[0].value;
	size_t d = v->depth;
	switch (in->op) {
	case ISA_block:
	case ISA_loop: open_label(v, label); break;
	case ISA_end:
		if (!d || v->open[d - 1] != label)
			inst_error(v, "the innermost open label is another");
		v->depth -= d != 0;
		break;
	case ISA_br:
	case ISA_br_if:
	case ISA_br_ifn:
		while (d && v->open[d - 1] != label)
			d--;
		if (!d)
			inst_error(v, "no block or loop L%u encloses the branch", label);
		break;
	case ISA_barrier:
		if (v->p->stage != ISA_COMPUTE && v->p->stage != ISA_MESH && v->p->stage != ISA_AMPLIFICATION)
			inst_error(v, "only stages that work in groups have barriers");
		break;
	case ISA_endpgm:
		if (v->depth)
			inst_error(v, "label L%u is still open", v->open[d - 1]);
		if (v->at + 1 != v->p->inst_count)
			inst_error(v, "instructions follow the end");
		break;
	default: break;
	}
}

static void check_instructions(struct validator *v)
{
	const struct isa_program *p = v->p;
	v->opened = mem_array(p->labels, 1);
	for (v->at = 0; v->at < p->inst_count; v->at++) {
		const struct isa_inst *in = &p->insts[v->at];
		if (in->op >= ISA_OP_COUNT) {
			inst_error(v, "no instruction has this number");
		} else if (check_operands(v, in, &isa_info[in->op])) {
			check_meaning(v, in);
			check_flow(v, in);
		}
	}
	if (!p->inst_count || p->insts[p->inst_count - 1].op != ISA_endpgm)
		program_error(v, "the last instruction is not endpgm");
	mem_free(v->opened);
	mem_free(v->open);
}

bool isa_validate(const struct isa_program *p, const char *where, struct kiln_diags *diags)
{
	struct validator v = {.p = p, .where = where, .diags = diags};
	check_registers(&v);
	check_sizes(&v);
	check_io(&v, "input", p->inputs, p->input_count);
	check_io(&v, "output", p->outputs, p->output_count);
	check_resources(&v);
	if (!v.errors) /* what follows trusts the sizes */
		check_instructions(&v);
	return !v.errors;
}
