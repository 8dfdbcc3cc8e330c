/* Finds and loads libkiln-llvm.so, the module that holds everything that needs LLVM.
 * Places, in order: what KILN_LLVM names and nothing else; else the folder of this library or program, the folder above it,
 * the library folder beside it, and the configured library folder.
 * The one static state of frontend/ is here: the loader's result, written once under pthread_once and never unloaded,
 * since LLVM cannot be loaded twice. */
#define _GNU_SOURCE /* dladdr */
#include "frontend/frontend.h"
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODULE_NAME "libkiln-llvm.so"
#ifndef KILN_LIBDIR
#define KILN_LIBDIR "/usr/local/lib"
#endif

static struct {
	pthread_once_t once;
	const struct fe_llvm *module;
	char tried[2048]; /* what failed and why, for the diagnostic */
} loader = {.once = PTHREAD_ONCE_INIT};

static void note(const char *path, const char *why)
{
	size_t n = strlen(loader.tried);
	snprintf(loader.tried + n, sizeof loader.tried - n, "%s%s: %s", n ? "; " : "", path, why);
}

static bool try_path(const char *path, bool must_exist)
{
	if (access(path, F_OK) != 0) {
		if (must_exist)
			note(path, "no such file");
		return false;
	}
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		const char *why = dlerror();
		note(path, why ? why : "dlopen failed");
		return false;
	}
	void *symbol = dlsym(library, FE_LLVM_SYMBOL);
	fe_llvm_entry *entry;
	memcpy(&entry, &symbol, sizeof entry); /* ISO C knows no cast from object to function pointer */
	const struct fe_llvm *module = symbol ? entry() : NULL;
	if (module && module->version == FE_LLVM_VERSION) {
		loader.module = module;
		return true;
	}
	note(path, module ? "it is of another version of Kiln" : "it is no module of Kiln");
	dlclose(library);
	return false;
}

/* The places that go with one file: its folder, the folder above, and the library folder beside. */
static bool try_beside(const char *file)
{
	static const char *const places[] = {"/" MODULE_NAME, "/../" MODULE_NAME, "/../lib/" MODULE_NAME};
	char folder[PATH_MAX], path[PATH_MAX + 64];
	snprintf(folder, sizeof folder, "%s", file);
	char *slash = strrchr(folder, '/');
	if (!slash)
		return false;
	*slash = '\0';
	for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
		snprintf(path, sizeof path, "%s%s", folder, places[i]);
		if (try_path(path, false))
			return true;
	}
	return false;
}

static void load(void)
{
	const char *named = getenv("KILN_LLVM");
	if (named && *named) {
		try_path(named, true);
		return;
	}
	Dl_info self;
	char program[PATH_MAX];
	if (dladdr((const void *)&loader, &self) && self.dli_fname && try_beside(self.dli_fname))
		return;
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	if (n > 0) {
		program[n] = '\0';
		if (try_beside(program))
			return;
	}
	try_path(KILN_LIBDIR "/" MODULE_NAME, false);
}

const struct fe_llvm *fe_llvm_load(struct kiln_diags *diags)
{
	pthread_once(&loader.once, load);
	if (!loader.module)
		diag_add(diags, DIAG_LLVM_MISSING, MODULE_NAME, "DXIL cannot be lowered without this module: %s",
			loader.tried[0] ? loader.tried : "it is neither beside the program or library nor in " KILN_LIBDIR);
	return loader.module;
}
