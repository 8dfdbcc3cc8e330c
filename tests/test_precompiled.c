/* Shaders that bring ISA along, the three ways: (A) ISA alone, (B) ISA and DXIL, (C) DXIL alone; by console and root
 * signature. The compiler is a stand-in that counts: no LLVM is needed. Containers are made by hand and signed. */
#include "frontend/frontend.h"
#include "sim/sim.h"
#include "tests/pso_rig.h"

struct rig {
	struct setup s;
	struct kiln_device *device;
	unsigned compiled;                 /* calls of the stand-in */
};

static struct isa_program *stand_in(void *user, const uint8_t *data, size_t size, const char *where,
	const struct kiln_device_desc *desc, struct kiln_diags *diags)
{
	struct rig *r = user;
	(void)data, (void)size, (void)desc, (void)diags;
	r->compiled++;
	return isa_program_copy(where[0] == 'v' ? r->s.vs : r->s.ps);
}

static void open_rig(struct rig *r, enum kiln_console console)
{
	r->compiled = 0;
	begin(&r->s);
	r->device = kiln_device_create(&(struct kiln_device_desc){.console = console});
	sim_device_set_compiler(r->device, &(struct sim_compiler){stand_in, r});
}

static void close_rig(struct rig *r)
{
	kiln_device_destroy(r->device);
	end(&r->s);
}

/* Root constants for nobody, so that another number of them is another root signature. */
static struct buf root_bytes(uint32_t constants)
{
	struct root_parameter parameter = {.type = 1, .reg = 9, .num_constants = constants};
	const struct root_signature root = {.version = 2, .flags = 1, .parameters = &parameter, .parameter_count = 1};
	struct buf b = {0};
	root_signature_write(&root, &b);
	return b;
}

static void key_of(uint32_t constants, uint8_t key[ROOT_KEY_BYTES])
{
	struct buf b = root_bytes(constants);
	struct kiln_diags *d = kiln_diags_create();
	struct root_signature *root = root_signature_parse(b.data, b.size, "root", d);
	root_signature_key(root, key);
	root_signature_destroy(root);
	kiln_diags_destroy(d);
	buf_finish(&b);
}

struct content {
	bool dxil;
	struct { bool there, damaged; uint32_t console, constants; } isa[3]; /* constants 0: the default root signature */
};

static struct buf container(const struct isa_program *p, const struct content *c)
{
	struct fe_precompiled_list list = {0};
	struct fe_container parsed = {0};
	struct kiln_diags *d = kiln_diags_create();
	struct buf isa[3] = {{0}}, part = {0}, one = {0}, two = {0};
	for (size_t i = 0; i < ARRAY_COUNT(c->isa); i++) {
		struct fe_precompiled e = {.console = c->isa[i].console};
		isa_program_encode(p, &isa[i]);
		isa[i].data[isa[i].size - 1] ^= c->isa[i].damaged;
		e.isa = isa[i].data;
		e.size = isa[i].size;
		if (c->isa[i].constants)
			key_of(c->isa[i].constants, e.root_key);
		if (c->isa[i].there)
			cr_assert(fe_precompiled_put(&list, &e));
	}
	cr_assert(fe_container_with_part(&parsed, FE_FOURCC('I', 'G', 'N', 'O'), "none", 4, &one));
	cr_assert(fe_container_parse(one.data, one.size, "one", &parsed, d));
	if (list.count) {
		fe_precompiled_write(&list, &part);
		cr_assert(fe_container_with_part(&parsed, FE_ISA_PART, part.data, part.size, &two));
		buf_finish(&one);
		one = two;
		two = (struct buf){0};
		cr_assert(fe_container_parse(one.data, one.size, "two", &parsed, d));
	}
	if (c->dxil) {
		cr_assert(fe_container_with_part(&parsed, FE_FOURCC('D', 'X', 'I', 'L'), "dxil", 4, &two));
		buf_finish(&one);
		one = two;
	}
	for (size_t i = 0; i < ARRAY_COUNT(isa); i++)
		buf_finish(&isa[i]);
	buf_finish(&part);
	kiln_diags_destroy(d);
	return one;
}

static struct kiln_shader *shader(struct rig *r, const char *name, const struct content *c)
{
	struct buf b = container(*name == 'v' ? r->s.vs : r->s.ps, c);
	struct kiln_shader *s = kiln_shader_create(r->device, name, b.data, b.size, r->s.diags);
	buf_finish(&b);
	return s;
}

enum { ONE = KILN_CONSOLE_XBOX_ONE, SERIES = KILN_CONSOLE_XBOX_SERIES };
/* compiled: in all; unwanted: of them or of refusals; number: the diagnostic, 0 none. made: 0 no shader, 1 a shader,
 * 2 a PSO too. */
static const struct row {
	const char *what;
	uint32_t console, constants;
	struct content content;
	unsigned made, compiled, unwanted;
	uint32_t number;
} rows[] = {
	{"C: compiled", 0, 0, {true, {{0}}}, 2, 1, 0, 0},
	{"C on a console, with a root signature", ONE, 4, {true, {{0}}}, 2, 1, 0, 0},
	{"A: the default root signature", 0, 0, {false, {{true, false, 0, 0}}}, 2, 0, 0, 0},
	{"A: this root signature", ONE, 4, {false, {{true, false, ONE, 4}}}, 2, 0, 0, 0},
	{"A: one of several", SERIES, 5, {false, {{true, false, ONE, 5}, {true, false, SERIES, 4},
		{true, false, SERIES, 5}}}, 2, 0, 0, 0},
	{"A: another root signature", ONE, 5, {false, {{true, false, ONE, 4}}}, 1, 0, 1, DIAG_PRECOMPILED_ROOT_SIGNATURE},
	{"A: the default one, given another", 0, 4, {false, {{true, false, 0, 0}}}, 1, 0, 1, DIAG_PRECOMPILED_ROOT_SIGNATURE},
	{"A: another console", SERIES, 0, {false, {{true, false, ONE, 0}}}, 0, 0, 0, DIAG_PRECOMPILED_CONSOLE},
	{"A: the other console", ONE, 0, {false, {{true, false, SERIES, 0}}}, 0, 0, 0, DIAG_PRECOMPILED_CONSOLE},
	{"A: an unknown console", ONE, 0, {false, {{true, false, 9, 0}}}, 0, 0, 0, DIAG_PRECOMPILED_CONSOLE},
	{"A: a device of no console takes all", 0, 4, {false, {{true, false, SERIES, 4}}}, 2, 0, 0, 0},
	{"A: for no console in particular", SERIES, 4, {false, {{true, false, 0, 4}}}, 2, 0, 0, 0},
	{"A: damaged", 0, 0, {false, {{true, true, 0, 0}}}, 0, 0, 0, DIAG_ISA_BINARY},
	{"B: not compiled", ONE, 4, {true, {{true, false, ONE, 4}}}, 2, 0, 0, 0},
	{"B: another root signature", ONE, 5, {true, {{true, false, ONE, 4}}}, 2, 1, 1, DIAG_RUNTIME_COMPILE_UNWANTED},
	{"B: another console, refused all the same", SERIES, 4, {true, {{true, false, ONE, 4}}}, 0, 0, 0,
		DIAG_PRECOMPILED_CONSOLE},
	{"B: damaged", 0, 0, {true, {{true, true, 0, 0}}}, 2, 1, 1, DIAG_RUNTIME_COMPILE_UNWANTED},
	{"B: one damaged, one whole", 0, 4, {true, {{true, true, 0, 0}, {true, false, 0, 4}}}, 2, 0, 0, 0},
};

static void check_row(const struct row *row)
{
	struct rig r;
	open_rig(&r, (enum kiln_console)row->console);
	struct buf b = root_bytes(row->constants);
	struct kiln_root_signature *root =
		row->constants ? kiln_root_signature_create(r.device, "root", b.data, b.size, r.s.diags) : NULL;
	struct kiln_shader *vs = shader(&r, "vs", &row->content);
	struct kiln_pso *p = NULL;
	if (vs)
		p = kiln_pso_create(r.device, &(struct kiln_pso_desc){"pso", r.s.d, vs, NULL, root}, r.s.diags);
	cr_expect_eq((vs != NULL) + (p != NULL), row->made, "%s%s", row->what, all_text(r.s.diags));
	cr_expect_eq(r.compiled, row->compiled, "%s: compiled %u times", row->what, r.compiled);
	cr_expect(kiln_device_compiles(r.device) == row->compiled && kiln_device_unwanted_compiles(r.device) == row->unwanted,
		"%s: %llu compiles, %llu unwanted", row->what, (unsigned long long)kiln_device_compiles(r.device),
		(unsigned long long)kiln_device_unwanted_compiles(r.device));
	const struct kiln_diag *g = row->number ? find(r.s.diags, row->number) : NULL;
	cr_expect(!row->number ? kiln_diags_errors(r.s.diags) == 0 : g != NULL, "%s%s", row->what, all_text(r.s.diags));
	cr_expect(!g || (g->severity == KILN_WARNING) == (row->made == 2), "%s: severity %d", row->what,
		g ? (int)g->severity : -1);
	kiln_pso_destroy(p);
	kiln_shader_destroy(vs);
	kiln_root_signature_destroy(root);
	buf_finish(&b);
	close_rig(&r);
}

Test(precompiled, three_ways)
{
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
		check_row(&rows[i]);
}

/* The program that was made for the device's console comes before one for none. */
Test(precompiled, own_console_first)
{
	struct rig r;
	open_rig(&r, KILN_CONSOLE_XBOX_SERIES);
	struct fe_precompiled_list list = {0};
	struct fe_container none = {0};
	struct buf general = {0}, own = {0}, part = {0}, out = {0};
	isa_program_encode(r.s.vs, &general);
	r.s.vs->wave_size = 32;
	isa_program_encode(r.s.vs, &own);
	cr_assert(fe_precompiled_put(&list, &(struct fe_precompiled){.isa = general.data, .size = general.size}));
	cr_assert(fe_precompiled_put(&list, &(struct fe_precompiled){.console = SERIES, .isa = own.data, .size = own.size}));
	fe_precompiled_write(&list, &part);
	cr_assert(fe_container_with_part(&none, FE_ISA_PART, part.data, part.size, &out));
	struct kiln_shader *vs = kiln_shader_create(r.device, "vs", out.data, out.size, r.s.diags);
	struct kiln_pso *p = kiln_pso_create(r.device, &(struct kiln_pso_desc){"pso", r.s.d, vs, NULL, NULL}, r.s.diags);
	cr_assert(p, "%s", all_text(r.s.diags));
	cr_expect_eq(sim_pso_pipeline(p)->vs->wave_size, 32);
	kiln_pso_destroy(p);
	kiln_shader_destroy(vs);
	struct buf *const all[] = {&general, &own, &part, &out};
	for (size_t i = 0; i < ARRAY_COUNT(all); i++)
		buf_finish(all[i]);
	close_rig(&r);
}

/* ---- the part ---- */

static bool read_part(const uint8_t *data, size_t size, struct fe_precompiled_list *list)
{
	struct kiln_diags *d = kiln_diags_create();
	struct fe_part part = {FE_ISA_PART, data, (uint32_t)size, 0};
	bool ok = fe_precompiled_read(&part, "part", list, d);
	cr_expect(ok != kiln_diags_has(d, DIAG_ISA_BINARY));
	kiln_diags_destroy(d);
	return ok;
}

Test(precompiled, part_in_every_length_and_bit)
{
	struct fe_precompiled_list list = {0}, again;
	struct buf b = {0};
	cr_assert(fe_precompiled_put(&list, &(struct fe_precompiled){.console = 1, .root_key = {1},
		.isa = (const uint8_t *)"isa", .size = 3}));
	cr_assert(fe_precompiled_put(&list, &(struct fe_precompiled){.console = 1, .root_key = {2},
		.isa = (const uint8_t *)"isa!", .size = 4}));
	cr_assert(fe_precompiled_put(&list, &(struct fe_precompiled){.console = 1, .root_key = {1},
		.isa = (const uint8_t *)"ISA", .size = 3}));
	cr_assert_eq(list.count, 2, "the third replaces the first");
	fe_precompiled_write(&list, &b);
	cr_expect(read_part(b.data, b.size, &again) && again.count == 2 && !memcmp(again.entries[0].isa, "ISA", 3) &&
		again.entries[1].size == 4 && again.entries[1].root_key[0] == 2);
	for (size_t n = 0; n <= b.size; n++) {
		uint8_t *cut = malloc(n ? n : 1);
		memcpy(cut, b.data, n);
		cr_expect_eq(read_part(cut, n, &again), n == b.size, "cut at %zu", n);
		free(cut);
	}
	for (size_t bit = 0; bit < 8 * b.size; bit++) {
		b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
		read_part(b.data, b.size, &again);
		b.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	/* two of one key cannot stand in a part, and there is room for sixteen */
	memcpy(b.data + 12 + 4 + 16 + 4 + 3 + 4, b.data + 12 + 4, 16);
	cr_expect_not(read_part(b.data, b.size, &again));
	for (uint8_t i = 10; list.count < FE_PRECOMPILED_MAX; i++)
		cr_assert(fe_precompiled_put(&list, &(struct fe_precompiled){.root_key = {i}}));
	cr_expect_not(fe_precompiled_put(&list, &(struct fe_precompiled){.root_key = {9}}));
	buf_finish(&b);
}

/* ---- keys ---- */

/* One key for a root signature however its bytes are laid out; another for another; zeros for the default one. */
Test(precompiled, root_keys)
{
	/* the payload (register 9, space 0, 4 constants) behind 12 bytes that nobody reads */
	static const uint32_t apart[] = {2, 1, 24, 0, 0, 1, 1, 0, 48, ~0u, ~0u, ~0u, 9, 0, 4};
	uint8_t four[ROOT_KEY_BYTES], five[ROOT_KEY_BYTES], other[ROOT_KEY_BYTES], zeros[ROOT_KEY_BYTES] = {0};
	struct kiln_diags *d = kiln_diags_create();
	struct buf b = {0};
	for (size_t i = 0; i < ARRAY_COUNT(apart); i++)
		buf_u32(&b, apart[i]);
	struct root_signature *root = root_signature_parse(b.data, b.size, "root", d);
	cr_assert(root, "%s", all_text(d));
	key_of(4, four);
	key_of(5, five);
	root_signature_key(root, other);
	cr_expect(!memcmp(four, other, sizeof four) && memcmp(four, five, sizeof four) && memcmp(four, zeros, sizeof four));
	root_signature_key(NULL, other);
	cr_expect(!memcmp(other, zeros, sizeof zeros));
	root_signature_destroy(root);
	kiln_diags_destroy(d);
	buf_finish(&b);
}
