/* The fixed scenes of kiln bench (scenes/bench), drawn frame by frame at 1920x1080: what each is made of stands in its table
 * row and its set-up; how the time goes is in docs/performance.md. */
#include "tools/bench.h"
#include "sim/sim.h"
#include "tools/image.h"
#include <kiln/kiln.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080, CELLS_X = 1000, CELLS_Y = 500, CUBES = 10000, TEXTURE = 1024, TEXTURE_MIPS = 11 };

struct stage {
	struct kiln_device *device;
	struct kiln_diags *diags;
	const char *folder;
	struct kiln_shader *vs, *ps;
	struct kiln_root_signature *root;
	struct kiln_pso *pso;
	struct kiln_resource *color, *depth, *vertices, *indices, *texture;
	struct kiln_descriptor_heap *views, *samplers;
	struct kiln_commands *list;
};

static const struct bench_scene scenes[] = {
	{"fill", "fullscreen.vs", "fill.ps", KILN_FORMAT_R8G8B8A8_UNORM, BENCH_FULLSCREEN, 16, false},
	{"blend", "fullscreen.vs", "blend.ps", KILN_FORMAT_R16G16B16A16_FLOAT, BENCH_FULLSCREEN, 16, true},
	{"alu", "fullscreen.vs", "alu.ps", KILN_FORMAT_R8G8B8A8_UNORM, BENCH_FULLSCREEN, 1, false},
	{"tris", "mesh.vs", "mesh.ps", KILN_FORMAT_R8G8B8A8_UNORM, BENCH_GRID, 1, false},
	{"tex", "fullscreen.vs", "tex.ps", KILN_FORMAT_R8G8B8A8_UNORM, BENCH_TEXTURED, 1, false},
	{"draws", "cube.vs", "mesh.ps", KILN_FORMAT_R8G8B8A8_UNORM, BENCH_CUBES, 1, false},
};

const struct bench_scene *bench_scene_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_COUNT(scenes); i++) {
		if (!strcmp(name, scenes[i].name))
			return &scenes[i];
	}
	return NULL;
}

const struct bench_scene *bench_scene_at(size_t i) { return i < ARRAY_COUNT(scenes) ? &scenes[i] : NULL; }

/* ---- what the scenes draw ---- */

static struct kiln_shader *read_shader(struct stage *s, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t size;
	struct kiln_shader *made;

	snprintf(path, sizeof path, "%s/%s.cso", s->folder, name);
	if (!file_read(path, FILE_BYTES_MAX, &data, &size, s->diags))
		return NULL;
	made = kiln_shader_create(s->device, name, data, size, s->diags);
	mem_free(data);
	return made;
}

/* By their series, not by the host's libm: the mesh has the same bits everywhere. */
static void wave(double x, double *sine, double *cosine)
{
	double sum = x, term = x;

	for (int i = 1; i < 40; i++)
		sum += term *= -x * x / ((2.0 * i) * (2.0 * i + 1));
	*sine = sum;
	for (int i = 0; i < 40; i++)
		term = i ? term * (-x * x / ((2.0 * i) * (2.0 * i - 1))) : 1, sum = i ? sum + term : 1;
	*cosine = sum;
}

static void make_grid(struct stage *s)
{
	size_t count = (size_t)(CELLS_X + 1) * (CELLS_Y + 1), cells = (size_t)CELLS_X * CELLS_Y;
	float(*v)[6] = mem_array(count, sizeof *v);
	uint32_t *index = mem_array(cells * 6, sizeof *index);
	double su[CELLS_X + 1], cu[CELLS_X + 1];

	for (int x = 0; x <= CELLS_X; x++)
		wave(20.0 * x / CELLS_X, &su[x], &cu[x]);
	for (uint32_t y = 0; y <= CELLS_Y; y++) {
		double w = (double)y / CELLS_Y, sw, cw;

		wave(20 * w, &sw, &cw);
		for (uint32_t x = 0; x <= CELLS_X; x++) {
			float *at = v[y * (CELLS_X + 1) + x];

			at[0] = (float)(1.9 * x / CELLS_X - 0.95), at[1] = (float)(1.9 * w - 0.95), at[2] = (float)(0.5 + 0.2 * su[x] * cw);
			at[3] = (float)(-cu[x] * cw), at[4] = (float)(su[x] * sw), at[5] = -1;
		}
	}
	for (uint32_t i = 0; i < cells; i++) {
		uint32_t a = i / CELLS_X * (CELLS_X + 1) + i % CELLS_X;
		const uint32_t six[6] = {a, a + 1, a + CELLS_X + 1, a + CELLS_X + 1, a + 1, a + CELLS_X + 2};

		memcpy(index + 6 * (size_t)i, six, sizeof six);
	}
	s->vertices = kiln_buffer_create(s->device, "vertices", count * sizeof *v, v);
	s->indices = kiln_buffer_create(s->device, "indices", cells * 6 * sizeof *index, index);
	mem_free(v);
	mem_free(index);
}

static void make_cube(struct stage *s)
{
	float v[24][6] = {{0}};
	uint32_t index[36];

	for (int f = 0; f < 6; f++) {
		int axis = f / 2;
		float sign = f & 1 ? 1.0f : -1.0f;
		const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};

		for (int k = 0; k < 4; k++) {
			v[4 * f + k][axis] = v[4 * f + k][3 + axis] = sign;
			v[4 * f + k][(axis + 1) % 3] = k & 1 ? 1 : -1;
			v[4 * f + k][(axis + 2) % 3] = k & 2 ? 1 : -1;
		}
		for (int k = 0; k < 6; k++)
			index[6 * f + k] = (uint32_t)(4 * f) + corners[k];
	}
	s->vertices = kiln_buffer_create(s->device, "vertices", sizeof v, v);
	s->indices = kiln_buffer_create(s->device, "indices", sizeof index, index);
}

static bool make_texture(struct stage *s)
{
	const struct kiln_texture_desc t = {.Format = KILN_FORMAT_R8G8B8A8_UNORM, .Width = TEXTURE, .Height = TEXTURE,
		.MipLevels = TEXTURE_MIPS};
	const struct kiln_sampler_desc sampler = {.Filter = 0x15, .AddressU = 1, .AddressV = 1, .AddressW = 1,
		.MaxAnisotropy = 1, .ComparisonFunc = KILN_COMPARISON_NEVER, .MaxLOD = 1000};
	uint8_t(*texel)[4] = mem_array((size_t)TEXTURE * TEXTURE, sizeof *texel);
	bool ok = true;

	s->texture = kiln_texture_create(s->device, "texture", &t, s->diags);
	for (uint32_t level = 0; s->texture && level < TEXTURE_MIPS && ok; level++) {
		uint32_t size = TEXTURE >> level;

		for (uint32_t i = 0; i < size * size; i++) {
			uint32_t x = i % size << level, y = i / size << level;

			texel[i][0] = (uint8_t)(x / 4), texel[i][1] = (uint8_t)(y / 4), texel[i][2] = (uint8_t)((x ^ y) / 4);
			texel[i][3] = 255;
		}
		ok = kiln_texture_write(s->texture, level, texel, 0, 0, s->diags);
	}
	mem_free(texel);
	s->views = kiln_descriptor_heap_create(s->device, KILN_HEAP_CBV_SRV_UAV, 1, s->diags);
	s->samplers = kiln_descriptor_heap_create(s->device, KILN_HEAP_SAMPLER, 1, s->diags);
	return ok && s->texture && s->views && s->samplers && kiln_descriptor_srv(s->views, 0, s->texture, NULL, s->diags) &&
		kiln_descriptor_sampler(s->samplers, 0, &sampler, s->diags);
}

/* Four root constants at b0. */
static struct kiln_root_signature *make_root(struct stage *s)
{
	struct root_parameter p = {.type = ROOT_PARAMETER_CONSTANTS, .num_constants = 4};
	struct root_signature r = {.version = 1, .flags = 1, .parameters = &p, .parameter_count = 1};
	struct kiln_root_signature *made;
	struct buf b = {0};

	root_signature_write(&r, &b);
	made = kiln_root_signature_create(s->device, "root signature", b.data, b.size, s->diags);
	buf_finish(&b);
	return made;
}

/* ---- the pipeline and the list ---- */

static bool has_depth(const struct bench_scene *c) { return c->kind == BENCH_GRID || c->kind == BENCH_CUBES; }

static bool make_pso(struct stage *s, const struct bench_scene *c)
{
	static const struct kiln_input_element_desc layout[] = {
		{"POSITION", 0, KILN_FORMAT_R32G32B32_FLOAT, 0, 0, KILN_PER_VERTEX, 0},
		{"NORMAL", 0, KILN_FORMAT_R32G32B32_FLOAT, 0, 12, KILN_PER_VERTEX, 0}};
	struct kiln_pso_desc d = {.name = c->name, .state = kiln_graphics_pipeline_default(), .VS = s->vs, .PS = s->ps,
		.root_signature = s->root};
	struct kiln_render_target_blend_desc *b = &d.state.BlendState.RenderTarget[0];

	d.state.NumRenderTargets = 1;
	d.state.RTVFormats[0] = c->format;
	d.state.RasterizerState.CullMode = KILN_CULL_NONE;
	d.state.DepthStencilState.DepthEnable = has_depth(c);
	if (has_depth(c)) {
		d.state.DSVFormat = KILN_FORMAT_D32_FLOAT;
		d.state.InputElementDescs = layout;
		d.state.NumInputElements = ARRAY_COUNT(layout);
	}
	if (c->blend) {
		b->BlendEnable = true;
		b->SrcBlend = KILN_BLEND_SRC_ALPHA;
		b->DestBlend = b->DestBlendAlpha = KILN_BLEND_INV_SRC_ALPHA;
		b->SrcBlendAlpha = KILN_BLEND_ONE;
	}
	s->pso = kiln_pso_create(s->device, &d, s->diags);
	return s->pso != NULL;
}

static void record(struct stage *s, const struct bench_scene *c)
{
	static const float black[4] = {0, 0, 0, 1};
	struct kiln_commands *l = s->list = kiln_commands_create(s->device);

	kiln_cmd_render_targets(l, 1, &s->color, s->depth);
	kiln_cmd_viewport(l, &(struct kiln_viewport){0, 0, WIDTH, HEIGHT, 0, 1});
	kiln_cmd_scissor(l, &(struct kiln_rect){0, 0, WIDTH, HEIGHT});
	kiln_cmd_clear_color(l, s->color, black);
	if (s->depth)
		kiln_cmd_clear_depth(l, s->depth, 1);
	kiln_cmd_pso(l, s->pso);
	kiln_cmd_topology(l, KILN_TOPOLOGY_TRIANGLELIST);
	if (s->vertices) {
		kiln_cmd_vertex_buffer(l, 0, s->vertices, 0, (uint32_t)s->vertices->size, 24);
		kiln_cmd_index_buffer(l, s->indices, 0, (uint32_t)s->indices->size, KILN_FORMAT_R32_UINT);
	}
	if (s->texture) {
		kiln_cmd_root_table(l, 0, s->views, 0);
		kiln_cmd_root_table(l, 1, s->samplers, 0);
	}
	if (c->kind == BENCH_GRID)
		kiln_cmd_draw_indexed(l, 6 * CELLS_X * CELLS_Y, 1, 0, 0, 0);
	else if (c->kind != BENCH_CUBES)
		kiln_cmd_draw(l, 3, c->layers, 0, 0);
	for (int i = 0; i < CUBES && c->kind == BENCH_CUBES; i++) {
		const float place[4] = {(float)(i % 100) / 50 - 0.99f, (float)(i / 100) / 50 - 0.99f, 0.007f, 0.5f + (float)(i % 7) / 14};
		uint32_t words[4];

		memcpy(words, place, sizeof words);
		kiln_cmd_root_constants(l, 0, 0, 4, words);
		kiln_cmd_draw_indexed(l, 36, 1, 0, 0, 0);
	}
}

static bool open_stage(struct stage *s, const struct bench_scene *c)
{
	struct kiln_texture_desc t = {.Format = c->format, .Width = WIDTH, .Height = HEIGHT};

	s->color = kiln_texture_create(s->device, "color", &t, s->diags);
	t.Format = KILN_FORMAT_D32_FLOAT;
	s->depth = has_depth(c) ? kiln_texture_create(s->device, "depth", &t, s->diags) : NULL;
	if (c->kind == BENCH_GRID)
		make_grid(s);
	if (c->kind == BENCH_CUBES)
		make_cube(s);
	return c->kind != BENCH_TEXTURED || make_texture(s);
}

static void close_stage(struct stage *s)
{
	struct kiln_resource *const resources[] = {s->color, s->depth, s->vertices, s->indices, s->texture};

	kiln_commands_destroy(s->list);
	kiln_pso_destroy(s->pso);
	kiln_root_signature_destroy(s->root);
	kiln_shader_destroy(s->vs);
	kiln_shader_destroy(s->ps);
	kiln_descriptor_heap_destroy(s->views);
	kiln_descriptor_heap_destroy(s->samplers);
	for (size_t i = 0; i < ARRAY_COUNT(resources); i++)
		kiln_resource_destroy(resources[i]);
	kiln_device_destroy(s->device);
}

/* Reading shaders and making the PSO belong to the first frame, meshes and textures do not. */
bool bench_scene_run(const struct bench_scene *c, const struct bench_options *o, struct bench_series *frames, uint64_t *first,
	struct kiln_diags *diags)
{
	struct kiln_device_desc desc = o->device;
	struct stage s = {.device = kiln_device_create(&desc), .diags = diags, .folder = o->folder};
	bool ok = open_stage(&s, c);
	uint64_t start = bench_now();

	if (ok) {
		s.vs = read_shader(&s, c->vs);
		s.ps = read_shader(&s, c->ps);
		s.root = c->kind == BENCH_CUBES ? make_root(&s) : NULL;
		ok = s.vs && s.ps && make_pso(&s, c);
	}
	for (unsigned i = 0; ok && i <= o->times; i++) {
		if (i == 0)
			record(&s, c);
		else
			start = bench_now();
		ok = kiln_execute(s.device, s.list, NULL, diags);
		if (i == 0)
			*first = bench_now() - start;
		else
			bench_add(frames, bench_now() - start);
	}
	if (ok && o->output) {
		char path[4096];

		snprintf(path, sizeof path, "%s/%s.png", o->output, c->name);
		ok = image_write(path, s.color, diags);
	}
	close_stage(&s);
	return ok;
}
