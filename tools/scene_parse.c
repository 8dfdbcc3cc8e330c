/* Takes a scene file; gives struct scene, with every name in it resolved, or diagnostics. Reads the sections in the order in
 * which they refer to each other, whatever their order in the file. */
#include "tools/scene.h"
#include <string.h>

/* Every named thing has its name first. */
void *scene_find(void *list, size_t count, size_t size, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		char *item = (char *)list + i * size;
		const char *its;
		memcpy(&its, item, sizeof its);
		if (its && !strcmp(its, name))
			return item;
	}
	return NULL;
}

/* ---- shaders ---- */

static const struct yaml_field shader_fields[] = {
	{"file", YAML_STRING, offsetof(struct scene_shader, file), NULL, NULL, true},
};

static void read_shaders(struct scene *s, struct fy_node *map)
{
	struct yaml *y = &s->yaml;
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(y, map))
		return;
	s->shaders = arena_array(&y->arena, (size_t)fy_node_mapping_item_count(map) + 1, sizeof *s->shaders);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		struct scene_shader *shader = &s->shaders[s->shader_count++];
		shader->name = yaml_string(y, fy_node_pair_key(pair));
		shader->node = fy_node_pair_value(pair);
		yaml_fields(y, shader->node, shader_fields, ARRAY_COUNT(shader_fields), shader);
		char *path = shader->file ? scene_path(y, shader->file) : NULL;
		if (path && !file_read(path, SCENE_DATA_MAX, &shader->data, &shader->size, y->diags))
			yaml_error(y, shader->node, DIAG_SCENE_REFERENCE, "the shader file '%s' cannot be read", shader->file);
	}
}

char *scene_path(struct yaml *y, const char *file)
{
	const char *slash = strrchr(y->path, '/');
	if (*file == '/' || !slash)
		return arena_string(&y->arena, file);
	return arena_printf(&y->arena, "%.*s/%s", (int)(slash - y->path), y->path, file);
}

/* ---- resources ---- */

static void read_resources(struct scene *s, struct fy_node *map)
{
	struct yaml *y = &s->yaml;
	void *prev = NULL;
	struct fy_node_pair *pair;
	if (!yaml_expect_map(y, map))
		return;
	s->resources = arena_array(&y->arena, (size_t)fy_node_mapping_item_count(map) + 1, sizeof *s->resources);
	while ((pair = fy_node_mapping_iterate(map, &prev))) {
		struct scene_resource *r = &s->resources[s->resource_count++];
		struct fy_node *n = fy_node_pair_value(pair);
		r->name = yaml_string(y, fy_node_pair_key(pair));
		r->is_texture = yaml_has(n, "Format") || yaml_has(n, "Width") || yaml_has(n, "png") || yaml_has(n, "pattern");
		if (r->is_texture)
			scene_read_texture(s, n, r);
		else
			scene_read_buffer(s, n, r);
	}
}

/* ---- the sections ---- */

static void read_version(struct scene *s, struct fy_node *n)
{
	uint32_t version = 0;
	if (yaml_u32(&s->yaml, n, &version) && version != 1)
		yaml_error(&s->yaml, n, DIAG_SCENE_VERSION, "version %u is not known", version);
}

static void read_title(struct scene *s, struct fy_node *n) { yaml_string(&s->yaml, n); }
static void read_expect(struct scene *s, struct fy_node *n) { scene_read_expect(s, n, &s->expect); }
static void read_expect_ignoring(struct scene *s, struct fy_node *n)
{
	s->has_expect_ignoring = true;
	scene_read_expect(s, n, &s->expect_ignoring);
}

static const struct section {
	const char *name;
	void (*read)(struct scene *s, struct fy_node *n);
	bool needed;
} sections[] = {
	{"kiln", read_version, true},
	{"title", read_title, false},
	{"shaders", read_shaders, true},
	{"root_signature", scene_read_root, false},
	{"resources", read_resources, false},
	{"samplers", scene_read_samplers, false},
	{"heaps", scene_read_heaps, false},
	{"psos", scene_read_psos, true},
	{"commands", scene_read_commands, false},
	{"expect", read_expect, false},
	{"expect_ignoring_mismatch", read_expect_ignoring, false},
};

static void check_sections(struct yaml *y, struct fy_node *root)
{
	void *prev = NULL;
	struct fy_node_pair *pair;
	while ((pair = fy_node_mapping_iterate(root, &prev))) {
		const char *name = yaml_string(y, fy_node_pair_key(pair));
		size_t i = 0;
		while (name && i < ARRAY_COUNT(sections) && strcmp(name, sections[i].name))
			i++;
		if (name && i == ARRAY_COUNT(sections))
			yaml_error(y, fy_node_pair_key(pair), DIAG_SCENE_UNKNOWN_FIELD, "there is no section '%s'", name);
	}
}

static bool read_scene(struct scene *s)
{
	struct yaml *y = &s->yaml;
	struct fy_node *root = fy_document_root(y->doc);
	if (!yaml_expect_map(y, root))
		return false;
	check_sections(y, root);
	for (size_t i = 0; i < ARRAY_COUNT(sections); i++) {
		struct fy_node *n = fy_node_mapping_lookup_by_string(root, sections[i].name, FY_NT);
		if (n)
			sections[i].read(s, n);
		else if (sections[i].needed)
			yaml_error(y, root, DIAG_SCENE_MISSING, "the section '%s' is missing", sections[i].name);
	}
	return !y->failed;
}

bool scene_open(struct scene *s, const char *path, struct kiln_diags *d)
{
	*s = (struct scene){0};
	return yaml_open(&s->yaml, path, d) && read_scene(s);
}

bool scene_open_text(struct scene *s, const char *path, const uint8_t *text, size_t size, struct kiln_diags *d)
{
	*s = (struct scene){0};
	return yaml_open_text(&s->yaml, path, text, size, d) && read_scene(s);
}

void scene_close(struct scene *s)
{
	for (size_t i = 0; i < s->pso_count + s->compute_count; i++) {
		struct scene_pso *p = i < s->pso_count ? &s->psos[i] : &s->compute[i - s->pso_count];
		kiln_pso_destroy(p->pso);
		kiln_diags_destroy(p->diags);
	}
	for (size_t i = 0; i < s->shader_count; i++) {
		kiln_shader_destroy(s->shaders[i].shader);
		mem_free(s->shaders[i].data);
	}
	for (size_t i = 0; i < s->resource_count; i++) {
		kiln_resource_destroy(s->resources[i].resource);
		mem_free(s->resources[i].data);
	}
	for (size_t i = 0; i < s->heap_count; i++)
		kiln_descriptor_heap_destroy(s->heaps[i].heap);
	for (size_t i = 0; i < s->bound_count; i++)
		kiln_descriptor_heap_destroy(s->bound[i]);
	mem_free(s->bound);
	kiln_root_signature_destroy(s->root_signature);
	kiln_device_destroy(s->device);
	yaml_close(&s->yaml);
}
