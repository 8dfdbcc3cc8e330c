/* Programs as objects, and their binary form: magic, version, size, checksum, header, sections in a fixed order
 * (docs/isa.md). Encoding takes a valid program. Decoding takes any bytes, and what it takes encodes to the same bytes
 * again: there is one encoding of a program, every bit of it is checked. */
#include "isa/isa.h"
#include <assert.h>

enum {
	MAGIC = 0x4153494b, /* "KISA" */
	VERSION = 1,
	CHECKED_FROM = 16,  /* the checksum covers what follows it */
	IO_BYTES = 17, RESOURCE_BYTES = 29, /* least a record takes: its fields and an empty string */
	WIDE = 0x8000, NARROW_MAX = 255,
	FILES_FIRST = 8, FILES_MORE = 16 /* operand files in the first and in each further word */
};

/* ---- objects ---- */

struct isa_program *isa_program_create(void)
{
	struct isa_program *p = mem_alloc(sizeof *p);
	p->name = "";
	p->wave_size = 64;
	return p;
}

void isa_program_destroy(struct isa_program *p)
{
	if (!p)
		return;
	arena_finish(&p->arena);
	mem_free(p);
}

static struct isa_io *copy_io(struct arena *a, const struct isa_io *from, size_t count)
{
	struct isa_io *io = arena_copy(a, from, count * sizeof *from);
	for (size_t i = 0; i < count; i++)
		io[i].name = arena_string(a, io[i].name);
	return io;
}

struct isa_program *isa_program_copy(const struct isa_program *from)
{
	struct isa_program *p = isa_program_create();
	struct arena *a = &p->arena;
	*p = *from;
	*a = (struct arena){0};
	p->name = arena_string(a, from->name);
	p->insts = arena_copy(a, from->insts, from->inst_count * sizeof *from->insts);
	p->inst_cap = from->inst_count;
	p->constants = arena_copy(a, from->constants, from->constant_count * sizeof *from->constants);
	p->inputs = copy_io(a, from->inputs, from->input_count);
	p->outputs = copy_io(a, from->outputs, from->output_count);
	p->resources = arena_copy(a, from->resources, from->resource_count * sizeof *from->resources);
	for (size_t i = 0; i < p->resource_count; i++)
		p->resources[i].name = arena_string(a, p->resources[i].name);
	return p;
}

/* Passes may take the list away (insts = NULL) or shorten it. */
struct isa_inst *isa_append(struct isa_program *p, enum isa_op op)
{
	if (!p->insts || p->inst_count >= p->inst_cap) {
		size_t cap = p->inst_count < 16 ? 32 : 2 * p->inst_count;
		struct isa_inst *grown = arena_array(&p->arena, cap, sizeof *grown);
		if (p->inst_count)
			memcpy(grown, p->insts, p->inst_count * sizeof *grown);
		p->insts = grown;
		p->inst_cap = cap;
	}
	struct isa_inst *in = &p->insts[p->inst_count++];
	*in = (struct isa_inst){.op = (uint16_t)op};
	return in;
}

/* ---- one instruction ----
 * Word 0: code in bits 0-14, bit 15 set for wide operands, then two bits for the file of each register operand (off,
 * v, s, literal); more words of files if there are more than eight. Then the register numbers and small numbers of
 * the operands in their order, a byte each, packed from bit 0 up (wide: a word each). Then a word for each literal and
 * each number of kind i. */

static bool is_word(char letter, const struct isa_operand *o) { return letter == 'i' || o->file == ISA_LIT; }

static bool needs_wide(const struct isa_inst *in, const struct isa_info *info)
{
	for (unsigned k = 0; k < info->count; k++)
		if (!is_word(info->operands[k], &in->at[k]) && in->at[k].file != ISA_OFF && in->at[k].value > NARROW_MAX)
			return true;
	return false;
}

static unsigned files_words(const struct isa_info *info)
{
	unsigned registers = 0;
	for (unsigned k = 0; k < info->count; k++)
		registers += !isa_is_number(info->operands[k]);
	return registers <= FILES_FIRST ? 1 : 1 + (registers - FILES_FIRST + FILES_MORE - 1) / FILES_MORE;
}

/* Where the file of register operand n stands. */
static unsigned file_word(unsigned n) { return n < FILES_FIRST ? 0 : 1 + (n - FILES_FIRST) / FILES_MORE; }
static unsigned file_shift(unsigned n) { return n < FILES_FIRST ? 16 + 2 * n : 2 * ((n - FILES_FIRST) % FILES_MORE); }

void isa_encode_inst(const struct isa_inst *in, struct buf *out)
{
	const struct isa_info *info = &isa_info[in->op];
	bool wide = needs_wide(in, info);
	uint32_t files[4] = {info->code | (wide ? WIDE : 0)}, values[ISA_OPERANDS_MAX] = {0}, words[ISA_OPERANDS_MAX];
	unsigned registers = 0, value_count = 0, word_count = 0, words_of_files = files_words(info);
	for (unsigned k = 0; k < info->count; k++) {
		const struct isa_operand *o = &in->at[k];
		bool number = isa_is_number(info->operands[k]);
		assert(number == (o->file == ISA_IMM));
		if (!number) {
			files[file_word(registers)] |= (uint32_t)o->file << file_shift(registers);
			registers++;
		}
		if (is_word(info->operands[k], o))
			words[word_count++] = o->value;
		else if (o->file != ISA_OFF && wide)
			values[value_count++] = o->value;
		else if (o->file != ISA_OFF) {
			values[value_count / 4] |= o->value << 8 * (value_count % 4);
			value_count++;
		}
	}
	for (unsigned i = 0; i < words_of_files; i++)
		buf_u32(out, files[i]);
	for (unsigned i = 0; i < (wide ? value_count : (value_count + 3) / 4); i++)
		buf_u32(out, values[i]);
	for (unsigned i = 0; i < word_count; i++)
		buf_u32(out, words[i]);
}

/* The next narrow or wide value. */
struct values {
	struct reader *r;
	uint32_t packed;
	unsigned left;
	bool wide;
};
static uint32_t next_value(struct values *v)
{
	if (v->wide)
		return reader_u32(v->r);
	if (!v->left--) {
		v->packed = reader_u32(v->r);
		v->left = 3;
	}
	uint32_t value = v->packed & 0xff;
	v->packed >>= 8;
	return value;
}

/* NULL, or what is wrong. Bits that mean nothing are found by the caller: it encodes again and compares. */
static const char *decode_inst(struct reader *r, struct isa_inst *in)
{
	uint32_t files[4] = {reader_u32(r)};
	int op = r->failed ? -1 : isa_from_code(files[0] & (WIDE - 1));
	if (op < 0)
		return "no instruction has this code";
	const struct isa_info *info = &isa_info[op];
	in->op = (uint16_t)op;
	for (unsigned i = 1; i < files_words(info); i++)
		files[i] = reader_u32(r);
	struct values values = {.r = r, .wide = files[0] & WIDE};
	for (unsigned k = 0, registers = 0; k < info->count; k++) {
		in->at[k].file = ISA_IMM;
		if (!isa_is_number(info->operands[k])) {
			in->at[k].file = files[file_word(registers)] >> file_shift(registers) & 3;
			registers++;
		}
		if (!is_word(info->operands[k], &in->at[k]) && in->at[k].file != ISA_OFF)
			in->at[k].value = next_value(&values);
	}
	for (unsigned k = 0; k < info->count; k++)
		if (is_word(info->operands[k], &in->at[k]))
			in->at[k].value = reader_u32(r);
	return r->failed ? "the instruction is cut off" : NULL;
}

/* ---- the whole ---- */

/* Half a byte at a time. */
static uint32_t crc32(const uint8_t *data, size_t size)
{
	static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158,
		0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

static void put_bytes(struct buf *out, const uint8_t *bytes, size_t count) { buf_put(out, bytes, count); }
static void put_string(struct buf *out, const char *s) { buf_put(out, s ? s : "", s ? strlen(s) + 1 : 1); }

static void encode_io(const struct isa_io *io, size_t count, struct buf *out)
{
	for (size_t i = 0; i < count; i++, io++) {
		buf_u32(out, io->index);
		put_bytes(out, (uint8_t[]){io->semantic, io->type, io->interp, io->cols, io->start_col, io->used,
			io->min_precision, 0}, 8);
		buf_u32(out, io->reg);
		put_string(out, io->name);
	}
}

static void encode_resources(const struct isa_program *p, struct buf *out)
{
	for (size_t i = 0; i < p->resource_count; i++) {
		const struct isa_resource *r = &p->resources[i];
		put_bytes(out, (uint8_t[]){r->cls, r->kind, r->type, r->flags}, 4);
		const uint32_t fields[] = {r->space, r->lower, r->count, r->stride_or_size, r->sample_count, 0};
		for (size_t k = 0; k < ARRAY_COUNT(fields); k++)
			buf_u32(out, fields[k]);
		put_string(out, r->name);
	}
}

void isa_program_encode(const struct isa_program *p, struct buf *out)
{
	struct buf b = {0}, code = {0};
	for (size_t i = 0; i < p->inst_count; i++)
		isa_encode_inst(&p->insts[i], &code);
	put_bytes(&b, (uint8_t[]){p->stage, p->wave_size, p->allocated, 0}, 4);
	const uint32_t header[] = {p->flags, p->vgprs, p->sgprs, p->labels, p->scratch, p->lds_bytes,
		p->threads[0], p->threads[1], p->threads[2], (uint32_t)p->input_count, (uint32_t)p->output_count,
		(uint32_t)p->resource_count, (uint32_t)p->constant_count, (uint32_t)(code.size / 4)};
	for (size_t i = 0; i < ARRAY_COUNT(header); i++)
		buf_u32(&b, header[i]);
	put_string(&b, p->name);
	encode_io(p->inputs, p->input_count, &b);
	encode_io(p->outputs, p->output_count, &b);
	encode_resources(p, &b);
	for (size_t i = 0; i < p->constant_count; i++)
		buf_u32(&b, p->constants[i]);
	buf_put(&b, code.data, code.size);
	buf_u32(out, MAGIC);
	buf_u32(out, VERSION);
	buf_u32(out, (uint32_t)(CHECKED_FROM + b.size));
	buf_u32(out, crc32(b.data, b.size));
	buf_put(out, b.data, b.size);
	buf_finish(&b);
	buf_finish(&code);
}

struct decoder {
	struct isa_program *p;
	struct reader r;
	const char *error;     /* the first, or NULL */
	size_t at;             /* where it was found */
};

static bool fail(struct decoder *d, size_t at, const char *error)
{
	if (!d->error) {
		d->error = error;
		d->at = at;
	}
	return false;
}

static bool has_room(struct decoder *d, uint32_t count, size_t least)
{
	return count <= (d->r.size - d->r.at) / least || fail(d, d->r.at, "a section is longer than what is left of the data");
}

static bool decode_io(struct decoder *d, struct isa_io **list, size_t count)
{
	struct reader *r = &d->r;
	if (!has_room(d, (uint32_t)count, IO_BYTES))
		return false;
	struct isa_io *io = *list = arena_array(&d->p->arena, count, sizeof *io);
	for (size_t i = 0; i < count; i++, io++) {
		io->index = reader_u32(r);
		io->semantic = reader_u8(r);
		io->type = reader_u8(r);
		io->interp = reader_u8(r);
		io->cols = reader_u8(r);
		io->start_col = reader_u8(r);
		io->used = reader_u8(r);
		io->min_precision = reader_u8(r);
		if (reader_u8(r))
			return fail(d, r->at - 1, "a reserved byte is not 0");
		io->reg = reader_u32(r);
		io->name = arena_string(&d->p->arena, reader_string(r));
	}
	return !r->failed || fail(d, r->at, "the inputs and outputs are cut off");
}

static bool decode_resources(struct decoder *d)
{
	struct reader *r = &d->r;
	if (!has_room(d, (uint32_t)d->p->resource_count, RESOURCE_BYTES))
		return false;
	struct isa_resource *to = d->p->resources = arena_array(&d->p->arena, d->p->resource_count, sizeof *to);
	for (size_t i = 0; i < d->p->resource_count; i++, to++) {
		to->cls = reader_u8(r);
		to->kind = reader_u8(r);
		to->type = reader_u8(r);
		to->flags = reader_u8(r);
		to->space = reader_u32(r);
		to->lower = reader_u32(r);
		to->count = reader_u32(r);
		to->stride_or_size = reader_u32(r);
		to->sample_count = reader_u32(r);
		if (reader_u32(r))
			return fail(d, r->at - 4, "a reserved word is not 0");
		to->name = arena_string(&d->p->arena, reader_string(r));
	}
	return !r->failed || fail(d, r->at, "the resources are cut off");
}

static bool decode_code(struct decoder *d, uint32_t words)
{
	struct reader code = {.data = d->r.data, .at = d->r.at, .size = d->r.size};
	if (words != (d->r.size - d->r.at) / 4 || (d->r.size - d->r.at) % 4)
		return fail(d, d->r.at, "the length of the instructions is not what is left of the data");
	struct buf again = {0};
	while (code.at < code.size && !d->error) {
		size_t at = code.at;
		struct isa_inst in = {0};
		const char *error = decode_inst(&code, &in);
		if (!error) {
			again.size = 0;
			isa_encode_inst(&in, &again);
			if (again.size != code.at - at || memcmp(again.data, code.data + at, again.size))
				error = "the instruction has bits set that mean nothing";
		}
		if (error)
			fail(d, at, error);
		else
			*isa_append(d->p, (enum isa_op)in.op) = in;
	}
	buf_finish(&again);
	return !d->error;
}

static bool decode_header(struct decoder *d, uint32_t *words)
{
	struct isa_program *p = d->p;
	struct reader *r = &d->r;
	p->stage = reader_u8(r);
	p->wave_size = reader_u8(r);
	uint8_t allocated = reader_u8(r);
	p->allocated = allocated;
	if (allocated > 1 || reader_u8(r))
		return fail(d, r->at, "a reserved byte is not 0");
	uint32_t *const fields[] = {&p->flags, &p->vgprs, &p->sgprs, &p->labels, &p->scratch, &p->lds_bytes, &p->threads[0],
		&p->threads[1], &p->threads[2]};
	for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
		*fields[i] = reader_u32(r);
	size_t *const counts[] = {&p->input_count, &p->output_count, &p->resource_count, &p->constant_count};
	for (size_t i = 0; i < ARRAY_COUNT(counts); i++)
		*counts[i] = reader_u32(r);
	*words = reader_u32(r);
	p->name = arena_string(&p->arena, reader_string(r));
	if (r->failed)
		return fail(d, r->at, "the header is cut off");
	if (p->input_count > ISA_IO_MAX || p->output_count > ISA_IO_MAX)
		return fail(d, r->at, "more than 64 inputs or outputs");
	return true;
}

static bool decode_constants(struct decoder *d)
{
	if (!has_room(d, (uint32_t)d->p->constant_count, 4))
		return false;
	d->p->constants = arena_array(&d->p->arena, d->p->constant_count, sizeof *d->p->constants);
	for (size_t i = 0; i < d->p->constant_count; i++)
		d->p->constants[i] = reader_u32(&d->r);
	return true;
}

static bool decode_envelope(struct decoder *d)
{
	struct reader *r = &d->r;
	if (reader_u32(r) != MAGIC || r->failed)
		return fail(d, 0, "this is no Kiln ISA (it does not begin with KISA)");
	if (reader_u32(r) != VERSION || r->failed)
		return fail(d, 4, "the version is not 1");
	if (reader_u32(r) != r->size || r->failed)
		return fail(d, 8, "the size in the header is not the size of the data");
	uint32_t crc = reader_u32(r);
	if (r->failed || crc != crc32(r->data + r->at, r->size - r->at))
		return fail(d, 12, "the checksum does not match");
	return true;
}

struct isa_program *isa_program_decode(const uint8_t *data, size_t size, const char *where, struct kiln_diags *diags)
{
	struct isa_program *p = isa_program_create();
	struct decoder d = {.p = p, .r = {.data = data, .size = size}};
	uint32_t words = 0;
	bool ok = decode_envelope(&d) && decode_header(&d, &words) && decode_io(&d, &p->inputs, p->input_count) &&
		decode_io(&d, &p->outputs, p->output_count) && decode_resources(&d) && decode_constants(&d) &&
		decode_code(&d, words);
	if (!ok)
		diag_add(diags, DIAG_ISA_BINARY, where, "byte %zu: %s", d.at, d.error);
	if (ok && isa_validate(p, where, diags))
		return p;
	isa_program_destroy(p);
	return NULL;
}
