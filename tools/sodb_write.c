/* Takes a set; gives a State Object Database of all its PSOs, full ones, by label: the same bytes for the same set in any
 * order. Rows are stored once: their key is a digest of them. Made in memory, written whole. */
#include "tools/sodb.h"
#include "tools/tools.h"
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

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
	APPLICATION,
	TABLES
};
static const struct { const char *name; unsigned columns;
} tables[TABLES] = {[ROOTS] = {"root_signatures", 2},
	[ELEMENTS] = {"input_element_descs", 8},
	[SHADERS] = {"shader_bytecode", 3},
	[STENCILS] = {"depth_stencil_op_descs", 7},
	[DEPTHS] = {"depth_stencil_descs", 8},
	[FORMATS] = {"render_target_formats", 10},
	[TARGETS] = {"render_target_blend_descs", 11},
	[BLENDS] = {"blend_descs", 11},
	[RASTERIZERS] = {"rasterizer_descs", 11},
	[PIPELINES] = {"pipeline_states", 1 + SODB_PIPELINE_COUNT},
	[LAYOUTS] = {"input_layout_to_input_element_associations", 2},
	[GROUPS] = {"groups", 4},
	[APPLICATION] = {"app_id", 6}};

struct writer {
	const struct pso_set *set;
	sqlite3 *db;
	sqlite3_stmt *insert[TABLES];
	struct arena keys;                /* those of sub-rows, while a PSO is written */
	bool failed;
};

/* ---- rows ---- */
static struct sodb_value number(uint32_t v) { return (struct sodb_value){.type = SODB_INTEGER, .integer = v}; }
/* SQLite has no -0. */
static struct sodb_value real(float v) { return (struct sodb_value){.type = SODB_REAL, .real = v == 0 ? 0 : v}; }
static struct sodb_value blob(const void *data, size_t size)
{
	return (struct sodb_value){.type = SODB_BLOB, .data = data, .size = size};
}
static struct sodb_value text(const char *s)
{
	return (struct sodb_value){.type = SODB_TEXT, .data = (const uint8_t *)s, .size = strlen(s)};
}
static const struct sodb_value null = {.type = SODB_NULL};

static void prepare(struct writer *w, unsigned table)
{
	struct buf sql = {0};
	buf_printf(&sql, "INSERT OR IGNORE INTO %s VALUES(?", tables[table].name);
	for (unsigned i = 1; i < tables[table].columns; i++)
		buf_printf(&sql, ",?");
	buf_printf(&sql, ")");
	w->failed |= sqlite3_prepare_v2(w->db, buf_text(&sql), -1, &w->insert[table], NULL) != SQLITE_OK;
	buf_finish(&sql);
}

static void bind(sqlite3_stmt *q, int at, const struct sodb_value *v)
{
	switch (v->type) {
	case SODB_INTEGER: sqlite3_bind_int64(q, at, v->integer); break;
	case SODB_REAL: sqlite3_bind_double(q, at, v->real); break;
	case SODB_TEXT: sqlite3_bind_text64(q, at, (const char *)v->data, v->size, SQLITE_STATIC, SQLITE_UTF8); break;
	case SODB_BLOB: sqlite3_bind_blob64(q, at, v->data ? (const void *)v->data : "", v->size, SQLITE_STATIC); break;
	default: sqlite3_bind_null(q, at); break;
	}
}

static void insert(struct writer *w, unsigned table, const struct sodb_value *values)
{
	sqlite3_stmt *q = w->insert[table];
	if (w->failed)
		return;
	for (unsigned i = 0; i < tables[table].columns; i++)
		bind(q, (int)i + 1, &values[i]);
	w->failed = sqlite3_step(q) != SQLITE_DONE;
	w->failed |= sqlite3_reset(q) != SQLITE_OK;
}

/* A digest as the key in front of the values; gives the key. */
static struct sodb_value digest(struct writer *w, unsigned table, const struct sodb_value *values, size_t count)
{
	uint8_t *key = arena_alloc(&w->keys, SODB_KEY_SIZE);
	sodb_key(tables[table].name, values, count, key);
	return blob(key, SODB_KEY_SIZE);
}

static struct sodb_value put_row(struct writer *w, unsigned table, const struct sodb_value *values)
{
	struct sodb_value row[SODB_VALUES_MAX];
	size_t count = tables[table].columns - 1;
	row[0] = digest(w, table, values, count);
	memcpy(row + 1, values, count * sizeof *values);
	insert(w, table, row);
	return row[0];
}

/* ---- the parts of a PSO ---- */
static struct sodb_value put_blend(struct writer *w, const struct kiln_blend_desc *d)
{
	struct sodb_value row[2 + KILN_RENDER_TARGETS_MAX] = {
		number(d->AlphaToCoverageEnable), number(d->IndependentBlendEnable)};
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++) {
		const struct kiln_render_target_blend_desc *t = &d->RenderTarget[i];
		const struct sodb_value target[] = {number(t->BlendEnable), number(t->LogicOpEnable), number(t->SrcBlend),
			number(t->DestBlend), number(t->BlendOp), number(t->SrcBlendAlpha), number(t->DestBlendAlpha),
			number(t->BlendOpAlpha), number(t->LogicOp), number(t->RenderTargetWriteMask)};
		row[2 + i] = put_row(w, TARGETS, target);
	}
	return put_row(w, BLENDS, row);
}

static struct sodb_value put_rasterizer(struct writer *w, const struct kiln_rasterizer_desc *d)
{
	const struct sodb_value row[] = {number(d->FillMode), number(d->CullMode), number(d->FrontCounterClockwise),
		real(d->DepthBias), real(d->DepthBiasClamp), real(d->SlopeScaledDepthBias), number(d->DepthClipEnable),
		number(pipeline_line_mode(d)), number(d->ForcedSampleCount), number(d->ConservativeRaster)};
	return put_row(w, RASTERIZERS, row);
}

static struct sodb_value put_face(
	struct writer *w, const struct kiln_depth_stencil_desc *d, const struct kiln_depth_stencilop_desc *face)
{
	const struct sodb_value row[] = {number(face->StencilFailOp), number(face->StencilDepthFailOp),
		number(face->StencilPassOp), number(face->StencilFunc), number(d->StencilReadMask), number(d->StencilWriteMask)};
	return put_row(w, STENCILS, row);
}

static struct sodb_value put_depth(struct writer *w, const struct kiln_depth_stencil_desc *d)
{
	const struct sodb_value row[] = {number(d->DepthEnable), number(d->DepthWriteMask), number(d->DepthFunc),
		number(d->StencilEnable), put_face(w, d, &d->FrontFace), put_face(w, d, &d->BackFace),
		number(d->DepthBoundsTestEnable)};
	return put_row(w, DEPTHS, row);
}

static struct sodb_value put_formats(struct writer *w, const struct kiln_graphics_pipeline_desc *d)
{
	struct sodb_value row[KILN_RENDER_TARGETS_MAX + 1];
	for (unsigned i = 0; i < KILN_RENDER_TARGETS_MAX; i++)
		row[i] = number(d->RTVFormats[i]);
	row[KILN_RENDER_TARGETS_MAX] = number(d->NumRenderTargets);
	return put_row(w, FORMATS, row);
}

static struct sodb_value put_layout(struct writer *w, const struct kiln_graphics_pipeline_desc *d)
{
	struct sodb_value *elements = mem_array(d->NumInputElements, sizeof *elements);
	for (uint32_t i = 0; i < d->NumInputElements; i++) {
		const struct kiln_input_element_desc *e = &d->InputElementDescs[i];
		const struct sodb_value row[] = {text(e->SemanticName), number(e->SemanticIndex), number(e->Format),
			number(e->InputSlot), number(e->AlignedByteOffset), number(e->InputSlotClass), number(e->InstanceDataStepRate)};
		elements[i] = put_row(w, ELEMENTS, row);
	}
	struct sodb_value key = d->NumInputElements ? digest(w, LAYOUTS, elements, d->NumInputElements) : null;
	for (uint32_t i = 0; i < d->NumInputElements; i++)
		insert(w, LAYOUTS, (const struct sodb_value[]){key, elements[i]});
	mem_free(elements);
	return key;
}

static struct sodb_value put_shader(struct writer *w, uint32_t shader, const char *type)
{
	if (shader == PSO_NONE)
		return null;
	const struct pso_shader *s = &w->set->shaders[shader];
	return put_row(w, SHADERS, (const struct sodb_value[]){text(type), blob(s->data, s->size)});
}

static struct sodb_value put_root(struct writer *w, uint32_t root)
{
	if (root == PSO_NONE)
		return null;
	return put_row(w, ROOTS, (const struct sodb_value[]){blob(w->set->roots[root].data, w->set->roots[root].size)});
}

/* The key of the pipeline covers the name and version in groups, so that no flipped bit renames it. */
static void put_pso(struct writer *w, const char *name, const struct pso_entry *e)
{
	const struct kiln_graphics_pipeline_desc *d = &e->desc;
	struct sodb_value row[1 + SODB_PIPELINE_COUNT + 2], *v = row + 1;
	const struct sodb_value key = blob(name, strlen(name)), version = number(1);
	for (size_t i = 0; i < ARRAY_COUNT(row); i++)
		row[i] = null;
	v[SODB_ROOT] = put_root(w, e->root);
	v[SODB_LAYOUT] = put_layout(w, d);
	v[SODB_VS] = put_shader(w, e->vs, "VS");
	v[SODB_PS] = put_shader(w, e->ps, "PS");
	v[SODB_DEPTH] = put_depth(w, &d->DepthStencilState);
	v[SODB_FORMATS] = put_formats(w, d);
	v[SODB_BLEND] = put_blend(w, &d->BlendState);
	v[SODB_RASTERIZER] = put_rasterizer(w, &d->RasterizerState);
	v[SODB_COUNT] = number(d->SampleDesc.Count);
	v[SODB_QUALITY] = number(d->SampleDesc.Quality);
	v[SODB_SAMPLE_MASK] = number(d->SampleMask);
	v[SODB_STRIP_CUT] = number(d->IBStripCutValue);
	v[SODB_TOPOLOGY] = number(d->PrimitiveTopologyType);
	v[SODB_DSV] = number(d->DSVFormat);
	v[SODB_NODE_MASK] = number(0);
	v[SODB_FLAGS] = number(0);
	v[SODB_PIPELINE_COUNT] = key;
	v[SODB_PIPELINE_COUNT + 1] = version;
	row[0] = digest(w, PIPELINES, v, SODB_PIPELINE_COUNT + 2);
	insert(w, PIPELINES, row);
	insert(w, GROUPS, (const struct sodb_value[]){key, version, row[0], null});
	arena_finish(&w->keys);
}

/* ---- the database ---- */
struct named { const char *name; const struct pso_entry *entry; };
static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static void put_all(struct writer *w, const struct named *list, size_t count, const struct sodb_application *app)
{
	const struct sodb_value application[] = {
		number(1), text(app->exe ? app->exe : ""), text(app->name ? app->name : ""), null, number(0), number(0)};
	w->failed = sqlite3_open_v2(":memory:", &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK ||
				sqlite3_exec(w->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK;
	for (size_t i = 0; !w->failed && sodb_schema[i]; i++)
		w->failed = sqlite3_exec(w->db, sodb_schema[i], NULL, NULL, NULL) != SQLITE_OK;
	for (unsigned i = 0; !w->failed && i < TABLES; i++)
		prepare(w, i);
	insert(w, APPLICATION, application);
	for (size_t i = 0; !w->failed && i < count; i++)
		put_pso(w, list[i].name, list[i].entry);
	w->failed = w->failed || sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK;
}

static bool store(struct writer *w, const char *path, struct kiln_diags *d)
{
	sqlite3_int64 size = 0;
	unsigned char *bytes = w->failed ? NULL : sqlite3_serialize(w->db, "main", &size, 0);
	bool ok = bytes != NULL;
	if (ok)
		ok = file_write(path, bytes, (size_t)size, d);
	else
		diag_add(d, DIAG_SODB_WRITE, path, "%s", sqlite3_errmsg(w->db));
	sqlite3_free(bytes);
	for (unsigned i = 0; i < TABLES; i++)
		sqlite3_finalize(w->insert[i]);
	sqlite3_close(w->db);
	arena_finish(&w->keys);
	return ok;
}

static bool names_differ(const struct named *list, size_t count, const char *path, struct kiln_diags *d)
{
	for (size_t i = 1; i < count; i++)
		if (!strcmp(list[i - 1].name, list[i].name)) {
			diag_add(d, DIAG_SODB_REPEATED_NAME, path, "two PSOs are called '%s'", list[i].name);
			return false;
		}
	return true;
}

bool sodb_write(struct pso_set *s, const struct sodb_application *app, const char *path, struct kiln_diags *d)
{
	struct writer w = {.set = s};
	struct named *list = mem_array(s->entry_count, sizeof *list);
	for (size_t i = 0; i < s->entry_count; i++) {
		const struct pso_entry *e = &s->entries[i];
		list[i] = (struct named){pso_set_label(s, e), e};
		if (e->desc.ShaderLimits.VSWaves || e->desc.ShaderLimits.PSWaves)
			diag_add(d, DIAG_SODB_STATE_LOST, list[i].name, "its ShaderLimits are left out");
	}
	qsort(list, s->entry_count, sizeof *list, by_name);
	bool ok = names_differ(list, s->entry_count, path, d);
	if (ok) {
		put_all(&w, list, s->entry_count, app);
		ok = store(&w, path, d);
	}
	mem_free(list);
	return ok;
}
