/* Takes a parsed container; gives a program on physical registers. The driver, and the way from bitcode to a verified
 * module. LLVM's reader can crash on damaged bitcode: the caller decides in which process this runs. */
#include "frontend/llvm/llvm.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

/* ---- the data layout record: LLVM 19 refuses DXIL's i8:32, so that it becomes i8:08, of the same length ---- */

struct bits {
	uint8_t *data;
	size_t size, at; /* in bits */
	bool failed;
};

static uint32_t read_bits(struct bits *b, unsigned count)
{
	uint32_t v = 0;
	if (b->size - b->at < count) {
		b->failed = true;
		b->at = b->size;
		return 0;
	}
	for (unsigned i = 0; i < count; i++, b->at++)
		v |= (uint32_t)(b->data[b->at / 8] >> b->at % 8 & 1) << i;
	return v;
}

static uint32_t read_vbr(struct bits *b, unsigned width)
{
	uint32_t v = 0, high = 1u << (width - 1);
	for (unsigned shift = 0; shift < 32; shift += width - 1) {
		uint32_t chunk = read_bits(b, width);
		v |= (chunk & (high - 1)) << shift;
		if (!(chunk & high))
			return v;
	}
	while (!b->failed && read_bits(b, width) & high)
		;
	return v;
}

/* A character of an unabbreviated record is vbr6; those from 32 to 63 take two chunks, the second being 1. */
static void patch_char(struct bits *b, size_t at, char c)
{
	for (unsigned i = 0; i < 5; i++) {
		uint8_t bit = (uint8_t)(1u << (at + i) % 8);
		b->data[(at + i) / 8] = (uint8_t)((b->data[(at + i) / 8] & ~bit) | ((unsigned)c >> i & 1 ? bit : 0));
	}
}

static void patch_layout(struct bits *b, uint32_t length)
{
	static const char pattern[] = "-i8:32-";
	char window[8] = {0};
	size_t at[8] = {0};
	for (uint32_t i = 0; i < length && !b->failed; i++) {
		memmove(window, window + 1, 6);
		memmove(at, at + 1, 6 * sizeof *at);
		at[6] = b->at;
		window[6] = (char)read_vbr(b, 6);
		if (!memcmp(window, pattern, 7)) {
			patch_char(b, at[4], '0');
			patch_char(b, at[5], '8');
			return;
		}
	}
}

static void skip_abbreviation(struct bits *b)
{
	uint32_t count = read_vbr(b, 5);
	for (uint32_t i = 0; i < count && !b->failed; i++) {
		if (read_bits(b, 1)) {
			read_vbr(b, 8);
			continue;
		}
		uint32_t encoding = read_bits(b, 3);
		if (encoding == 1 || encoding == 2)
			read_vbr(b, 5);
	}
}

/* Walks a block: its header is read, `width` is its abbreviation width. Gives up where a record is abbreviated, which
 * DXC never writes before the data layout; then LLVM says what is wrong. */
static void walk_module(struct bits *b, unsigned width)
{
	enum { END_BLOCK, ENTER_SUBBLOCK, DEFINE_ABBREV, UNABBREV_RECORD, DATALAYOUT = 3 };
	while (!b->failed) {
		switch (read_bits(b, width)) {
		case ENTER_SUBBLOCK: {
			read_vbr(b, 8);
			read_vbr(b, 4);
			b->at = (b->at + 31) & ~(size_t)31;
			if (b->at > b->size)
				return;
			uint64_t skip = (uint64_t)read_bits(b, 32) * 32;
			if (b->failed || skip > b->size - b->at)
				return;
			b->at += (size_t)skip;
			break;
		}
		case DEFINE_ABBREV:
			skip_abbreviation(b);
			break;
		case UNABBREV_RECORD: {
			uint32_t code = read_vbr(b, 6), count = read_vbr(b, 6);
			if (code == DATALAYOUT) {
				patch_layout(b, count);
				return;
			}
			for (uint32_t i = 0; i < count && !b->failed; i++)
				read_vbr(b, 6);
			break;
		}
		default:
			return;
		}
	}
}

static void rewrite_data_layout(uint8_t *data, size_t size)
{
	enum { ENTER_SUBBLOCK = 1, MODULE_BLOCK = 8 };
	struct bits b = {data, size * 8, 0, false};
	if (read_bits(&b, 32) == 0x0B17C0DE) { /* a wrapper: the module stands at its third word */
		b.at = 64;
		b.at = (size_t)read_bits(&b, 32) * 8;
		if (b.at > b.size)
			return;
	} else
		b.at = 0;
	if (read_bits(&b, 32) != 0xdec04342)
		return;
	if (read_bits(&b, 2) != ENTER_SUBBLOCK || read_vbr(&b, 8) != MODULE_BLOCK)
		return;
	unsigned width = read_vbr(&b, 4);
	b.at = (b.at + 31) & ~(size_t)31;
	if (b.at > b.size || width < 2 || width > 32)
		return;
	read_bits(&b, 32);
	walk_module(&b, width);
}

/* ---- reading ---- */

struct reader_errors {
	char text[256];
};

/* Without a handler of our own a refused module ends the process. The first error is the one that counts. */
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
	struct reader_errors *e = user;
	if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || e->text[0])
		return;
	char *text = LLVMGetDiagInfoDescription(info);
	snprintf(e->text, sizeof e->text, "%s", text);
	LLVMDisposeMessage(text);
}

static LLVMModuleRef read_module(LLVMContextRef context, const struct fe_bitcode *code, struct arena *a,
	const struct fe_sink *sink)
{
	struct reader_errors errors = {{0}};
	uint8_t *copy = arena_copy(a, code->data, code->size);
	LLVMModuleRef module = NULL;
	rewrite_data_layout(copy, code->size);
	LLVMContextSetDiagnosticHandler(context, on_diagnostic, &errors);
	LLVMMemoryBufferRef memory =
		LLVMCreateMemoryBufferWithMemoryRange((const char *)copy, code->size, "dxil", false);
	bool refused = LLVMParseBitcodeInContext2(context, memory, &module);
	LLVMDisposeMemoryBuffer(memory);
	LLVMContextSetDiagnosticHandler(context, NULL, NULL);
	if (!refused)
		return module;
	diag_add(sink->diags, DIAG_DXIL_MODULE, sink->where, "%s", errors.text[0] ? errors.text : "not a bitcode module");
	return NULL;
}

static bool verify(LLVMModuleRef module, const struct fe_sink *sink)
{
	char *text = NULL;
	bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &text);
	if (broken) {
		text[strcspn(text, "\n")] = 0;
		diag_add(sink->diags, DIAG_DXIL_INVALID, sink->where, "%s", text);
	}
	LLVMDisposeMessage(text);
	return !broken;
}

/* ---- cleaning ---- */

static bool has_alloca(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
				return true;
	return false;
}

static void strip_fast_math(LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMCanValueUseFastMathFlags(i))
				LLVMSetFastMathFlags(i, LLVMFastMathNone);
}

/* Structural passes alone: folding ones turn NaN tests and out-of-range conversions into poison. */
static bool clean(LLVMModuleRef module, LLVMValueRef function, const struct fe_sink *sink)
{
	strip_fast_math(function);
	if (!has_alloca(function))
		return true; /* DXC's optimised output */
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(module, "function(mem2reg,sroa<preserve-cfg>,dce)", NULL, options);
	LLVMDisposePassBuilderOptions(options);
	if (!error)
		return true;
	char *text = LLVMGetErrorMessage(error);
	diag_add(sink->diags, DIAG_DXIL_MODULE, sink->where, "%s", text);
	LLVMDisposeErrorMessage(text);
	return false;
}

/* ---- the driver ---- */

/* The reflection part, where it has not been stripped, is bitcode too. Nothing but names comes from it, so that nothing
 * is said of a bad one. */
static void name_resources(const struct fe_container *c, LLVMContextRef context, struct arena *a, struct isa_program *p,
	const struct fe_meta *meta)
{
	const struct fe_part *part = fe_container_find(c, FE_FOURCC('S', 'T', 'A', 'T'));
	bool nameless = false;
	for (size_t i = 0; i < p->resource_count; i++)
		nameless |= !p->resources[i].name[0];
	if (!part || !nameless)
		return;
	struct kiln_diags *unheard = kiln_diags_create();
	const struct fe_sink sink = {"STAT", unheard};
	struct fe_bitcode code;
	LLVMModuleRef module = NULL;
	if (fe_bitcode_find(part, sink.where, &code, unheard))
		module = read_module(context, &code, a, &sink);
	if (module) {
		fe_metadata_names(module, a, p, meta->resource_ids);
		LLVMDisposeModule(module);
	}
	kiln_diags_destroy(unheard);
}

static bool lower_module(const struct fe_container *c, LLVMModuleRef module, const struct fe_sink *sink, struct arena *a,
	struct isa_program *p)
{
	struct fe_meta meta = {0};
	struct cfg cfg = {0};
	if (!fe_metadata(module, sink, a, p, &meta))        /* what the program takes and gives */
		return false;
	name_resources(c, LLVMGetModuleContext(module), a, p, &meta); /* for people */
	if (!clean(module, meta.entry, sink))               /* registers for what -Od left in memory */
		return false;
	if (!cfg_build(meta.entry, sink, a, &cfg))          /* an order in which loops hang together */
		return false;
	struct lower l = {.p = p, .a = a, .sink = sink, .meta = &meta, .cfg = &cfg};
	if (!lower_function(&l))                            /* instructions on virtual registers */
		return false;
	isa_divergence(p);                                  /* what is uniform runs once a wave */
	isa_regalloc(p);                                    /* physical registers; spills */
	return isa_validate(p, sink->where, sink->diags);   /* nothing leaves this stage unchecked */
}

static struct isa_program *lower_bitcode(const struct fe_container *c, const struct fe_bitcode *code,
	const struct fe_sink *sink, unsigned wave_size)
{
	struct arena a = {0};
	struct isa_program *p = NULL;
	LLVMContextRef context = LLVMContextCreate();
	LLVMModuleRef module = read_module(context, code, &a, sink);
	if (module && verify(module, sink)) {
		p = isa_program_create();
		p->wave_size = (uint8_t)(wave_size ? wave_size : 64);
		if (!lower_module(c, module, sink, &a, p)) {
			isa_program_destroy(p);
			p = NULL;
		}
	}
	if (module)
		LLVMDisposeModule(module);
	LLVMContextDispose(context);
	arena_finish(&a);
	return p;
}

static struct isa_program *lower_container(const struct fe_container *c, const char *where, const struct fe_options *o,
	struct kiln_diags *diags)
{
	const struct fe_part *part = fe_container_find(c, FE_FOURCC('D', 'X', 'I', 'L'));
	if (!part) /* the same program with its debug information */
		part = fe_container_find(c, FE_FOURCC('I', 'L', 'D', 'B'));
	const struct fe_sink sink = {where, diags};
	struct fe_bitcode code;
	if (!part) {
		diag_add(diags, DIAG_CONTAINER_NO_DXIL, where, "no DXIL part");
		return NULL;
	}
	if (!fe_bitcode_find(part, where, &code, diags))
		return NULL;
	return lower_bitcode(c, &code, &sink, o ? o->wave_size : 0);
}

__attribute__((visibility("default"))) const struct fe_llvm *kiln_llvm_module(void);
const struct fe_llvm *kiln_llvm_module(void)
{
	static const struct fe_llvm module = {FE_LLVM_VERSION, lower_container};
	return &module;
}
