/* The cache's store: a SQLite file that lists the pipelines that were used, never shader code. Many processes may have it
 * open; each change is a transaction, so that a killed process loses at most what it was about to write. A row is believed
 * only if its id is the SHA-1 of its key. */
#include "sim/cache.h"
#include <sqlite3.h>

enum { APPLICATION_ID = 0x4b50534f /* "KPSO" */, STORE_VERSION = 1, BUSY_MS = 10000, KEY_MAX = 1 << 20 };
struct cache_store {
	pthread_mutex_t lock;
	sqlite3 *db;
	sqlite3_stmt *put;
	char *path;
};

static bool refuse(const struct cache_store *s, enum diag_id id, struct kiln_diags *diags, const char *what)
{
	if (diags)
		diag_add(diags, id, s->path, "%s: %s", what, sqlite3_errmsg(s->db));
	return false;
}

static bool number(struct cache_store *s, const char *pragma, int64_t *out)
{
	sqlite3_stmt *q;
	bool ok = sqlite3_prepare_v2(s->db, pragma, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW;
	*out = ok ? sqlite3_column_int64(q, 0) : 0;
	sqlite3_finalize(q);
	return ok;
}

static bool is_sound(struct cache_store *s)
{
	sqlite3_stmt *q;
	bool ok = sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &q, NULL) == SQLITE_OK &&
		sqlite3_step(q) == SQLITE_ROW && !strcmp((const char *)sqlite3_column_text(q, 0), "ok");
	sqlite3_finalize(q);
	return ok;
}

/* In one transaction, since another process may be doing the same. */
static bool make_schema(struct cache_store *s)
{
	return sqlite3_exec(s->db,
		"CREATE TABLE IF NOT EXISTS pso (id BLOB PRIMARY KEY, key BLOB NOT NULL, uses INTEGER NOT NULL, first_frame INTEGER NOT NULL) "
		"WITHOUT ROWID; PRAGMA application_id = 1263555407; PRAGMA user_version = 1;", NULL, NULL, NULL) == SQLITE_OK;
}
_Static_assert(APPLICATION_ID == 1263555407 && STORE_VERSION == 1, "as the schema says");

static bool check_header(struct cache_store *s, struct kiln_diags *diags)
{
	int64_t application, version, tables;
	if (!number(s, "PRAGMA application_id", &application) || !number(s, "PRAGMA user_version", &version) ||
		!number(s, "SELECT count(*) FROM sqlite_schema", &tables))
		return refuse(s, DIAG_CACHE_STORE_INVALID, diags, "not a cache store");
	if (!application && !version && !tables)
		return make_schema(s) || refuse(s, DIAG_CACHE_STORE_UNWRITABLE, diags, "the store cannot be made");
	if (application != APPLICATION_ID) {
		diag_add(diags, DIAG_CACHE_STORE_INVALID, s->path, "a database of another application (id 0x%llx)",
			(unsigned long long)application);
		return false;
	}
	if (version != STORE_VERSION) {
		diag_add(diags, DIAG_CACHE_STORE_INVALID, s->path, "version %lld of the store; version %d is known", (long long)version,
			(int)STORE_VERSION);
		return false;
	}
	return is_sound(s) || refuse(s, DIAG_CACHE_STORE_INVALID, diags, "the database is damaged");
}

static bool open_database(struct cache_store *s, struct kiln_diags *diags)
{
	static const char put[] = "INSERT INTO pso VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET uses = uses + excluded.uses, "
		"first_frame = min(first_frame, excluded.first_frame)";
	if (sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return refuse(s, DIAG_CACHE_STORE_UNWRITABLE, diags, "the store cannot be opened");
	sqlite3_busy_timeout(s->db, BUSY_MS);
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, 4 * KEY_MAX);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	/* written ahead and without waiting for the disk: safe against a killed process, which is what is promised */
	sqlite3_exec(s->db, "PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
	if (!check_header(s, diags))
		return false;
	return sqlite3_prepare_v2(s->db, put, -1, &s->put, NULL) == SQLITE_OK ||
		refuse(s, DIAG_CACHE_STORE_INVALID, diags, "the store's table is another");
}

struct cache_store *cache_store_open(const char *path, struct kiln_diags *diags)
{
	struct cache_store *s = mem_alloc(sizeof *s);
	s->path = mem_string(path);
	pthread_mutex_init(&s->lock, NULL);
	if (open_database(s, diags))
		return s;
	cache_store_close(s);
	return NULL;
}

void cache_store_close(struct cache_store *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->put);
	sqlite3_close(s->db);
	pthread_mutex_destroy(&s->lock);
	mem_free(s->path);
	mem_free(s);
}

static bool put_row(struct cache_store *s, const struct cache_row *row)
{
	uint8_t id[CACHE_SHA1];
	cache_sha1(row->key, row->key_size, id);
	sqlite3_bind_blob(s->put, 1, id, sizeof id, SQLITE_TRANSIENT);
	sqlite3_bind_blob(s->put, 2, row->key, (int)row->key_size, SQLITE_STATIC);
	sqlite3_bind_int64(s->put, 3, (sqlite3_int64)row->uses);
	sqlite3_bind_int64(s->put, 4, row->first_frame);
	bool ok = sqlite3_step(s->put) == SQLITE_DONE;
	sqlite3_reset(s->put);
	sqlite3_clear_bindings(s->put);
	return ok;
}

bool cache_store_put(struct cache_store *s, const struct cache_row *rows, size_t count, struct kiln_diags *diags)
{
	pthread_mutex_lock(&s->lock);
	bool ok = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
	for (size_t i = 0; i < count && ok; i++)
		ok = put_row(s, &rows[i]);
	ok = ok && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
	if (!ok) {
		refuse(s, DIAG_CACHE_STORE_UNWRITABLE, diags, "the store cannot be written");
		if (!sqlite3_get_autocommit(s->db))
			sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	}
	pthread_mutex_unlock(&s->lock);
	return ok;
}

/* False where the row's parts do not belong together. */
static bool read_row(sqlite3_stmt *q, struct cache_row *row)
{
	uint8_t id[CACHE_SHA1];
	struct arena arena = {0};
	struct cache_key_parts parts;
	sqlite3_int64 uses = sqlite3_column_int64(q, 2), frame = sqlite3_column_int64(q, 3);
	const void *stored_id = sqlite3_column_blob(q, 0), *key = sqlite3_column_blob(q, 1);
	if (sqlite3_column_bytes(q, 0) != CACHE_SHA1 || !key || sqlite3_column_bytes(q, 1) > KEY_MAX)
		return false;
	*row = (struct cache_row){.key = key, .key_size = (size_t)sqlite3_column_bytes(q, 1), .uses = uses > 0 ? (uint64_t)uses : 0,
		.first_frame = frame < 0 || frame > UINT32_MAX ? UINT32_MAX : (uint32_t)frame};
	cache_sha1(row->key, row->key_size, id);
	bool ok = !memcmp(id, stored_id, sizeof id) && cache_key_parse(row->key, row->key_size, &arena, &parts);
	arena_finish(&arena);
	return ok;
}

bool cache_store_read(struct cache_store *s, cache_row_fn *fn, void *user, uint64_t *rejected, struct kiln_diags *diags)
{
	sqlite3_stmt *q = NULL;
	int step = SQLITE_ERROR;
	pthread_mutex_lock(&s->lock);
	if (sqlite3_prepare_v2(s->db, "SELECT id, key, uses, first_frame FROM pso ORDER BY first_frame, uses DESC, id", -1, &q, NULL) ==
		SQLITE_OK)
		while ((step = sqlite3_step(q)) == SQLITE_ROW) {
			struct cache_row row;
			if (read_row(q, &row))
				fn(user, &row);
			else
				++*rejected;
		}
	if (step != SQLITE_DONE)
		refuse(s, DIAG_CACHE_STORE_INVALID, diags, "the store cannot be read");
	else if (*rejected)
		diag_add(diags, DIAG_CACHE_ROW_DAMAGED, s->path, "%llu rows are damaged", (unsigned long long)*rejected);
	sqlite3_finalize(q);
	pthread_mutex_unlock(&s->lock);
	return step == SQLITE_DONE;
}
