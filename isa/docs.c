/* docs/isa.md and docs/diagnostics.md, written from the tables. Takes nothing else; tests compare the files. */
#include "isa/isa.h"

/* The prose before the tables, by section: a string literal may have 4095 characters. */
static const char *const introduction[] = {
	"# The instruction set\n"
	"\n"
	"Written from `isa/isa.def`; do not edit. Kiln's virtual ISA is what the frontend lowers DXIL to, what a PSO "
	"patches and\n"
	"what the simulator runs. `kiln disasm` prints it, `kiln asm` reads it.\n",
	"\n"
	"## A wave\n"
	"\n"
	"A program runs on waves of 32 or 64 *lanes* (`.wave`): a lane is a vertex or a pixel. All lanes share one program\n"
	"counter. The *execution mask* says which lanes an instruction touches; the others keep their registers.\n"
	"\n"
	"| registers | hold | most |\n"
	"|---|---|---|\n"
	"| `v0`, `v1`, … | one 32-bit word a lane | 256, of which the last 4 are kept for export conversion |\n"
	"| `s0`, `s1`, … | one 32-bit word a wave: uniform values, computed once | 128 |\n"
	"| scratch | words a lane, for arrays and spilled registers | 65536 |\n"
	"\n"
	"A result goes to `s` only where every source is a scalar or a literal. Words have no type: floats are binary32 "
	"bits,\n"
	"booleans are 0 or ~0. Floats follow Direct3D: denormals are flushed to zero on the way in and out, rounding is "
	"to the\n"
	"nearest even, an arithmetic NaN is 0x7fc00000; moves and loads keep the bits they carry.\n"
	"\n"
	"*Helper lanes* fill up 2x2 quads of pixels so that derivatives have neighbours. They compute like all others "
	"and never\n"
	"have side effects; `kill` turns lanes into helpers.\n"
	"\n"
	"Before `isa_divergence()` and `isa_regalloc()` a program stands on any number of *virtual* registers, all of "
	"them `v`\n"
	"(`.virtual`, or `.vgprs` above 256).\n",
	"\n"
	"## Control flow\n"
	"\n"
	"Control flow is structured: labels open and end, properly nested, each once, and branches go to a label around "
	"them.\n"
	"\n"
	"* `block L` … `end L`: `br L` takes the active lanes out of the mask and lets them wait at L. At `end L` they "
	"join again.\n"
	"* `loop L` … `end L`: `br L` makes the lanes wait for the next trip. When all others have come to `end L`, "
	"those that\n"
	"  wait go round from the loop's head. Lanes that come to `end L` leave the loop, and stand aside until none "
	"goes round.\n"
	"* `br_if` and `br_ifn` move the active lanes whose source is not 0, or is 0; a scalar source moves all or none.\n"
	"* When no lane is active after a branch, execution skips to the end of the innermost construct.\n"
	"* `endpgm` is the last instruction, once, outside all labels.\n"
	"\n"
	"The printer names the shapes in comments: `if`, `else`, `end if`, `continue`, `break`.\n"
	"\n"
	"```\n"
	"\tblock L0\n"
	"\t\tblock L1\n"
	"\t\t\tbr_ifn L1, v1 ; if v1\n"
	"\t\t\tmov v0, 1\n"
	"\t\t\tbr L0\n"
	"\t\tend L1 ; else\n"
	"\t\tmov v0, 2\n"
	"\tend L0\n"
	"```\n",
	"\n"
	"## Exports\n"
	"\n"
	"The frontend emits `exp_sym mrt0 f32 rgba v0, v1, v2, v3`: which channels the HLSL writes, of which type. A PSO "
	"replaces it by\n"
	"conversion and `exp` in one of the ten hardware forms (the program is then *patched*). A form of 16 bits a "
	"channel takes red\n"
	"and green packed in source 0, blue and alpha in source 1; 32-bit forms take a channel a source. Sources are "
	"`off` exactly where the\n"
	"mask leaves them out. Position (`pos0`-`pos3`), outputs (`param0`-`param31`, by output slot) and depth (`mrtz`) "
	"are\n"
	"hardware exports from the start.\n",
	"\n"
	"## Text\n"
	"\n"
	"A line holds a directive or an instruction; `;` opens a comment. Directives stand anywhere, usually on top:\n"
	"\n"
	"| directive | meaning |\n"
	"|---|---|\n"
	"| `.stage pixel` | shader stage; pixel without it |\n"
	"| `.wave 64` | lanes of a wave |\n"
	"| `.flags uses_discard\\|early_depth` | what the program does, see below |\n"
	"| `.vgprs 8`, `.sgprs 2`, `.labels 1` | registers and labels; counted by the assembler where left out |\n"
	"| `.scratch 16`, `.lds 0` | scratch words a lane, bytes of group memory |\n"
	"| `.threads 8 8 1` | compute group |\n"
	"| `.virtual` | registers are virtual |\n"
	"| `.entry \"main\"` | entry point |\n"
	"| `.input 0 \"TEXCOORD\" 0 type f32 interp linear cols 2 used xy reg 1` | input slot 0: semantic name and index, "
	"then fields in any order: `semantic` (kind), `type`, `interp`, `cols`, `start` (first column in the register), "
	"`used`, `precision`, `reg` (`none`: not packed) |\n"
	"| `.output 0 \"SV_Target\" 0 semantic target …` | the same for outputs |\n"
	"| `.resource 0 \"Scene\" class cbv kind cbuffer space 0 lower 0 count 1 size 64` | resource 0; also `type`, "
	"`flags`, `samples`; `count none` is unbounded |\n"
	"| `.const 0x3f800000 2` | words appended to the constant table |\n"
	"\n"
	"Strings escape `\"`, `\\` and control characters (`\\x0a`). Numbers are decimal or 0x; the printer writes literals "
	"from\n"
	"1024 up in hexadecimal and floats behind them as a comment. A disassembled program assembles to itself, bit for "
	"bit.\n",
	"\n"
	"## Binary form\n"
	"\n"
	"Little endian. Words: magic `KISA`, version 1, size of the whole in bytes, CRC-32 (IEEE 802.3) of all that "
	"follows. Then bytes\n"
	"stage, wave size, 1 if registers are physical, 0. Then words: flags, vgprs, sgprs, labels, scratch, lds, "
	"threads (three),\n"
	"numbers of inputs, outputs, resources, constants and instruction words. Then the entry point, inputs, outputs, "
	"resources,\n"
	"constants, instructions. Strings end in a 0 byte.\n"
	"\n"
	"| record | fields |\n"
	"|---|---|\n"
	"| input, output | word semantic index; bytes semantic, type, interp, cols, start, used, precision, 0; word "
	"register; string name |\n"
	"| resource | bytes class, kind, type, flags; words space, lower, count, size, samples, 0; string name |\n"
	"\n"
	"An instruction is whole words:\n"
	"\n"
	"1. bits 0-14 code; bit 15 *wide*; bits 16-31 two bits a register operand from the first on: 0 off, 1 v, 2 s, 3 "
	"literal. Rows with more than\n"
	"   eight register operands have a further word for each sixteen.\n"
	"2. register numbers and small numbers (all but kind `i`) in operand order, a byte each, packed from bit 0 up, "
	"the last word filled\n"
	"   with 0. *Wide*, and only where one of them is above 255: a word each. Operands that are off take nothing.\n"
	"3. a word for each literal and each number of kind `i`, in operand order.\n"
	"\n"
	"`mad_f32 v3, v1, s2, 0x3f800000` is `00e50045 00020103 3f800000`. There is one encoding of a program: a reader "
	"refuses any\n"
	"other bytes.\n",
	"\n"
	"## Operand kinds\n"
	"\n"
	"| kind | operand |\n"
	"|---|---|\n"
	"| d | result, v or s |\n"
	"| o | result that may be `off` |\n"
	"| v | result that is always a vector |\n"
	"| s | result that is always a scalar |\n"
	"| a b c e | sources A B C E: v, s or literal |\n"
	"| x | another source |\n"
	"| y | another source that may be `off` |\n"
	"| l | label `L0` |\n"
	"| i | number |\n"
	"| n | input slot `in0` |\n"
	"| p | component `x` `y` `z` `w` |\n"
	"| r | resource `r0` |\n"
	"| k | system value |\n"
	"| t | export target |\n"
	"| f | export form |\n"
	"| m | channels of `rgba`, or `none` |\n"
	"| g | component type `f32` `i32` `u32` |\n",
};

/* Text inside a table cell: a bar would end the cell. */
static void put_cell(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_printf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void put_names(struct buf *out, const char *title, const char *const *names, size_t count)
{
	buf_printf(out, "* %s:", title);
	for (size_t i = 0; i < count; i++)
		if (names[i])
			buf_printf(out, " `%s` %zu%s", names[i], i, i + 1 < count ? "," : "");
	buf_printf(out, "\n");
}

static void put_rows(struct buf *out, enum isa_kind kind, const char *title, const char *column)
{
	buf_printf(out, "\n### %s\n\n| name | code | operands | unit | cost | meaning |%s\n|---|---|---|---|---|---|%s\n", title,
		column ? column : "", column ? "---|" : "");
	for (int op = 0; op < ISA_OP_COUNT; op++) {
		const struct isa_info *info = &isa_info[op];
		if (info->kind != kind)
			continue;
		buf_printf(out, "| `%s` | 0x%04x | %s | %s | %u | ", info->name, info->code, info->operands,
			isa_unit_names[info->unit], info->cost);
		put_cell(out, info->doc);
		buf_printf(out, " |");
		if (column) {
			buf_printf(out, " `");
			put_cell(out, info->semantics);
			buf_printf(out, "` |");
		}
		buf_printf(out, "\n");
	}
}

void isa_docs(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_COUNT(introduction); i++)
		buf_printf(out, "%s", introduction[i]);
	buf_printf(out, "\n## Names\n\nWith their numbers in the binary form.\n\n");
	put_names(out, "stages", isa_stage_names, ISA_STAGE_COUNT);
	put_names(out, "flags, by bit", isa_flag_names, ISA_FLAG_COUNT);
	put_names(out, "component types", isa_type_names, ISA_TYPE_COUNT);
	put_names(out, "interpolation", isa_interp_names, ISA_INTERP_COUNT);
	put_names(out, "semantics", isa_semantic_names, ISA_SEM_COUNT);
	put_names(out, "resource classes", isa_resource_class_names, ISA_RESOURCE_CLASS_COUNT);
	put_names(out, "resource kinds", isa_resource_kind_names, ISA_RESOURCE_KIND_COUNT);
	put_names(out, "resource flags, by bit", isa_resource_flag_names, ISA_RESOURCE_FLAG_COUNT);
	put_names(out, "system values", isa_sysval_names, ISA_SYS_COUNT);
	put_names(out, "export forms", isa_form_names, ISA_FORM_COUNT);
	buf_printf(out, "* export targets: `mrt0` to `mrt7` 0 to 7, `mrtz` 8, `pos0` to `pos3` 12 to 15, `param0` to "
		"`param31` 32 to 63\n");
	buf_printf(out, "\n## Instructions\n\nCost is in issue slots of a wave on its unit. An ALU row that writes a scalar is "
		"issued by SALU.\n");
	put_rows(out, ISA_KIND_PURE, "Arithmetic", " expression |");
	put_rows(out, ISA_KIND_IMPURE, "Memory, inputs, neighbours, exports", NULL);
	put_rows(out, ISA_KIND_FLOW, "Control flow", NULL);
}

/* ---- diagnostics ---- */

struct row {
	unsigned number;
	const char *severity, *name, *remedy;
};
static const struct row rows[] = {
#define DIAG(number, severity, name, remedy) {number, #severity, #name, remedy},
#include "isa/diag.def"
};
static const char *const blocks[10] = {
	[1] = "ISA text and binary", [2] = "Containers and DXIL", [3] = "Pipelines", [4] = "Scenes", [5] = "Draws",
	[6] = "Sets of PSOs", [9] = "Files",
};

void diag_docs(struct buf *out)
{
	buf_printf(out, "# Diagnostics\n\nWritten from `isa/diag.def`; do not edit. A number never changes its meaning. Names "
		"from 3000 on that Direct3D 12\nhas are its own, `D3D12_MESSAGE_ID_` left off.\n");
	unsigned block = 0;
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		const struct row *r = &rows[i];
		if (r->number / 1000 != block) {
			block = r->number / 1000;
			const char *title = block < 10 && blocks[block] ? blocks[block] : "Others";
			buf_printf(out, "\n## %u000: %s\n\n| number | severity | name | what to do |\n|---|---|---|---|\n", block, title);
		}
		buf_printf(out, "| %u | %s | %s | ", r->number, r->severity, r->name);
		put_cell(out, r->remedy);
		buf_printf(out, " |\n");
	}
}
