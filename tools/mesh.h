/* Meshes for scenes: generated shapes, the teapot, files through Assimp. All give the same layout: vertices are position and
 * normal, 6 floats (stride 24), with texture coordinates 8 (stride 32); indices are 32-bit, of triangle lists, clockwise seen
 * from outside in D3D's left-handed space, as its default front face wants it. */
#ifndef KILN_TOOLS_MESH_H
#define KILN_TOOLS_MESH_H
#include "isa/base.h"

enum mesh_shape { MESH_GRID, MESH_SPHERE, MESH_TORUS, MESH_CUBE, MESH_TEAPOT };
enum { MESH_CELLS_MAX = 1024, MESH_TEAPOT_CELLS_MAX = 64 };

struct mesh {
	uint32_t shape;              /* enum mesh_shape */
	uint32_t columns, rows;      /* cells, of a teapot a patch; 1 to MESH_CELLS_MAX (MESH_TEAPOT_CELLS_MAX) */
	float radius, tube;          /* of a teapot the radius of its body */
	bool uv;
};
struct point { double x, y, z; };

/* ---- mesh.c ---- */
void mesh_vertices(const struct mesh *m, struct buf *out);
void mesh_indices(const struct mesh *m, struct buf *out);
/* For the other generators: one vertex; two triangles of a cell's corners a b (above) and c d. */
void mesh_put_vertex(const struct mesh *m, struct buf *out, struct point p, struct point n, double u, double v);
void mesh_put_cell(struct buf *out, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* ---- teapot.c ---- */
void teapot_vertices(const struct mesh *m, struct buf *out);
void teapot_indices(const struct mesh *m, struct buf *out);

/* ---- mesh_file.c ---- */
/* All triangles of a file, its nodes' transforms applied, turned from the file's right-handed space into D3D's (z is
 * negated, v counts from the top). Missing normals become area-weighted means, missing coordinates 0. False: diagnostic. */
bool mesh_read(const char *path, bool uv, struct buf *vertices, struct buf *indices, struct kiln_diags *d);
#endif
