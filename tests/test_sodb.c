/* State Object Databases: made by hand through SQLite after the format's schema and read; written by Kiln and read back;
 * damaged, cut, of other versions, with wrong values and keys to nowhere: a diagnostic each, never another PSO. */
#include "tests/cli.h"
#include "tests/title.h"
#include "tools/sodb.h"
#include <sqlite3.h>

/* ---- databases by hand: the tables that matter, written down from the format's text ---- */
static const char tables[] =
	"PRAGMA page_size = 512; PRAGMA user_version = 2; PRAGMA application_id = 0xD3D50DB;"
	"CREATE TABLE root_signatures (Key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL);"
	"CREATE TABLE input_element_descs (Key BLOB NOT NULL PRIMARY KEY, SemanticName TEXT NOT NULL, SemanticIndex INTEGER NOT "
	"NULL, "
	"Format INTEGER NOT NULL, InputSlot INTEGER NOT NULL, AlignedByteOffset INTEGER NOT NULL, InputSlotClass INTEGER NOT "
	"NULL, "
	"InstanceDataStepRate INTEGER NOT NULL);"
	"CREATE TABLE shader_bytecode (Key BLOB NOT NULL PRIMARY KEY, Type TEXT, Bytecode BLOB);"
	"CREATE TABLE depth_stencil_op_descs (Key BLOB NOT NULL PRIMARY KEY, StencilFailOp INTEGER NOT NULL, "
	"StencilDepthFailOp INTEGER NOT NULL, StencilPassOp INTEGER NOT NULL, StencilFunc INTEGER NOT NULL, "
	"StencilReadMask INTEGER NOT NULL, StencilWriteMask INTEGER NOT NULL);"
	"CREATE TABLE depth_stencil_descs (Key BLOB NOT NULL PRIMARY KEY, DepthEnable INTEGER NOT NULL, DepthWriteMask INTEGER "
	"NOT NULL, "
	"DepthFunc INTEGER NOT NULL, StencilEnable INTEGER NOT NULL, FrontFace BLOB NOT NULL, BackFace BLOB NOT NULL, "
	"DepthBoundsTestEnable INTEGER NOT NULL);"
	"CREATE TABLE render_target_formats (Key BLOB NOT NULL PRIMARY KEY, RTFormat0 INTEGER NOT NULL, RTFormat1 INTEGER NOT "
	"NULL, "
	"RTFormat2 INTEGER NOT NULL, RTFormat3 INTEGER NOT NULL, RTFormat4 INTEGER NOT NULL, RTFormat5 INTEGER NOT NULL, "
	"RTFormat6 INTEGER NOT NULL, RTFormat7 INTEGER NOT NULL, NumRenderTargets INTEGER NOT NULL);"
	"CREATE TABLE render_target_blend_descs (Key BLOB NOT NULL PRIMARY KEY, BlendEnable INTEGER NOT NULL, "
	"LogicOpEnable INTEGER NOT NULL, SrcBlend INTEGER NOT NULL, DestBlend INTEGER NOT NULL, BlendOp INTEGER NOT NULL, "
	"SrcBlendAlpha INTEGER NOT NULL, DestBlendAlpha INTEGER NOT NULL, BlendOpAlpha INTEGER NOT NULL, LogicOp INTEGER NOT "
	"NULL, "
	"RenderTargetWriteMask INTEGER NOT NULL);"
	"CREATE TABLE blend_descs (Key BLOB NOT NULL PRIMARY KEY, AlphaToCoverageEnable INTEGER NOT NULL, "
	"IndependentBlendEnable INTEGER NOT NULL, RenderTarget0 BLOB, RenderTarget1 BLOB, RenderTarget2 BLOB, RenderTarget3 "
	"BLOB, "
	"RenderTarget4 BLOB, RenderTarget5 BLOB, RenderTarget6 BLOB, RenderTarget7 BLOB);"
	"CREATE TABLE rasterizer_descs (Key BLOB NOT NULL PRIMARY KEY, FillMode INTEGER NOT NULL, CullMode INTEGER NOT NULL, "
	"FrontCounterClockwise INTEGER NOT NULL, DepthBias REAL NOT NULL, DepthBiasClamp REAL NOT NULL, "
	"SlopeScaledDepthBias REAL NOT NULL, DepthClipEnable INTEGER NOT NULL, LineRasterizationMode INTEGER NOT NULL, "
	"ForcedSampleCount INTEGER NOT NULL, ConservativeRaster INTEGER NOT NULL);"
	"CREATE TABLE pipeline_states (Key BLOB NOT NULL PRIMARY KEY, RootSignature BLOB, InputLayout BLOB, ByteCode_VS BLOB, "
	"ByteCode_PS BLOB, ByteCode_HS BLOB, ByteCode_DS BLOB, ByteCode_GS BLOB, ByteCode_AS BLOB, ByteCode_MS BLOB, "
	"ByteCode_CS BLOB, "
	"DepthStencilDesc BLOB, RenderTargetFormats BLOB, BlendDesc BLOB, RasterizerDesc BLOB, ViewInstancingDesc BLOB, "
	"StreamOutDesc BLOB, SampleDesc_Count INTEGER, SampleDesc_Quality INTEGER, SampleMask INTEGER, IBStripCutValue INTEGER, "
	"PrimitiveTopology INTEGER, DSVFormat INTEGER, NodeMask INTEGER, Flags INTEGER);"
	"CREATE TABLE input_layout_to_input_element_associations (InputLayoutKey BLOB NOT NULL, InputElementKey BLOB NOT NULL, "
	"UNIQUE(InputLayoutKey, InputElementKey));"
	"CREATE TABLE groups (Key BLOB NOT NULL PRIMARY KEY, Version INTEGER NOT NULL, PSOKey BLOB, SOKey BLOB);";

/* 'full' gives everything, 'bare' nothing but shaders; a compute pipeline and a state object besides. */
static const char rows[] =
	"INSERT INTO input_element_descs VALUES(x'01', 'POSITION', 0, 6, 0, 4294967295, 0, 0), (x'00', 'COLOR', 0, 28, 1, 4, 1, "
	"2);"
	"INSERT INTO input_layout_to_input_element_associations VALUES(x'AA', x'01'), (x'AA', x'00');"
	"INSERT INTO depth_stencil_op_descs VALUES(x'01', 1, 2, 3, 4, 15, 240), (x'02', 5, 6, 7, 8, 15, 240);"
	"INSERT INTO depth_stencil_descs VALUES(x'01', 1, 0, 5, 1, x'01', x'02', 1);"
	"INSERT INTO render_target_formats VALUES(x'01', 28, 10, 0, 0, 0, 0, 0, 0, 2);"
	"INSERT INTO render_target_blend_descs VALUES(x'01', 1, 0, 5, 6, 3, 2, 1, 5, 4, 7);"
	"INSERT INTO blend_descs VALUES(x'01', 1, 1, NULL, x'01', NULL, NULL, NULL, NULL, NULL, NULL);"
	"INSERT INTO rasterizer_descs VALUES(x'01', 2, 1, 1, -3.0, 0.5, 1, 0, 2, 4, 1);"
	"INSERT INTO pipeline_states(Key, InputLayout, ByteCode_VS, ByteCode_PS, DepthStencilDesc, RenderTargetFormats, "
	"BlendDesc, "
	"RasterizerDesc, SampleDesc_Count, SampleDesc_Quality, SampleMask, IBStripCutValue, PrimitiveTopology, DSVFormat, "
	"Flags) "
	"VALUES('p1', x'AA', 'vs', 'ps', x'01', x'01', x'01', x'01', 4, 0, -2, 2, 2, 40, 1);"
	"INSERT INTO pipeline_states(Key, ByteCode_VS) VALUES('p2', 'vs');"
	"INSERT INTO pipeline_states(Key, ByteCode_CS) VALUES('p3', 'vs');"
	"INSERT INTO groups VALUES(CAST('full' AS BLOB), 7, 'p1', NULL), (x'00ff', 1, 'p2', NULL), ('compute', 1, 'p3', NULL), "
	"('rays', 1, NULL, 'object');";

static void put_shader(sqlite3 *db, const char *key, const char *name)
{
	char path[4096];
	uint8_t *data;
	size_t size;
	sqlite3_stmt *q;
	struct kiln_diags *d = kiln_diags_create();
	snprintf(path, sizeof path, "%s/tests/corpus/cso/%s.cso", KILN_SOURCE_DIR, name);
	cr_assert(file_read(path, 1 << 20, &data, &size, d));
	cr_assert_eq(sqlite3_prepare_v2(db, "INSERT INTO shader_bytecode VALUES(?, 'VS', ?)", -1, &q, NULL), SQLITE_OK);
	sqlite3_bind_text(q, 1, key, -1, SQLITE_STATIC);
	sqlite3_bind_blob(q, 2, data, (int)size, SQLITE_STATIC);
	cr_assert_eq(sqlite3_step(q), SQLITE_DONE);
	sqlite3_finalize(q);
	mem_free(data);
	kiln_diags_destroy(d);
}

static void change(const char *path, const char *sql)
{
	sqlite3 *db;
	char *error = NULL;
	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &error), SQLITE_OK, "%s: %s", sql, error);
	cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

static void make_database(const char *path)
{
	sqlite3 *db;
	unlink(path);
	change(path, tables);
	cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", NULL, NULL, NULL), SQLITE_OK);
	put_shader(db, "vs", "vs_position_color");
	put_shader(db, "ps", "ps_out_float4");
	sqlite3_close(db);
	change(path, rows);
}

static void load(struct pso_set *s, const char *path)
{
	static const struct kiln_device_desc device;
	char *paths[] = {(char *)path};
	pso_set_load(s, &device, paths, 1);
}

/* ---- reading ---- */
static const struct pso_entry *entry(const struct pso_set *s, const char *name)
{
	for (size_t i = 0; i < s->entry_count; i++)
		if (!strcmp(s->entries[i].name, name))
			return &s->entries[i];
	return NULL;
}

static const char *said(const struct kiln_diags *d)
{
	static char text[4096];
	size_t at = 0;
	*text = 0;
	for (size_t i = 0; i < kiln_diags_count(d) && at < sizeof text; i++)
		at += (size_t)snprintf(
			text + at, sizeof text - at, "%u %s; ", kiln_diags_get(d, i)->number, kiln_diags_get(d, i)->text);
	return text;
}

static void check_full(const struct pso_set *s, const struct pso_entry *e)
{
	const struct kiln_graphics_pipeline_desc *d = &e->desc;
	const struct kiln_render_target_blend_desc *t = &d->BlendState.RenderTarget[1];
	const struct kiln_depth_stencil_desc *z = &d->DepthStencilState;
	const struct kiln_rasterizer_desc *r = &d->RasterizerState;
	const uint32_t numbers[][2] = {{d->SampleDesc.Count, 4}, {d->SampleMask, 0xfffffffe}, {d->IBStripCutValue, 2},
		{d->PrimitiveTopologyType, 2}, {d->DSVFormat, 40}, {d->NumRenderTargets, 2}, {d->RTVFormats[0], 28},
		{d->RTVFormats[1], 10}, {d->BlendState.AlphaToCoverageEnable, 1}, {d->BlendState.IndependentBlendEnable, 1},
		{t->BlendEnable, 1}, {t->SrcBlend, 5}, {t->DestBlend, 6}, {t->BlendOp, 3}, {t->SrcBlendAlpha, 2},
		{t->DestBlendAlpha, 1}, {t->BlendOpAlpha, 5}, {t->LogicOp, 4}, {t->RenderTargetWriteMask, 7},
		{d->BlendState.RenderTarget[0].BlendEnable, 0}, {d->BlendState.RenderTarget[0].RenderTargetWriteMask, 15},
		{z->DepthEnable, 1}, {z->DepthWriteMask, 0}, {z->DepthFunc, 5}, {z->StencilEnable, 1},
		{z->FrontFace.StencilFailOp, 1}, {z->FrontFace.StencilFunc, 4}, {z->BackFace.StencilFailOp, 5},
		{z->BackFace.StencilDepthFailOp, 6}, {z->BackFace.StencilPassOp, 7}, {z->BackFace.StencilFunc, 8},
		{z->StencilReadMask, 15}, {z->StencilWriteMask, 240}, {z->DepthBoundsTestEnable, 1}, {r->FillMode, 2},
		{r->CullMode, 1}, {r->FrontCounterClockwise, 1}, {r->DepthClipEnable, 0}, {r->MultisampleEnable, 1},
		{r->AntialiasedLineEnable, 0}, {r->ForcedSampleCount, 4}, {r->ConservativeRaster, 1}, {d->NumInputElements, 2},
		{d->InputElementDescs[0].Format, 6}, {d->InputElementDescs[0].AlignedByteOffset, 0xffffffff},
		{d->InputElementDescs[1].Format, 28}, {d->InputElementDescs[1].InputSlot, 1},
		{d->InputElementDescs[1].AlignedByteOffset, 4}, {d->InputElementDescs[1].InputSlotClass, 1},
		{d->InputElementDescs[1].InstanceDataStepRate, 2}};
	for (size_t i = 0; i < ARRAY_COUNT(numbers); i++)
		cr_expect_eq(numbers[i][0], numbers[i][1], "number %zu: %u", i, numbers[i][0]);
	cr_expect(r->DepthBias == -3 && r->DepthBiasClamp == 0.5f && r->SlopeScaledDepthBias == 1);
	cr_expect_str_eq(d->InputElementDescs[0].SemanticName, "POSITION");
	cr_expect_str_eq(d->InputElementDescs[1].SemanticName, "COLOR");
	cr_expect(
		e->vs != e->ps && e->vs < s->shader_count && e->ps < s->shader_count && !memcmp(s->shaders[e->ps].data, "DXBC", 4));
}

Test(sodb, by_hand)
{
	struct pso_set s;
	make_folder();
	make_database("a.sodb");
	load(&s, "a.sodb");
	const struct pso_entry *full = entry(&s, "full"), *bare = entry(&s, "0x00ff");
	cr_assert(!s.files[0].failed && full && bare && s.entry_count == 2, "%s", said(s.files[0].diags));
	cr_expect(
		kiln_diags_has(s.files[0].diags, 6210) && strstr(said(s.files[0].diags), "2 compute"), "%s", said(s.files[0].diags));
	cr_expect(!full->broken && !bare->broken, "%s%s", said(full->diags), said(bare->diags));
	check_full(&s, full);
	struct kiln_graphics_pipeline_desc plain = kiln_graphics_pipeline_default();
	cr_expect(bare->ps == PSO_NONE && bare->vs == full->vs && bare->root == PSO_NONE && bare->desc.NumInputElements == 0);
	cr_expect_eq(bare->desc.DepthStencilState.DepthEnable, false, "no depth format");
	cr_expect_eq(bare->desc.SampleMask, plain.SampleMask);
	cr_expect_eq(bare->desc.SampleDesc.Count, 1);
	cr_expect_eq(bare->desc.PrimitiveTopologyType, KILN_TOPOLOGY_TYPE_TRIANGLE);
	pso_set_close(&s);
	remove_folder();
}

/* ---- one mistake each: which diagnostic, and whether it fails the file or that PSO alone ---- */
static const struct { const char *sql; uint32_t number; bool file; } mistakes[] = {
	{"PRAGMA application_id = 1", 6201, true},
	{"PRAGMA user_version = 3", 6202, true},
	{"PRAGMA user_version = 1", 6202, true},
	{"PRAGMA user_version = 2147483647", 6202, true},
	{"DROP TABLE groups", 6204, true},
	{"ALTER TABLE groups RENAME COLUMN PSOKey TO Pso", 6204, true},
	{"ALTER TABLE groups RENAME TO g; CREATE VIEW groups AS SELECT * FROM g", 6204, true},
	{"UPDATE blend_descs SET AlphaToCoverageEnable = 'yes'", 6205, false},
	{"UPDATE pipeline_states SET SampleMask = 4294967296 WHERE Key = 'p1'", 6205, false},
	{"UPDATE pipeline_states SET DSVFormat = 1.5 WHERE Key = 'p1'", 6205, false},
	{"UPDATE rasterizer_descs SET DepthBias = 1e300", 6205, false},
	{"UPDATE rasterizer_descs SET DepthBias = 'deep'", 6205, false},
	{"UPDATE input_element_descs SET SemanticName = x'41'", 6205, false},
	{"UPDATE shader_bytecode SET Bytecode = NULL WHERE Key = 'ps'", 6205, false},
	{"INSERT INTO root_signatures VALUES(7, x'00')", 6205, true},
	{"UPDATE pipeline_states SET BlendDesc = x'77' WHERE Key = 'p1'", 6206, false},
	{"UPDATE pipeline_states SET BlendDesc = 1 WHERE Key = 'p1'", 6206, false},
	{"UPDATE pipeline_states SET InputLayout = x'AB' WHERE Key = 'p1'", 6206, false},
	{"DELETE FROM input_element_descs WHERE Key = x'00'", 6206, false},
	{"DELETE FROM depth_stencil_op_descs", 6206, false},
	{"DELETE FROM shader_bytecode WHERE Key = 'ps'", 6206, false},
	{"DELETE FROM pipeline_states WHERE Key = 'p1'", 6206, false},
	{"UPDATE pipeline_states SET RootSignature = 'none' WHERE Key = 'p1'", 6206, false},
	{"UPDATE pipeline_states SET ByteCode_GS = 'vs' WHERE Key = 'p1'", 6207, false},
	{"UPDATE pipeline_states SET ByteCode_MS = 'vs' WHERE Key = 'p1'", 6207, false},
	{"UPDATE pipeline_states SET ViewInstancingDesc = x'01' WHERE Key = 'p1'", 6207, false},
	{"UPDATE pipeline_states SET StreamOutDesc = x'01' WHERE Key = 'p1'", 6207, false},
	{"UPDATE pipeline_states SET Flags = 4 WHERE Key = 'p1'", 6207, false},
	{"UPDATE rasterizer_descs SET LineRasterizationMode = 4", 6207, false},
	{"UPDATE depth_stencil_op_descs SET StencilReadMask = 1 WHERE Key = x'02'", 6207, false},
};

Test(sodb, mistakes)
{
	make_folder();
	for (size_t i = 0; i < ARRAY_COUNT(mistakes); i++) {
		struct pso_set s;
		make_database("a.sodb");
		change("a.sodb", mistakes[i].sql);
		load(&s, "a.sodb");
		const struct pso_entry *full = entry(&s, "full");
		const struct kiln_diags *d = mistakes[i].file ? s.files[0].diags : full ? full->diags : s.files[0].diags;
		cr_expect_eq(s.files[0].failed, mistakes[i].file, "%s: %s", mistakes[i].sql, said(s.files[0].diags));
		cr_expect(kiln_diags_has(d, mistakes[i].number), "%s: %s", mistakes[i].sql, said(d));
		cr_expect(mistakes[i].file || (full && full->broken && !entry(&s, "0x00ff")->broken), "%s", mistakes[i].sql);
		pso_set_close(&s);
	}
	remove_folder();
}

Test(sodb, no_databases)
{
	static const struct { const char *name, *beside, *content; uint32_t number; } files[] = {
		{"empty.sodb", NULL, "", 6201}, {"text.sodb", NULL, "kiln: 1\nshaders: {}\npsos: {}\n", 6201},
		{"magic.sodb", NULL, "SQLite format 3", 6201}, {"missing.sodb", NULL, NULL, 9001}, {".", NULL, NULL, 9001},
		{"a.sodb", "a.sodb-wal", NULL, 6208}, {"a.sodb", "a.sodb-journal", NULL, 6208}};
	make_folder();
	make_database("a.sodb");
	for (size_t i = 0; i < ARRAY_COUNT(files); i++) {
		struct pso_set s;
		if (files[i].content)
			put_file(files[i].name, files[i].content, strlen(files[i].content));
		if (files[i].beside)
			put_file(files[i].beside, "changes", 7);
		load(&s, files[i].name);
		cr_expect(s.files[0].failed && kiln_diags_has(s.files[0].diags, files[i].number), "%s: %s", files[i].name,
			said(s.files[0].diags));
		cr_expect_eq(s.entry_count, 0);
		if (files[i].beside)
			unlink(files[i].beside);
		pso_set_close(&s);
	}
	remove_folder();
}

/* ---- written by Kiln ---- */
static void put_title(const char *name, uint32_t count, uint32_t shuffle)
{
	FILE *f = fopen(name, "wb");
	cr_assert(f);
	title_write(f, KILN_SOURCE_DIR "/tests/corpus/cso", count, 11, shuffle);
	cr_assert_eq(fclose(f), 0);
}

static struct result expect_run(const char *const *args, int code)
{
	struct result r = run(args);
	cr_expect_eq(r.code, code, "kiln %s: exit %d, %s", args[0], r.code, r.err);
	return r;
}

/* The plan is the same of the scene, of the database, of the database's database, and the database of a shuffled scene
 * has the same bytes. */
Test(sodb, there_and_back)
{
	static const char *const writes[][ARGS_MAX] = {{"sodb", "a.yaml", "-o", "a.sodb", "--exe", "game.exe", "--name", "Game"},
		{"sodb", "a.sodb", "-o", "b.sodb", "--exe", "game.exe", "--name", "Game"},
		{"sodb", "a.yaml", "-o", "c.sodb", "--exe", "game.exe", "--name", "Game"}};
	static const char *const plans[][ARGS_MAX] = {
		{"plan", "-a", "a.yaml"}, {"plan", "-a", "a.sodb"}, {"plan", "-a", "b.sodb"}};
	uint8_t *bytes[3];
	size_t size[3];
	struct result first = {0};
	struct kiln_diags *d = kiln_diags_create();
	make_folder();
	for (unsigned i = 0; i < 3; i++) {
		put_title("a.yaml", 60, i == 2 ? 9 : 0);
		struct result r = expect_run(writes[i], 0);
		cr_expect(strstr(r.out, "60 PSOs"), "%s", r.out);
		finish(&r);
		cr_assert(file_read(writes[i][3], 1 << 24, &bytes[i], &size[i], d));
		cr_expect(size[i] == size[0] && !memcmp(bytes[i], bytes[0], size[0]), "%s", writes[i][3]);
		r = expect_run(plans[i], 0);
		if (i)
			cr_expect_str_eq(r.out, first.out);
		else
			first = r;
		if (i)
			finish(&r);
	}
	finish(&first);
	for (unsigned i = 0; i < 3; i++)
		mem_free(bytes[i]);
	kiln_diags_destroy(d);
	remove_folder();
}

Test(sodb, commands)
{
	static const struct { const char *args[ARGS_MAX]; int code; const char *out, *err; } calls[] = {
		{{"sodb", "--help"}, 0, "Example: kiln sodb", ""},
		{{"sodb"}, 2, "", "Usage"},
		{{"sodb", "a.sodb"}, 2, "", "-o"},
		{{"sodb", "missing.yaml", "-o", "b.sodb"}, 2, "", "9001"},
		{{"sodb", "a.sodb", "-o", "nowhere/b.sodb"}, 2, "", "9002"},
		{{"sodb", "broken.sodb", "-o", "b.sodb"}, 2, "", "6206"},
		{{"sodb", "a.sodb", "a.sodb", "-o", "b.sodb"}, 2, "", "6212"},
		{{"check", "broken.sodb"}, 1, "full: refused", "6206"},
		{{"check", "--json", "a.sodb"}, 1, "\"database\": \"a.sodb\"", ""},
		{{"plan", "a.sodb"}, 1, "refused full", "3"},
	};
	make_folder();
	make_database("a.sodb");
	make_database("broken.sodb");
	change("broken.sodb", "DELETE FROM blend_descs");
	for (size_t i = 0; i < ARRAY_COUNT(calls); i++) {
		struct result r = expect_run(calls[i].args, calls[i].code);
		cr_expect(strstr(r.out, calls[i].out), "row %zu: %s", i, r.out);
		cr_expect(strstr(r.err, calls[i].err), "row %zu: %s", i, r.err);
		finish(&r);
	}
	cr_expect_eq(files_in_folder("*"), 2, "something was written");
	remove_folder();
}

/* ---- damage ---- */
static bool same_layout(const struct kiln_graphics_pipeline_desc *a, const struct kiln_graphics_pipeline_desc *b)
{
	bool same = a->NumInputElements == b->NumInputElements;
	for (uint32_t i = 0; same && i < a->NumInputElements; i++) {
		struct kiln_input_element_desc x = a->InputElementDescs[i], y = b->InputElementDescs[i];
		same = !strcmp(x.SemanticName, y.SemanticName);
		x.SemanticName = y.SemanticName = NULL;
		same = same && !memcmp(&x, &y, sizeof x);
	}
	return same;
}

static bool same_pso(const struct pso_set *s, const struct pso_entry *a, const struct pso_set *t, const struct pso_entry *b)
{
	struct kiln_graphics_pipeline_desc x = a->desc, y = b->desc;
	const uint32_t shaders[2][2] = {{a->vs, b->vs}, {a->ps, b->ps}};
	bool same = same_layout(&x, &y) && (a->root == PSO_NONE) == (b->root == PSO_NONE);
	x.InputElementDescs = y.InputElementDescs = NULL;
	for (unsigned i = 0; same && i < 2; i++) {
		uint32_t p = shaders[i][0], q = shaders[i][1];
		same = (p == PSO_NONE) == (q == PSO_NONE);
		if (same && p != PSO_NONE)
			same = s->shaders[p].size == t->shaders[q].size &&
				!memcmp(s->shaders[p].data, t->shaders[q].data, s->shaders[p].size);
	}
	if (same && a->root != PSO_NONE)
		same = s->roots[a->root].size == t->roots[b->root].size &&
			   !memcmp(s->roots[a->root].data, t->roots[b->root].data, s->roots[a->root].size);
	return same && !memcmp(&x, &y, sizeof x); /* both were made from a zeroed entry and the same default */
}

/* A diagnostic, or all PSOs as they were. */
static bool is_safe(const struct pso_set *good, const uint8_t *bytes, size_t size, bool *told)
{
	struct pso_set s;
	size_t whole = 0, broken = 0;
	bool safe = true;
	put_file("damaged.sodb", bytes, size);
	load(&s, "damaged.sodb");
	for (size_t i = 0; i < s.entry_count; i++) {
		const struct pso_entry *e = &s.entries[i], *was = entry(good, e->name);
		broken += e->broken && kiln_diags_errors(e->diags);
		whole += !e->broken;
		if (!e->broken && (!was || !same_pso(good, was, &s, e)))
			safe = false;
	}
	*told = s.files[0].failed ? kiln_diags_errors(s.files[0].diags) > 0 : broken > 0;
	safe = safe && (whole == good->entry_count || *told);
	pso_set_close(&s);
	return safe;
}

/* A valid database, but not the one that was written: keys tell. */
Test(sodb, changed_values)
{
	static const char *const changes[] = {"UPDATE groups SET Key = CAST('other' AS BLOB) WHERE rowid = 1",
		"UPDATE groups SET Version = 2 WHERE rowid = 1", "UPDATE pipeline_states SET SampleMask = 5 WHERE rowid = 1",
		"UPDATE pipeline_states SET ByteCode_CS = 0 WHERE rowid = 1",
		"UPDATE groups SET PSOKey = (SELECT PSOKey FROM groups WHERE rowid = 2) WHERE rowid = 1",
		"UPDATE blend_descs SET AlphaToCoverageEnable = 1 - AlphaToCoverageEnable",
		"UPDATE render_target_blend_descs SET SrcBlend = 3", "UPDATE depth_stencil_op_descs SET StencilFunc = 1",
		"UPDATE depth_stencil_descs SET DepthFunc = 1", "UPDATE rasterizer_descs SET DepthBias = 7.5",
		"UPDATE render_target_formats SET RTFormat0 = 24", "UPDATE input_element_descs SET Format = 2",
		"UPDATE input_element_descs SET SemanticName = 'OTHER' WHERE rowid = 1",
		"UPDATE shader_bytecode SET Bytecode = x'00' WHERE rowid = 1",
		"DELETE FROM input_layout_to_input_element_associations WHERE rowid = 1",
		"UPDATE input_layout_to_input_element_associations SET rowid = 100 WHERE rowid = 1"};
	static const char *const write[ARGS_MAX] = {"sodb", "a.yaml", "-o", "a.sodb"};
	make_folder();
	put_title("a.yaml", 12, 0);
	for (size_t i = 0; i < ARRAY_COUNT(changes); i++) {
		struct pso_set s;
		struct result made = expect_run(write, 0);
		finish(&made);
		change("a.sodb", changes[i]);
		load(&s, "a.sodb");
		bool told = kiln_diags_has(s.files[0].diags, 6203);
		for (size_t k = 0; k < s.entry_count; k++)
			told |= s.entries[k].broken && kiln_diags_has(s.entries[k].diags, 6203);
		cr_expect(told, "%s", changes[i]);
		pso_set_close(&s);
	}
	remove_folder();
}

Test(sodb, damage)
{
	enum { FLIPS = 700, CUTS = 60 };
	static const char *const write[ARGS_MAX] = {"sodb", "a.yaml", "-o", "a.sodb"};
	struct pso_set good;
	struct kiln_diags *d = kiln_diags_create();
	uint8_t *bytes;
	size_t size, told_count = 0;
	uint32_t r = 5;
	bool told;
	make_folder();
	put_title("a.yaml", 6, 0);
	struct result made = expect_run(write, 0);
	finish(&made);
	change("a.sodb", "PRAGMA page_size = 512; VACUUM");
	load(&good, "a.sodb");
	cr_assert_eq(good.entry_count, 6, "%s", said(good.files[0].diags));
	cr_assert(file_read("a.sodb", 1 << 24, &bytes, &size, d));
	cr_assert(is_safe(&good, bytes, size, &told) && !told);
	for (size_t i = 0; i < FLIPS; i++) {
		r = r * 1664525u + 1013904223u;
		size_t bit =
			i < 100 * 3 ? i * 8 / 3 : (size_t)((uint64_t)r * 8 * size >> 32); /* the header well, the rest here and there */
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		cr_expect(is_safe(&good, bytes, size, &told), "bit %zu of byte %zu", bit % 8, bit / 8);
		told_count += told;
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	cr_expect(told_count > FLIPS / 4, "only %zu of %d flips were noticed", told_count, FLIPS);
	for (size_t i = 0; i < CUTS; i++) {
		cr_expect(is_safe(&good, bytes, size * i / CUTS, &told), "cut to %zu bytes", size * i / CUTS);
		cr_expect(told, "cut to %zu bytes", size * i / CUTS);
	}
	mem_free(bytes);
	pso_set_close(&good);
	kiln_diags_destroy(d);
	remove_folder();
}
