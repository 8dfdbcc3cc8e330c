/* A stand-in for libkiln-llvm.so that misbehaves on purpose: `where` says how. It lets test_sandbox.c see each way a
 * lowering process can end without a module that makes LLVM do it. */
#include "frontend/frontend.h"
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct isa_program *program(uint32_t constants)
{
	struct isa_program *p = isa_program_create();
	p->name = "main";
	p->stage = ISA_VERTEX;
	p->wave_size = 64;
	p->allocated = true;
	p->constants = arena_array(&p->arena, constants, sizeof *p->constants);
	p->constant_count = constants;
	for (uint32_t i = 0; i < constants; i++)
		p->constants[i] = i * 2654435761u;
	isa_append(p, ISA_endpgm);
	return p;
}

static int open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	int count = -1; /* the folder itself */
	for (struct dirent *e; d && (e = readdir(d));)
		count += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return count;
}

static struct isa_program *lower(const struct fe_container *c, const char *where, const struct fe_options *o,
	struct kiln_diags *diags)
{
	(void)c;
	if (strcmp(where, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(where, "abort") == 0)
		abort();
	if (strcmp(where, "status") == 0)
		_exit(3);
	if (strcmp(where, "silent") == 0)
		_exit(0);
	if (strcmp(where, "hang") == 0)
		for (volatile unsigned i = 0;; i++)
			;
	if (strcmp(where, "eat") == 0)
		for (;;)
			mem_alloc(1 << 24);
	if (strcmp(where, "lie") == 0) {
		ssize_t n = write(3, "KLM1\xff\xff\xff\xff\xff\xff\xff\xff", 12);
		_exit(n == 12 ? 0 : 1);
	}
	if (strcmp(where, "refuse") == 0) {
		diag_add(diags, DIAG_DXIL_UNSUPPORTED, where, "the operation %s at wave size %u", "Foo", o->wave_size);
		return NULL;
	}
	if (strcmp(where, "process") == 0) {
		diag_add(diags, DIAG_DXIL_INVALID, where, "process %ld", (long)getpid());
		return NULL;
	}
	if (strcmp(where, "mute") == 0)
		return NULL;
	if (strcmp(where, "noise") == 0) {
		fputs("to stdout\n", stdout);
		fflush(stdout);
		fputs("to stderr\n", stderr);
	}
	if (strcmp(where, "files") == 0 && open_files() != 4)
		diag_add(diags, DIAG_DXIL_INVALID, where, "%d files are open", open_files());
	return program(strcmp(where, "big") == 0 ? 1 << 20 : 4);
}

KILN_API fe_llvm_entry kiln_llvm_module;
const struct fe_llvm *kiln_llvm_module(void)
{
	static const struct fe_llvm module = {FE_LLVM_VERSION, lower};
	return &module;
}
