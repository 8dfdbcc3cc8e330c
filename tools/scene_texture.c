/* Textures of scenes: the description, and texels from PNG and raw files, inline values and patterns, for the whole texture
 * or a subresource. Sizes are checked here, where the place is known; what the format allows, where the texture is made. */
#include "pso/format.h"
#include "tools/image.h"
#include "tools/pattern.h"
#include "tools/scene.h"

enum { SLICES_MAX = 2048 };

struct source {                              /* one way to say texels */
	const char *png, *file;
	struct fy_node *values, *pattern, *list; /* list: slices, faces, or mips */
	uint32_t type;
};
struct texture {                             /* a texture while it is read */
	struct yaml *y;
	struct fy_node *node;
	struct scene_resource *r;
	const struct format_info *format;
	struct source source;
	struct fy_node *slices, *faces, *mips;
};

/* ---- sizes ---- */

static uint32_t shrunk(uint32_t size, uint32_t mip) { return size >> mip ? size >> mip : 1; }
static bool is_volume(const struct texture *t) { return t->r->desc.Dimension == KILN_DIMENSION_TEXTURE3D; }
static uint32_t slice_count(const struct texture *t) { return is_volume(t) ? 1 : t->r->desc.DepthOrArraySize; }

struct extent { uint32_t width, height, depth; size_t bytes; };
static struct extent extent(const struct texture *t, uint32_t mip)
{
	const struct kiln_texture_desc *d = &t->r->desc;
	struct extent e = {shrunk(d->Width, mip), shrunk(d->Height, mip), is_volume(t) ? shrunk(d->DepthOrArraySize, mip) : 1, 0};
	e.bytes = (size_t)e.width * e.height * e.depth * (t->format->bits / 8);
	return e;
}

static uint8_t *subresource(struct texture *t, uint32_t mip, uint32_t slice)
{
	struct scene_texels *texels = &t->r->texels[slice * t->r->desc.MipLevels + mip];
	if (!texels->data)
		texels->data = arena_alloc(&t->y->arena, extent(t, mip).bytes);
	return texels->data;
}

/* ---- pictures to texels ---- */

/* Codes of 8-bit norm channels are kept, also of sRGB; other norm and float channels hold code / 255; integers the code. */
static void pack(const struct format_info *f, const uint8_t rgba[4], uint8_t *texel)
{
	bool codes = f->numeric == FORMAT_UNORM || f->numeric == FORMAT_SRGB;
	bool integer = f->numeric == FORMAT_UINT || f->numeric == FORMAT_SINT;
	uint32_t words[4];
	for (int c = 0; c < 4; c++) {
		codes &= f->channel[c].bits == 8 || !f->channel[c].bits;
		words[c] = integer ? rgba[c] : float_bits((float)rgba[c] / 255.0f);
	}
	if (!codes) {
		format_pack(f, words, 15, texel);
		return;
	}
	for (int c = 0; c < 4; c++)
		if (f->channel[c].bits)
			texel[f->channel[c].shift / 8] = rgba[c];
}

static void pack_all(const struct format_info *f, const uint8_t *rgba, size_t count, uint8_t *texels)
{
	unsigned saved = fp_enter();
	for (size_t i = 0; i < count; i++)
		pack(f, rgba + i * 4, texels + i * (f->bits / 8));
	fp_leave(saved);
}

static bool takes_pictures(struct texture *t, struct fy_node *n)
{
	if (t->format->numeric != FORMAT_TYPELESS && t->format->numeric != FORMAT_DEPTH)
		return true;
	yaml_error(t->y, n, DIAG_SCENE_TEXELS, "pictures and patterns do not fill %s; give a file or values", t->format->name);
	return false;
}

/* ---- patterns ---- */

static const struct yaml_name pattern_kinds[] = {{"solid", PATTERN_SOLID}, {"checker", PATTERN_CHECKER},
	{"gradient", PATTERN_GRADIENT}, {"bricks", PATTERN_BRICKS}, {"noise", PATTERN_NOISE}, {0}};

static void read_cell(struct yaml *y, struct fy_node *n, void *at)
{
	uint32_t *cell = at;
	void *prev = NULL;
	if (!fy_node_is_sequence(n)) {
		yaml_u32(y, n, &cell[0]);
		cell[1] = cell[0];
	} else if (yaml_expect_list(y, n, 2, 2))
		for (int i = 0; i < 2; i++)
			yaml_u32(y, fy_node_sequence_iterate(n, &prev), &cell[i]);
}

static void read_colors(struct yaml *y, struct fy_node *n, void *at)
{
	struct pattern *p = at;
	void *outer = NULL;
	struct fy_node *color, *code;
	p->color_count = 0;
	if (!yaml_expect_list(y, n, 1, PATTERN_COLORS_MAX))
		return;
	while ((color = fy_node_sequence_iterate(n, &outer))) {
		uint8_t *out = p->colors[p->color_count++];
		void *inner = NULL;
		uint32_t v = 0;
		out[3] = 255;
		if (yaml_expect_list(y, color, 3, 4))
			for (int c = 0; (code = fy_node_sequence_iterate(color, &inner)); c++) {
				if (yaml_u32(y, code, &v) && v > 255)
					yaml_error(y, code, DIAG_SCENE_RANGE, "codes are 0 to 255");
				out[c] = (uint8_t)v;
			}
	}
}

#define PATTERN(field) offsetof(struct pattern, field)
static bool read_pattern(struct yaml *y, struct fy_node *n, struct pattern *p)
{
	static const struct yaml_field fields[] = {
		{"kind", YAML_ENUM, PATTERN(kind), pattern_kinds, NULL, true},
		{"cell", YAML_CUSTOM, PATTERN(cell), NULL, read_cell, false},
		{"mortar", YAML_U32, PATTERN(mortar), NULL, NULL, false}, {"seed", YAML_U32, PATTERN(seed), NULL, NULL, false},
		{"octaves", YAML_U32, PATTERN(octaves), NULL, NULL, false}, {"colors", YAML_CUSTOM, 0, NULL, read_colors, false}};
	size_t before = kiln_diags_count(y->diags);
	*p = (struct pattern){.cell = {8, 8}, .mortar = 1, .octaves = 1, .color_count = 2,
		.colors = {{0, 0, 0, 255}, {255, 255, 255, 255}}};
	yaml_fields(y, n, fields, ARRAY_COUNT(fields), p);
	if (!p->cell[0] || !p->cell[1] || p->cell[0] > 16384 || p->cell[1] > 16384)
		yaml_error(y, n, DIAG_SCENE_RANGE, "a cell is 1 to 16384 texels a side");
	if (!p->octaves || p->octaves > PATTERN_OCTAVES_MAX)
		yaml_error(y, n, DIAG_SCENE_RANGE, "octaves are 1 to %d", PATTERN_OCTAVES_MAX);
	if ((p->kind == PATTERN_GRADIENT && p->color_count != 2 && p->color_count != 4) ||
		((p->kind == PATTERN_BRICKS || p->kind == PATTERN_NOISE) && p->color_count < 2))
		yaml_error(y, n, DIAG_SCENE_RANGE, "%u colors; a gradient takes 2 or 4, bricks and noise at least 2", p->color_count);
	return kiln_diags_count(y->diags) == before;
}

static void fill_pattern(struct texture *t, struct fy_node *n, const struct pattern *p, uint32_t mip, uint32_t slice)
{
	struct extent e = extent(t, mip);
	size_t count = (size_t)e.width * e.height * e.depth;
	uint8_t *rgba = mem_array(count, 4);
	if (takes_pictures(t, n)) {
		pattern_fill(p, e.width, e.height, e.depth, mip, rgba);
		pack_all(t->format, rgba, count, subresource(t, mip, slice));
	}
	mem_free(rgba);
}

/* ---- one source into subresources ---- */

#define SOURCE(field) offsetof(struct source, field)
#define SOURCE_FIELDS(at) \
	{"png", YAML_STRING, (at) + SOURCE(png), NULL, NULL, false}, {"file", YAML_STRING, (at) + SOURCE(file), NULL, NULL, false}, \
	{"values", YAML_CUSTOM, (at) + SOURCE(values), NULL, yaml_keep, false}, \
	{"type", YAML_ENUM, (at) + SOURCE(type), scene_number_types, NULL, false}, \
	{"pattern", YAML_CUSTOM, (at) + SOURCE(pattern), NULL, yaml_keep, false}

static unsigned source_count(const struct source *s) { return !!s->png + !!s->file + !!s->values + !!s->pattern; }

static void fill_png(struct texture *t, struct fy_node *n, const char *file, uint32_t mip, uint32_t slice)
{
	struct extent e = extent(t, mip);
	struct image image = {0};
	if (!image_read(scene_path(t->y, file), &image, t->y->diags))
		yaml_error(t->y, n, DIAG_SCENE_REFERENCE, "the image '%s' cannot be read", file);
	else if (image.width != e.width || image.height != e.height * e.depth)
		yaml_error(t->y, n, DIAG_SCENE_TEXELS, "'%s' has %u x %u pixels, %u x %u are needed", file, image.width,
			image.height, e.width, e.height * e.depth);
	else if (takes_pictures(t, n))
		pack_all(t->format, image.rgba, (size_t)image.width * image.height, subresource(t, mip, slice));
	image_finish(&image);
}

/* Raw bytes for `mips` levels from mip of `slices` from slice, one subresource after another as D3D12 numbers them. */
struct span { uint32_t mip, mips, slice, slices; };
static void fill_bytes(struct texture *t, struct fy_node *n, const uint8_t *data, size_t size, const struct span *to)
{
	size_t needed = 0;
	for (uint32_t m = to->mip; m < to->mip + to->mips; m++)
		needed += extent(t, m).bytes * to->slices;
	if (size != needed) {
		yaml_error(t->y, n, DIAG_SCENE_TEXELS, "%zu bytes of texels, %zu are needed", size, needed);
		return;
	}
	for (uint32_t s = to->slice; s < to->slice + to->slices; s++)
		for (uint32_t m = to->mip; m < to->mip + to->mips; m++) {
			size_t bytes = extent(t, m).bytes;
			memcpy(subresource(t, m, s), data, bytes);
			data += bytes;
		}
}

static void fill(struct texture *t, struct fy_node *n, const struct source *s, const struct span *to)
{
	struct pattern p;
	uint8_t *data = NULL;
	size_t size = 0;
	if (s->png)
		fill_png(t, n, s->png, to->mip, to->slice);
	else if (s->pattern && read_pattern(t->y, s->pattern, &p)) {
		for (uint32_t i = 0; i < to->slices * to->mips; i++)
			fill_pattern(t, s->pattern, &p, to->mip + i % to->mips, to->slice + i / to->mips);
	} else if (s->values && scene_read_numbers(t->y, s->values, s->type, &data, &size))
		fill_bytes(t, s->values, data, size, to);
	else if (s->file && !file_read(scene_path(t->y, s->file), SCENE_DATA_MAX, &data, &size, t->y->diags))
		yaml_error(t->y, n, DIAG_SCENE_REFERENCE, "the data file '%s' cannot be read", s->file);
	else if (s->file)
		fill_bytes(t, n, data, size, to);
	mem_free(data);
}

/* A name (PNG by its ending, else raw bytes), or a mapping. */
static bool read_source(struct texture *t, struct fy_node *n, struct source *s)
{
	static const struct yaml_field fields[] = {SOURCE_FIELDS(0)};
	size_t before = kiln_diags_count(t->y->diags);
	if (n && fy_node_is_scalar(n)) {
		const char *name = yaml_string(t->y, n);
		size_t length = name ? strlen(name) : 0;
		*(length > 4 && !strcmp(name + length - 4, ".png") ? &s->png : &s->file) = name;
	} else
		yaml_fields(t->y, n, fields, ARRAY_COUNT(fields), s);
	if (kiln_diags_count(t->y->diags) == before && source_count(s) != 1)
		yaml_error(t->y, n, DIAG_SCENE_MISSING, "texels come from just one of png, file, values and pattern");
	return kiln_diags_count(t->y->diags) == before;
}

/* ---- lists ---- */

static void fill_one(struct texture *t, struct fy_node *n, uint32_t mip, uint32_t slice)
{
	struct source s = {0};
	if (read_source(t, n, &s))
		fill(t, n, &s, &(struct span){mip, 1, slice, 1});
}

static void fill_mips(struct texture *t, struct fy_node *list, uint32_t slice)
{
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(t->y, list, 1, t->r->desc.MipLevels))
		return;
	for (uint32_t mip = 0; (item = fy_node_sequence_iterate(list, &prev)); mip++)
		fill_one(t, item, mip, slice);
}

static void fill_slices(struct texture *t, struct fy_node *list)
{
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(t->y, list, slice_count(t), slice_count(t)))
		return;
	for (uint32_t slice = 0; (item = fy_node_sequence_iterate(list, &prev)); slice++)
		if (fy_node_is_sequence(item))
			fill_mips(t, item, slice);
		else
			fill_one(t, item, 0, slice);
}

/* ---- the description ---- */

static const struct yaml_name dimensions[] = {{"TEXTURE1D", KILN_DIMENSION_TEXTURE1D}, {"TEXTURE2D", KILN_DIMENSION_TEXTURE2D},
	{"TEXTURE3D", KILN_DIMENSION_TEXTURE3D}, {0}};
#define DESC(field) offsetof(struct scene_resource, desc.field)

/* `generate`, or a list. */
static void read_mips(struct yaml *y, struct fy_node *n, void *at)
{
	static const struct yaml_name words[] = {{"generate", 1}, {0}};
	struct texture *t = at;
	uint32_t word = 0;
	if (n && fy_node_is_sequence(n))
		t->mips = n;
	else
		t->r->generate_mips = yaml_enum(y, n, words, &word);
}

static void read_desc(struct yaml *y, struct fy_node *n, struct texture *t)
{
	/* two tables, since the two parts of a texture lie in two structs */
	static const struct yaml_field fields[] = {
		{"slices", YAML_CUSTOM, offsetof(struct texture, slices), NULL, yaml_keep, false},
		{"faces", YAML_CUSTOM, offsetof(struct texture, faces), NULL, yaml_keep, false},
		{"mips", YAML_CUSTOM, 0, NULL, read_mips, false}, SOURCE_FIELDS(offsetof(struct texture, source))};
	static const struct yaml_field desc_fields[] = {
		{"Dimension", YAML_ENUM, DESC(Dimension), dimensions, NULL, false}, {"Format", YAML_FORMAT, DESC(Format), NULL, NULL, true},
		{"Width", YAML_U32, DESC(Width), NULL, NULL, false}, {"Height", YAML_U32, DESC(Height), NULL, NULL, false},
		{"DepthOrArraySize", YAML_U32, DESC(DepthOrArraySize), NULL, NULL, false},
		{"MipLevels", YAML_U32, DESC(MipLevels), NULL, NULL, false},
		{"SampleDesc", YAML_CUSTOM, DESC(SampleDesc), NULL, scene_read_samples, false}};
	const struct yaml_table tables[] = {{desc_fields, ARRAY_COUNT(desc_fields), t->r}, {fields, ARRAY_COUNT(fields), t}};
	yaml_tables(y, n, tables, ARRAY_COUNT(tables));
}

static void size_by_png(struct texture *t)
{
	struct image image;
	if (t->r->desc.Width || t->r->desc.Height || !t->source.png || is_volume(t))
		return;
	if (image_read(scene_path(t->y, t->source.png), &image, t->y->diags)) {
		t->r->desc.Width = image.width;
		t->r->desc.Height = image.height;
	} else
		yaml_error(t->y, t->node, DIAG_SCENE_REFERENCE, "the image '%s' cannot be read", t->source.png);
	image_finish(&image);
}

/* What is needed to know how much data there is; MipLevels 0 becomes the whole chain, as in D3D12. */
static bool settle(struct texture *t)
{
	struct kiln_texture_desc *d = &t->r->desc;
	bool has_data = source_count(&t->source) || t->slices || t->faces || t->mips, all_mips = t->r->generate_mips;
	if (d->Dimension == KILN_DIMENSION_TEXTURE1D && !yaml_has(t->node, "Height"))
		d->Height = 1;
	if (!d->Width || !d->Height) {
		if (!t->y->failed || (!yaml_has(t->node, "Width") || !yaml_has(t->node, "Height")))
			yaml_error(t->y, t->node, DIAG_SCENE_MISSING, "'%s' is missing here", d->Width ? "Height" : "Width");
		return false;
	}
	if (!yaml_has(t->node, "DepthOrArraySize"))
		d->DepthOrArraySize = t->faces ? 6 : t->slices && fy_node_is_sequence(t->slices)
			? (uint32_t)fy_node_sequence_item_count(t->slices) : 1;
	uint32_t largest = d->Width | d->Height | (is_volume(t) ? d->DepthOrArraySize : 0), full = 1;
	while (full < 32 && largest >> full)
		full++;
	if (yaml_has(t->node, "MipLevels") ? !d->MipLevels : all_mips)
		d->MipLevels = full;
	else if (!yaml_has(t->node, "MipLevels"))
		d->MipLevels = t->mips ? (uint32_t)fy_node_sequence_item_count(t->mips) : 1;
	if (!has_data && !all_mips)
		return false; /* made as it is */
	if (!d->DepthOrArraySize || d->DepthOrArraySize > SLICES_MAX || d->MipLevels > full || d->Width > IMAGE_SIDE_MAX ||
		d->Height > IMAGE_SIDE_MAX) {
		yaml_error(t->y, t->node, DIAG_SCENE_RANGE, "no texture has %u x %u x %u texels and %u mips", d->Width, d->Height,
			d->DepthOrArraySize, d->MipLevels);
		return false;
	}
	return true;
}

void scene_read_texture(struct scene *scene, struct fy_node *n, struct scene_resource *r)
{
	struct yaml *y = &scene->yaml;
	struct texture t = {.y = y, .node = n, .r = r};
	size_t before = kiln_diags_count(y->diags);
	read_desc(y, n, &t);
	t.format = format_info(r->desc.Format);
	if (kiln_diags_count(y->diags) != before || !t.format)
		return;
	size_by_png(&t);
	if (!settle(&t))
		return;
	unsigned ways = source_count(&t.source) + !!t.slices + !!t.faces + !!t.mips;
	if (ways > 1 || (t.mips && slice_count(&t) > 1) || (t.faces && slice_count(&t) % 6)) {
		yaml_error(y, n, DIAG_SCENE_TEXELS, ways > 1
			? "texels come from just one of png, file, values, pattern, mips, slices and faces" : t.mips ? "mips are of one slice; list slices" : "a cube has a multiple of six faces");
		return;
	}
	if (t.format->bits % 8 || t.format->caps & FORMAT_COMPRESSED || r->desc.SampleDesc.Count > 1 ||
		extent(&t, 0).bytes * slice_count(&t) > SCENE_DATA_MAX) {
		yaml_error(y, n, DIAG_SCENE_TEXELS, "%s, %u samples, %zu bytes a slice: such a texture takes no data", t.format->name,
			r->desc.SampleDesc.Count, extent(&t, 0).bytes);
		return;
	}
	r->texels = arena_array(&y->arena, (size_t)r->desc.MipLevels * slice_count(&t), sizeof *r->texels);
	r->texel_count = (size_t)r->desc.MipLevels * slice_count(&t);
	if (source_count(&t.source))
		fill(&t, n, &t.source, &(struct span){0, r->generate_mips ? 1 : r->desc.MipLevels, 0, slice_count(&t)});
	else if (t.mips)
		fill_mips(&t, t.mips, 0);
	else if (t.slices || t.faces)
		fill_slices(&t, t.slices ? t.slices : t.faces);
}

bool scene_fill_texture(const struct scene_resource *r, struct kiln_diags *d)
{
	for (size_t i = 0; i < r->texel_count; i++)
		if (r->texels[i].data && !kiln_texture_write(r->resource, (uint32_t)i, r->texels[i].data, 0, 0, d))
			return false;
	return !r->generate_mips || kiln_texture_generate_mips(r->resource, 0, d);
}
