/* Root signatures of scenes: D3D12's names in, a serialised root signature out (facts: RTS0), version 1.0, or 1.1 where it
 * has flags that 1.0 lacks; or the one that a container holds. What the bytes say is checked where they are parsed. */
#include "frontend/frontend.h"
#include "tools/scene.h"

enum { TABLE, CONSTANTS, CBV, SRV, UAV };
enum { PARAMETERS_MAX = 64, RANGES_MAX = 256, SAMPLERS_MAX = 256 };
struct range { uint32_t type, count, reg, space, flags, offset; };
struct parameter {
	uint32_t type, reg, space, count, flags, visibility;
	struct range *ranges;
	uint32_t range_count;
};
struct static_sampler { struct kiln_sampler_desc desc; uint32_t border, reg, space, visibility; };
struct root {
	const char *file;
	struct fy_node *file_node;
	struct parameter *parameters;
	struct static_sampler *samplers;
	uint32_t parameter_count, sampler_count, flags;
	bool has_flags;                      /* of ranges or descriptors */
};

static const struct yaml_name parameter_types[] = {{"DESCRIPTOR_TABLE", TABLE}, {"32BIT_CONSTANTS", CONSTANTS}, {"CBV", CBV},
	{"SRV", SRV}, {"UAV", UAV}, {0}};
static const struct yaml_name range_types[] = {{"SRV", 0}, {"UAV", 1}, {"CBV", 2}, {"SAMPLER", 3}, {0}};
static const struct yaml_name visibilities[] = {{"ALL", 0}, {"VERTEX", 1}, {"HULL", 2}, {"DOMAIN", 3}, {"GEOMETRY", 4},
	{"PIXEL", 5}, {0}};
static const struct yaml_name data_flags[] = {{"DESCRIPTORS_VOLATILE", 1}, {"DATA_VOLATILE", 2},
	{"DATA_STATIC_WHILE_SET_AT_EXECUTE", 4}, {"DATA_STATIC", 8},
	{"DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS", 0x10000}, {0}};
static const struct yaml_name root_flags[] = {{"ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT", 1}, {"DENY_VERTEX_SHADER_ROOT_ACCESS", 2},
	{"DENY_HULL_SHADER_ROOT_ACCESS", 4}, {"DENY_DOMAIN_SHADER_ROOT_ACCESS", 8}, {"DENY_GEOMETRY_SHADER_ROOT_ACCESS", 0x10},
	{"DENY_PIXEL_SHADER_ROOT_ACCESS", 0x20}, {"ALLOW_STREAM_OUTPUT", 0x40}, {0}};
static const struct yaml_name borders[] = {{"TRANSPARENT_BLACK", 0}, {"OPAQUE_BLACK", 1}, {"OPAQUE_WHITE", 2}, {0}};

/* ---- reading ---- */

static uint32_t read_flags(struct yaml *y, struct fy_node *n, const struct yaml_name *names)
{
	void *prev = NULL;
	struct fy_node *item;
	uint32_t all = 0, one = 0;
	if (yaml_expect_list(y, n, 0, 16))
		while ((item = fy_node_sequence_iterate(n, &prev)))
			all |= yaml_enum(y, item, names, &one) ? one : 0;
	return all;
}
static void read_data_flags(struct yaml *y, struct fy_node *n, void *at) { *(uint32_t *)at = read_flags(y, n, data_flags); }
static void read_root_flags(struct yaml *y, struct fy_node *n, void *at) { *(uint32_t *)at = read_flags(y, n, root_flags); }

/* A number, or the word that stands for all ones. */
static void read_count(struct yaml *y, struct fy_node *n, void *at)
{
	size_t length = 0;
	const char *s = fy_node_is_scalar(n) ? fy_node_get_scalar(n, &length) : "";
	if ((length == 9 && !strncmp(s, "UNBOUNDED", 9)) || (length == 6 && !strncmp(s, "APPEND", 6)))
		*(uint32_t *)at = UINT32_MAX;
	else
		yaml_u32(y, n, at);
}

#define RANGE(field) offsetof(struct range, field)
static const struct yaml_field range_fields[] = {
	{"RangeType", YAML_ENUM, RANGE(type), range_types, NULL, true},
	{"NumDescriptors", YAML_CUSTOM, RANGE(count), NULL, read_count, false},
	{"BaseShaderRegister", YAML_U32, RANGE(reg), NULL, NULL, true},
	{"RegisterSpace", YAML_U32, RANGE(space), NULL, NULL, false},
	{"OffsetInDescriptorsFromTableStart", YAML_CUSTOM, RANGE(offset), NULL, read_count, false},
	{"Flags", YAML_CUSTOM, RANGE(flags), NULL, read_data_flags, false},
};

static void read_ranges(struct yaml *y, struct fy_node *n, void *at)
{
	struct parameter *p = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, RANGES_MAX))
		return;
	p->ranges = arena_array(&y->arena, (size_t)fy_node_sequence_item_count(n) + 1, sizeof *p->ranges);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		struct range *r = &p->ranges[p->range_count++];
		*r = (struct range){.count = 1, .offset = UINT32_MAX};
		yaml_fields(y, item, range_fields, ARRAY_COUNT(range_fields), r);
	}
}

#define PARAMETER(field) offsetof(struct parameter, field)
static const struct yaml_field parameter_fields[] = {
	{"ParameterType", YAML_ENUM, PARAMETER(type), parameter_types, NULL, true},
	{"ShaderRegister", YAML_U32, PARAMETER(reg), NULL, NULL, false},
	{"RegisterSpace", YAML_U32, PARAMETER(space), NULL, NULL, false},
	{"Num32BitValues", YAML_U32, PARAMETER(count), NULL, NULL, false},
	{"DescriptorRanges", YAML_CUSTOM, 0, NULL, read_ranges, false},
	{"Flags", YAML_CUSTOM, PARAMETER(flags), NULL, read_data_flags, false},
	{"ShaderVisibility", YAML_ENUM, PARAMETER(visibility), visibilities, NULL, false},
};

/* Which fields belong to which type. */
static void check_parameter(struct yaml *y, struct fy_node *n, const struct parameter *p)
{
	static const struct { const char *name; uint8_t needed, taken; } rows[] = {
		{"ShaderRegister", 1 << CONSTANTS | 1 << CBV | 1 << SRV | 1 << UAV, 1 << CONSTANTS | 1 << CBV | 1 << SRV | 1 << UAV},
		{"RegisterSpace", 0, 1 << CONSTANTS | 1 << CBV | 1 << SRV | 1 << UAV},
		{"Num32BitValues", 1 << CONSTANTS, 1 << CONSTANTS}, {"DescriptorRanges", 1 << TABLE, 1 << TABLE},
		{"Flags", 0, 1 << CBV | 1 << SRV | 1 << UAV}};
	for (size_t i = 0; i < ARRAY_COUNT(rows) && p->type <= UAV && fy_node_is_mapping(n); i++) {
		bool has = yaml_has(n, rows[i].name);
		if (!has && rows[i].needed >> p->type & 1)
			yaml_error(y, n, DIAG_SCENE_MISSING, "'%s' is missing here", rows[i].name);
		else if (has && !(rows[i].taken >> p->type & 1))
			yaml_error(y, n, DIAG_SCENE_UNKNOWN_FIELD, "a parameter of this type has no '%s'", rows[i].name);
	}
}

static void read_parameters(struct yaml *y, struct fy_node *n, void *at)
{
	struct root *r = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, PARAMETERS_MAX))
		return;
	r->parameters = arena_array(&y->arena, (size_t)fy_node_sequence_item_count(n) + 1, sizeof *r->parameters);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		struct parameter *p = &r->parameters[r->parameter_count++];
		yaml_fields(y, item, parameter_fields, ARRAY_COUNT(parameter_fields), p);
		check_parameter(y, item, p);
		r->has_flags |= p->flags != 0;
		for (uint32_t i = 0; i < p->range_count; i++)
			r->has_flags |= p->ranges[i].flags != 0;
	}
}

#define SAMPLER(field) offsetof(struct static_sampler, field)
static const struct yaml_field sampler_fields[] = {
	SCENE_SAMPLER_FIELDS(SAMPLER(desc)),
	{"BorderColor", YAML_ENUM, SAMPLER(border), borders, NULL, false},
	{"ShaderRegister", YAML_U32, SAMPLER(reg), NULL, NULL, true},
	{"RegisterSpace", YAML_U32, SAMPLER(space), NULL, NULL, false},
	{"ShaderVisibility", YAML_ENUM, SAMPLER(visibility), visibilities, NULL, false},
};
static void read_samplers(struct yaml *y, struct fy_node *n, void *at)
{
	struct root *r = at;
	void *prev = NULL;
	struct fy_node *item;
	if (!yaml_expect_list(y, n, 0, SAMPLERS_MAX))
		return;
	r->samplers = arena_array(&y->arena, (size_t)fy_node_sequence_item_count(n) + 1, sizeof *r->samplers);
	while ((item = fy_node_sequence_iterate(n, &prev))) {
		struct static_sampler *s = &r->samplers[r->sampler_count++];
		s->desc = scene_sampler_default();
		yaml_fields(y, item, sampler_fields, ARRAY_COUNT(sampler_fields), s);
	}
}

/* ---- bytes ---- */

/* A table's ranges are written to `ranges`, which follows the payloads; `at` is where it will start. */
static void put_payload(const struct root *r, const struct parameter *p, uint32_t at, struct buf *out, struct buf *ranges)
{
	if (p->type != TABLE) {
		buf_u32(out, p->reg);
		buf_u32(out, p->space);
		if (p->type == CONSTANTS || r->has_flags)
			buf_u32(out, p->type == CONSTANTS ? p->count : p->flags);
		return;
	}
	buf_u32(out, p->range_count);
	buf_u32(out, at + (uint32_t)ranges->size);
	for (uint32_t i = 0; i < p->range_count; i++) {
		const struct range *x = &p->ranges[i];
		const uint32_t words[] = {x->type, x->count, x->reg, x->space};
		buf_put(ranges, words, sizeof words);
		if (r->has_flags)
			buf_u32(ranges, x->flags);
		buf_u32(ranges, x->offset);
	}
}

static void put_sampler(const struct static_sampler *s, struct buf *out)
{
	const struct kiln_sampler_desc *d = &s->desc;
	const uint32_t words[] = {d->Filter, d->AddressU, d->AddressV, d->AddressW, float_bits(d->MipLODBias), d->MaxAnisotropy,
		d->ComparisonFunc, s->border, float_bits(d->MinLOD), float_bits(d->MaxLOD), s->reg, s->space, s->visibility};
	buf_put(out, words, sizeof words);
}

/* Header, parameters, payloads, ranges, static samplers. */
static void serialise(const struct root *r, struct buf *out)
{
	struct buf payloads = {0}, ranges = {0};
	uint32_t first = 24 + 12 * r->parameter_count, size = 0;
	for (uint32_t i = 0; i < r->parameter_count; i++)
		size += r->parameters[i].type == CONSTANTS || (r->has_flags && r->parameters[i].type != TABLE) ? 12 : 8;
	for (uint32_t i = 0; i < r->parameter_count; i++)
		put_payload(r, &r->parameters[i], first + size, &payloads, &ranges);
	const uint32_t header[] = {r->has_flags ? 2 : 1, r->parameter_count, 24, r->sampler_count,
		first + size + (uint32_t)ranges.size, r->flags};
	buf_put(out, header, sizeof header);
	for (uint32_t i = 0, at = first; i < r->parameter_count; i++) {
		const struct parameter *p = &r->parameters[i];
		const uint32_t words[] = {p->type, p->visibility, at};
		buf_put(out, words, sizeof words);
		at += p->type == CONSTANTS || (r->has_flags && p->type != TABLE) ? 12 : 8;
	}
	buf_put(out, payloads.data, payloads.size);
	buf_put(out, ranges.data, ranges.size);
	for (uint32_t i = 0; i < r->sampler_count; i++)
		put_sampler(&r->samplers[i], out);
	buf_finish(&payloads);
	buf_finish(&ranges);
}

/* The part RTS0 of a container; what is no container is taken as the part's bytes. */
static void read_root_file(struct scene *s, const struct root *r, struct buf *out)
{
	struct yaml *y = &s->yaml;
	uint8_t *data = NULL;
	size_t size = 0;
	struct fe_container c;
	const char *path = scene_path(y, r->file);
	if (!file_read(path, SCENE_DATA_MAX, &data, &size, y->diags))
		yaml_error(y, r->file_node, DIAG_SCENE_REFERENCE, "the file '%s' cannot be read", r->file);
	else if (size < 4 || memcmp(data, "DXBC", 4))
		buf_put(out, data, size);
	else if (!fe_container_parse(data, size, path, &c, y->diags))
		yaml_error(y, r->file_node, DIAG_SCENE_REFERENCE, "the container '%s' cannot be read", r->file);
	else {
		const struct fe_part *part = fe_container_find(&c, FE_FOURCC('R', 'T', 'S', '0'));
		if (part)
			buf_put(out, part->data, part->size);
		else
			yaml_error(y, r->file_node, DIAG_SCENE_REFERENCE, "the container '%s' holds no root signature", r->file);
	}
	mem_free(data);
}

void scene_read_root(struct scene *s, struct fy_node *n)
{
	static const struct yaml_field fields[] = {
		{"file", YAML_STRING, offsetof(struct root, file), NULL, NULL, false},
		{"Flags", YAML_CUSTOM, offsetof(struct root, flags), NULL, read_root_flags, false},
		{"Parameters", YAML_CUSTOM, 0, NULL, read_parameters, false},
		{"StaticSamplers", YAML_CUSTOM, 0, NULL, read_samplers, false}};
	struct yaml *y = &s->yaml;
	struct root r = {.flags = 1, .file_node = n};
	struct buf b = {0};
	size_t before = kiln_diags_count(y->diags);
	if (n && fy_node_is_sequence(n))
		read_parameters(y, n, &r);
	else
		yaml_fields(y, n, fields, ARRAY_COUNT(fields), &r);
	if (r.file && fy_node_mapping_item_count(n) > 1)
		yaml_error(y, n, DIAG_SCENE_UNKNOWN_FIELD, "a root signature from a file has no other fields");
	if (kiln_diags_count(y->diags) == before) {
		if (r.file)
			read_root_file(s, &r, &b);
		else
			serialise(&r, &b);
	}
	s->has_root = true;
	s->root_data = b.size ? arena_copy(&y->arena, b.data, b.size) : NULL;
	s->root_size = b.size;
	buf_finish(&b);
}
