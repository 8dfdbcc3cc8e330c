/* Private to sim: one draw on its way from checked commands to pixels. The stages are files; each takes the draw and the
 * output of the stage before it: input (vertex fetch) -> geometry (vertex waves; assembly makes primitives) -> clip ->
 * setup (triangles), setup_line (lines, points, wireframe) -> bins -> raster (coverage, with lines and conservative) -> shade
 * (pixel waves, depth, colour block). */
#ifndef KILN_SIM_DRAW_H
#define KILN_SIM_DRAW_H
#include "sim/texture.h"

enum {
	DRAW_VARYINGS_MAX = 32,       /* vertex outputs that the pixel shader reads */
	DRAW_DISTANCES_MAX = 8,       /* clip and cull distances together (facts 1.3) */
	DRAW_ROOT_PARAMETERS_MAX = 64,
	DRAW_ROOT_CONSTANTS_MAX = 64,
	/* The architecture's batch: consecutive primitives of a draw, over instances, that share shaded vertices. A batch ends
	 * with its last wave partly filled. Wave intrinsics see this, so it is no tuning knob. */
	BATCH_PRIMITIVES = 1024,
	BATCH_VERTICES = 6 * BATCH_PRIMITIVES, /* triangles with adjacency */
	BATCH_SLOTS = 8192,           /* hash slots, a power of two above BATCH_VERTICES */
	POLYGON_MAX = 32,             /* vertices of a clipped triangle */
	SUBPIXELS = 256,              /* 16.8 */
	SAMPLES_MAX = 16
};

/* ---- state as commands set it ---- */
enum root_argument_kind { ROOT_UNSET, ROOT_CONSTANTS, ROOT_CBV, ROOT_SRV, ROOT_UAV, ROOT_TABLE };
struct root_argument {
	uint8_t kind;                 /* enum root_argument_kind */
	uint32_t constants[DRAW_ROOT_CONSTANTS_MAX];
	struct kiln_resource *buffer;
	uint32_t offset;              /* bytes */
	const struct kiln_descriptor_heap *heap;
	uint32_t first;               /* descriptor that is the table's offset 0 */
};
/* A colour target or depth buffer as bound: one mip of some array slices, or of some depth slices of a 3D texture. */
struct target {
	struct kiln_resource *resource;   /* NULL: none */
	const struct format_info *format; /* of the view */
	uint32_t mip, first_slice, slices;
	uint32_t width, height;           /* of the mip */
};
struct vertex_view {
	const struct kiln_resource *buffer;
	uint32_t offset, size, stride;
};
/* Where the samples of a pixel are, in 1/16 pixel from its centre, x right and y down, -8 to 7; for each pixel of a quad (0 top
 * left, 1 top right, 2 bottom left, 3 bottom right), because programmable positions may differ over a 2x2 tile. */
struct sample_pattern {
	uint8_t count;                /* 1, 2, 4, 8 or 16 */
	int8_t at[4][SAMPLES_MAX][2];
};
struct draw_state {
	char where[160];              /* the command now executed, for diagnostics */
	const struct pipeline *pipeline;
	uint32_t topology;
	struct kiln_viewport viewports[KILN_VIEWPORTS_MAX];
	struct kiln_rect scissors[KILN_VIEWPORTS_MAX];
	struct sample_pattern positions; /* count 0: the PSO's standard ones */
	struct target targets[KILN_RENDER_TARGETS_MAX], depth;
	uint32_t depth_flags;         /* enum kiln_dsv_flags */
	uint8_t stencil_ref[2];       /* front, back */
	float depth_bounds[2];
	struct vertex_view vertices[KILN_VERTEX_BUFFERS_MAX];
	struct vertex_view indices;   /* stride: bytes an index */
	uint32_t index_format;
	float blend_factor[4];
	struct root_argument root[DRAW_ROOT_PARAMETERS_MAX];
	const struct kiln_descriptor_heap *heaps[2]; /* resources, samplers; NULL: not set */
};
struct draw_call {
	bool indexed;
	uint32_t count, instances, first, first_instance;
	int32_t base_vertex;
};

/* ---- between the stages ---- */
/* A shaded vertex: homogeneous position, distances, what it chooses as a leading vertex, and the outputs that the pixel shader
 * reads. */
struct vertex {
	float position[4];
	uint32_t viewport, slice;     /* as written by the shader */
	float clip[DRAW_DISTANCES_MAX], cull[DRAW_DISTANCES_MAX];
	uint32_t attr[DRAW_VARYINGS_MAX][4];
};
/* A vertex in window space, not yet snapped. */
struct window_vertex {
	float x, y, z;
	double inv_w;
	const struct vertex *v;
	bool edge;                    /* the side to the next vertex is the primitive's own, not one that clipping made */
};
/* Inside where a x + b y + c >= exclusive, x and y in 1/256 pixel; exact in 64 bits. */
struct edge {
	int64_t a, b, c;
	int64_t exclusive;            /* 0 on top and left edges, else 1 */
};
/* A primitive ready for coverage and shading: a triangle, or the shape that a line or a point becomes. The weight of vertex i
 * at a point is edge[i] there over area, whatever the shape: a line's runs along it, a point's vertices are all the same. */
enum primitive_kind { PRIMITIVE_TRIANGLE, PRIMITIVE_LINE, PRIMITIVE_POINT };
struct triangle {
	int32_t x[3], y[3];           /* snapped, in the order that makes area positive; the ends of a line */
	int64_t area;                 /* twice the area, 1/65536 pixels; > 0 */
	struct edge edge[3];          /* opposite to vertex i */
	struct window_vertex at[3];   /* in the same order */
	const struct vertex *corner[3]; /* the primitive's own vertices, before clipping, in its own order; 0 is the leading one */
	uint32_t primitive_id;
	uint8_t kind;                 /* enum primitive_kind, of what was drawn; an edge of wireframe is still of a triangle */
	bool front;                   /* always set for lines and points */
	uint8_t viewport;             /* whose depth range clamps z; 0 to 15 */
	uint32_t slice;               /* of the targets; in range */
	bool smooth;                  /* an alpha-antialiased line: line_alpha() scales what the shader gives as alpha */
	float bias;                   /* added to z */
	const struct shape *shape;    /* what covers; alive while quads are emitted */
};
/* What decides coverage: a triangle's corners and edges, oriented as struct triangle's. Without area the edges all lie on
 * one line; conservative rasterisation sees it, samples do not. */
struct facet {
	int32_t x[3], y[3];
	struct edge edge[3];
};
enum cover {
	COVER_SAMPLES,                /* samples in one of the facets */
	COVER_TOUCHED,                /* all samples of a pixel that a facet touches: conservative rasterisation */
	COVER_DIAMONDS,               /* all samples of a pixel whose diamond the line leaves: aliased lines */
	COVER_AREA                    /* all samples of a pixel near enough to the line: alpha-antialiased lines */
};
/* What a primitive covers; each quad is emitted once. */
struct shape {
	uint8_t cover;                /* enum cover */
	int32_t x[2], y[2];           /* the line, start to end */
	unsigned facet_count;
	struct facet facet[POLYGON_MAX];
};
/* Half-open pixels: scissor, viewport and targets. */
struct pixel_bounds {
	int32_t x0, y0, x1, y1;
};

/* One pixel shader input slot. */
enum varying_kind { VARYING_ZERO, VARYING_CONSTANT, VARYING_LINEAR, VARYING_NOPERSPECTIVE, VARYING_POSITION,
	VARYING_FRONT_FACE, VARYING_PRIMITIVE_ID, VARYING_COVERAGE };
enum varying_place { PLACE_CENTER, PLACE_CENTROID, PLACE_SAMPLE, PLACE_COUNT };
struct varying {
	uint8_t kind;                 /* enum varying_kind */
	uint8_t place;                /* enum varying_place: where in the pixel it is evaluated */
	uint8_t slot;                 /* input slot of the pixel program */
	uint8_t attr;                 /* place in struct vertex */
	uint8_t read;                 /* components that ld_in reads; the others are not computed */
};

/* What a program's reads of resources go to; binding.c fills it in. */
struct constant_env {
	const struct draw *draw;
	const struct isa_program *program;
	const struct root_signature *root;
	const struct root_argument *arguments;
	struct bound *bound;          /* [program->resource_count] */
	struct root_argument heaps[2]; /* the state's descriptor heaps as tables: resources, samplers */
	struct miss {                 /* the first access that found nothing to read, for one diagnostic a draw */
		const char *fault;        /* NULL: none */
		enum diag_id id;
		unsigned resource;
		uint32_t element;
	} missed;
};

/* When depth and stencil are tested: after the pixel shader; before it, where that cannot be told from after; or both, where a
 * sample that fails before would fail after as well (conservative SV_Depth), written after. */
enum depth_order { DEPTH_LATE, DEPTH_EARLY, DEPTH_EARLY_AND_LATE };

struct draw {
	const struct draw_state *state;
	const struct pipeline *pipeline;
	struct draw_call call;
	uint64_t budget;
	bool uncounted;               /* nobody sees counters: not the caller, no query */
	bool opaque;                  /* nobody can tell whether what a later primitive of the draw covers was drawn: bins.c */
	uint32_t pattern;             /* of export slots that nobody wrote */
	struct draw_record *record;
	struct kiln_diags *diags;

	struct constant_env vs_env, ps_env, cs_env;
	struct vertex_fetch *fetch;   /* input.c */
	struct batch *batch;          /* geometry.c */
	struct pixel_waves *waves;    /* shade.c */
	struct bins *bins;            /* bins.c; NULL: primitives are drawn as they come */

	/* vertex program outputs */
	uint32_t attr_count;
	uint8_t attr_slot[DRAW_VARYINGS_MAX];       /* vertex output slot of each attribute */
	uint32_t barycentrics;                      /* bit of each attribute that is none: clip.c gives 1 to one vertex, 0 to two */
	uint8_t viewport_slot, slice_slot;          /* vertex output slots of the array indices; 0xff: 0 */
	uint32_t clip_count, cull_count;
	struct { uint8_t slot, component; } clip_from[DRAW_DISTANCES_MAX], cull_from[DRAW_DISTANCES_MAX];
	bool attr_noperspective[DRAW_VARYINGS_MAX]; /* clipped in screen space */
	bool attr_constant[DRAW_VARYINGS_MAX];      /* never interpolated */
	/* pixel program inputs */
	uint32_t varying_count;
	struct varying varyings[ISA_IO_MAX];
	uint8_t places;               /* bit of each enum varying_place that weights are needed at */
	uint32_t sys_read;            /* bit of each system value that the pixel program reads */
	bool centroids;               /* something is evaluated there */

	struct sample_pattern samples;              /* that coverage is found with: SampleDesc's or ForcedSampleCount's */
	uint32_t slices;                            /* of the targets; an index past them is 0 */
	struct pixel_bounds bounds[KILN_VIEWPORTS_MAX];
	/* Samples that coverage is found with, and those of the targets, that SampleMask lets through. They are the same but under
	 * a forced sample count: SampleMask is about the targets' then, and covered ones pass as long as one of those does. */
	bool forced_samples;
	uint32_t sample_mask, output_mask;
	bool rasterizes;              /* false: no pixel shader, depth and stencil off; primitives end before the clipper */
	uint8_t depth_order;          /* enum depth_order */
	bool forced_early;            /* [earlydepthstencil]: what the pixel shader gives changes no depth and no stencil */
	struct depth_target depth;
	float depth_range[KILN_VIEWPORTS_MAX][2]; /* MinDepth and MaxDepth of each viewport */
	struct color_target color[KILN_RENDER_TARGETS_MAX];
	bool color_on[KILN_RENDER_TARGETS_MAX];
};

/* ---- input.c ---- */
struct vertex_fetch *vertex_fetch_create(const struct draw *d);
void vertex_fetch_destroy(struct vertex_fetch *f);
/* Fills one lane of the vertex wave's inputs. vertex: index before BaseVertex, or counted from 0; instance from 0. */
void vertex_fetch_lane(const struct vertex_fetch *f, struct isa_wave *w, unsigned lane, uint32_t vertex, uint32_t instance);
/* Index k of the draw, FirstIndex added; past the end of the buffer 0. */
uint32_t index_fetch(const struct draw *d, uint32_t k);

/* ---- view.c: what of a resource is drawn to ---- */
/* caps: FORMAT_CAN_RENDER or FORMAT_CAN_DEPTH. Nothing is touched where it fails. view->resource NULL: no target. */
bool target_resolve(const struct kiln_target_view *view, unsigned caps, const char *where, struct kiln_diags *diags,
	struct target *out);
bool targets_overlap(const struct target *a, const struct target *b);
/* slice counts from the target's first. Ranges are the caller's affair. */
uint8_t *target_texel(const struct target *t, uint32_t slice, uint32_t x, uint32_t y, uint32_t sample);

/* ---- binding.c: (resource, element) of a program -> root parameter -> descriptor ---- */
/* What of a root signature serves a register: a root parameter, one range of its table, or a static sampler. */
struct root_entry {
	int parameter;                /* -1: none */
	const struct root_range *range;
	const struct root_sampler *sampler;
};
/* The entry that holds all registers of a resource; of an unbounded one the first. */
struct root_entry root_entry_find(const struct root_signature *root, uint8_t stage, const struct isa_resource *r);
/* Once a draw: finds the entries of all resources. */
void bindings_open(struct constant_env *e);
void bindings_close(struct constant_env *e);
/* Says what an access did not find. False: the draw must count as refused. */
bool bindings_report(const struct constant_env *e, struct kiln_diags *diags);
/* The env of isa_run(): user is a struct constant_env. */
void constant_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4]);
void resource_access(void *user, const struct isa_access *a); /* image_* and buffer_* rows */
/* Does the draw write to a subresource that the view reads? */
bool view_is_target(const struct draw_state *s, const struct view *v);
/* NULL: the view serves the resource; else what differs. */
const char *view_fault(const struct isa_resource *r, const struct view *v);

/* ---- check_bindings.c ---- */
/* Root arguments and the descriptors that are known before the draw, for one program (NULL is fine). */
bool bindings_check(const struct draw_state *s, const struct isa_program *p, struct kiln_diags *diags);

/* ---- draw.c: checks, and the driver of the stages ---- */
/* False: refused or stopped, diagnostics added. The record is filled either way. */
bool draw_run(const struct draw_state *state, const struct draw_call *call, const struct kiln_device_desc *desc,
	struct bins *bins, bool uncounted, struct draw_record *record, struct kiln_diags *diags);
/* check.c: everything that can be wrong with a draw. Warnings do not stop it. */
bool draw_check(const struct draw_state *state, const struct draw_call *call, struct kiln_diags *diags);
/* inverted: the device lets Height be negative and MinDepth lie above MaxDepth. */
bool viewport_check(const char *where, const struct kiln_viewport *v, bool inverted, struct kiln_diags *diags);

uint64_t record_issues(const struct isa_record *r); /* instructions, all units */
/* Moves what a wave recorded to the draw's sums. */
void record_take(struct isa_record *sum, struct isa_wave *w);

/* ---- compute.c: state's pipeline and root arguments are those of dispatches ---- */
bool dispatch_check(const struct draw_state *state, const uint32_t groups[3], struct kiln_diags *diags);
bool dispatch_run(const struct draw_state *state, const uint32_t groups[3], const struct kiln_device_desc *desc,
	struct draw_record *record, struct kiln_diags *diags);

/* ---- geometry.c ---- */
struct batch *batch_create(void); /* kept over the draws of an execution */
void batch_destroy(struct batch *b);
bool geometry_run(struct draw *d);
/* Is it a vertex of the draw's batches, which stay until the bins are emptied? */
bool geometry_owns(const struct draw *d, const struct vertex *v);

/* ---- bins.c ---- */
/* Bins and the threads that empty them, for one execution. threads 0: one a processor. */
struct bins *bins_create(unsigned threads);
void bins_destroy(struct bins *b);
/* The batch and the pixel waves of this thread, ready for the draw; kept for the next one. */
void bins_lend(struct bins *b, struct draw *d);
/* Around a draw. False: its effects have an order over the whole target, or there is nothing to draw to: no bins. */
bool bins_open(struct bins *b, struct draw *d);
void bins_close(struct bins *b);  /* counters and what was missed go to the draw */
/* A primitive on its way to the rasteriser; copied. False: a wave ran out of budget, diagnostic added. */
bool bins_put(struct draw *d, const struct triangle *t, const struct shape *s);
bool bins_flush(struct draw *d);  /* works all that waits; also without bins */

/* ---- assembly.c ---- */
enum { PRIMITIVE_VERTICES_MAX = 6 };
/* One primitive of a run of vertices without cuts: places in the run. Vertices are shaded in the order of at; those that real
 * names form the primitive, the leading one first, and the others are adjacent. */
struct assembled {
	uint32_t at[PRIMITIVE_VERTICES_MAX];
	uint8_t count, real_count, real[3];
};
/* Complete primitives in a run of length vertices. */
uint32_t assembly_count(uint32_t topology, uint32_t length);
/* Primitive i of n. */
void assembly_get(uint32_t topology, uint32_t i, uint32_t n, struct assembled *out);

/* ---- clip.c ---- */
/* Clips a point, line or triangle (by count) to the view volume, divides, applies the viewport, and hands it to set-up. */
bool clip_primitive(struct draw *d, const struct vertex *const *v, unsigned count, uint32_t primitive_id);

/* ---- setup.c ---- */
/* What all parts of a primitive share. */
struct primitive {
	const struct vertex *corner[3]; /* its own vertices, the leading one first; of lines and points some twice */
	uint32_t primitive_id, slice;
	uint8_t viewport, kind;       /* enum primitive_kind */
	bool front;
};
int32_t snap(float x);            /* 16.8, nearest even, saturated */
/* Twice the signed area of a snapped triangle; positive is clockwise on screen. */
int64_t snapped_area(const int32_t x[3], const int32_t y[3]);
/* Takes x, y and at in any order; puts them in the order that makes area positive, and sets the edges. False: no area. */
bool triangle_orient(struct triangle *t);
/* The same for a facet; gives the area. */
int64_t facet_orient(struct facet *f);
bool setup_polygon(struct draw *d, const struct primitive *p, const struct window_vertex *v, unsigned count);
/* Coverage of the shape to shading, where the primitive is not clipped away. */
bool setup_emit(struct draw *d, struct triangle *t, const struct shape *s);

/* ---- setup_line.c ---- */
bool setup_line(struct draw *d, const struct primitive *p, const struct window_vertex v[2], float bias);
bool setup_point(struct draw *d, const struct primitive *p, const struct window_vertex *v);
/* What a line covers in this mode (enum kiln_line_mode), and a point; false: nothing. */
bool line_shape(struct shape *s, uint32_t mode, const struct window_vertex v[2]);
void point_shape(struct shape *s, const struct window_vertex *v);

/* ---- samples.c ---- */
/* D3D's standard pattern of 1, 2, 4, 8 or 16 samples, the same in all pixels. */
void sample_pattern_standard(unsigned count, struct sample_pattern *out);
/* SampleDesc.Quality 0xFFFFFFFE: all samples at the centre. */
void sample_pattern_center(unsigned count, struct sample_pattern *out);

/* ---- raster.c ---- */
/* A 2x2 quad at even x, y. Bit 16 p + s of coverage: sample s of pixel p (0 top left, 1 top right, 2 bottom left, 3 bottom
 * right); never 0. False stops. */
typedef bool quad_fn(void *user, const struct triangle *t, int32_t x, int32_t y, uint64_t coverage);
/* Tiles of 8x8 pixels row by row, in a tile quads row by row. t is only handed on. */
bool raster_shape(const struct shape *s, const struct triangle *t, const struct pixel_bounds *b,
	const struct sample_pattern *samples, quad_fn *emit, void *user);
/* Pixels of the bounds that the shape may cover; empty ones may be turned inside out. */
struct pixel_bounds raster_box(const struct shape *s, const struct pixel_bounds *b);
/* True: nothing of the square of pixels is covered. */
bool raster_misses(const struct shape *s, int32_t x, int32_t y, int32_t size);
/* The edge's largest and smallest value over a rectangle in 1/256 pixel, edges of it included. */
int64_t edge_most(const struct edge *e, const struct pixel_bounds *r);
int64_t edge_least(const struct edge *e, const struct pixel_bounds *r);

/* ---- clip_distance.c ---- */
quad_fn clip_distance_quad;       /* user: the draw; what all interpolated clip distances leave goes to shade_quad */

/* ---- conservative.c ---- */
/* A facet and a pixel (or a square of them) share a point within the uncertainty of snapping. */
bool facet_touches(const struct facet *f, int32_t x, int32_t y, int32_t size);
/* The pixel lies inside the shape for certain: SV_InnerCoverage. */
bool shape_contains(const struct shape *s, int32_t x, int32_t y);

/* ---- lines.c ---- */
/* The line leaves the diamond of the pixel on its way (facts 1.6). */
bool line_leaves_diamond(const int32_t x[2], const int32_t y[2], int32_t px, int32_t py);
/* Some diamond of the square of pixels may meet the line. */
bool line_near(const int32_t x[2], const int32_t y[2], int32_t px, int32_t py, int32_t size);
/* How much of the pixel the line one pixel wide covers, 0 to 1: what alpha is multiplied by. */
float line_alpha(const int32_t x[2], const int32_t y[2], int32_t px, int32_t py);

/* ---- shade.c ---- */
struct pixel_waves *pixel_waves_create(const struct draw *d);
void pixel_waves_destroy(struct pixel_waves *p);
quad_fn shade_quad;               /* user: the draw */
bool shade_flush(struct draw *d); /* runs the last, partly filled wave */
void shade_out_of_budget(const struct draw *d); /* says so */
#endif
