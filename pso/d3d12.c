/* The part of kiln/d3d12.h that needs the library's insides: its diagnostic. Knows nothing of D3D12's headers. */
#include "isa/base.h"

KILN_API bool kiln_d3d12_refuse(struct kiln_diags *diags, const char *name, const char *field, const char *why);
bool kiln_d3d12_refuse(struct kiln_diags *diags, const char *name, const char *field, const char *why)
{
	diag_add(diags, DIAG_D3D12_FIELD_UNSUPPORTED, name, "D3D12_GRAPHICS_PIPELINE_STATE_DESC.%s is set: %s", field, why);
	return false;
}
