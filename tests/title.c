/* kiln_title COUNT [SEED [SHUFFLE]] > title.yaml: a made-up title over the shader corpus (tests/title.h), for measuring kiln
 * check, plan and pack on thousands of PSOs. */
#include "tests/title.h"

int main(int argc, char **argv)
{
	unsigned long n[] = {10000, 1, 0};
	for (int i = 1; i < argc && i < 4; i++)
		n[i - 1] = strtoul(argv[i], NULL, 10);
	title_write(stdout, KILN_SOURCE_DIR "/tests/corpus/cso", (uint32_t)n[0], (uint32_t)n[1], (uint32_t)n[2]);
	return fflush(stdout) ? 1 : 0;
}
