/* Bytes of buffers: numbers in the scene, a file, or a mesh (mesh.h says its layout). */
#include "tools/mesh.h"
#include "tools/scene.h"
#include <string.h>

enum part { PART_VERTICES, PART_INDICES };

struct source {
	struct scene_resource *r;
	const char *file;
	struct fy_node *values, *rows;
	uint32_t type, size, stride;
	const char *mesh_file;
	struct mesh mesh;
	uint32_t part;
	struct fy_node *mesh_node;
};

const struct yaml_name scene_number_types[] = {{"float", NUMBER_FLOAT}, {"uint", NUMBER_UINT}, {"uint16", NUMBER_UINT16},
	{"uint8", NUMBER_UINT8}, {0}};
static const struct yaml_name shapes[] = {{"grid", MESH_GRID}, {"sphere", MESH_SPHERE}, {"torus", MESH_TORUS},
	{"cube", MESH_CUBE}, {"teapot", MESH_TEAPOT}, {0}};
static const struct yaml_name parts[] = {{"vertices", PART_VERTICES}, {"indices", PART_INDICES}, {0}};

#define SOURCE(field) offsetof(struct source, field)
static const struct yaml_field shape_fields[] = {
	{"shape", YAML_ENUM, SOURCE(mesh.shape), shapes, NULL, false},
	{"file", YAML_STRING, SOURCE(mesh_file), NULL, NULL, false},
	{"part", YAML_ENUM, SOURCE(part), parts, NULL, true},
	{"columns", YAML_U32, SOURCE(mesh.columns), NULL, NULL, false},
	{"rows", YAML_U32, SOURCE(mesh.rows), NULL, NULL, false},
	{"radius", YAML_F32, SOURCE(mesh.radius), NULL, NULL, false},
	{"tube", YAML_F32, SOURCE(mesh.tube), NULL, NULL, false},
	{"uv", YAML_BOOL, SOURCE(mesh.uv), NULL, NULL, false},
};
static void read_mesh(struct yaml *y, struct fy_node *n, void *at)
{
	struct source *s = at;
	s->mesh_node = n;
	s->mesh.uv = yaml_has(n, "file"); /* files have coordinates unless told otherwise */
	yaml_fields(y, n, shape_fields, ARRAY_COUNT(shape_fields), s);
	if (s->mesh.shape == MESH_TEAPOT && !yaml_has(n, "columns"))
		s->mesh.columns = 8;
	if (s->mesh.shape == MESH_TEAPOT && !yaml_has(n, "rows"))
		s->mesh.rows = 8;
	uint32_t max = s->mesh.shape == MESH_TEAPOT ? MESH_TEAPOT_CELLS_MAX : MESH_CELLS_MAX;
	if (yaml_has(n, "file") == yaml_has(n, "shape"))
		yaml_error(y, n, DIAG_SCENE_MISSING, "a mesh has just one of shape and file");
	else if (yaml_has(n, "file") &&
		(yaml_has(n, "columns") || yaml_has(n, "rows") || yaml_has(n, "radius") || yaml_has(n, "tube")))
		yaml_error(y, n, DIAG_SCENE_UNKNOWN_FIELD, "a mesh from a file has no columns, rows, radius or tube");
	else if (!s->mesh.columns || !s->mesh.rows || s->mesh.columns > max || s->mesh.rows > max)
		yaml_error(y, n, DIAG_SCENE_RANGE, "columns and rows of this mesh are 1 to %u", max);
}
static const struct yaml_field buffer_fields[] = {
	{"type", YAML_ENUM, SOURCE(type), scene_number_types, NULL, false},
	{"values", YAML_CUSTOM, SOURCE(values), NULL, yaml_keep, false},
	{"rows", YAML_CUSTOM, SOURCE(rows), NULL, yaml_keep, false},
	{"stride", YAML_U32, SOURCE(stride), NULL, NULL, false},
	{"file", YAML_STRING, SOURCE(file), NULL, NULL, false},
	{"size", YAML_U32, SOURCE(size), NULL, NULL, false},
	{"mesh", YAML_CUSTOM, 0, NULL, read_mesh, false},
};

/* ---- numbers ---- */

bool scene_read_numbers(struct yaml *y, struct fy_node *list, uint32_t type, uint8_t **data, size_t *size)
{
	static const uint32_t widths[] = {4, 4, 2, 1};
	void *prev = NULL;
	struct fy_node *item;
	if (list && fy_node_is_sequence(list) && fy_node_sequence_item_count(list) > SCENE_NUMBERS_MAX) {
		yaml_error(y, list, DIAG_SCENE_DATA, "more than %d numbers inline", SCENE_NUMBERS_MAX);
		return false;
	}
	if (!yaml_expect_list(y, list, 0, SCENE_NUMBERS_MAX))
		return false;
	uint32_t width = widths[type];
	*size = (size_t)fy_node_sequence_item_count(list) * width;
	uint8_t *to = *data = mem_alloc(*size);
	while ((item = fy_node_sequence_iterate(list, &prev))) {
		uint32_t word = 0;
		float f = 0;
		if (type == NUMBER_FLOAT && yaml_f32(y, item, &f))
			word = float_bits(f);
		else if (type != NUMBER_FLOAT && yaml_u32(y, item, &word) && width < 4 && word >> width * 8)
			yaml_error(y, item, DIAG_SCENE_RANGE, "%u does not fit %u bytes", word, width);
		memcpy(to, &word, width);
		to += width;
	}
	return true;
}

/* Lists of numbers, each filled up with zeros to `stride` bytes. */
static void read_rows(struct yaml *y, struct source *s)
{
	void *prev = NULL;
	struct fy_node *row;
	if (!yaml_expect_list(y, s->rows, 1, SCENE_ITEMS_MAX))
		return;
	if (!s->stride || s->stride > SCENE_NUMBERS_MAX) {
		yaml_error(y, s->rows, DIAG_SCENE_RANGE, "rows have a stride of 1 to %d bytes", SCENE_NUMBERS_MAX);
		return;
	}
	s->r->size = (size_t)fy_node_sequence_item_count(s->rows) * s->stride;
	s->r->data = mem_alloc(s->r->size);
	for (uint8_t *to = s->r->data; (row = fy_node_sequence_iterate(s->rows, &prev)); to += s->stride) {
		uint8_t *data = NULL;
		size_t size = 0;
		if (scene_read_numbers(y, row, s->type, &data, &size) && size > s->stride)
			yaml_error(y, row, DIAG_SCENE_DATA, "%zu bytes in a row of %u", size, s->stride);
		else if (data)
			memcpy(to, data, size);
		mem_free(data);
	}
}

/* ---- meshes ---- */

static void make_mesh(struct yaml *y, struct source *s)
{
	struct buf vertices = {0}, indices = {0}, *out = s->part == PART_VERTICES ? &vertices : &indices;
	if (s->mesh_file && !mesh_read(scene_path(y, s->mesh_file), s->mesh.uv, &vertices, &indices, y->diags))
		yaml_error(y, s->mesh_node, DIAG_SCENE_REFERENCE, "the mesh file '%s' cannot be read", s->mesh_file);
	else if (!s->mesh_file && s->part == PART_VERTICES)
		mesh_vertices(&s->mesh, &vertices);
	else if (!s->mesh_file)
		mesh_indices(&s->mesh, &indices);
	s->r->size = out->size;
	s->r->data = mem_alloc(out->size);
	if (out->size)
		memcpy(s->r->data, out->data, out->size);
	buf_finish(&vertices);
	buf_finish(&indices);
}

void scene_read_buffer(struct scene *scene, struct fy_node *map, struct scene_resource *r)
{
	struct yaml *y = &scene->yaml;
	struct source s = {.r = r, .mesh = {.columns = 32, .rows = 32, .radius = 1.0f, .tube = 0.4f}};
	size_t before = kiln_diags_count(y->diags);
	yaml_fields(y, map, buffer_fields, ARRAY_COUNT(buffer_fields), &s);
	if (kiln_diags_count(y->diags) != before)
		return;
	if (yaml_has(map, "stride") != (s.rows != NULL))
		yaml_error(y, map, DIAG_SCENE_MISSING, "rows and stride go together");
	else if ((s.values != NULL) + (s.rows != NULL) + (s.file != NULL) + (s.mesh_node != NULL) + (s.size != 0) != 1)
		yaml_error(y, map, DIAG_SCENE_MISSING, "a buffer has just one of values, rows, file, mesh and size");
	else if (s.values)
		scene_read_numbers(y, s.values, s.type, &r->data, &r->size);
	else if (s.rows)
		read_rows(y, &s);
	else if (s.mesh_node)
		make_mesh(y, &s);
	else if (s.file) {
		if (!file_read(scene_path(y, s.file), SCENE_DATA_MAX, &r->data, &r->size, y->diags))
			yaml_error(y, map, DIAG_SCENE_REFERENCE, "the data file '%s' cannot be read", s.file);
	} else if (s.size > SCENE_DATA_MAX)
		yaml_error(y, map, DIAG_SCENE_RANGE, "a buffer of %u bytes; at most %d are taken", s.size, SCENE_DATA_MAX);
	else {
		r->size = s.size;
		r->data = mem_alloc(s.size);
	}
}
