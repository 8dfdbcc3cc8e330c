/* Options that every verb on scenes takes; an argp child. */
#ifndef KILN_TOOLS_SCENE_OPTIONS_H
#define KILN_TOOLS_SCENE_OPTIONS_H
#include <argp.h>
#include <kiln/kiln.h>

struct scene_arguments {
	struct kiln_device_desc device;
	char **inputs;
	int count;
	bool json;
};
extern const struct argp scene_argp;
#endif
