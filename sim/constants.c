/* Constant buffer reads: (resource, element, row) of a program -> root parameter -> sixteen bytes. Rows past the end of the
 * root constants or of the buffer read zeros, word by word. */
#include "sim/draw.h"
#include <string.h>

enum { PARAMETER_CONSTANTS = 1, PARAMETER_CBV = 2 };

static bool visible(const struct root_parameter *p, uint8_t stage)
{
	return p->visibility == 0 || p->visibility == (stage == ISA_VERTEX ? 1 : 5);
}

int root_parameter_find(const struct root_signature *root, uint8_t stage, uint32_t reg, uint32_t space)
{
	for (size_t i = 0; i < root->parameter_count && i < DRAW_ROOT_PARAMETERS_MAX; i++) {
		const struct root_parameter *p = &root->parameters[i];

		if ((p->type == PARAMETER_CONSTANTS || p->type == PARAMETER_CBV) && p->reg == reg && p->space == space &&
			visible(p, stage))
			return (int)i;
	}
	return -1;
}

static void row_of(const uint8_t *data, uint64_t size, uint32_t row, uint32_t out[4])
{
	for (uint32_t i = 0; i < 4; i++) {
		uint64_t at = ((uint64_t)row * 4 + i) * 4;

		if (at + 4 <= size)
			memcpy(&out[i], data + at, 4);
	}
}

void constant_row(void *user, unsigned resource, uint32_t array_index, uint32_t row, uint32_t out[4])
{
	const struct constant_env *env = user;
	const struct isa_resource *r = &env->program->resources[resource];
	int parameter =
		array_index < r->count ? root_parameter_find(env->root, env->program->stage, r->lower + array_index, r->space) : -1;
	const struct root_argument *a;

	memset(out, 0, 4 * sizeof *out);
	if (parameter < 0)
		return;
	a = &env->arguments[parameter];
	if (a->kind == ROOT_CONSTANTS)
		row_of((const uint8_t *)a->constants, env->root->parameters[parameter].num_constants * 4ull, row, out);
	else if (a->kind == ROOT_CBV && a->offset < a->buffer->size)
		row_of(a->buffer->data + a->offset, a->buffer->size - a->offset, row, out);
}
