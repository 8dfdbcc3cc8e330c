/* What a scene expects of its run: reading, and checking afterwards. */
#include "sim/sim.h"
#include "tools/scene.h"
#include <string.h>

/* ---- reading ---- */

#define PIXEL(field) offsetof(struct scene_pixel, field)
static void read_at(struct yaml *y, struct fy_node *n, void *at)
{
	uint32_t *xy = at;
	void *prev = NULL;
	struct fy_node *item;
	if (yaml_expect_list(y, n, 2, 2))
		while ((item = fy_node_sequence_iterate(n, &prev)))
			yaml_u32(y, item, xy++);
}
static void read_value(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_pixel *p = at;
	if (yaml_expect_list(y, n, 1, 4)) {
		p->value_count = (uint32_t)fy_node_sequence_item_count(n);
		yaml_floats(y, n, 1, 4, p->value);
	}
}
static const struct yaml_field pixel_fields[] = {
	{"target", YAML_STRING, PIXEL(target), NULL, NULL, true}, {"at", YAML_CUSTOM, PIXEL(at), NULL, read_at, true},
	{"sample", YAML_U32, PIXEL(sample), NULL, NULL, false}, {"mip", YAML_U32, PIXEL(mip), NULL, NULL, false},
	{"slice", YAML_U32, PIXEL(slice), NULL, NULL, false},
	{"bytes", YAML_STRING, PIXEL(bytes), NULL, NULL, false}, {"value", YAML_CUSTOM, 0, NULL, read_value, false},
	{"tolerance", YAML_F32, PIXEL(tolerance), NULL, NULL, false}};
#define WORDS(field) offsetof(struct scene_words, field)
static const struct yaml_field word_fields[] = {
	{"name", YAML_STRING, WORDS(name), NULL, NULL, true}, {"at", YAML_U32, WORDS(at), NULL, NULL, false},
	{"type", YAML_ENUM, WORDS(type), scene_number_types, NULL, false},
	{"values", YAML_CUSTOM, WORDS(values), NULL, yaml_keep, true}, {"tolerance", YAML_F32, WORDS(tolerance), NULL, NULL, false}};
static const struct yaml_field hash_fields[] = {
	{"target", YAML_STRING, offsetof(struct scene_hash, target), NULL, NULL, true},
	{"fnv1a", YAML_STRING, offsetof(struct scene_hash, fnv1a), NULL, NULL, true}};

static void *begin_list(struct yaml *y, struct fy_node *n, size_t size)
{
	if (!yaml_expect_list(y, n, 0, SCENE_ITEMS_MAX))
		return NULL;
	return arena_array(&y->arena, (size_t)fy_node_sequence_item_count(n) + 1, size);
}

static void read_pixels(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_expect *e = at;
	void *prev = NULL;
	struct fy_node *item;
	e->pixels = begin_list(y, n, sizeof *e->pixels);
	while (e->pixels && (item = fy_node_sequence_iterate(n, &prev))) {
		struct scene_pixel *p = &e->pixels[e->pixel_count++];
		size_t before = kiln_diags_count(y->diags);
		yaml_fields(y, item, pixel_fields, ARRAY_COUNT(pixel_fields), p);
		if (kiln_diags_count(y->diags) == before && !p->bytes && !p->value_count)
			yaml_error(y, item, DIAG_SCENE_MISSING, "a pixel is expected to hold bytes, a value, or both");
	}
}
static void read_words(struct yaml *y, struct fy_node *n, struct scene_words *w)
{
	uint8_t *data = NULL;
	yaml_fields(y, n, word_fields, ARRAY_COUNT(word_fields), w);
	if (w->values && scene_read_numbers(y, w->values, w->type, &data, &w->size))
		w->data = arena_copy(&y->arena, data, w->size);
	w->values = NULL;
	mem_free(data);
}
static void read_buffers(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_expect *e = at;
	void *prev = NULL;
	struct fy_node *item;
	e->words = begin_list(y, n, sizeof *e->words);
	while (e->words && (item = fy_node_sequence_iterate(n, &prev)))
		read_words(y, item, &e->words[e->words_count++]);
}
static void read_hashes(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_expect *e = at;
	void *prev = NULL;
	struct fy_node *item;
	e->hashes = begin_list(y, n, sizeof *e->hashes);
	while (e->hashes && (item = fy_node_sequence_iterate(n, &prev)))
		yaml_fields(y, item, hash_fields, ARRAY_COUNT(hash_fields), &e->hashes[e->hash_count++]);
}
static void read_diagnostics(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_expect *e = at;
	void *prev = NULL;
	struct fy_node *item;
	e->diagnostics = begin_list(y, n, sizeof *e->diagnostics);
	while (e->diagnostics && (item = fy_node_sequence_iterate(n, &prev)))
		yaml_u32(y, item, &e->diagnostics[e->diagnostic_count++]);
}
static void read_refused(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_expect *e = at;
	void *prev = NULL;
	struct fy_node *item;
	e->refused = begin_list(y, n, sizeof *e->refused);
	while (e->refused && (item = fy_node_sequence_iterate(n, &prev)))
		e->refused[e->refused_count++] = yaml_string(y, item);
}

static const struct { const char *name; size_t offset; } counters[] = {
#define X(name, unit, meaning) {#name, offsetof(struct kiln_counters, name)},
	KILN_COUNTERS(X)
#undef X
};
static void read_counters(struct yaml *y, struct fy_node *n, void *at)
{
	struct scene_expect *e = at;
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(y, n))
		return;
	e->counters = arena_array(&y->arena, (size_t)fy_node_mapping_item_count(n) + 1, sizeof *e->counters);
	while ((pair = fy_node_mapping_iterate(n, &prev))) {
		struct scene_counter *c = &e->counters[e->counter_count++];
		size_t i = 0;
		c->name = yaml_string(y, fy_node_pair_key(pair));
		yaml_u32(y, fy_node_pair_value(pair), &c->value);
		while (c->name && i < ARRAY_COUNT(counters) && strcmp(c->name, counters[i].name))
			i++;
		if (i == ARRAY_COUNT(counters))
			yaml_error(y, fy_node_pair_key(pair), DIAG_SCENE_NAME, "there is no counter '%s'", c->name);
	}
}

void scene_read_expect(struct scene *s, struct fy_node *map, struct scene_expect *e)
{
	static const struct yaml_field fields[] = {
		{"pixels", YAML_CUSTOM, 0, NULL, read_pixels, false}, {"hash", YAML_CUSTOM, 0, NULL, read_hashes, false},
		{"buffers", YAML_CUSTOM, 0, NULL, read_buffers, false},
		{"diagnostics", YAML_CUSTOM, 0, NULL, read_diagnostics, false},
		{"counters", YAML_CUSTOM, 0, NULL, read_counters, false}, {"refused", YAML_CUSTOM, 0, NULL, read_refused, false}};
	yaml_fields(&s->yaml, map, fields, ARRAY_COUNT(fields), e);
	for (size_t i = 0; i < e->pixel_count; i++)
		if (e->pixels[i].target && !SCENE_FIND(s, resources, resource_count, e->pixels[i].target))
			yaml_error(&s->yaml, map, DIAG_SCENE_REFERENCE, "there is no texture '%s'", e->pixels[i].target);
	for (size_t i = 0; i < e->words_count; i++) {
		const struct scene_resource *r =
			e->words[i].name ? SCENE_FIND(s, resources, resource_count, e->words[i].name) : NULL;
		if (e->words[i].name && (!r || r->is_texture))
			yaml_error(&s->yaml, map, DIAG_SCENE_REFERENCE, "there is no buffer '%s'", e->words[i].name);
	}
	for (size_t i = 0; i < e->hash_count; i++)
		if (e->hashes[i].target && !SCENE_FIND(s, resources, resource_count, e->hashes[i].target))
			yaml_error(&s->yaml, map, DIAG_SCENE_REFERENCE, "there is no texture '%s'", e->hashes[i].target);
}

/* ---- checking ---- */

/* FNV-1a, 64 bits, over the target's rows as stored. */
uint64_t scene_hash(const struct kiln_resource *r)
{
	size_t size, pitch;
	const uint8_t *data = kiln_resource_data(r, &size, &pitch);
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 0x100000001b3u;
	return h;
}

/* In 3D textures a slice is a depth. */
static bool is_volume(const struct kiln_resource *r) { return r->desc.Dimension == KILN_DIMENSION_TEXTURE3D; }
static uint32_t depth_of(const struct kiln_resource *r, const struct scene_pixel *p) { return is_volume(r) ? p->slice : 0; }
static uint32_t slice_of(const struct kiln_resource *r, const struct scene_pixel *p) { return is_volume(r) ? 0 : p->slice; }

static bool read_pixel(const struct kiln_resource *r, const struct scene_pixel *p, uint32_t rgba[4])
{
	return r->is_texture && p->mip < r->desc.MipLevels && kiln_resource_subresource_texel(r,
		slice_of(r, p) * r->desc.MipLevels + p->mip, p->at[0], p->at[1], depth_of(r, p), p->sample, rgba);
}

static bool check_bytes(const struct scene_resource *r, const struct scene_pixel *p, struct kiln_diags *d)
{
	size_t width = r->resource->format->bits / 8;
	const uint8_t *at = resource_texel(r->resource, p->mip, slice_of(r->resource, p), p->at[0], p->at[1],
		depth_of(r->resource, p), p->sample);
	char got[65] = "";
	for (size_t i = 0; i < width && i < 32; i++)
		snprintf(got + 2 * i, 3, "%02x", at[i]);
	if (!strcmp(got, p->bytes))
		return true;
	diag_add(d, DIAG_SCENE_EXPECTATION, r->name, "pixel (%u, %u) holds bytes %s, expected %s", p->at[0], p->at[1], got,
		p->bytes);
	return false;
}

static bool check_value(const struct scene_resource *r, const struct scene_pixel *p, struct kiln_diags *d)
{
	uint32_t rgba[4];
	bool integer = r->resource->format->numeric == FORMAT_UINT || r->resource->format->numeric == FORMAT_SINT;
	read_pixel(r->resource, p, rgba);
	if (r->resource->format->caps & FORMAT_CAN_DEPTH)
		rgba[1] = float_bits((float)rgba[1]); /* stencil is an integer */
	for (uint32_t c = 0; c < p->value_count; c++) {
		double got = integer ? (r->resource->format->numeric == FORMAT_SINT ? (double)(int32_t)rgba[c] : (double)rgba[c])
			: (double)bits_float(rgba[c]);
		double want = (double)p->value[c], off = got > want ? got - want : want - got;
		if (off <= (double)p->tolerance || (got != got && want != want))
			continue;
		diag_add(d, DIAG_SCENE_EXPECTATION, r->name, "pixel (%u, %u) channel %c is %.9g, expected %.9g within %g", p->at[0],
			p->at[1], "RGBA"[c], got, want, (double)p->tolerance);
		return false;
	}
	return true;
}

static bool check_pixel(const struct scene *s, const struct scene_pixel *p, struct kiln_diags *d)
{
	const struct scene_resource *r = SCENE_FIND(s, resources, resource_count, p->target);
	uint32_t rgba[4];
	if (!r->resource || !read_pixel(r->resource, p, rgba)) {
		diag_add(d, DIAG_SCENE_EXPECTATION, p->target, "there is no pixel (%u, %u), mip %u, slice %u, sample %u",
			p->at[0], p->at[1], p->mip, p->slice, p->sample);
		return false;
	}
	return (!p->bytes || check_bytes(r, p, d)) && check_value(r, p, d);
}

static size_t number_size(uint32_t type) { return type == NUMBER_UINT8 ? 1 : type == NUMBER_UINT16 ? 2 : 4; }

static double number_at(uint32_t type, const uint8_t *at)
{
	uint32_t word = 0;
	memcpy(&word, at, number_size(type));
	return type == NUMBER_FLOAT ? (double)bits_float(word) : (double)word;
}

static bool check_words(const struct scene *s, const struct scene_words *w, struct kiln_diags *d)
{
	const struct kiln_resource *r = scene_resource(s, w->name);
	if (!r || w->at > r->size || w->size > r->size - w->at) {
		diag_add(d, DIAG_SCENE_EXPECTATION, w->name, "it has no bytes %u to %zu", w->at, w->at + w->size);
		return false;
	}
	for (size_t at = 0; at < w->size; at += number_size(w->type)) {
		double got = number_at(w->type, r->data + w->at + at), want = number_at(w->type, w->data + at);
		double off = got > want ? got - want : want - got;
		if (off <= (double)w->tolerance || got == want || (got != got && want != want))
			continue;
		diag_add(d, DIAG_SCENE_EXPECTATION, w->name, "at byte %zu is %.9g, expected %.9g within %g", w->at + at, got, want,
			(double)w->tolerance);
		return false;
	}
	return true;
}

static bool is_expected(const struct scene_expect *e, const char *name)
{
	for (size_t i = 0; i < e->refused_count; i++)
		if (e->refused[i] && !strcmp(e->refused[i], name))
			return true;
	return false;
}

static const struct scene_pso *pso_at(const struct scene *s, size_t i)
{
	return i < s->pso_count ? &s->psos[i] : &s->compute[i - s->pso_count];
}

static size_t check_psos(const struct scene *s, const struct scene_expect *e, struct kiln_diags *d)
{
	size_t failed = 0;
	for (size_t i = 0; i < s->pso_count + s->compute_count; i++) {
		const struct scene_pso *p = pso_at(s, i);
		bool refused = !p->pso, expected = is_expected(e, p->name);
		if (refused && !expected)
			diag_add(d, DIAG_SCENE_PSO_REFUSED, p->name, "the PSO was refused");
		else if (!refused && expected)
			diag_add(d, DIAG_SCENE_EXPECTATION, p->name, "the PSO was made, a refusal was expected");
		failed += refused != expected;
	}
	for (size_t i = 0; i < e->diagnostic_count; i++) {
		bool seen = kiln_diags_has(d, e->diagnostics[i]);
		for (size_t k = 0; k < s->pso_count + s->compute_count; k++)
			seen |= kiln_diags_has(pso_at(s, k)->diags, e->diagnostics[i]);
		if (!seen)
			diag_add(d, DIAG_SCENE_EXPECTATION, s->yaml.path, "diagnostic %u was expected", e->diagnostics[i]);
		failed += !seen;
	}
	return failed;
}

size_t scene_check(const struct scene *s, const struct scene_expect *e, struct kiln_diags *d)
{
	size_t failed = check_psos(s, e, d);
	for (size_t i = 0; i < e->pixel_count; i++)
		failed += !check_pixel(s, &e->pixels[i], d);
	for (size_t i = 0; i < e->words_count; i++)
		failed += !check_words(s, &e->words[i], d);
	for (size_t i = 0; i < e->hash_count; i++) {
		const struct scene_resource *r = SCENE_FIND(s, resources, resource_count, e->hashes[i].target);
		char got[17];
		snprintf(got, sizeof got, "%016llx", (unsigned long long)scene_hash(r->resource));
		if (!strcmp(got, e->hashes[i].fnv1a))
			continue;
		diag_add(d, DIAG_SCENE_EXPECTATION, r->name, "the hash is %s, expected %s", got, e->hashes[i].fnv1a);
		failed++;
	}
	for (size_t i = 0; i < e->counter_count; i++)
		for (size_t k = 0; k < ARRAY_COUNT(counters); k++) {
			uint64_t got;
			memcpy(&got, (const char *)&s->counters + counters[k].offset, sizeof got);
			if (strcmp(e->counters[i].name, counters[k].name) || got == e->counters[i].value)
				continue;
			diag_add(d, DIAG_SCENE_EXPECTATION, s->yaml.path, "counter %s is %llu, expected %u", counters[k].name,
				(unsigned long long)got, e->counters[i].value);
			failed++;
		}
	return failed;
}
