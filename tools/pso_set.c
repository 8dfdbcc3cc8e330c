/* Takes paths of scenes and databases; gives their PSOs, shaders and root signatures, equal ones once, with diagnostics by
 * file. Files are taken in the order of their paths. */
#include "tools/pso_set.h"
#include "frontend/frontend.h"
#include "tools/sodb.h"
#include "tools/tools.h"
#include <stdlib.h>
#include <string.h>

/* ---- an index by content: open addressing, numbers + 1 ---- */
struct pso_index { uint32_t *slots; size_t count, size; };

static uint64_t hash_bytes(const uint8_t *data, size_t size)
{
	uint64_t h = 0xcbf29ce484222325;
	for (size_t i = 0; i < size; i++)
		h = (h ^ data[i]) * 0x100000001b3;
	return h ^ h >> 32;
}

typedef void content_fn(const struct pso_set *s, uint32_t number, const uint8_t **data, size_t *size);
static void shader_content(const struct pso_set *s, uint32_t i, const uint8_t **data, size_t *size)
{
	*data = s->shaders[i].data;
	*size = s->shaders[i].size;
}
static void root_content(const struct pso_set *s, uint32_t i, const uint8_t **data, size_t *size)
{
	*data = s->roots[i].data;
	*size = s->roots[i].size;
}

/* The slot where the content is or belongs. */
static uint32_t *index_slot(
	const struct pso_set *s, const struct pso_index *x, content_fn *content, const uint8_t *data, size_t size)
{
	size_t at = (size_t)hash_bytes(data, size) & (x->size - 1);
	for (; x->slots[at]; at = (at + 1) & (x->size - 1)) {
		const uint8_t *has;
		size_t has_size;
		content(s, x->slots[at] - 1, &has, &has_size);
		if (has_size == size && (!size || !memcmp(has, data, size)))
			break;
	}
	return &x->slots[at];
}

static uint32_t *index_find(
	struct pso_set *s, struct pso_index **index, content_fn *content, const uint8_t *data, size_t size)
{
	struct pso_index *x = *index;
	if (!x)
		*index = x = mem_alloc(sizeof *x);
	if (2 * x->count >= x->size) {
		struct pso_index old = *x;
		x->size = old.size ? 2 * old.size : 64;
		x->slots = mem_array(x->size, sizeof *x->slots);
		for (size_t i = 0; i < old.size; i++)
			if (old.slots[i]) {
				const uint8_t *has;
				size_t has_size;
				content(s, old.slots[i] - 1, &has, &has_size);
				*index_slot(s, x, content, has, has_size) = old.slots[i];
			}
		mem_free(old.slots);
	}
	return index_slot(s, x, content, data, size);
}

static void index_destroy(struct pso_index *x)
{
	if (x)
		mem_free(x->slots);
	mem_free(x);
}

static void keep_first_name(const char **has, const char *name)
{
	if (strcmp(name, *has) < 0)
		*has = name;
}

uint32_t pso_set_shader(struct pso_set *s, struct pso_file *file, const char *name, const uint8_t *data, size_t size)
{
	if (!data)
		return PSO_NONE;
	uint32_t *slot = index_find(s, &s->shader_index, shader_content, data, size);
	if (*slot) {
		keep_first_name(&s->shaders[*slot - 1].name, name);
	} else {
		*ARRAY_PUSH(s->shaders, s->shader_count, s->shader_cap) =
			(struct pso_shader){.name = name, .data = data, .size = size, .diags = kiln_diags_create()};
		*slot = (uint32_t)s->shader_count;
		s->shader_index->count++;
	}
	*ARRAY_PUSH(file->shaders, file->shader_count, file->shader_cap) = *slot - 1;
	return *slot - 1;
}

uint32_t pso_set_root(struct pso_set *s, const char *name, const uint8_t *data, size_t size)
{
	if (!data)
		return PSO_NONE;
	uint32_t *slot = index_find(s, &s->root_index, root_content, data, size);
	if (*slot) {
		keep_first_name(&s->roots[*slot - 1].name, name);
		return *slot - 1;
	}
	*ARRAY_PUSH(s->roots, s->root_count, s->root_cap) =
		(struct pso_root){.name = name, .data = data, .size = size, .diags = kiln_diags_create()};
	*slot = (uint32_t)s->root_count;
	s->root_index->count++;
	return *slot - 1;
}

static uint32_t find_shader(const struct pso_set *s, const uint8_t *data, size_t size)
{
	const struct pso_index *x = s->shader_index;
	uint32_t slot = x ? *index_slot(s, x, shader_content, data, size) : 0;
	return slot ? slot - 1 : PSO_NONE;
}

struct pso_entry *pso_set_entry(struct pso_set *s, const char *name)
{
	struct pso_entry *e = ARRAY_PUSH(s->entries, s->entry_count, s->entry_cap);
	*e = (struct pso_entry){.name = name, .file = (uint32_t)(s->file_count - 1), .base = PSO_NONE, .vs = PSO_NONE,
		.ps = PSO_NONE, .root = PSO_NONE, .diags = kiln_diags_create()};
	return e;
}

/* ---- scenes ---- */
/* The root signature in a container: that of its RTS0 part. */
static const uint8_t *embedded_root(const uint8_t *data, size_t size, size_t *root_size)
{
	struct kiln_diags *ignored = kiln_diags_create();
	struct fe_container c;
	const struct fe_part *part =
		fe_container_parse(data, size, "", &c, ignored) ? fe_container_find(&c, FE_FOURCC('R', 'T', 'S', '0')) : NULL;
	*root_size = part ? part->size : 0;
	kiln_diags_destroy(ignored);
	return part ? part->data : NULL;
}

static void add_scene_pso(
	struct pso_set *s, struct pso_file *f, const struct scene_pso *p, const uint32_t *shaders, uint32_t root)
{
	struct scene *scene = f->scene;
	struct pso_entry *e = pso_set_entry(s, p->name);
	e->desc = p->state;
	e->root = root;
	if (!p->base) {
		const struct scene_shader *vs = SCENE_FIND(scene, shaders, shader_count, p->vs);
		const struct scene_shader *ps = p->ps ? SCENE_FIND(scene, shaders, shader_count, p->ps) : NULL;
		e->vs = shaders[vs - scene->shaders];
		e->ps = ps ? shaders[ps - scene->shaders] : PSO_NONE;
		return;
	}
	e->base = f->first + (uint32_t)(p->from - scene->psos);
	e->vs = s->entries[e->base].vs;
	e->ps = s->entries[e->base].ps;
	e->overrides = (p->has_blend ? PLAN_BLEND : 0u) | (p->has_raster ? PLAN_RASTERIZER : 0u) |
				   (p->has_depth ? PLAN_DEPTH_STENCIL : 0u) | (p->has_mask ? PLAN_SAMPLE_MASK : 0u) |
				   (p->has_limits ? PLAN_LIMITS : 0u);
}

static void add_scene(struct pso_set *s, struct pso_file *f)
{
	struct scene *scene = f->scene = mem_alloc(sizeof *scene);
	bool ok =
		f->text ? scene_open_text(scene, f->path, f->text, f->text_size, f->diags) : scene_open(scene, f->path, f->diags);
	if (!ok) {
		f->failed = true;
		return;
	}
	uint32_t *shaders = mem_array(scene->shader_count, sizeof *shaders), root = PSO_NONE;
	for (size_t i = 0; i < scene->shader_count; i++)
		shaders[i] = pso_set_shader(s, f, scene->shaders[i].file, scene->shaders[i].data, scene->shaders[i].size);
	if (scene->has_root)
		root = pso_set_root(s, f->path, scene->root_data, scene->root_size);
	for (size_t i = 0; i < scene->pso_count; i++)
		add_scene_pso(s, f, &scene->psos[i], shaders, root);
	yaml_forget(&scene->yaml);
	mem_free(shaders);
}

/* ---- the set ---- */
/* Shaders that another set has compiled. */
static void take_compiled(struct pso_set *s, const struct pso_set *from)
{
	for (size_t i = 0; i < s->shader_count; i++) {
		struct pso_shader *shader = &s->shaders[i];
		uint32_t has = find_shader(from, shader->data, shader->size);
		if (has == PSO_NONE)
			continue;
		shader->program = from->shaders[has].program ? isa_program_copy(from->shaders[has].program) : NULL;
		shader->compiled = true;
		diags_append(shader->diags, from->shaders[has].diags);
	}
}

/* The root signature that a shader carries, where nobody gave one: the vertex shader's first. */
static void embed_roots(struct pso_set *s)
{
	for (size_t i = 0; i < s->shader_count; i++) {
		struct pso_shader *shader = &s->shaders[i];
		shader->root = embedded_root(shader->data, shader->size, &shader->root_size);
		shader->root_number = pso_set_root(s, shader->name, shader->root, shader->root_size);
	}
	for (size_t i = 0; i < s->entry_count; i++) {
		struct pso_entry *e = &s->entries[i];
		e->embedded = e->root == PSO_NONE;
		if (e->root == PSO_NONE && e->vs != PSO_NONE)
			e->root = s->shaders[e->vs].root_number;
		if (e->root == PSO_NONE && e->ps != PSO_NONE)
			e->root = s->shaders[e->ps].root_number;
	}
	for (size_t i = 0; i < s->root_count; i++)
		s->roots[i].root = root_signature_parse(s->roots[i].data, s->roots[i].size, s->roots[i].name, s->roots[i].diags);
}

/* What a shader does not compile for is told of every file that uses it, and fails it where it is more than not
 * supported. */
static void blame_files(struct pso_set *s)
{
	for (size_t i = 0; i < s->file_count; i++) {
		struct pso_file *f = &s->files[i];
		bool *told = mem_array(s->shader_count, sizeof *told);
		for (size_t k = 0; k < f->shader_count; k++) {
			const struct pso_shader *shader = &s->shaders[f->shaders[k]];
			if (!told[f->shaders[k]])
				diags_append(f->diags, shader->diags);
			f->failed |= exit_for_diags(shader->diags) == EXIT_MISUSE;
			told[f->shaders[k]] = true;
		}
		mem_free(told);
	}
}

static int by_path(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void pso_set_load(struct pso_set *s, const struct kiln_device_desc *device, char *const *paths, size_t count)
{
	*s = (struct pso_set){.device = *device};
	const char **order = mem_array(count, sizeof *order);
	memcpy(order, paths, count * sizeof *order);
	qsort(order, count, sizeof *order, by_path);
	for (size_t i = 0; i < count; i++) {
		struct pso_file *f = ARRAY_PUSH(s->files, s->file_count, s->file_cap);
		*f = (struct pso_file){.path = order[i], .diags = kiln_diags_create(), .first = (uint32_t)s->entry_count};
		f->is_database = sodb_is_database(f->path);
		(f->is_database ? sodb_read : add_scene)(s, f);
		f->count = (uint32_t)s->entry_count - f->first;
	}
	mem_free(order);
	embed_roots(s);
}

void pso_set_open(
	struct pso_set *s, const struct kiln_device_desc *device, char *const *paths, size_t count, unsigned threads)
{
	pso_set_load(s, device, paths, count);
	pso_set_compile(s, threads);
	blame_files(s);
}

void pso_set_open_text(struct pso_set *s, const struct pso_set *compiled, const char *path, const uint8_t *text, size_t size)
{
	*s = (struct pso_set){.device = compiled->device};
	struct pso_file *f = ARRAY_PUSH(s->files, s->file_count, s->file_cap);
	*f = (struct pso_file){.path = path, .text = text, .text_size = size, .diags = kiln_diags_create()};
	add_scene(s, f);
	f->count = (uint32_t)s->entry_count;
	embed_roots(s);
	take_compiled(s, compiled);
	pso_set_compile(s, 1);
}

void pso_set_close(struct pso_set *s)
{
	for (size_t i = 0; i < s->entry_count; i++)
		kiln_diags_destroy(s->entries[i].diags);
	for (size_t i = 0; i < s->shader_count; i++) {
		isa_program_destroy(s->shaders[i].program);
		kiln_diags_destroy(s->shaders[i].diags);
	}
	for (size_t i = 0; i < s->root_count; i++) {
		root_signature_destroy(s->roots[i].root);
		kiln_diags_destroy(s->roots[i].diags);
	}
	for (size_t i = 0; i < s->file_count; i++) {
		if (s->files[i].scene)
			scene_close(s->files[i].scene);
		mem_free(s->files[i].scene);
		mem_free(s->files[i].shaders);
		kiln_diags_destroy(s->files[i].diags);
	}
	index_destroy(s->shader_index);
	index_destroy(s->root_index);
	mem_free(s->shaders);
	mem_free(s->roots);
	mem_free(s->entries);
	mem_free(s->files);
	arena_finish(&s->arena);
}

/* ---- names ---- */
struct named { const char *name; uint32_t number; };
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : x->number < y->number ? -1 : 1;
}

uint32_t *pso_set_sorted(const struct pso_set *s, const struct pso_file *file)
{
	struct named *list = mem_array(file->count, sizeof *list);
	uint32_t *numbers = mem_array(file->count, sizeof *numbers);
	for (uint32_t i = 0; i < file->count; i++)
		list[i] = (struct named){s->entries[file->first + i].name, file->first + i};
	qsort(list, file->count, sizeof *list, by_name);
	for (uint32_t i = 0; i < file->count; i++)
		numbers[i] = list[i].number;
	mem_free(list);
	return numbers;
}

const char *pso_set_label(struct pso_set *s, const struct pso_entry *e)
{
	return s->file_count == 1 ? e->name : arena_printf(&s->arena, "%s: %s", s->files[e->file].path, e->name);
}

void diags_append(struct kiln_diags *to, const struct kiln_diags *from)
{
	struct buf b = {0};
	if (!kiln_diags_count(from))
		return;
	diags_encode(from, &b);
	diags_decode(to, b.data, b.size);
	buf_finish(&b);
}
