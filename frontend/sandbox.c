/* fe_compile(): a container to a program. DXIL is lowered in a forked child, since LLVM's bitcode reader crashes or hangs
 * on some damaged modules: the child has limits on CPU time and memory, and sends the program and its diagnostics back over
 * a pipe. Whatever happens to it is a diagnostic here. The host may have other threads: glibc's allocator survives a fork
 * beside them, as long as none of them lowers in process (LLVM's own locks would not).
 *
 * Message: u32 magic, u32 program bytes (0: refused), u32 diagnostics bytes, then both. The child is not trusted: the
 * message is checked, and the program decoded and validated like any other binary. */
#define _GNU_SOURCE /* memfd_create, close_range, pipe2 */
#include "frontend/frontend.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	MESSAGE_MAGIC = 0x314d4c4b, MESSAGE_HEADER = 12, MESSAGE_MAX = 1 << 28,
	CPU_SECONDS = 10, MEMORY_MIB = 2048,
	WALL_FACTOR = 30,  /* wall-clock limit in CPU limits: only for a child that waits for ever */
	CHATTER_MAX = 4096 /* bytes of the child's stderr that are looked at */
};

struct child {
	pid_t pid;
	int out;     /* read end of the pipe */
	int chatter; /* what it wrote to stdout and stderr; -1: lost */
};

/* ---- in the child ---- */

static void lower_limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit old, new = {soft, hard};
	if (getrlimit(resource, &old) != 0)
		return;
	if (old.rlim_max < new.rlim_max)
		new.rlim_max = old.rlim_max;
	if (new.rlim_max < new.rlim_cur)
		new.rlim_cur = new.rlim_max;
	setrlimit(resource, &new);
}

/* Address space in use, so that the limit counts what the child adds: a sanitizer's shadow or a large host stay out. */
static rlim_t address_space(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (fd >= 0)
		close(fd);
	return n > 0 ? (rlim_t)strtoull(text, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

static void close_others(int first)
{
	if (close_range((unsigned)first, ~0u, 0) == 0)
		return;
	long most = sysconf(_SC_OPEN_MAX);
	for (long fd = first; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
		close((int)fd);
}

/* The host's signal handlers, mask and files are none of the child's business. A pipe of another sandbox that stayed open
 * here would keep that one's reader waiting. */
static void isolate(int pipe_fd, int chatter, const struct fe_options *o)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE, SIGXCPU, SIGTERM, SIGINT, SIGALRM};
	enum { PIPE = 3 };
	sigset_t none;
	for (size_t i = 0; i < ARRAY_COUNT(signals); i++)
		signal(signals[i], SIG_DFL);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);

	/* both may already be below 4: move them out of the way first */
	int out = fcntl(pipe_fd, F_DUPFD, 10), quiet = chatter >= 0 ? fcntl(chatter, F_DUPFD, 10) : open("/dev/null", O_RDWR);
	if (out < 0 || quiet < 0)
		_exit(1);
	for (int fd = 0; fd < PIPE; fd++)
		dup2(quiet, fd);
	dup2(out, PIPE);
	close_others(PIPE + 1);

	lower_limit(RLIMIT_CORE, 0, 0);
	lower_limit(RLIMIT_FSIZE, 1 << 16, 1 << 16);
	lower_limit(RLIMIT_CPU, o->cpu_seconds, (rlim_t)o->cpu_seconds + 1);
	rlim_t space = address_space() + ((rlim_t)o->memory_mib << 20);
	lower_limit(RLIMIT_AS, space, space);
}

static bool write_all(int fd, const uint8_t *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

_Noreturn static void child_main(const struct fe_llvm *llvm, const struct fe_container *c, const char *where,
	const struct fe_options *o)
{
	struct kiln_diags *diags = kiln_diags_create();
	struct isa_program *p = llvm->lower(c, where, o, diags);
	struct buf program = {0}, list = {0}, header = {0};
	if (p)
		isa_program_encode(p, &program);
	diags_encode(diags, &list);
	buf_u32(&header, MESSAGE_MAGIC);
	buf_u32(&header, (uint32_t)program.size);
	buf_u32(&header, (uint32_t)list.size);
	bool ok = program.size < MESSAGE_MAX && list.size < MESSAGE_MAX && write_all(3, header.data, header.size) &&
		write_all(3, program.data, program.size) && write_all(3, list.data, list.size);
	_exit(ok ? 0 : 1); /* no exit handlers, no flushing of the host's buffers */
}

/* ---- in the parent ---- */

static bool child_start(struct child *child, const struct fe_llvm *llvm, const struct fe_container *c, const char *where,
	const struct fe_options *o)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	child->out = ends[0];
	child->chatter = memfd_create("kiln-lowering", MFD_CLOEXEC);
	child->pid = fork();
	if (child->pid == 0) {
		isolate(ends[1], child->chatter, o);
		child_main(llvm, c, where, o);
	}
	int error = errno;
	close(ends[1]);
	if (child->pid > 0)
		return true;
	close(child->out);
	if (child->chatter >= 0)
		close(child->chatter);
	errno = error;
	return false;
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads until the child closes its end. False: it took too long or sent too much. */
static bool child_read(const struct child *child, int64_t wall_ms, struct buf *out)
{
	int64_t deadline = now_ms() + wall_ms;
	uint8_t block[16384];
	for (;;) {
		int64_t left = deadline - now_ms();
		struct pollfd p = {child->out, POLLIN, 0};
		int ready = left > 0 ? poll(&p, 1, left > INT_MAX ? INT_MAX : (int)left) : 0;
		if (ready == 0)
			return false;
		if (ready < 0 && errno != EINTR)
			return true;
		if (ready < 0)
			continue;
		ssize_t n = read(child->out, block, sizeof block);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return true;
		if (out->size + (size_t)n > 2u * MESSAGE_MAX)
			return false;
		buf_put(out, block, (size_t)n);
	}
}

/* Did it complain of memory? Only that is taken from its chatter: the rest may hold addresses and differ from run to run. */
static bool out_of_memory(int chatter)
{
	static const char *const signs[] = {"out of memory", "Out of memory", "bad_alloc", "Cannot allocate memory",
		"failed to allocate"};
	char text[CHATTER_MAX + 1];
	ssize_t n = chatter < 0 ? -1 : pread(chatter, text, CHATTER_MAX, 0);
	if (n <= 0)
		return false;
	text[n] = '\0';
	for (size_t i = 0; i < ARRAY_COUNT(signs); i++)
		if (strstr(text, signs[i]))
			return true;
	return false;
}

static void report_death(int status, bool reaped, bool no_memory, const char *where, const struct fe_options *o,
	struct kiln_diags *diags)
{
	int number = reaped && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (number == SIGXCPU || number == SIGKILL)
		diag_add(diags, DIAG_LOWERING_LIMIT, where, "lowering was ended (%s); its limit is %u s of CPU time", strsignal(number),
			o->cpu_seconds);
	else if (no_memory)
		diag_add(diags, DIAG_LOWERING_LIMIT, where, "lowering ran out of memory; its limit is %u MiB", o->memory_mib);
	else if (number)
		diag_add(diags, DIAG_LOWERING_DIED, where, "lowering died of signal %d (%s)", number, strsignal(number));
	else if (reaped && WIFEXITED(status) && WEXITSTATUS(status))
		diag_add(diags, DIAG_LOWERING_DIED, where, "lowering ended with status %d", WEXITSTATUS(status));
	else
		diag_add(diags, DIAG_LOWERING_DIED, where, "lowering ended without a whole answer");
}

/* A whole message -> program and diagnostics. False: it is no message. */
static bool take_message(const struct buf *message, const char *where, struct isa_program **out, struct kiln_diags *diags)
{
	struct reader r = {.data = message->data, .size = message->size};
	uint32_t magic = reader_u32(&r), program_size = reader_u32(&r), list_size = reader_u32(&r);
	const uint8_t *program = reader_bytes(&r, program_size), *list = reader_bytes(&r, list_size);
	if (r.failed || magic != MESSAGE_MAGIC || r.at != r.size || !diags_decode(diags, list, list_size))
		return false;
	*out = program_size ? isa_program_decode(program, program_size, where, diags) : NULL;
	return true;
}

static struct isa_program *lower_in_child(const struct fe_llvm *llvm, const struct fe_container *c, const char *where,
	const struct fe_options *o, struct kiln_diags *diags)
{
	struct child child;
	struct buf message = {0};
	struct isa_program *p = NULL;
	int status = 0;
	if (!child_start(&child, llvm, c, where, o)) {
		diag_add_remedy(diags, DIAG_LOWERING_DIED, where, "Free processes, files or memory and try again.",
			"the lowering process could not be started: %s", strerror(errno));
		return NULL;
	}
	bool in_time = child_read(&child, (int64_t)o->cpu_seconds * 1000 * WALL_FACTOR, &message);
	if (!in_time)
		kill(child.pid, SIGKILL);
	close(child.out);
	pid_t reaped;
	while ((reaped = waitpid(child.pid, &status, 0)) < 0 && errno == EINTR)
		;
	/* a host that ignores SIGCHLD gets ECHILD here: then the message alone decides */
	bool clean = in_time && (reaped < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
	if (!clean || !take_message(&message, where, &p, diags))
		report_death(status, reaped == child.pid, out_of_memory(child.chatter), where, o, diags);
	else if (!p && kiln_diags_errors(diags) == 0)
		diag_add(diags, DIAG_LOWERING_DIED, where, "lowering refused the shader without saying why");
	if (child.chatter >= 0)
		close(child.chatter);
	buf_finish(&message);
	return p;
}

/* ---- the whole way ---- */

/* The parts beside the program: a damaged one is told of before LLVM sees the module. */
static bool check_parts(const struct fe_container *c, const char *where, struct kiln_diags *diags)
{
	bool ok = true;
	for (uint32_t i = 0; i < c->part_count; i++) {
		const struct fe_part *p = &c->parts[i];
		struct fe_signature signature;
		struct fe_bitcode bitcode;
		struct fe_psv psv;
		struct fe_hash hash;
		uint64_t features;
		switch (p->fourcc) {
		case FE_FOURCC('I', 'S', 'G', '1'):
		case FE_FOURCC('O', 'S', 'G', '1'):
		case FE_FOURCC('P', 'S', 'G', '1'):
			ok &= fe_signature_parse(p, where, &signature, diags);
			break;
		case FE_FOURCC('P', 'S', 'V', '0'):
			ok &= fe_psv_parse(p, where, &psv, diags);
			break;
		case FE_FOURCC('S', 'F', 'I', '0'):
			ok &= fe_features_parse(p, where, &features, diags);
			break;
		case FE_FOURCC('H', 'A', 'S', 'H'):
			ok &= fe_hash_parse(p, where, &hash, diags);
			break;
		case FE_FOURCC('D', 'X', 'I', 'L'):
		case FE_FOURCC('I', 'L', 'D', 'B'):
		case FE_FOURCC('S', 'T', 'A', 'T'):
			ok &= fe_bitcode_find(p, where, &bitcode, diags);
			break;
		}
	}
	return ok;
}

static void report_no_dxil(const struct fe_container *c, const char *where, struct kiln_diags *diags)
{
	static const uint32_t old[] = {FE_FOURCC('S', 'H', 'E', 'X'), FE_FOURCC('S', 'H', 'D', 'R')};
	for (size_t i = 0; i < ARRAY_COUNT(old); i++) {
		const struct fe_part *p = fe_container_find(c, old[i]);
		if (!p)
			continue;
		char name[5];
		struct reader r = {.data = p->data, .size = p->size};
		uint32_t version = reader_u32(&r);
		fe_fourcc_name(p->fourcc, name);
		diag_add(diags, DIAG_CONTAINER_NO_DXIL, where, "part %s holds shader model %u.%u code; there is no DXIL part", name,
			version >> 4 & 15, version & 15);
		return;
	}
	diag_add(diags, DIAG_CONTAINER_NO_DXIL, where, "none of its %u parts is DXIL, ILDB or KISA", c->part_count);
}

static struct isa_program *take_isa(const struct fe_part *part, const char *where, uint32_t console, struct kiln_diags *diags)
{
	struct fe_precompiled_list list;
	size_t i = 0;
	if (!fe_precompiled_read(part, where, &list, diags))
		return NULL;
	while (i < list.count && console && list.entries[i].console && list.entries[i].console != console)
		i++;
	if (i < list.count)
		return isa_program_decode(list.entries[i].isa, list.entries[i].size, where, diags);
	diag_add(diags, DIAG_PRECOMPILED_CONSOLE, where, "its ISA was compiled for another console");
	return NULL;
}

struct isa_program *fe_compile(const uint8_t *data, size_t size, const char *where, const struct fe_options *o,
	struct kiln_diags *diags)
{
	struct fe_container c;
	struct fe_options options = o ? *o : (struct fe_options){0};
	if (!where)
		where = "container";
	options.wave_size = options.wave_size == 32 ? 32 : 64;
	options.cpu_seconds = options.cpu_seconds ? options.cpu_seconds : CPU_SECONDS;
	options.memory_mib = options.memory_mib ? options.memory_mib : MEMORY_MIB;
	if (!fe_container_parse(data, size, where, &c, diags))
		return NULL;
	if (!fe_container_find(&c, FE_FOURCC('D', 'X', 'I', 'L')) && !fe_container_find(&c, FE_FOURCC('I', 'L', 'D', 'B'))) {
		const struct fe_part *isa = fe_container_find(&c, FE_ISA_PART);
		if (isa)
			return take_isa(isa, where, options.console, diags);
		report_no_dxil(&c, where, diags);
		return NULL;
	}
	if (!check_parts(&c, where, diags))
		return NULL;
	/* loaded before the fork, so that it is done once and no child has to */
	const struct fe_llvm *llvm = fe_llvm_load(diags);
	if (!llvm)
		return NULL;
	if (!options.in_process)
		return lower_in_child(llvm, &c, where, &options, diags);
	struct isa_program *p = llvm->lower(&c, where, &options, diags);
	if (!p || isa_validate(p, where, diags))
		return p;
	isa_program_destroy(p);
	return NULL;
}
