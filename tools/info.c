/* kiln info: what a container holds. The facts are gathered as JSON once; text is printed from them. */
#include "frontend/frontend.h"
#include "pso/pso.h"
#include "tools/tools.h"
#include <string.h>

/* ---- gathering ---- */

static const char *name_of(const char *const *names, size_t count, uint32_t i) { return i < count && names[i] ? names[i] : "?"; }
#define NAME(names, i) name_of(names, ARRAY_COUNT(names), i)

static const char *const stages[] = {"pixel", "vertex", "geometry", "hull", "domain", "compute", "library", "raygeneration",
	"intersection", "anyhit", "closesthit", "miss", "callable", "mesh", "amplification", "node"};
static const char *const types[] = {"unknown", "uint", "int", "float", "uint16", "int16", "float16", "uint64", "int64", "float64"};
static const char *const system_values[] = {"none", "position", "clip distance", "cull distance", "rt array index",
	"viewport index", "vertex id", "primitive id", "instance id", "is front face", "sample index", [64] = "target", "depth",
	"coverage", "depth greater equal", "depth less equal", "stencil ref", "inner coverage"};
static const char *const bind_types[] = {"invalid", "sampler", "cbuffer", "srv typed", "srv raw", "srv structured", "uav typed",
	"uav raw", "uav structured", "uav structured with counter"};
static const char *const parameter_types[] = {"table", "constants", "cbv", "srv", "uav"};
static const char *const range_types[] = {"srv", "uav", "cbv", "sampler"};
static const char *const visibilities[] = {"all", "vertex", "hull", "domain", "geometry", "pixel", "amplification", "mesh"};

static json_t *hex_string(const uint8_t *bytes, size_t n)
{
	char text[65] = "";
	for (size_t i = 0; i < n && i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return json_string(text);
}

static json_t *parts_json(const struct fe_container *c)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < c->part_count; i++) {
		char name[5];
		fe_fourcc_name(c->parts[i].fourcc, name);
		json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "part", name, "offset", (int)c->parts[i].offset, "size",
			(int)c->parts[i].size));
	}
	return list;
}

static void mask_text(unsigned mask, char out[5])
{
	for (unsigned i = 0; i < 4; i++)
		out[i] = mask >> i & 1 ? "xyzw"[i] : '-';
	out[4] = 0;
}

static json_t *signature_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	struct fe_signature s;
	if (!fe_signature_parse(part, where, &s, d))
		return NULL;
	json_t *list = json_array();
	for (size_t i = 0; i < s.count; i++) {
		const struct fe_signature_element *e = &s.elements[i];
		char mask[5];
		mask_text(e->mask, mask);
		json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:i, s:s, s:s}", "semantic", e->name, "index", (int)e->index,
			"mask", mask, "register", e->reg == UINT32_MAX ? -1 : (int)e->reg, "system_value",
			NAME(system_values, e->system_value), "type", NAME(types, e->type)));
	}
	return list;
}

static json_t *psv_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	struct fe_psv *psv = mem_alloc(sizeof *psv);
	json_t *resources = json_array(), *out = NULL;
	if (fe_psv_parse(part, where, psv, d)) {
		for (size_t i = 0; i < psv->resource_count; i++) {
			const struct fe_psv_resource *r = &psv->resources[i];
			json_array_append_new(resources, json_pack("{s:s, s:i, s:I, s:I}", "type", NAME(bind_types, r->type), "space",
				(int)r->space, "lower", (json_int_t)r->lower, "upper", (json_int_t)r->upper));
		}
		out = json_pack("{s:i, s:s, s:I, s:I, s:[i,i,i], s:O}", "info_bytes", (int)psv->info_size, "entry", psv->entry,
			"min_wave", (json_int_t)psv->min_wave, "max_wave", (json_int_t)psv->max_wave, "threads", (int)psv->threads[0],
			(int)psv->threads[1], (int)psv->threads[2], "resources", resources);
	}
	json_decref(resources);
	mem_free(psv);
	return out;
}

static json_t *parameter_json(const struct root_parameter *p)
{
	json_t *j = json_pack("{s:s, s:s}", "type", NAME(parameter_types, p->type), "visibility", NAME(visibilities, p->visibility));
	if (p->type == 0) {
		json_t *ranges = json_array();
		for (size_t i = 0; i < p->range_count; i++)
			json_array_append_new(ranges, json_pack("{s:s, s:I, s:i, s:i}", "type", NAME(range_types, p->ranges[i].type), "count",
				(json_int_t)p->ranges[i].count, "register", (int)p->ranges[i].reg, "space", (int)p->ranges[i].space));
		json_object_set_new(j, "ranges", ranges);
		return j;
	}
	json_object_set_new(j, "register", json_integer(p->reg));
	json_object_set_new(j, "space", json_integer(p->space));
	if (p->type == 1)
		json_object_set_new(j, "constants", json_integer(p->num_constants));
	return j;
}

static json_t *root_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	struct root_signature *r = root_signature_parse(part->data, part->size, where, d);
	if (!r)
		return NULL;
	json_t *parameters = json_array();
	for (size_t i = 0; i < r->parameter_count; i++)
		json_array_append_new(parameters, parameter_json(&r->parameters[i]));
	json_t *j = json_pack("{s:i, s:i, s:o, s:i}", "version", (int)r->version, "flags", (int)r->flags, "parameters", parameters,
		"static_samplers", (int)r->sampler_count);
	root_signature_destroy(r);
	return j;
}

static json_t *program_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	struct fe_bitcode b;
	if (!fe_bitcode_find(part, where, &b, d))
		return NULL;
	return json_pack("{s:s, s:i, s:i, s:i}", "stage", NAME(stages, b.kind), "model_major", (int)b.major, "model_minor",
		(int)b.minor, "bitcode_bytes", (int)b.size);
}

static json_t *features_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	uint64_t flags;
	char text[20];
	if (!fe_features_parse(part, where, &flags, d))
		return NULL;
	snprintf(text, sizeof text, "0x%016llx", (unsigned long long)flags);
	return json_string(text);
}

static json_t *hash_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	struct fe_hash h;
	return fe_hash_parse(part, where, &h, d) ? hex_string(h.digest, sizeof h.digest) : NULL;
}

static json_t *program_of(const struct fe_precompiled *e, const char *where, struct kiln_diags *d)
{
	static const char *const consoles[KILN_CONSOLE_COUNT] = {"none", "xbox-one", "xbox-series"};
	struct isa_program *p = isa_program_decode(e->isa, e->size, where, d);
	if (!p)
		return NULL;
	json_t *j = json_pack("{s:s, s:o, s:s, s:i, s:i, s:i, s:i, s:i}", "console",
		e->console < KILN_CONSOLE_COUNT ? consoles[e->console] : "unknown", "root_signature",
		hex_string(e->root_key, sizeof e->root_key), "stage", isa_stage_names[p->stage], "wave", (int)p->wave_size,
		"instructions", (int)p->inst_count, "vgprs", (int)p->vgprs, "sgprs", (int)p->sgprs, "scratch", (int)p->scratch);
	isa_program_destroy(p);
	return j;
}

static json_t *isa_json(const struct fe_part *part, const char *where, struct kiln_diags *d)
{
	struct fe_precompiled_list list;
	if (!fe_precompiled_read(part, where, &list, d))
		return NULL;
	json_t *j = json_array();
	for (size_t i = 0; i < list.count; i++) {
		json_t *p = program_of(&list.entries[i], where, d);
		if (p)
			json_array_append_new(j, p);
	}
	return j;
}

static const struct section {
	const char *name;
	uint32_t fourcc;
	json_t *(*gather)(const struct fe_part *part, const char *where, struct kiln_diags *d);
} sections[] = {
	{"program", FE_FOURCC('D', 'X', 'I', 'L'), program_json},
	{"inputs", FE_FOURCC('I', 'S', 'G', '1'), signature_json},
	{"outputs", FE_FOURCC('O', 'S', 'G', '1'), signature_json},
	{"patch_or_primitive", FE_FOURCC('P', 'S', 'G', '1'), signature_json},
	{"validation", FE_FOURCC('P', 'S', 'V', '0'), psv_json},
	{"root_signature", FE_FOURCC('R', 'T', 'S', '0'), root_json},
	{"features", FE_FOURCC('S', 'F', 'I', '0'), features_json},
	{"hash", FE_FOURCC('H', 'A', 'S', 'H'), hash_json},
	{"isa", FE_ISA_PART, isa_json},
};

static json_t *gather(const char *path, struct kiln_diags *d)
{
	uint8_t *data = NULL;
	size_t size = 0;
	struct fe_container c;
	json_t *out = NULL;
	if (read_input(path, &data, &size, d) && fe_container_parse(data, size, path, &c, d)) {
		out = json_pack("{s:o, s:i, s:b, s:o, s:o}", "file", json_text(path, strlen(path)), "bytes", (int)size, "signed", c.is_signed, "digest",
			hex_string(c.digest, sizeof c.digest), "parts", parts_json(&c));
		for (size_t i = 0; i < ARRAY_COUNT(sections); i++) {
			const struct fe_part *part = fe_container_find(&c, sections[i].fourcc);
			json_t *j = part ? sections[i].gather(part, path, d) : NULL;
			if (j)
				json_object_set_new(out, sections[i].name, j);
		}
	}
	mem_free(data);
	return out;
}

/* ---- printing ---- */

static void print_value(const json_t *v)
{
	if (json_is_string(v))
		printf("%s", json_string_value(v));
	else if (json_is_boolean(v))
		printf("%s", json_is_true(v) ? "yes" : "no");
	else if (json_is_integer(v) && json_integer_value(v) == UINT32_MAX)
		printf("any");
	else if (json_is_integer(v))
		printf("%lld", (long long)json_integer_value(v));
}

static void print_tree(const char *key, json_t *v, int depth)
{
	const char *name;
	json_t *item;
	size_t i;
	if (!json_is_object(v) && !json_is_array(v)) {
		printf("%*s%s: ", depth * 2, "", key);
		print_value(v);
		putchar('\n');
		return;
	}
	if (json_is_object(v)) {
		if (*key)
			printf("%*s%s\n", depth * 2, "", key);
		json_object_foreach (v, name, item)
			print_tree(name, item, depth + (*key != 0));
		return;
	}
	printf("%*s%s (%zu)\n", depth * 2, "", key, json_array_size(v));
	json_array_foreach (v, i, item) {
		printf("%*s", depth * 2 + 2, "");
		if (!json_is_object(item))
			print_value(item);
		else {
			json_t *field;
			json_object_foreach (item, name, field)
				if (!json_is_array(field)) {
					printf("%s ", name);
					print_value(field);
					printf("  ");
				}
		}
		putchar('\n');
		json_t *ranges = json_object_get(item, "ranges");
		if (ranges)
			print_tree("ranges", ranges, depth + 2);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == 'j') {
		*(bool *)state->input = true;
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	return key == ARGP_KEY_NO_ARGS ? 0 : ARGP_ERR_UNKNOWN;
}

int verb_info(int argc, char **argv)
{
	static const struct argp_option options[] = {{"json", 'j', NULL, 0, "As JSON, a list with an entry a file", 0}, {0}};
	static const struct argp argp = {options, parse, "SHADER.cso...",
		"Parts, signatures, resources and root signature of shader containers.\vExample: kiln info shader.cso", 0, 0, 0};
	bool json = false;
	int first, code = EXIT_DONE;
	argp_parse(&argp, argc, argv, 0, &first, &json);
	json_t *list = json_array();
	for (int i = first; i < argc; i++) {
		struct kiln_diags *d = kiln_diags_create();
		json_t *j = gather(argv[i], d);
		if (j && !json)
			print_tree("", j, 0);
		if (!j)
			j = json_pack("{s:o}", "file", json_text(argv[i], strlen(argv[i])));
		json_object_set_new(j, "diagnostics", json_diags(d));
		json_array_append_new(list, j);
		print_diags(stderr, d);
		int one = exit_for_diags(d);
		code = one > code ? one : code;
		kiln_diags_destroy(d);
	}
	if (json)
		print_json(list);
	else
		json_decref(list);
	return code;
}
