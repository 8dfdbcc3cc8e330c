/* Takes a State Object Database, untrusted; gives its graphics pipelines as entries of a set. The file is read whole into
 * memory and opened there read-only, so that nothing beside it is touched; it is checked by SQLite, then the tables are
 * read, sorted by key, and each PSO is put together from them. Pipelines that are no graphics pipelines are counted and
 * left out; what a graphics pipeline has that Kiln does not refuses that one alone. */
#include "tools/sodb.h"
#include "pso/format.h"
#include "tools/tools.h"
#include <ctype.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PROGRESS_STEPS = 1 << 20, PROGRESS_MAX = 1 << 12, VALUE_BYTES_MAX = 1 << 26, HEAP_MAX = 1 << 30 };

struct row {
	uint32_t number;                  /* of a shader or root signature in the set, + 1; 0: not in it yet */
	struct sodb_value key, values[];
};
struct table {
	const char *name, *columns;       /* the first is the key */
	size_t count, width, row_size;    /* width: values beside the key */
	uint8_t *rows;
};
enum {
	ROOTS,
	ELEMENTS,
	SHADERS,
	STENCILS,
	DEPTHS,
	FORMATS,
	TARGETS,
	BLENDS,
	RASTERIZERS,
	PIPELINES,
	LAYOUTS,
	GROUPS,
	TABLES
};
static const struct { const char *name, *columns; } table_names[TABLES] = {
	[ROOTS] = {"root_signatures", "Key, value"},
	[ELEMENTS] = {"input_element_descs", "Key, " SODB_ELEMENT_COLUMNS},
	[SHADERS] = {"shader_bytecode", "Key, Type, Bytecode"},
	[STENCILS] = {"depth_stencil_op_descs", "Key, " SODB_STENCIL_COLUMNS},
	[DEPTHS] = {"depth_stencil_descs", "Key, " SODB_DEPTH_COLUMNS},
	[FORMATS] = {"render_target_formats", "Key, " SODB_FORMATS_COLUMNS},
	[TARGETS] = {"render_target_blend_descs", "Key, " SODB_TARGET_COLUMNS},
	[BLENDS] = {"blend_descs", "Key, " SODB_BLEND_COLUMNS},
	[RASTERIZERS] = {"rasterizer_descs", "Key, " SODB_RASTERIZER_COLUMNS},
	[PIPELINES] = {"pipeline_states", "Key, " SODB_PIPELINE_COLUMNS},
	[LAYOUTS] = {"input_layout_to_input_element_associations", "InputLayoutKey, InputElementKey"},
	[GROUPS] = {"groups", "Key, Version, PSOKey"},
};

struct reader_state {
	struct pso_set *set;
	struct pso_file *file;
	sqlite3 *db;
	struct table tables[TABLES];
	unsigned progress;
	size_t rows, bytes;
};

/* ---- opening ---- */
bool sodb_is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	const char *dot = strrchr(path, '.');
	char head[sizeof magic] = "";
	FILE *f = dot && !strcmp(dot, ".sodb") ? NULL : fopen(path, "rb");
	size_t got = f ? fread(head, 1, sizeof head, f) : 0;
	if (f)
		fclose(f);
	return (dot && !strcmp(dot, ".sodb")) || (got == sizeof magic && !memcmp(head, magic, sizeof magic));
}

static bool fail(struct reader_state *r, enum diag_id id, const char *text)
{
	diag_add(r->file->diags, id, r->file->path, "%s", text);
	r->file->failed = true;
	return false;
}

static bool fail_sqlite(struct reader_state *r)
{
	if (r->progress > PROGRESS_MAX)
		return fail(r, DIAG_SODB_TOO_LARGE, "reading it takes too many steps");
	return fail(r, DIAG_SODB_DAMAGED, sqlite3_errmsg(r->db));
}

static int count_steps(void *user) { return ++((struct reader_state *)user)->progress > PROGRESS_MAX; }

/* Changes that another process has not finished, or not yet moved into the file. */
static bool is_pending(const char *path)
{
	static const char *const suffixes[] = {"-wal", "-journal"};
	bool pending = false;
	for (size_t i = 0; i < ARRAY_COUNT(suffixes); i++) {
		struct buf b = {0};
		struct stat st;
		buf_printf(&b, "%s%s", path, suffixes[i]);
		pending |= stat(buf_text(&b), &st) == 0 && st.st_size > 0;
		buf_finish(&b);
	}
	return pending;
}

static bool open_memory(struct reader_state *r, uint8_t *data, size_t size)
{
	int off = 0;
	if (size < 100 || memcmp(data, "SQLite format 3", 16))
		return fail(r, DIAG_SODB_NOT_A_DATABASE, "it is no SQLite database");
	data[18] = data[19] = 1; /* write-ahead logging needs files; what is in the log counts as pending */
	if (sqlite3_open_v2(":memory:", &r->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return fail_sqlite(r);
	sqlite3_limit(r->db, SQLITE_LIMIT_LENGTH, VALUE_BYTES_MAX);
	sqlite3_limit(r->db, SQLITE_LIMIT_SQL_LENGTH, 1 << 16);
	sqlite3_limit(r->db, SQLITE_LIMIT_EXPR_DEPTH, 32);
	sqlite3_limit(r->db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_DEFENSIVE, 1, &off);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &off);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &off);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &off);
	sqlite3_progress_handler(r->db, PROGRESS_STEPS, count_steps, r);
	if (sqlite3_deserialize(r->db, "main", data, (sqlite3_int64)size, (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY) !=
		SQLITE_OK)
		return fail_sqlite(r);
	return true;
}

/* ---- what SQLite and the header say ---- */
/* The first column of the first row as a number; false: diagnostic. */
static bool query_number(struct reader_state *r, const char *sql, int64_t *out)
{
	sqlite3_stmt *q = NULL;
	bool ok = sqlite3_prepare_v2(r->db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;
	*out = ok ? sqlite3_column_int64(q, 0) : 0;
	if (!ok)
		fail_sqlite(r);
	sqlite3_finalize(q);
	return ok;
}

static bool check_integrity(struct reader_state *r)
{
	sqlite3_stmt *q = NULL;
	bool ok =
		sqlite3_prepare_v2(r->db, "PRAGMA integrity_check(1)", -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;
	if (!ok)
		fail_sqlite(r);
	else if (strcmp((const char *)sqlite3_column_text(q, 0), "ok"))
		ok = fail(r, DIAG_SODB_DAMAGED, (const char *)sqlite3_column_text(q, 0));
	sqlite3_finalize(q);
	return ok;
}

static bool check_header(struct reader_state *r)
{
	int64_t id, version;
	if (!query_number(r, "PRAGMA application_id", &id) || !query_number(r, "PRAGMA user_version", &version))
		return false;
	if (id != SODB_APPLICATION_ID) {
		diag_add(r->file->diags, DIAG_SODB_NOT_A_DATABASE, r->file->path, "its application_id is 0x%llX, not 0x%X",
			(unsigned long long)id & 0xffffffff, SODB_APPLICATION_ID);
		r->file->failed = true;
		return false;
	}
	if (version == SODB_VERSION)
		return true;
	diag_add(r->file->diags, DIAG_SODB_VERSION, r->file->path, "its user_version is %lld", (long long)version);
	r->file->failed = true;
	return false;
}

/* ---- tables ---- */
static bool take_value(struct reader_state *r, sqlite3_stmt *q, int column, struct sodb_value *v)
{
	static const uint8_t types[] = {[SQLITE_INTEGER] = SODB_INTEGER, [SQLITE_FLOAT] = SODB_REAL, [SQLITE_TEXT] = SODB_TEXT,
		[SQLITE_BLOB] = SODB_BLOB, [SQLITE_NULL] = SODB_NULL};
	*v = (struct sodb_value){.type = types[sqlite3_column_type(q, column)]};
	if (v->type == SODB_INTEGER)
		v->integer = sqlite3_column_int64(q, column);
	if (v->type == SODB_REAL)
		v->real = sqlite3_column_double(q, column);
	if (v->type != SODB_TEXT && v->type != SODB_BLOB)
		return true;
	const void *data = v->type == SODB_TEXT ? (const void *)sqlite3_column_text(q, column) : sqlite3_column_blob(q, column);
	v->size = (size_t)sqlite3_column_bytes(q, column);
	r->bytes += v->size;
	if (r->bytes > SODB_BYTES_MAX)
		return false;
	uint8_t *copy = arena_alloc(&r->set->arena, v->size + 1); /* text ends with NUL */
	if (v->size && data)
		memcpy(copy, data, v->size);
	v->data = copy;
	return true;
}

static struct row *row_at(const struct table *t, size_t i) { return (struct row *)(void *)(t->rows + i * t->row_size); }

static int compare_keys(const struct sodb_value *a, const struct sodb_value *b)
{
	size_t size = a->size < b->size ? a->size : b->size;
	int order = size ? memcmp(a->data, b->data, size) : 0;
	return order ? order : a->size < b->size ? -1 : a->size > b->size;
}

static bool read_rows(struct reader_state *r, struct table *t, sqlite3_stmt *q)
{
	size_t cap = 0;
	int got;
	t->width = (size_t)sqlite3_column_count(q) - 1;
	t->row_size = sizeof(struct row) + t->width * sizeof(struct sodb_value);
	while ((got = sqlite3_step(q)) == SQLITE_ROW) {
		t->rows = array_reserve(t->rows, t->count, &cap, t->row_size);
		struct row *row = row_at(t, t->count++);
		row->number = 0;
		bool ok = r->rows++ < SODB_ROWS_MAX && take_value(r, q, 0, &row->key);
		for (size_t i = 0; ok && i < t->width; i++)
			ok = take_value(r, q, (int)i + 1, &row->values[i]);
		if (!ok)
			return fail(r, DIAG_SODB_TOO_LARGE, "it has more than 2^20 rows or 2^28 bytes of values");
		if (row->key.type != SODB_BLOB && row->key.type != SODB_TEXT) {
			diag_add(r->file->diags, DIAG_SODB_VALUE, r->file->path, "a key of table %s is neither BLOB nor TEXT", t->name);
			r->file->failed = true;
			return false;
		}
	}
	return got == SQLITE_DONE || fail_sqlite(r);
}

/* Rows come by key: keys are unique but in the associations, which keep the order in which they were put in. */
static bool read_table(struct reader_state *r, unsigned number)
{
	struct table *t = &r->tables[number];
	sqlite3_stmt *q = NULL;
	struct buf sql = {0};
	t->name = table_names[number].name;
	buf_printf(
		&sql, "SELECT %s FROM %s ORDER BY 1%s", table_names[number].columns, t->name, number == LAYOUTS ? ", rowid" : "");
	bool ok = sqlite3_prepare_v2(r->db, buf_text(&sql), -1, &q, NULL) == SQLITE_OK;
	if (!ok)
		fail(r, DIAG_SODB_SCHEMA, sqlite3_errmsg(r->db));
	ok = ok && read_rows(r, t, q);
	sqlite3_finalize(q);
	buf_finish(&sql);
	return ok;
}

/* Rows whose key is a digest of them; pipelines and layouts have one of more than their row and are verified where used. */
static bool verify_rows(struct reader_state *r)
{
	for (unsigned n = 0; n < TABLES; n++) {
		const struct table *t = &r->tables[n];
		for (size_t i = 0; n != PIPELINES && n != LAYOUTS && n != GROUPS && i < t->count; i++) {
			const struct row *row = row_at(t, i);
			uint8_t key[SODB_KEY_SIZE];
			if (!sodb_key_is_digest(&row->key))
				continue;
			sodb_key(t->name, row->values, t->width, key);
			if (memcmp(key, row->key.data, sizeof key)) {
				diag_add(
					r->file->diags, DIAG_SODB_DAMAGED, r->file->path, "a row of table %s is not what its key says", t->name);
				r->file->failed = true;
				return false;
			}
		}
	}
	return true;
}

/* ---- one PSO out of the rows ---- */
struct build {
	struct reader_state *r;
	struct pso_entry *e;
	bool ok;
};

static void refuse(struct build *b, enum diag_id id, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void refuse(struct build *b, enum diag_id id, const char *fmt, ...)
{
	char text[512];
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	diag_add(b->e->diags, id, b->e->name, "%s", text);
	b->ok = false;
}

/* The row of a key; NULL where the key is NULL, or refers to nothing, which is said. */
static struct row *find_row(struct build *b, unsigned table, const struct sodb_value *key)
{
	const struct table *t = &b->r->tables[table];
	size_t low = 0, high = t->count;
	if (key->type == SODB_NULL)
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_keys(&row_at(t, middle)->key, key);
		if (!order && (key->type == SODB_BLOB || key->type == SODB_TEXT))
			return row_at(t, middle);
		low = order < 0 ? middle + 1 : low;
		high = order < 0 ? high : middle;
	}
	refuse(b, DIAG_SODB_REFERENCE, "it names a row of table %s that is not there", t->name);
	return NULL;
}

static uint32_t take_u32(struct build *b, const struct sodb_value *v, const char *field)
{
	if (v->type != SODB_INTEGER || v->integer < INT32_MIN || v->integer > (int64_t)UINT32_MAX)
		refuse(b, DIAG_SODB_VALUE, "%s is no 32-bit integer", field);
	return (uint32_t)v->integer;
}

static float take_float(struct build *b, const struct sodb_value *v, const char *field)
{
	double x = v->type == SODB_INTEGER ? (double)v->integer : v->real;
	if ((v->type != SODB_INTEGER && v->type != SODB_REAL) || !(x >= -3.4028234663852886e38 && x <= 3.4028234663852886e38)) {
		refuse(b, DIAG_SODB_VALUE, "%s is no 32-bit float", field);
		return 0;
	}
	return (float)x;
}

/* A run of columns into 32-bit fields or booleans. */
struct column { const char *name; bool is_bool; size_t offset; };
static void take_columns(
	struct build *b, const struct sodb_value *values, const struct column *columns, size_t count, void *base)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t v = take_u32(b, &values[i], columns[i].name);
		void *at = (char *)base + columns[i].offset;
		if (columns[i].is_bool)
			*(bool *)at = v != 0;
		else
			memcpy(at, &v, sizeof v);
	}
}
#define U32(type, field) {#field, false, offsetof(struct type, field)}
#define FLAG(type, field) {#field, true, offsetof(struct type, field)}

static void take_blend(struct build *b, const struct sodb_value *key)
{
	static const struct column columns[] = {FLAG(kiln_render_target_blend_desc, BlendEnable),
		FLAG(kiln_render_target_blend_desc, LogicOpEnable), U32(kiln_render_target_blend_desc, SrcBlend),
		U32(kiln_render_target_blend_desc, DestBlend), U32(kiln_render_target_blend_desc, BlendOp),
		U32(kiln_render_target_blend_desc, SrcBlendAlpha), U32(kiln_render_target_blend_desc, DestBlendAlpha),
		U32(kiln_render_target_blend_desc, BlendOpAlpha), U32(kiln_render_target_blend_desc, LogicOp),
		U32(kiln_render_target_blend_desc, RenderTargetWriteMask)};
	struct kiln_blend_desc *d = &b->e->desc.BlendState;
	const struct row *row = find_row(b, BLENDS, key);
	if (!row)
		return;
	d->AlphaToCoverageEnable = take_u32(b, &row->values[0], "AlphaToCoverageEnable") != 0;
	d->IndependentBlendEnable = take_u32(b, &row->values[1], "IndependentBlendEnable") != 0;
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const struct row *target = find_row(b, TARGETS, &row->values[2 + i]);
		if (target)
			take_columns(b, target->values, columns, ARRAY_COUNT(columns), &d->RenderTarget[i]);
	}
}

static void take_rasterizer(struct build *b, const struct sodb_value *key)
{
	struct kiln_rasterizer_desc *d = &b->e->desc.RasterizerState;
	const struct row *row = find_row(b, RASTERIZERS, key);
	if (!row)
		return;
	const struct sodb_value *v = row->values;
	uint32_t lines = take_u32(b, &v[7], "LineRasterizationMode");
	d->FillMode = take_u32(b, &v[0], "FillMode");
	d->CullMode = take_u32(b, &v[1], "CullMode");
	d->FrontCounterClockwise = take_u32(b, &v[2], "FrontCounterClockwise") != 0;
	d->DepthBias = take_float(b, &v[3], "DepthBias");
	d->DepthBiasClamp = take_float(b, &v[4], "DepthBiasClamp");
	d->SlopeScaledDepthBias = take_float(b, &v[5], "SlopeScaledDepthBias");
	d->DepthClipEnable = take_u32(b, &v[6], "DepthClipEnable") != 0;
	d->AntialiasedLineEnable = lines == KILN_LINE_ALPHA_ANTIALIASED;
	d->MultisampleEnable = lines == KILN_LINE_QUADRILATERAL_WIDE;
	d->LineRasterizationMode = lines > KILN_LINE_QUADRILATERAL_WIDE ? lines : KILN_LINE_ALIASED;
	d->ForcedSampleCount = take_u32(b, &v[8], "ForcedSampleCount");
	d->ConservativeRaster = take_u32(b, &v[9], "ConservativeRaster");
	if (lines > KILN_LINE_QUADRILATERAL_NARROW)
		refuse(b, DIAG_SODB_UNSUPPORTED, "LineRasterizationMode is %u", lines);
}

static void take_depth(struct build *b, const struct sodb_value *key)
{
	static const struct column columns[] = {FLAG(kiln_depth_stencil_desc, DepthEnable),
		U32(kiln_depth_stencil_desc, DepthWriteMask), U32(kiln_depth_stencil_desc, DepthFunc),
		FLAG(kiln_depth_stencil_desc, StencilEnable)};
	static const struct column face_columns[] = {U32(kiln_depth_stencilop_desc, StencilFailOp),
		U32(kiln_depth_stencilop_desc, StencilDepthFailOp), U32(kiln_depth_stencilop_desc, StencilPassOp),
		U32(kiln_depth_stencilop_desc, StencilFunc)};
	struct kiln_depth_stencil_desc *d = &b->e->desc.DepthStencilState;
	const struct row *row = find_row(b, DEPTHS, key);
	uint32_t masks[2][2] = {{0}};
	if (!row)
		return;
	take_columns(b, row->values, columns, ARRAY_COUNT(columns), d);
	for (unsigned i = 0; i < 2; i++) {
		const struct row *face = find_row(b, STENCILS, &row->values[4 + i]);
		if (!face)
			continue;
		take_columns(b, face->values, face_columns, ARRAY_COUNT(face_columns), i ? &d->BackFace : &d->FrontFace);
		masks[i][0] = take_u32(b, &face->values[4], "StencilReadMask");
		masks[i][1] = take_u32(b, &face->values[5], "StencilWriteMask");
	}
	d->DepthBoundsTestEnable = take_u32(b, &row->values[6], "DepthBoundsTestEnable") != 0;
	d->StencilReadMask = masks[0][0];
	d->StencilWriteMask = masks[0][1];
	if (d->StencilEnable && (masks[0][0] != masks[1][0] || masks[0][1] != masks[1][1]))
		refuse(b, DIAG_SODB_UNSUPPORTED, "front and back face have other stencil masks");
}

static void take_formats(struct build *b, const struct sodb_value *key)
{
	struct kiln_graphics_pipeline_desc *d = &b->e->desc;
	const struct row *row = find_row(b, FORMATS, key);
	for (unsigned i = 0; row && i < KILN_RENDER_TARGETS_MAX; i++)
		d->RTVFormats[i] = take_u32(b, &row->values[i], "RTFormat");
	if (row)
		d->NumRenderTargets = take_u32(b, &row->values[KILN_RENDER_TARGETS_MAX], "NumRenderTargets");
}

static void take_element(struct build *b, const struct row *row, struct kiln_input_element_desc *e)
{
	static const struct column columns[] = {U32(kiln_input_element_desc, SemanticIndex),
		U32(kiln_input_element_desc, Format), U32(kiln_input_element_desc, InputSlot),
		U32(kiln_input_element_desc, AlignedByteOffset), U32(kiln_input_element_desc, InputSlotClass),
		U32(kiln_input_element_desc, InstanceDataStepRate)};
	const struct sodb_value *name = &row->values[0];
	bool ok = name->type == SODB_TEXT && !memchr(name->data, 0, name->size);
	if (!ok)
		refuse(b, DIAG_SODB_VALUE, "SemanticName is no text");
	e->SemanticName = ok ? (const char *)name->data : "";
	take_columns(b, row->values + 1, columns, ARRAY_COUNT(columns), e);
}

/* A layout is a run of associations; its elements are in the order in which they were put in. */
static void take_layout(struct build *b, const struct sodb_value *key)
{
	const struct table *t = &b->r->tables[LAYOUTS];
	const struct row *any = find_row(b, LAYOUTS, key);
	if (!any)
		return;
	size_t first = (size_t)((const uint8_t *)any - t->rows) / t->row_size, count = 0;
	while (first && !compare_keys(&row_at(t, first - 1)->key, key))
		first--;
	while (first + count < t->count && !compare_keys(&row_at(t, first + count)->key, key))
		count++;
	struct sodb_value *keys = mem_array(count, sizeof *keys);
	struct kiln_input_element_desc *list = arena_array(&b->r->set->arena, count, sizeof *list);
	for (size_t i = 0; i < count; i++) {
		keys[i] = row_at(t, first + i)->values[0];
		const struct row *row = find_row(b, ELEMENTS, &keys[i]);
		if (row)
			take_element(b, row, &list[i]);
	}
	uint8_t digest[SODB_KEY_SIZE];
	sodb_key(t->name, keys, count, digest);
	if (sodb_key_is_digest(key) && memcmp(digest, key->data, sizeof digest))
		refuse(b, DIAG_SODB_DAMAGED, "its input layout is not what the layout's key says");
	b->e->desc.InputElementDescs = list;
	b->e->desc.NumInputElements = (uint32_t)count;
	mem_free(keys);
}

static uint32_t take_shader(struct build *b, const struct sodb_value *key, const char *stage)
{
	struct row *row = find_row(b, SHADERS, key);
	if (!row)
		return PSO_NONE;
	if (row->number)
		return row->number - 1;
	const struct sodb_value *code = &row->values[1];
	if (code->type != SODB_BLOB || !code->size) {
		refuse(b, DIAG_SODB_VALUE, "a shader's Bytecode is empty");
		return PSO_NONE;
	}
	row->number = 1 + pso_set_shader(b->r->set, b->r->file,
		arena_printf(&b->r->set->arena, "%s shader of %s", stage, b->e->name), code->data, code->size);
	return row->number - 1;
}

static void take_numbers(struct build *b, const struct sodb_value *v)
{
	struct kiln_graphics_pipeline_desc *d = &b->e->desc;
	const struct { unsigned column; const char *name; uint32_t *to; } fields[] = {
		{SODB_COUNT, "SampleDesc.Count", &d->SampleDesc.Count}, {SODB_QUALITY, "SampleDesc.Quality", &d->SampleDesc.Quality},
		{SODB_SAMPLE_MASK, "SampleMask", &d->SampleMask}, {SODB_STRIP_CUT, "IBStripCutValue", &d->IBStripCutValue},
		{SODB_TOPOLOGY, "PrimitiveTopology", &d->PrimitiveTopologyType}, {SODB_DSV, "DSVFormat", &d->DSVFormat}};
	for (size_t i = 0; i < ARRAY_COUNT(fields); i++)
		if (v[fields[i].column].type != SODB_NULL)
			*fields[i].to = take_u32(b, &v[fields[i].column], fields[i].name);
}

static void refuse_unsupported(struct build *b, const struct sodb_value *v)
{
	static const struct {
		unsigned column;
		const char *what;
	} parts[] = {{SODB_HS, "a hull shader"}, {SODB_DS, "a domain shader"}, {SODB_GS, "a geometry shader"},
		{SODB_AS, "an amplification shader"}, {SODB_MS, "a mesh shader"}, {SODB_VIEWS, "view instancing"},
		{SODB_STREAM_OUT, "stream output"}};
	enum { TOOL_DEBUG = 1 };
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (v[parts[i].column].type != SODB_NULL)
			refuse(b, DIAG_SODB_UNSUPPORTED, "it has %s", parts[i].what);
	if (v[SODB_FLAGS].type != SODB_NULL && take_u32(b, &v[SODB_FLAGS], "Flags") & ~(uint32_t)TOOL_DEBUG)
		refuse(b, DIAG_SODB_UNSUPPORTED, "Flags is 0x%llx", (unsigned long long)v[SODB_FLAGS].integer);
}

/* Absent parts have the defaults of a pipeline state stream: Direct3D's, depth off where there is no depth format. */
static void build_pipeline(struct build *b, const struct sodb_value *v)
{
	struct kiln_graphics_pipeline_desc *d = &b->e->desc;
	*d = kiln_graphics_pipeline_default();
	take_numbers(b, v);
	d->DepthStencilState.DepthEnable = d->DSVFormat != KILN_FORMAT_UNKNOWN;
	take_depth(b, &v[SODB_DEPTH]);
	take_blend(b, &v[SODB_BLEND]);
	take_rasterizer(b, &v[SODB_RASTERIZER]);
	take_formats(b, &v[SODB_FORMATS]);
	take_layout(b, &v[SODB_LAYOUT]);
	refuse_unsupported(b, v);
	b->e->vs = take_shader(b, &v[SODB_VS], "vertex");
	b->e->ps = take_shader(b, &v[SODB_PS], "pixel");
	struct row *root = find_row(b, ROOTS, &v[SODB_ROOT]);
	if (root && !root->number)
		root->number = 1 + pso_set_root(b->r->set, b->e->name, root->values[0].data, root->values[0].size);
	b->e->root = root ? root->number - 1 : PSO_NONE;
	b->e->broken = !b->ok;
}

/* ---- names ---- */
/* The application's key, as text where it is text, else its bytes in hexadecimal. */
static const char *name_of(struct reader_state *r, const struct sodb_value *key)
{
	struct buf b = {0};
	bool text = key->size > 0;
	for (size_t i = 0; i < key->size; i++)
		text = text && key->data[i] >= 0x20 && key->data[i] != 0x7f;
	json_t *utf8 = text ? json_stringn((const char *)key->data, key->size) : NULL;
	if (!utf8)
		buf_printf(&b, "0x");
	for (size_t i = 0; !utf8 && i < key->size; i++)
		buf_printf(&b, "%02x", key->data[i]);
	char *name = arena_printf(&r->set->arena, "%s", utf8 ? json_string_value(utf8) : buf_text(&b));
	json_decref(utf8);
	buf_finish(&b);
	return name;
}

/* A pipeline's digest covers the name that it has and its version. */
static bool is_named_so(const struct row *pipeline, const struct row *group)
{
	struct sodb_value values[SODB_VALUES_MAX];
	uint8_t key[SODB_KEY_SIZE];
	if (!sodb_key_is_digest(&pipeline->key))
		return true;
	memcpy(values, pipeline->values, SODB_PIPELINE_COUNT * sizeof *values);
	values[SODB_PIPELINE_COUNT] = group->key;
	values[SODB_PIPELINE_COUNT + 1] = group->values[0];
	sodb_key("pipeline_states", values, SODB_PIPELINE_COUNT + 2, key);
	return !memcmp(key, pipeline->key.data, sizeof key);
}

static void read_groups(struct reader_state *r, size_t *others)
{
	const struct table *t = &r->tables[GROUPS];
	for (size_t i = 0; i < t->count; i++) {
		const struct row *group = row_at(t, i);
		if (group->values[1].type == SODB_NULL) {
			*others += 1;
			continue;
		}
		struct build b = {.r = r, .e = pso_set_entry(r->set, name_of(r, &group->key)), .ok = true};
		const struct row *pipeline = find_row(&b, PIPELINES, &group->values[1]);
		if (pipeline && !is_named_so(pipeline, group))
			refuse(&b, DIAG_SODB_DAMAGED, "the pipeline is not what its key says");
		b.e->broken = !b.ok;
		if (!b.ok)
			continue;
		if (pipeline->values[SODB_CS].type == SODB_NULL) {
			build_pipeline(&b, pipeline->values);
			continue;
		}
		kiln_diags_destroy(b.e->diags);
		r->set->entry_count--;
		*others += 1;
	}
}

void sodb_read(struct pso_set *s, struct pso_file *f)
{
	struct reader_state r = {.set = s, .file = f};
	uint8_t *data = NULL;
	size_t size, others = 0;
	bool ok = file_read(f->path, SODB_BYTES_MAX, &data, &size, f->diags);
	if (!ok)
		f->failed = true;
	else if (is_pending(f->path))
		ok = fail(&r, DIAG_SODB_PENDING, "changes stand beside it that are not in it yet");
	sqlite3_hard_heap_limit64(HEAP_MAX);
	ok = ok && open_memory(&r, data, size) && check_header(&r) && check_integrity(&r);
	for (unsigned i = 0; ok && i < TABLES; i++)
		ok = read_table(&r, i);
	if (ok && verify_rows(&r))
		read_groups(&r, &others);
	if (others)
		diag_add(f->diags, DIAG_SODB_LEFT_OUT, f->path, "%zu compute pipelines and state objects are left out", others);
	sqlite3_close(r.db);
	mem_free(data);
	for (unsigned i = 0; i < TABLES; i++)
		mem_free(r.tables[i].rows);
}
