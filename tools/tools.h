/* The `kiln` program: a verb a file. Every verb parses its own command line with argp, prints results on stdout and
 * diagnostics on stderr, and gives the exit code: 0 done, 1 refused or different, 2 misuse or bad input. */
#ifndef KILN_TOOLS_TOOLS_H
#define KILN_TOOLS_TOOLS_H
#include "isa/isa.h"
#include <argp.h>
#include <jansson.h>

enum { EXIT_DONE = 0, EXIT_REFUSED = 1, EXIT_MISUSE = 2 };
enum { FILE_BYTES_MAX = 256 << 20 };

int verb_info(int argc, char **argv);
int verb_compile(int argc, char **argv);
int verb_disasm(int argc, char **argv);
int verb_asm(int argc, char **argv);
int verb_run(int argc, char **argv);
int verb_check(int argc, char **argv);
int verb_plan(int argc, char **argv);
int verb_sodb(int argc, char **argv);
int verb_pack(int argc, char **argv);
int verb_unpack(int argc, char **argv);
int verb_bench(int argc, char **argv);
int verb_diff(int argc, char **argv);
int verb_consoles(int argc, char **argv);
int verb_docs(int argc, char **argv);

/* ---- print.c ---- */
/* As text with place, source line, caret and remedy. */
void print_diags(FILE *to, const struct kiln_diags *d);
json_t *json_diags(const struct kiln_diags *d);
/* A JSON string; where it is no UTF-8 (file names may be anything), bytes above 0x7f become '?'. */
json_t *json_text(const char *s, size_t size);
/* Prints and releases it. */
void print_json(json_t *j);
/* EXIT_MISUSE where there is an error, EXIT_REFUSED where all errors say "unsupported" (2008, 2013), else EXIT_DONE. */
int exit_for_diags(const struct kiln_diags *d);
/* A heap copy of the file's bytes; false: diagnostic added. */
bool read_input(const char *path, uint8_t **data, size_t *size, struct kiln_diags *d);
#endif
