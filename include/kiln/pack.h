/* PSOs as bytes, and libraries of them: what a build machine bakes, a title loads without compiling.
 *
 *   void *bytes = kiln_pso_serialize(device, pso, NULL, &size, diags);                    one PSO
 *   pso = kiln_pso_deserialize(device, NULL, bytes, size, NULL, diags);
 *
 *   struct kiln_library *lib = kiln_library_open("title.kpack", diags);                   many (kiln pack)
 *   pso = kiln_library_pso(device, lib, "scene/name", NULL, diags);
 *
 * A base PSO's bytes hold everything: state, both programs, root signature. A derived PSO's hold its state, and the
 * name and hash of its base, whose code it shares. A deserialised PSO draws, and is a base for kiln_pso_derive(), as
 * the one that was serialised. Nothing here compiles: it works without the LLVM module, and kiln_device_compiles()
 * stays. Any bytes are safe: what is damaged, of another version or console is refused. Thread-safety: as in kiln.h;
 * a library belongs to one thread at a time. */
#ifndef KILN_PACK_H
#define KILN_PACK_H
#include <kiln/kiln.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- one PSO ---- */
struct kiln_serialize_options {
	bool strip_debug;                 /* leave out the names of entry points and resources; all that deriving needs stays */
	const char *name, *base_name;     /* stored in place of the PSO's and its base's own; NULL: those */
};
/* The PSO's bytes for the device's console; free with free(). options may be NULL. NULL: the device is retail
 * (3957), or the PSO or its base was itself deserialised (3956); diagnostic added. Equal PSOs give equal bytes. */
KILN_API void *kiln_pso_serialize(struct kiln_device *d, const struct kiln_pso *p,
	const struct kiln_serialize_options *options,
	size_t *size, struct kiln_diags *diags);
/* The bytes are not needed afterwards. name NULL: the one that was stored. base: of a derived PSO, the PSO that it
 * was derived from, living or deserialised; else NULL. NULL: damaged (3950), another version (3951), changed (3952),
 * another console (3953), not what this Kiln would bake (3954), or without its base (3955); also everything that
 * kiln_pso_create() and kiln_pso_derive() refuse. */
KILN_API struct kiln_pso *kiln_pso_deserialize(struct kiln_device *d, const char *name, const void *data, size_t size,
	struct kiln_pso *base, struct kiln_diags *diags);
/* What bytes are about, without making a PSO of them. Strings lie in data. */
struct kiln_pso_bytes_info {
	const char *name, *base_name;     /* base_name: "" of a base PSO */
	bool derived;
	enum kiln_console console;        /* whom it was serialised for; NONE runs on all */
	uint64_t hash;                    /* XXH3-64 of all that decides how it works; names and debug information do not */
};
KILN_API bool kiln_pso_bytes_inspect(const void *data, size_t size, struct kiln_pso_bytes_info *out,
	struct kiln_diags *diags);

/* ---- libraries ---- */
struct kiln_library;
/* Maps the file; nothing is read before it is used. The file must not be changed while it is open, but may be
 * replaced (kiln pack writes beside and renames). NULL: diagnostic added (6001 on). */
KILN_API struct kiln_library *kiln_library_open(const char *path, struct kiln_diags *diags);
/* PSOs and shaders made from it live on. NULL is fine. */
KILN_API void kiln_library_close(struct kiln_library *l);
KILN_API size_t kiln_library_count(const struct kiln_library *l);
/* Names in the order of their bytes; NULL past the end. Valid until the library is closed. */
KILN_API const char *kiln_library_name(const struct kiln_library *l, size_t i);
KILN_API bool kiln_library_has(const struct kiln_library *l, const char *entry);
/* A PSO by its name in the library; name: its own from now on, NULL: that in the library. A derived PSO's base is
 * made with it, once, and kept until the library is closed. NULL: there is none, or as kiln_pso_deserialize(). */
KILN_API struct kiln_pso *kiln_library_pso(struct kiln_device *d, struct kiln_library *l, const char *entry,
	const char *name,
	struct kiln_diags *diags);
/* A vertex or pixel shader by its name in the library. NULL: there is none, it is for another console, or damaged. */
KILN_API struct kiln_shader *kiln_library_shader(struct kiln_device *d, struct kiln_library *l, const char *entry,
	struct kiln_diags *diags);
#ifdef __cplusplus
}
#endif
#endif
