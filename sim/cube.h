/* Cube maps: directions, faces and what lies past their edges. Faces are numbered +X -X +Y -Y +Z -Z. Private to sim. */
#ifndef KILN_SIM_CUBE_H
#define KILN_SIM_CUBE_H
#include <stdint.h>

/* A texel of a face of n x n; x and y may be one outside. */
struct cube_texel {
	unsigned face;
	int32_t x, y;
};
/* The face that a direction meets: the largest magnitude; of equal ones Z, then Y, then X. */
unsigned cube_face(const float direction[3]);
/* A vector in a face's frame: right, down, and towards the face. */
void cube_project(unsigned face, const float vector[3], float out[3]);
/* Where on the face, 0 to 1 both ways. */
void cube_coordinates(unsigned face, const float direction[3], float uv[3]);
/* A texel one past an edge becomes its neighbour's across the edge; one past a corner becomes the one past x's edge, clamped. */
void cube_fold(struct cube_texel *t, int32_t n);
#endif
