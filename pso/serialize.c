/* A pipeline -> its sections (pso.h), and sections <-> one string of bytes. Little endian throughout, every field
 * explicit; a pipeline has one encoding for a console and a choice of debug information.
 *
 *   +0 'KPSO'  +4 version  +8 size of the whole  +12 CRC-32 of all that follows  +16 console  +20 1 = derived
 *   +24 sections  +28 {fourcc, size} each, in the order of PSO_SECTIONS  then their bytes, without gaps
 *
 * A base holds all state, both programs and its root signature. A derived PSO is its state packet with the name and
 * key of its base, whose code it shares. What deriving needs is in sections that are never stripped: the pixel
 * program with symbolic exports, the forms that were baked, the layouts and the root signature. */
#include "pso/pack.h"
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zlib.h>

enum {
	MAGIC = 0x4f53504b, VERSION = 1, CHECKED_FROM = 16, HEADER = 28, ENTRY = 8,
	ISA_VERSION = 1, COMPILER_VERSION = 1,
	IN_KEY = 1, IS_DEBUG = 2
};

const char pso_section_names[PSO_SECTION_COUNT][5] = {
#define X(name, text, flags, doc) text,
	PSO_SECTIONS(X)
#undef X
};
static const uint8_t section_flags[PSO_SECTION_COUNT] = {
#define X(name, text, flags, doc) flags,
	PSO_SECTIONS(X)
#undef X
};

static uint32_t fourcc(unsigned section)
{
	const char *t = pso_section_names[section];
	return (uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24;
}

static void put_u64(struct buf *b, uint64_t v)
{
	buf_u32(b, (uint32_t)v);
	buf_u32(b, (uint32_t)(v >> 32));
}

static void put_string(struct buf *b, const char *s) { buf_put(b, s, strlen(s) + 1); }

/* ---- sections of a base ---- */

static void put_stage(struct buf *b, const struct isa_program *p)
{
	const uint32_t words[] = {p->wave_size, p->vgprs, p->sgprs, p->scratch, p->lds_bytes, p->flags};
	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		buf_u32(b, words[i]);
}

/* What the command processor would set for each stage: registers and waves, how inputs are linked, how colours leave. */
static void put_hardware(struct buf *b, const struct pipeline *p)
{
	buf_u32(b, p->policy);
	put_stage(b, p->vs);
	buf_put(b, p->vs_layout, p->vs->input_count);
	if (!p->ps)
		return;
	put_stage(b, p->ps);
	buf_put(b, p->ps_param, p->ps->input_count);
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const struct export_choice *e = &p->baked[i];
		const uint8_t bytes[] = {e->form, e->channels, e->type, e->bits, e->alpha_missing, p->export_slot[i]};
		buf_put(b, bytes, sizeof bytes);
	}
}

/* Without names, which are debug information: programs that differ in them alone are one. */
static void put_program(struct buf *b, const struct isa_program *p)
{
	struct arena scratch = {0};
	struct isa_program bare = *p;
	bare.name = "";
	bare.resources = arena_copy(&scratch, p->resources, p->resource_count * sizeof *p->resources);
	for (size_t i = 0; i < p->resource_count; i++)
		bare.resources[i].name = "";
	isa_program_encode(&bare, b);
	arena_finish(&scratch);
}

static void put_debug(struct buf *b, const struct isa_program *p, const struct buf *code)
{
	put_u64(b, XXH3_64bits(code->data, code->size));
	put_string(b, p->name ? p->name : "");
	for (size_t i = 0; i < p->resource_count; i++)
		put_string(b, p->resources[i].name ? p->resources[i].name : "");
}

void pso_put_state(const struct pipeline *p, struct buf section[PSO_SECTION_COUNT])
{
	const struct kiln_graphics_pipeline_desc *d = &p->desc;
	buf_u32(&section[PSO_EXECUTION], p->ps ? 1 | 2 : 1);
	graphics_desc_write_part(d, DESC_LIMITS, &section[PSO_EXECUTION]);
	graphics_desc_write_part(d, DESC_BLEND, &section[PSO_BLEND]);
	graphics_desc_write_part(d, DESC_RASTER, &section[PSO_RASTER]);
	graphics_desc_write_part(d, DESC_DEPTH, &section[PSO_DEPTH]);
	if (p->base)
		return;
	graphics_desc_write_part(d, DESC_TARGETS, &section[PSO_TARGETS]);
	graphics_desc_write_part(d, DESC_GEOMETRY, &section[PSO_GEOMETRY]);
	put_u64(&section[PSO_GEOMETRY], 0); /* no tessellation, no stream-output buffers */
	graphics_desc_write_part(d, DESC_LAYOUT, &section[PSO_LAYOUT]);
	buf_u32(&section[PSO_LAYOUT], 0);   /* no stream-output elements */
	put_hardware(&section[PSO_HARDWARE], p);
	if (!p->default_root)
		root_signature_write(p->root, &section[PSO_ROOT]);
}

static void put_code(const struct pipeline *p, bool strip, struct buf section[PSO_SECTION_COUNT])
{
	put_program(&section[PSO_VS], p->vs);
	if (!strip)
		put_debug(&section[PSO_VS_DEBUG], p->vs, &section[PSO_VS]);
	if (!p->ps)
		return;
	put_program(&section[PSO_PS], p->ps_symbolic);
	if (!strip)
		put_debug(&section[PSO_PS_DEBUG], p->ps_symbolic, &section[PSO_PS]);
}

/* ---- the whole ---- */

static void span_all(struct pso_bytes *b)
{
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++)
		b->image.section[i] = (struct pso_span){b->section[i].data, b->section[i].size};
}

void pso_put_metadata(uint64_t key, struct buf *out)
{
	buf_u32(out, GRAPHICS_DESC_VERSION);
	buf_u32(out, ISA_VERSION);
	buf_u32(out, COMPILER_VERSION);
	put_u64(out, key);
}

/* Of a base that deriving or loading compares with: the key of its bytes, as they are or would be. */
uint64_t pso_base_key(const struct pipeline *base, uint32_t console)
{
	struct pso_bytes b = {.image = {.console = console}};
	if (base->deserialized)
		return base->key;
	pso_put_state(base, b.section);
	put_code(base, true, b.section);
	span_all(&b);
	uint64_t key = pso_image_key(&b.image);
	pso_bytes_finish(&b);
	return key;
}

bool pso_bytes_make(const struct pipeline *p, const struct pso_serialize_options *o, struct pso_bytes *out,
	struct kiln_diags *diags)
{
	static const struct pso_serialize_options none;
	o = o ? o : &none;
	*out = (struct pso_bytes){.image = {.derived = p->base != NULL, .console = o->console}};
	if (p->deserialized) {
		diag_add(diags, DIAG_SERIALIZE_DESERIALIZED, p->name, "this PSO %s", p->base ? "or its base was deserialised"
			: "was deserialised: it holds no more than it was made of");
		return false;
	}
	put_string(&out->section[PSO_NAME], o->name ? o->name : p->name);
	pso_put_state(p, out->section);
	if (p->base) {
		put_u64(&out->section[PSO_BASE], pso_base_key(p->base, o->console));
		put_string(&out->section[PSO_BASE], o->base_name ? o->base_name : p->base->name);
	} else {
		put_code(p, o->strip_debug, out->section);
	}
	span_all(out);
	pso_put_metadata(pso_image_key(&out->image), &out->section[PSO_METADATA]);
	span_all(out);
	return true;
}

void pso_bytes_finish(struct pso_bytes *b)
{
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++)
		buf_finish(&b->section[i]);
}

/* The base's name in BASE is left out: its key says which it is. */
uint64_t pso_image_key(const struct pso_image *image)
{
	XXH3_state_t state;
	XXH3_64bits_reset(&state);
	const uint8_t head[] = {(uint8_t)image->console, image->derived};
	XXH3_64bits_update(&state, head, sizeof head);
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++) {
		const struct pso_span *s = &image->section[i];
		if (!(section_flags[i] & IN_KEY) || !s->data)
			continue;
		size_t size = i == PSO_BASE && s->size > 8 ? 8 : s->size;
		const uint8_t place[] = {(uint8_t)i, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)(size >> 24)};
		XXH3_64bits_update(&state, place, sizeof place);
		XXH3_64bits_update(&state, s->data, size);
	}
	return XXH3_64bits_digest(&state);
}

static const char *string_in(const struct pso_span *s, size_t from)
{
	return s->data && s->size > from && memchr(s->data + from, 0, s->size - from) == s->data + s->size - 1 ?
		(const char *)s->data + from : "";
}

const char *pso_image_name(const struct pso_image *image) { return string_in(&image->section[PSO_NAME], 0); }

const char *pso_image_base(const struct pso_image *image) { return string_in(&image->section[PSO_BASE], 8); }

/* ---- one string of bytes ---- */

void pso_image_write(const struct pso_image *image, struct buf *out)
{
	struct buf b = {0};
	uint32_t count = 0;
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++)
		count += image->section[i].data != NULL;
	buf_u32(&b, image->console);
	buf_u32(&b, image->derived);
	buf_u32(&b, count);
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++)
		if (image->section[i].data) {
			buf_u32(&b, fourcc(i));
			buf_u32(&b, (uint32_t)image->section[i].size);
		}
	for (unsigned i = 0; i < PSO_SECTION_COUNT; i++)
		if (image->section[i].data)
			buf_put(&b, image->section[i].data, image->section[i].size);
	buf_u32(out, MAGIC);
	buf_u32(out, VERSION);
	buf_u32(out, (uint32_t)(CHECKED_FROM + b.size));
	buf_u32(out, (uint32_t)crc32_z(0, b.data, b.size));
	buf_put(out, b.data, b.size);
	buf_finish(&b);
}

static bool refuse(const char *where, struct kiln_diags *diags, size_t at, const char *why)
{
	diag_add(diags, DIAG_PSO_BLOB_INVALID, where, "byte %zu: %s", at, why);
	return false;
}

static bool read_envelope(struct reader *r, const char *where, struct kiln_diags *diags)
{
	uint32_t magic = reader_u32(r), version = reader_u32(r), size = reader_u32(r), crc = reader_u32(r);
	if (r->failed || magic != MAGIC)
		return refuse(where, diags, 0, magic == MAGIC ? "the serialised PSO is cut off in its header" :
			"this is no serialised PSO (it does not begin with KPSO)");
	if (version != VERSION) {
		diag_add(diags, DIAG_PSO_BLOB_VERSION, where, "the serialised PSO is of version %u, this Kiln reads version %d", version,
			VERSION);
		return false;
	}
	if (size != r->size || size < HEADER)
		return refuse(where, diags, 8, "the size in the header is not the size of the data");
	uint32_t computed = (uint32_t)crc32_z(0, r->data + CHECKED_FROM, r->size - CHECKED_FROM);
	if (crc == computed)
		return true;
	diag_add(diags, DIAG_PSO_BLOB_CRC, where, "the CRC-32 at byte 12 is %08x, the bytes give %08x", crc, computed);
	return false;
}

static int find_section(uint32_t code)
{
	unsigned i = 0;
	while (i < PSO_SECTION_COUNT && fourcc(i) != code)
		i++;
	return i < PSO_SECTION_COUNT ? (int)i : -1;
}

bool pso_image_read(const uint8_t *data, size_t size, const char *where, struct pso_image *image, struct kiln_diags *diags)
{
	struct reader r = {.data = data, .size = size};
	*image = (struct pso_image){0};
	if (!read_envelope(&r, where, diags))
		return false;
	image->console = reader_u32(&r);
	uint32_t derived = reader_u32(&r), count = reader_u32(&r);
	image->derived = derived;
	if (image->console >= KILN_CONSOLE_COUNT)
		return refuse(where, diags, 16, "no console has this number");
	if (derived > 1)
		return refuse(where, diags, 20, "a PSO is derived or is not");
	if (count > PSO_SECTION_COUNT || count * ENTRY > size - HEADER)
		return refuse(where, diags, 24, "there are not so many sections");
	size_t at = HEADER + ENTRY * (size_t)count;
	int last = -1;
	for (uint32_t i = 0; i < count; i++) {
		int section = find_section(reader_u32(&r));
		uint32_t bytes = reader_u32(&r);
		if (section <= last)
			return refuse(where, diags, r.at - ENTRY, "an unknown section, or one in the wrong place");
		if (bytes > size - at)
			return refuse(where, diags, r.at - 4, "the section passes the end of the data");
		image->section[section] = (struct pso_span){data + at, bytes};
		at += bytes;
		last = section;
	}
	return at == size || refuse(where, diags, at, "the sections end before the data does");
}

/* ---- a shader alone ---- */

void pack_shader_make(const struct isa_program *p, uint32_t console, bool strip_debug, struct pack_shader_bytes *out)
{
	bool pixel = p->stage == ISA_PIXEL;
	*out = (struct pack_shader_bytes){.image = {.console = console}};
	put_program(&out->code, p);
	if (!strip_debug)
		put_debug(&out->debug, p, &out->code);
	out->image.section[pixel ? PSO_PS : PSO_VS] = (struct pso_span){out->code.data, out->code.size};
	out->image.section[pixel ? PSO_PS_DEBUG : PSO_VS_DEBUG] = (struct pso_span){out->debug.data, out->debug.size};
}

void pack_shader_finish(struct pack_shader_bytes *b)
{
	buf_finish(&b->code);
	buf_finish(&b->debug);
}
