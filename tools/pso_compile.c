/* The shaders of a set, compiled in several processes. Lowering forks a child a shader, and a fork beside running threads
 * is only as safe as the allocator: so the work is shared out among processes that are forked while there is one thread.
 * Each takes every n-th shader and leaves programs and diagnostics in an unnamed file; what a process that died did not
 * leave is compiled here. */
#include "frontend/frontend.h"
#include "tools/pso_set.h"
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES_MAX = 64, MESSAGE_HEADER = 8, ANSWER_MAX = 1 << 30 };

static struct isa_program *compile(const struct pso_set *s, size_t i, struct kiln_diags *d)
{
	const struct pso_shader *shader = &s->shaders[i];
	const struct fe_options o = {.wave_size = (uint8_t)s->device.wave_size, .console = s->device.console};
	return fe_compile(shader->data, shader->size, shader->name, &o, d);
}

/* ---- in a worker process: u32 program bytes (0: refused), u32 diagnostics bytes, both; a shader after the other ---- */
static void put_answer(const struct pso_set *s, size_t i, FILE *to)
{
	struct kiln_diags *d = kiln_diags_create();
	struct isa_program *p = compile(s, i, d);
	struct buf program = {0}, list = {0}, header = {0};
	if (p)
		isa_program_encode(p, &program);
	diags_encode(d, &list);
	buf_u32(&header, (uint32_t)program.size);
	buf_u32(&header, (uint32_t)list.size);
	fwrite(header.data, 1, header.size, to);
	if (program.size)
		fwrite(program.data, 1, program.size, to);
	fwrite(list.data, 1, list.size, to);
	buf_finish(&program);
	buf_finish(&list);
	buf_finish(&header);
	isa_program_destroy(p);
	kiln_diags_destroy(d);
}

_Noreturn static void work(const struct pso_set *s, unsigned first, unsigned step, FILE *to)
{
	for (size_t i = first; i < s->shader_count; i += step)
		put_answer(s, i, to);
	_exit(fflush(to) ? 1 : 0);
}

/* ---- in the parent ---- */
static void take_answers(struct pso_set *s, unsigned first, unsigned step, FILE *from)
{
	struct buf b = {0};
	uint8_t block[1 << 14];
	rewind(from);
	for (size_t got; b.size < ANSWER_MAX && (got = fread(block, 1, sizeof block, from)) > 0;)
		buf_put(&b, block, got);
	struct reader r = {.data = b.data, .size = b.size};
	for (size_t i = first; i < s->shader_count; i += step) {
		struct pso_shader *shader = &s->shaders[i];
		uint32_t program_size = reader_u32(&r), list_size = reader_u32(&r);
		const uint8_t *program = reader_bytes(&r, program_size), *list = reader_bytes(&r, list_size);
		if (r.failed || !diags_decode(shader->diags, list, list_size)) {
			kiln_diags_clear(shader->diags);
			break;
		}
		shader->program = program_size ? isa_program_decode(program, program_size, shader->name, shader->diags) : NULL;
		shader->compiled = true;
	}
	buf_finish(&b);
}

/* False: the system has no more processes or files. */
static bool start(const struct pso_set *s, unsigned first, unsigned step, pid_t *pid, FILE **to)
{
	*to = tmpfile();
	*pid = *to ? fork() : -1;
	if (*pid == 0)
		work(s, first, step, *to);
	if (*pid < 0 && *to)
		fclose(*to);
	return *pid > 0;
}

static void share_out(struct pso_set *s, unsigned count)
{
	pid_t pids[PROCESSES_MAX];
	FILE *files[PROCESSES_MAX];
	unsigned started = 0;
	while (started < count && start(s, started, count, &pids[started], &files[started]))
		started++;
	for (unsigned i = 0; i < started; i++) {
		while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
			;
		take_answers(s, i, count, files[i]);
		fclose(files[i]);
	}
}

void pso_set_compile(struct pso_set *s, unsigned processes)
{
	struct kiln_diags *ignored = kiln_diags_create();
	size_t open = 0;
	for (size_t i = 0; i < s->shader_count; i++)
		open += !s->shaders[i].compiled;
	if (open)
		fe_llvm_load(ignored); /* once, before the forks; where there is none, every DXIL shader says so */
	kiln_diags_destroy(ignored);
	processes = processes < PROCESSES_MAX ? processes : PROCESSES_MAX;
	processes = processes < open ? processes : (unsigned)open;
	if (processes > 1)
		share_out(s, processes);
	for (size_t i = 0; i < s->shader_count; i++) {
		struct pso_shader *shader = &s->shaders[i];
		if (!shader->compiled)
			shader->program = compile(s, i, shader->diags);
		shader->compiled = true;
		export_scan(shader->program, &shader->outputs);
	}
}
