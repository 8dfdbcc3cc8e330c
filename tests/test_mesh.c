/* Meshes: layout, winding and normals of every shape, the teapot against Newell's control points, and an OBJ file through
 * Assimp, with values worked out by hand from the file. */
#include "tools/mesh.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loaded { float *v; uint32_t *at; size_t stride, vertices, indices; struct buf vertex_bytes, index_bytes; };

static void view(struct loaded *l, bool uv)
{
	l->stride = uv ? 8 : 6;
	l->v = (float *)(void *)l->vertex_bytes.data;
	l->at = (uint32_t *)(void *)l->index_bytes.data;
	l->vertices = l->vertex_bytes.size / 4 / l->stride;
	l->indices = l->index_bytes.size / 4;
}

static struct loaded generate(const struct mesh *m)
{
	struct loaded l = {0};
	mesh_vertices(m, &l.vertex_bytes);
	mesh_indices(m, &l.index_bytes);
	view(&l, m->uv);
	return l;
}

static void unload(struct loaded *l)
{
	buf_finish(&l->vertex_bytes);
	buf_finish(&l->index_bytes);
}

/* Twice the area along the triangle's clockwise side, in D3D's left-handed space. */
static void face(const struct loaded *l, size_t t, double n[3])
{
	const float *p[3];
	double a[3], b[3];
	for (int k = 0; k < 3; k++)
		p[k] = l->v + l->at[t * 3 + (size_t)k] * l->stride;
	for (int i = 0; i < 3; i++) {
		a[i] = (double)p[1][i] - (double)p[0][i];
		b[i] = (double)p[2][i] - (double)p[0][i];
	}
	for (int i = 0; i < 3; i++)
		n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const float *b) { return a[0] * (double)b[0] + a[1] * (double)b[1] + a[2] * (double)b[2]; }

/* Unit normals, on the side from which the triangle is clockwise; coordinates in [0, 1]; indices in range. */
static void check(const struct loaded *l, const char *what)
{
	for (size_t i = 0; i < l->vertices; i++) {
		const float *v = l->v + i * l->stride;
		double length = sqrt((double)(v[3] * v[3] + v[4] * v[4] + v[5] * v[5]));
		cr_expect(fabs(length - 1) < 1e-5, "%s: normal %zu has length %g", what, i, length);
		for (size_t k = 6; k < l->stride; k++)
			cr_expect(v[k] >= 0 && v[k] <= 1, "%s: coordinate %g", what, (double)v[k]);
	}
	for (size_t t = 0; t < l->indices / 3; t++) {
		double n[3];
		for (int k = 0; k < 3; k++)
			cr_assert_lt(l->at[t * 3 + (size_t)k], l->vertices, "%s: index", what);
		face(l, t, n);
		double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
		for (int k = 0; k < 3 && area > 1e-7; k++)
			cr_expect(dot(n, l->v + l->at[t * 3 + (size_t)k] * l->stride + 3) > -1e-3 * area, "%s: triangle %zu is turned", what, t);
	}
}

Test(mesh, shapes)
{
	static const struct { struct mesh mesh; const char *name; size_t vertices, indices; } rows[] = {
		{{MESH_GRID, 3, 2, 1, 0, true}, "grid", 12, 36}, {{MESH_SPHERE, 16, 8, 1, 0, true}, "sphere", 153, 768},
		{{MESH_TORUS, 16, 8, 1, 0.25f, true}, "torus", 153, 768}, {{MESH_CUBE, 1, 1, 2, 0, true}, "cube", 24, 36},
		{{MESH_TEAPOT, 12, 10, 2, 0, true}, "teapot", 32 * 143, 32 * 120 * 6}};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		struct mesh plain = rows[i].mesh;
		plain.uv = false;
		struct loaded with = generate(&rows[i].mesh), without = generate(&plain);
		cr_expect_eq(with.vertices, rows[i].vertices, "%s: %zu vertices", rows[i].name, with.vertices);
		cr_expect_eq(with.indices, rows[i].indices, "%s: %zu indices", rows[i].name, with.indices);
		check(&with, rows[i].name);
		for (size_t k = 0; k < with.vertices; k++)
			cr_expect_eq(memcmp(with.v + k * 8, without.v + k * 6, 24), 0, "%s: uv changes vertex %zu", rows[i].name, k);
		unload(&with);
		unload(&without);
	}
}

/* The corner of each face that a viewer outside sees at the top left has coordinates (0, 0): worked out by looking at it. */
Test(mesh, cube_faces_stand_upright)
{
	static const float corners[6][6] = {{-1, 1, 1, -1, 0, 0}, {1, 1, -1, 1, 0, 0}, {1, -1, 1, 0, -1, 0}, {-1, 1, 1, 0, 1, 0},
		{-1, 1, -1, 0, 0, -1}, {1, 1, 1, 0, 0, 1}};
	struct loaded l = generate(&(struct mesh){MESH_CUBE, 1, 1, 1, 0, true});
	for (size_t f = 0; f < 6; f++) {
		bool found = false;
		for (size_t i = 0; i < l.vertices; i++)
			found |= !memcmp(l.v + i * 8, corners[f], 24) && l.v[i * 8 + 6] == 0 && l.v[i * 8 + 7] == 0;
		cr_expect(found, "face %zu", f);
	}
	unload(&l);
}

/* ---- the teapot ---- */

static bool has_vertex(const struct loaded *l, double x, double y, double z)
{
	for (size_t i = 0; i < l->vertices; i++) {
		const float *v = l->v + i * l->stride;
		if (fabs((double)v[0] - x) < 1e-6 && fabs((double)v[1] - y) < 1e-6 && fabs((double)v[2] - z) < 1e-6)
			return true;
	}
	return false;
}

/* Corners of patches lie on the surface: control points 1, 4, 13, 16 of several of Newell's patches, his y and z exchanged;
 * the point (1/2, 1/2) of the first rim patch, by its weights 1/64 (1 3 3 1) by (1 3 3 1). */
Test(mesh, teapot_passes_through_newells_points)
{
	static const double points[][3] = {{1.4, 2.4, 0}, {0, 2.4, -1.4}, {1.5, 2.4, 0}, {2, 0.9, 0}, {-2, 0.9, 0}, {0, 0.15, 1.5},
		{0, 3.15, 0}, {0.2, 2.7, 0}, {1.3, 2.4, 0}, {0, 0, 0}, {-1.6, 2.025, 0}, {-1.5, 2.25, 0}, {-2.7, 1.8, 0}, {-3, 1.8, 0},
		{-1.9, 0.6, 0}, {1.7, 1.425, 0}, {1.7, 0.6, 0}, {2.7, 2.4, 0}, {3.3, 2.4, 0}, {2.8, 2.4, 0}, {3.2, 2.4, 0}};
	struct loaded l = generate(&(struct mesh){MESH_TEAPOT, 2, 2, 2, 0, false});
	for (size_t i = 0; i < ARRAY_COUNT(points); i++)
		cr_expect(has_vertex(&l, points[i][0], points[i][1], points[i][2]), "(%g, %g, %g)", points[i][0], points[i][1], points[i][2]);
	/* r (1 + 3 * 1 + 3 * 0.56) / 8 with r = (1.4 + 3 * 1.3375 + 3 * 1.4375 + 1.5) / 8; z alike */
	double r = 11.225 / 8 * 5.68 / 8, z = (2.4 + 3 * 2.53125 + 3 * 2.53125 + 2.4) / 8;
	cr_expect(has_vertex(&l, r, z, r), "the middle of the rim's first patch");
	unload(&l);
}

static int compare_edges(const void *a, const void *b) { return memcmp(a, b, 6 * sizeof(float)); }

/* An edge that no other triangle has lies where Newell left an opening: rim and lid do not touch (r = 1.4 and 1.3 at z =
 * 2.4), handle and spout end inside the body or at the mouth. */
static bool opening(const float *p)
{
	double r = sqrt((double)(p[0] * p[0] + p[2] * p[2]));
	return (fabs((double)p[1] - 2.4) < 1e-4 && r > 1.29 && r < 1.41) || /* rim, lid */
		(p[0] < 0 && p[0] > -2.01f && fabs(p[2]) < 0.31f) ||             /* handle's ends */
		(fabs((double)p[0] - 1.7) < 1e-4) ||                             /* spout's root */
		(fabs((double)p[1] - 2.4) < 1e-4 && p[0] > 2.79f);               /* and mouth */
}

Test(mesh, teapot_is_closed)
{
	struct loaded l = generate(&(struct mesh){MESH_TEAPOT, 8, 8, 2, 0, false});
	size_t edges = l.indices, open = 0;
	float (*edge)[6] = calloc(edges, sizeof *edge);
	double volume = 0;
	for (size_t i = 0; i < l.vertices * 6; i++) /* welded: the last bits differ between patches, and so does the sign of 0 */
		l.v[i] = roundf(l.v[i] * 65536.0f) / 65536.0f + 0.0f;
	for (size_t i = 0; i < edges; i++) {
		const float *a = l.v + l.at[i] * 6, *b = l.v + l.at[i - i % 3 + (i + 1) % 3] * 6;
		bool swap = memcmp(a, b, 12) > 0;
		memcpy(edge[i], swap ? b : a, 12);
		memcpy(edge[i] + 3, swap ? a : b, 12);
	}
	qsort(edge, edges, sizeof *edge, compare_edges);
	for (size_t i = 0, n; i < edges; i += n) {
		for (n = 1; i + n < edges && !memcmp(edge[i], edge[i + n], sizeof *edge); n++)
			;
		if (!memcmp(edge[i], edge[i] + 3, 12) || n % 2 == 0)
			continue; /* collapsed to a point of the axis; or shared */
		open++;
		cr_expect(opening(edge[i]) && opening(edge[i] + 3), "open edge (%g, %g, %g)-(%g, %g, %g)", (double)edge[i][0],
			(double)edge[i][1], (double)edge[i][2], (double)edge[i][3], (double)edge[i][4], (double)edge[i][5]);
	}
	cr_expect_eq(open, (4 + 4 + 2 + 2 + 2 + 2) * 8, "%zu open edges", open); /* rim, lid, handle's ends, spout's ends */
	for (size_t t = 0; t < l.indices / 3; t++) {
		double n[3];
		face(&l, t, n);
		volume += dot(n, l.v + l.at[t * 3] * 6) / 6;
	}
	cr_expect(volume > 18 && volume < 30, "volume %g", volume); /* a barrel of radius 1.5 to 2 and height 2.4, lid, spout */
	free(edge);
	unload(&l);
}

/* ---- files ---- */

Test(mesh, obj_file)
{
	struct kiln_diags *d = kiln_diags_create();
	struct loaded l = {0};
	bool ok = mesh_read(KILN_SOURCE_DIR "/tests/meshes/house.obj", true, &l.vertex_bytes, &l.index_bytes, d);
#ifdef KILN_HAS_ASSIMP
	cr_assert(ok, "%s", kiln_diags_count(d) ? kiln_diags_get(d, 0)->text : "");
	view(&l, true);
	check(&l, "house");
	cr_expect_eq(l.indices, 3 * (4 * 2 + 2 + 2 * 2 + 1));
	double n[3], sum = 0, up = 0;
	for (size_t t = 0; t < l.indices / 3; t++) {
		face(&l, t, n);
		sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
		up += n[1] / 2;
	}
	cr_expect(fabs(sum - (8 + 2 + 4 * sqrt(2.0) + 0.125)) < 1e-5, "area %g", sum); /* walls, gables, roof, cap */
	cr_expect(fabs(up - (4 + 0.125)) < 1e-5, "the roof covers %g", up);
	/* the front wall's lower left corner (-1, 0, 1), (0, 0): z negated, v from the top */
	static const float corner[3] = {-1, 0, -1};
	bool found = false;
	for (size_t i = 0; i < l.vertices; i++)
		found |= !memcmp(l.v + i * 8, corner, 12) && l.v[i * 8 + 6] == 0 && l.v[i * 8 + 7] == 1;
	cr_expect(found);
#else
	cr_expect(!ok && kiln_diags_has(d, DIAG_MESH_IMPORTER_MISSING));
#endif
	kiln_diags_destroy(d);
	unload(&l);
}

#ifdef KILN_HAS_ASSIMP
Test(mesh, bad_files)
{
	static const struct { const char *name, *text; } rows[] = {{"nothing.obj", ""}, {"noise.obj", "f 1 2 3\nf 9 9 9\n"},
		{"points.obj", "v 0 0 0\np 1\n"}, {"cut.ply", "ply\nformat ascii 1.0\nelement vertex 3\n"}, {"what.xyz", "abc"},
		{"bad.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 77}}]}]}"}};
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		char path[256];
		struct kiln_diags *d = kiln_diags_create();
		struct buf v = {0}, at = {0};
		snprintf(path, sizeof path, "%s/mesh_%s", KILN_BINARY_DIR, rows[i].name);
		cr_assert(file_write(path, rows[i].text, strlen(rows[i].text), d));
		cr_expect(!mesh_read(path, true, &v, &at, d), "%s", rows[i].name);
		cr_expect(kiln_diags_has(d, DIAG_MESH_INVALID) && !v.size && !at.size, "%s", rows[i].name);
		remove(path);
		kiln_diags_destroy(d);
	}
}
#endif
