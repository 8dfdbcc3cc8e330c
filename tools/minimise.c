/* Delta reduction of a scene. Takes the YAML tree of the scene; leaves out what the verdict cannot depend on (commands,
 * resources, expectations, other PSOs), then every item and field, one at a time and the largest first, until none can go
 * any more: after each cut the scene is written out, read and checked again, and the cut stays if the PSO still gets the
 * diagnostic, and none that it did not get before. The result is 1-minimal: it shows the diagnostic, and no single item
 * of it can be left out. */
#include "tools/minimise.h"
#include "tools/tools.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_DEPTH = 3 };            /* collections down to here are written a line an item */

struct node {
	const char *key;                  /* NULL: an item of a list */
	const char *text;                 /* NULL: a collection */
	bool is_map, removed;
	struct node *parent, *children;
	size_t count;
};
struct cutter {
	struct arena arena;
	const struct pso_set *compiled;
	struct node root;
	const char *pso, *output;
	uint32_t number;                  /* of the diagnostic */
	bool made;                        /* the verdict that goes with it */
	struct node **all;                /* by depth first */
	size_t all_count, all_cap;
};

/* ---- the tree ---- */
static const char *scalar_text(struct cutter *c, struct fy_node *n)
{
	size_t size = 0;
	const char *s = fy_node_get_scalar(n, &size);
	return arena_printf(&c->arena, "%.*s", (int)size, s ? s : "");
}

static void take_tree(struct cutter *c, struct fy_node *from, struct node *to)
{
	void *prev = NULL;
	struct fy_node *item;
	struct fy_node_pair *pair;
	if (fy_node_is_scalar(from)) {
		to->text = scalar_text(c, from);
		return;
	}
	to->is_map = fy_node_is_mapping(from);
	int count = to->is_map ? fy_node_mapping_item_count(from) : fy_node_sequence_item_count(from);
	to->children = arena_array(&c->arena, (size_t)count, sizeof *to->children);
	for (int i = 0; i < count; i++)
		to->children[i].parent = to;
	while (to->is_map && (pair = fy_node_mapping_iterate(from, &prev))) {
		struct node *n = &to->children[to->count++];
		n->key = scalar_text(c, fy_node_pair_key(pair));
		take_tree(c, fy_node_pair_value(pair), n);
	}
	while (!to->is_map && (item = fy_node_sequence_iterate(from, &prev)))
		take_tree(c, item, &to->children[to->count++]);
}

static void list_nodes(struct cutter *c, struct node *n)
{
	for (size_t i = 0; i < n->count; i++) {
		if (n->children[i].removed)
			continue;
		*ARRAY_PUSH(c->all, c->all_count, c->all_cap) = &n->children[i];
		list_nodes(c, &n->children[i]);
	}
}

static struct node *child(struct node *n, const char *key)
{
	for (size_t i = 0; n && n->is_map && i < n->count; i++)
		if (!n->children[i].removed && !strcmp(n->children[i].key, key))
			return &n->children[i];
	return NULL;
}

/* ---- as text ---- */
static void put_scalar(struct buf *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
	if (*s && strcmp(s, "-") && strspn(s, plain) == strlen(s)) {
		buf_printf(out, "%s", s);
		return;
	}
	buf_printf(out, "\"");
	for (const uint8_t *b = (const uint8_t *)s; *b; b++)
		if (*b == '"' || *b == '\\')
			buf_printf(out, "\\%c", *b);
		else if (*b < 0x20 || *b == 0x7f)
			buf_printf(out, "\\x%02x", *b);
		else
			buf_put(out, b, 1);
	buf_printf(out, "\"");
}

static void put_flow(struct buf *out, const struct node *n)
{
	const char *separator = "";
	if (n->text) {
		put_scalar(out, n->text);
		return;
	}
	buf_printf(out, n->is_map ? "{" : "[");
	for (size_t i = 0; i < n->count; i++) {
		if (n->children[i].removed)
			continue;
		buf_printf(out, "%s", separator);
		separator = ", ";
		if (n->is_map) {
			put_scalar(out, n->children[i].key);
			buf_printf(out, ": ");
		}
		put_flow(out, &n->children[i]);
	}
	buf_printf(out, n->is_map ? "}" : "]");
}

static void put_block(struct buf *out, const struct node *map, unsigned depth)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct node *n = &map->children[i];
		size_t left = 0;
		if (n->removed)
			continue;
		for (size_t k = 0; k < n->count; k++)
			left += !n->children[k].removed;
		buf_printf(out, "%*s", (int)(2 * depth), "");
		put_scalar(out, n->key);
		buf_printf(out, ":");
		if (n->is_map && left && depth + 1 < BLOCK_DEPTH) {
			buf_printf(out, "\n");
			put_block(out, n, depth + 1);
			continue;
		}
		buf_printf(out, " ");
		put_flow(out, n);
		buf_printf(out, "\n");
	}
}

/* ---- paths: shader files stay where they are, the scene may move ---- */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct buf b = {0};
	buf_printf(&b, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
	char *real = realpath(buf_text(&b), NULL);
	buf_finish(&b);
	return real;
}

/* From one folder to a file of another, both absolute: as many "../" as folders are left, then the rest of the path. */
static const char *relative_path(struct cutter *c, const char *from, const char *folder, const char *file)
{
	size_t same = 0;
	struct buf b = {0};
	for (size_t i = 0;; i++) {
		if ((from[i] == '/' || !from[i]) && (folder[i] == '/' || !folder[i]))
			same = i;
		if (from[i] != folder[i] || !from[i])
			break;
	}
	for (const char *at = from + same; *at; at++)
		if (*at == '/' && at[1])
			buf_printf(&b, "../");
	const char *rest = folder + same + (folder[same] == '/');
	buf_printf(&b, "%s%s%s", rest, *rest ? "/" : "", file);
	const char *path = arena_string(&c->arena, buf_text(&b));
	buf_finish(&b);
	return path;
}

/* `file` of a mapping, where the file stays and the scene moves. */
static void move_file(struct cutter *c, struct node *map, const char *from, const char *to)
{
	struct node *file = child(map, "file");
	if (file && file->text && *file->text != '/')
		file->text = relative_path(c, to, from, file->text);
}

static bool move_files(struct cutter *c, const char *scene, struct kiln_diags *d)
{
	struct node *shaders = child(&c->root, "shaders");
	char *from = folder_of(scene), *to = folder_of(c->output);
	bool ok = from && to;
	if (!ok)
		diag_add(d, DIAG_FILE_WRITE, c->output, "cannot write: %s", strerror(errno));
	for (size_t i = 0; ok && shaders && i < shaders->count; i++)
		move_file(c, &shaders->children[i], from, to);
	if (ok)
		move_file(c, child(&c->root, "root_signature"), from, to);
	free(from);
	free(to);
	return ok;
}

/* ---- does it still show? ---- */
static const struct pso_entry *find_entry(const struct pso_set *s, const char *name)
{
	for (size_t i = 0; i < s->entry_count; i++)
		if (!strcmp(s->entries[i].name, name))
			return &s->entries[i];
	return NULL;
}

/* Nothing else is said than in the whole scene, so that a cut does not trade one warning for another. */
static bool says_nothing_new(const struct pso_entry *e, const struct pso_entry *was)
{
	bool known = true;
	for (size_t i = 0; i < kiln_diags_count(e->diags); i++)
		known = known && kiln_diags_has(was->diags, kiln_diags_get(e->diags, i)->number);
	return known;
}

static bool shows(const struct cutter *c)
{
	struct buf text = {0};
	struct pso_set s;
	put_block(&text, &c->root, 0);
	pso_set_open_text(&s, c->compiled, c->output, (const uint8_t *)buf_text(&text), text.size);
	pso_set_check(&s, 1, true);
	const struct pso_entry *e = find_entry(&s, c->pso);
	bool same = e && e->made == c->made && kiln_diags_has(e->diags, c->number) &&
				says_nothing_new(e, find_entry(c->compiled, c->pso));
	pso_set_close(&s);
	buf_finish(&text);
	return same;
}

/* ---- cutting ---- */
static void remove_child(struct node *n, const char *key)
{
	struct node *c = child(n, key);
	if (c)
		c->removed = true;
}

/* What the verdict on a PSO cannot depend on: all but shaders, root signature, and the PSO with those that it derives
 * from. */
static void remove_unrelated(struct cutter *c)
{
	static const char *const sections[] = {"title", "resources", "commands", "expect", "expect_ignoring_mismatch"};
	struct node *psos = child(&c->root, "psos"), *at = child(psos, c->pso);
	for (size_t i = 0; i < ARRAY_COUNT(sections); i++)
		remove_child(&c->root, sections[i]);
	for (size_t i = 0; i < psos->count; i++)
		psos->children[i].removed = true;
	while (at) {
		const struct node *base = child(at, "base");
		struct node *next = NULL;
		at->removed = false;
		for (size_t i = 0; base && base->text && i < psos->count; i++)
			if (!strcmp(psos->children[i].key, base->text))
				next = &psos->children[i];
		at = next;
	}
}

/* Derived from a derived one: straight from the base, which leaves one PSO less. */
static bool skip_base(struct cutter *c, struct node *pso)
{
	struct node *psos = child(&c->root, "psos"), *base = pso->parent == psos ? child(pso, "base") : NULL;
	struct node *middle = base && base->text ? child(psos, base->text) : NULL, *far = child(middle, "base");
	const char *was = base ? base->text : NULL;
	if (!far)
		return false;
	base->text = far->text;
	middle->removed = true;
	if (shows(c))
		return true;
	base->text = was;
	middle->removed = false;
	return false;
}

static bool is_gone(const struct node *n)
{
	while (n && !n->removed)
		n = n->parent;
	return n != NULL;
}

static bool cut_round(struct cutter *c)
{
	bool cut = false;
	c->all_count = 0;
	list_nodes(c, &c->root);
	for (size_t i = 0; i < c->all_count; i++) {
		struct node *n = c->all[i];
		if (is_gone(n))
			continue;
		n->removed = true;
		bool same = shows(c);
		n->removed = same;
		cut |= same || skip_base(c, n);
	}
	return cut;
}

static bool choose_diagnostic(struct cutter *c, struct kiln_diags *d)
{
	const struct pso_entry *e = find_entry(c->compiled, c->pso);
	const char *path = c->compiled->files[0].path;
	if (!e) {
		diag_add(d, DIAG_SCENE_REFERENCE, path, "there is no PSO '%s'", c->pso);
		return false;
	}
	c->made = e->made;
	for (size_t i = 0; i < kiln_diags_count(e->diags) && !c->number; i++)
		if (e->made || kiln_diags_get(e->diags, i)->severity == KILN_ERROR)
			c->number = kiln_diags_get(e->diags, i)->number;
	if (!c->number)
		diag_add(d, DIAG_KILN_LINT_NOTHING_TO_MINIMISE, path, "nothing is said of PSO '%s'", c->pso);
	return c->number != 0;
}

bool minimise(const struct pso_set *s, const char *pso, const char *output, struct kiln_diags *d)
{
	struct cutter c = {.compiled = s, .pso = pso, .output = output};
	struct buf text = {0};
	bool ok = choose_diagnostic(&c, d);
	struct yaml y = {0};
	ok = ok && yaml_open(&y, s->files[0].path, d);
	if (ok) {
		take_tree(&c, fy_document_root(y.doc), &c.root);
		ok = move_files(&c, s->files[0].path, d);
	}
	yaml_close(&y);
	if (ok) {
		remove_unrelated(&c);
		while (cut_round(&c))
			;
		put_block(&text, &c.root, 0);
		ok = file_write(output, text.data, text.size, d);
	}
	if (ok)
		printf("%s: %s still gets %u, in %zu items and fields\n", output, pso, c.number, c.all_count);
	buf_finish(&text);
	mem_free(c.all);
	arena_finish(&c.arena);
	return ok;
}
