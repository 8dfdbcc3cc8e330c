/* Bytes of buffers: numbers in the scene, a file, or a generated mesh. A mesh is a grid of quads bent into a shape: vertices
 * are position and normal (6 floats, stride 24), indices 32-bit, clockwise from outside as D3D12's default wants it. */
#include "isa/math.h"
#include "tools/scene.h"
#include <math.h>
#include <string.h>

enum shape { SHAPE_GRID, SHAPE_SPHERE, SHAPE_TORUS, SHAPE_CUBE };
enum part { PART_VERTICES, PART_INDICES };
enum number_type { NUMBER_FLOAT, NUMBER_UINT, NUMBER_UINT16, NUMBER_UINT8 };

struct source {
	struct scene_resource *r;
	const char *file;
	struct fy_node *values;
	uint32_t type, size;
	uint32_t shape, part, columns, rows;
	float radius, tube;
	bool generated;
};

static const struct yaml_name types[] = {{"float", NUMBER_FLOAT}, {"uint", NUMBER_UINT}, {"uint16", NUMBER_UINT16},
	{"uint8", NUMBER_UINT8}, {0}};
static const struct yaml_name shapes[] = {{"grid", SHAPE_GRID}, {"sphere", SHAPE_SPHERE}, {"torus", SHAPE_TORUS},
	{"cube", SHAPE_CUBE}, {0}};
static const struct yaml_name parts[] = {{"vertices", PART_VERTICES}, {"indices", PART_INDICES}, {0}};

static void keep_node(struct yaml *y, struct fy_node *n, void *at)
{
	(void)y;
	*(struct fy_node **)at = n;
}

#define SOURCE(field) offsetof(struct source, field)
static const struct yaml_field shape_fields[] = {
	{"shape", YAML_ENUM, SOURCE(shape), shapes, NULL, true},
	{"part", YAML_ENUM, SOURCE(part), parts, NULL, true},
	{"columns", YAML_U32, SOURCE(columns), NULL, NULL, false},
	{"rows", YAML_U32, SOURCE(rows), NULL, NULL, false},
	{"radius", YAML_F32, SOURCE(radius), NULL, NULL, false},
	{"tube", YAML_F32, SOURCE(tube), NULL, NULL, false},
};
static void read_shape(struct yaml *y, struct fy_node *n, void *at)
{
	struct source *s = at;
	s->generated = true;
	yaml_fields(y, n, shape_fields, ARRAY_COUNT(shape_fields), s);
	if (!s->columns || !s->rows || s->columns > 1024 || s->rows > 1024) {
		yaml_error(y, n, DIAG_SCENE_RANGE, "columns and rows of a mesh are 1 to 1024");
		s->generated = false;
	}
}
static const struct yaml_field buffer_fields[] = {
	{"type", YAML_ENUM, SOURCE(type), types, NULL, false},
	{"values", YAML_CUSTOM, SOURCE(values), NULL, keep_node, false},
	{"file", YAML_STRING, SOURCE(file), NULL, NULL, false},
	{"size", YAML_U32, SOURCE(size), NULL, NULL, false},
	{"mesh", YAML_CUSTOM, 0, NULL, read_shape, false},
};

/* ---- numbers ---- */

static void read_numbers(struct yaml *y, struct source *s)
{
	static const uint32_t widths[] = {4, 4, 2, 1};
	void *prev = NULL;
	struct fy_node *item;
	if (!fy_node_is_sequence(s->values)) {
		yaml_expect_list(y, s->values, 0, SCENE_NUMBERS_MAX);
		return;
	}
	if (fy_node_sequence_item_count(s->values) > SCENE_NUMBERS_MAX) {
		yaml_error(y, s->values, DIAG_SCENE_DATA, "more than %d numbers inline", SCENE_NUMBERS_MAX);
		return;
	}
	uint32_t width = widths[s->type];
	s->r->size = (size_t)fy_node_sequence_item_count(s->values) * width;
	s->r->data = mem_alloc(s->r->size);
	uint8_t *to = s->r->data;
	while ((item = fy_node_sequence_iterate(s->values, &prev))) {
		uint32_t word = 0;
		float f = 0;
		if (s->type == NUMBER_FLOAT && yaml_f32(y, item, &f))
			word = float_bits(f);
		else if (s->type != NUMBER_FLOAT && yaml_u32(y, item, &word) && width < 4 && word >> width * 8)
			yaml_error(y, item, DIAG_SCENE_RANGE, "%u does not fit %u bytes", word, width);
		memcpy(to, &word, width);
		to += width;
	}
}

/* ---- meshes ---- */

struct point { double x, y, z; };

/* The ISA's own functions: a scene's mesh is the same on every host, whatever its libm. */
static double sine(double x) { return (double)bits_float(FSIN(float_bits((float)x))); }
static double cosine(double x) { return (double)bits_float(FCOS(float_bits((float)x))); }

static struct point normalised(struct point p)
{
	double l = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
	return (struct point){p.x / l, p.y / l, p.z / l};
}

/* Position and normal at u, v in [0, 1]; v runs down. */
static void surface(const struct source *s, double u, double v, struct point *p, struct point *n)
{
	const double turn = 6.283185307179586;
	double r = (double)s->radius, t = (double)s->tube;
	switch (s->shape) {
	case SHAPE_GRID:
		*p = (struct point){(u - 0.5) * 2 * r, 0, (0.5 - v) * 2 * r};
		*n = (struct point){0, 1, 0};
		return;
	case SHAPE_SPHERE:
		*n = (struct point){sine(v * turn / 2) * cosine(u * turn), cosine(v * turn / 2), sine(v * turn / 2) * sine(u * turn)};
		*p = (struct point){n->x * r, n->y * r, n->z * r};
		return;
	default:
		*n = (struct point){cosine(v * turn) * cosine(u * turn), -sine(v * turn), cosine(v * turn) * sine(u * turn)};
		*p = (struct point){(r + t * cosine(v * turn)) * cosine(u * turn), -t * sine(v * turn), (r + t * cosine(v * turn)) * sine(u * turn)};
		return;
	}
}

static void put_vertex(struct buf *out, struct point p, struct point n)
{
	const double all[] = {p.x, p.y, p.z, n.x, n.y, n.z};
	for (size_t i = 0; i < 6; i++)
		buf_u32(out, float_bits((float)all[i]));
}

static void grid_vertices(const struct source *s, struct buf *out)
{
	for (uint32_t j = 0; j <= s->rows; j++)
		for (uint32_t i = 0; i <= s->columns; i++) {
			struct point p, n;
			surface(s, (double)i / s->columns, (double)j / s->rows, &p, &n);
			put_vertex(out, p, normalised(n));
		}
}

static void cell(struct buf *out, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	const uint32_t corners[] = {a, b, c, c, b, d};
	for (size_t i = 0; i < 6; i++)
		buf_u32(out, corners[i]);
}

static void grid_indices(const struct source *s, struct buf *out)
{
	for (uint32_t j = 0; j < s->rows; j++)
		for (uint32_t i = 0; i < s->columns; i++) {
			uint32_t a = j * (s->columns + 1) + i, c = a + s->columns + 1;
			cell(out, a, a + 1, c, c + 1);
		}
}

/* Six faces; face f has axis f/2 and side f&1. */
static void cube(const struct source *s, struct buf *out)
{
	for (uint32_t f = 0; f < 6; f++) {
		double side = f & 1 ? 1 : -1, r = (double)s->radius;
		for (uint32_t k = 0; k < 4 && s->part == PART_VERTICES; k++) {
			double at[3], n[3] = {0};
			uint32_t axis = f / 2;
			at[axis] = side * r;
			at[(axis + 1) % 3] = k & 1 ? r : -r;
			at[(axis + 2) % 3] = k & 2 ? r : -r;
			n[axis] = side;
			put_vertex(out, (struct point){at[0], at[1], at[2]}, (struct point){n[0], n[1], n[2]});
		}
		uint32_t b = f * 4;
		if (s->part == PART_INDICES && side < 0)
			cell(out, b, b + 2, b + 1, b + 3);
		else if (s->part == PART_INDICES)
			cell(out, b, b + 1, b + 2, b + 3);
	}
}

static void generate(struct source *s)
{
	struct buf out = {0};
	if (s->shape == SHAPE_CUBE)
		cube(s, &out);
	else if (s->part == PART_VERTICES)
		grid_vertices(s, &out);
	else
		grid_indices(s, &out);
	s->r->size = out.size;
	s->r->data = mem_alloc(out.size);
	memcpy(s->r->data, out.data, out.size);
	buf_finish(&out);
}

void scene_read_buffer(struct scene *scene, struct fy_node *map, struct scene_resource *r)
{
	struct yaml *y = &scene->yaml;
	struct source s = {.r = r, .columns = 32, .rows = 32, .radius = 1.0f, .tube = 0.4f};
	yaml_fields(y, map, buffer_fields, ARRAY_COUNT(buffer_fields), &s);
	if ((s.values != NULL) + (s.file != NULL) + s.generated + (s.size != 0) != 1) {
		if (!y->failed)
			yaml_error(y, map, DIAG_SCENE_MISSING, "a buffer has just one of values, file, mesh and size");
	} else if (s.values)
		read_numbers(y, &s);
	else if (s.generated)
		generate(&s);
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
