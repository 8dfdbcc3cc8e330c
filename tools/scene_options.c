/* Options that every verb on scenes takes: how the device is made, and the scenes themselves. */
#include "tools/scene_options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_PACK_SIGNATURE = 256 }; /* has no letter */

static const struct { const char *name; enum kiln_export_policy policy; } policies[] = {
	{"console", KILN_EXPORT_CONSOLE}, {"mesa-gfx7", KILN_EXPORT_MESA_GFX7}, {"mesa-gfx10_3", KILN_EXPORT_MESA_GFX10_3}};

static void set_policy(struct scene_arguments *a, const char *name, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
		if (!strcmp(name, policies[i].name)) {
			a->device.policy = policies[i].policy;
			return;
		}
	argp_error(state, "--policy takes console, mesa-gfx7 or mesa-gfx10_3, not '%s'", name);
}

static uint32_t number(const char *arg, const char *option, struct argp_state *state)
{
	char *end;
	errno = 0;
	unsigned long long v = strtoull(arg, &end, 0);
	if (errno || !*arg || *end || *arg == '-' || v > UINT32_MAX)
		argp_error(state, "%s takes a number of 32 bits, not '%s'", option, arg);
	return (uint32_t)v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct scene_arguments *a = state->input;
	switch (key) {
	case 'i': a->device.ignore_export_mismatch = true; return 0;
	case 'a': a->device.accept_superset = true; return 0;
	case 'u':
		a->device.unexported_pattern = number(arg, "--unexported-pattern", state);
		if (!a->device.unexported_pattern)
			argp_error(state, "--unexported-pattern takes any word but 0");
		return 0;
	case 'p': set_policy(a, arg, state); return 0;
	case 'w':
		a->device.wave_size = number(arg, "--wave", state);
		if (a->device.wave_size != 32 && a->device.wave_size != 64)
			argp_error(state, "--wave takes 32 or 64, not '%s'", arg);
		return 0;
	case OPTION_PACK_SIGNATURE: a->device.pack_signature = true; return 0;
	case 'j': a->json = true; return 0;
	case ARGP_KEY_ARGS:
		a->inputs = state->argv + state->next;
		a->count = state->argc - state->next;
		return 0;
	case ARGP_KEY_NO_ARGS: argp_usage(state); return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
	{"ignore-export-mismatch", 'i', NULL, 0, "Make refused derived PSOs and run them as hardware would", 0},
	{"accept-superset", 'a', NULL, 0, "Let derived PSOs pass whose base exports more than they need", 0},
	{"unexported-pattern", 'u', "WORD", 0, "What export slots hold that nothing exported (0xDEADBEEF)", 0},
	{"policy", 'p', "NAME", 0, "How exports are chosen: console (default), mesa-gfx7, mesa-gfx10_3", 0},
	{"wave", 'w', "LANES", 0, "Lanes a wave: 64 (default) or 32", 0},
	{"pack-signature", OPTION_PACK_SIGNATURE, NULL, 0, "Drop vertex outputs that the pixel shader does not read, and pack the others", 0},
	{"json", 'j', NULL, 0, "Report as JSON", 0},
	{0}};
const struct argp scene_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
