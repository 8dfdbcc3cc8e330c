/* State Object Databases: SQLite files that list a title's PSOs (Direct3D's Advanced Shader Delivery). sodb_schema.c has
 * the schema, sodb_read.c takes PSOs out of one, sodb_write.c makes one.
 *
 * Keys are any bytes, so that nothing of the format tells a changed value. Databases that Kiln writes have keys that do:
 * "kiln" and the SHA-1 of the row, keys of other rows included, up to the PSO with its name. Rows with such keys are
 * verified. */
#ifndef KILN_TOOLS_SODB_H
#define KILN_TOOLS_SODB_H
#include "tools/pso_set.h"

enum { SODB_APPLICATION_ID = 0xD3D50DB, SODB_VERSION = 2, SODB_KEY_SIZE = 24, SODB_VALUES_MAX = 32, SODB_BYTES_MAX = 1 << 28,
	SODB_ROWS_MAX = 1 << 20 };

enum sodb_type { SODB_NULL, SODB_INTEGER, SODB_REAL, SODB_TEXT, SODB_BLOB };
struct sodb_value {
	uint8_t type;                     /* enum sodb_type */
	int64_t integer;
	double real;
	const uint8_t *data;              /* TEXT, BLOB */
	size_t size;
};

/* ---- sodb_schema.c ---- */
extern const char *const sodb_schema[]; /* SQL that makes the empty tables; ends with NULL */
/* "kiln" and the SHA-1 of table and values. */
void sodb_key(const char *table, const struct sodb_value *values, size_t count, uint8_t key[SODB_KEY_SIZE]);
bool sodb_key_is_digest(const struct sodb_value *key);
/* The columns after Key of the tables whose rows Kiln reads and writes, in the order of the schema. */
#define SODB_ELEMENT_COLUMNS \
	"SemanticName, SemanticIndex, Format, InputSlot, AlignedByteOffset, InputSlotClass, InstanceDataStepRate"
#define SODB_STENCIL_COLUMNS \
	"StencilFailOp, StencilDepthFailOp, StencilPassOp, StencilFunc, StencilReadMask, StencilWriteMask"
#define SODB_DEPTH_COLUMNS \
	"DepthEnable, DepthWriteMask, DepthFunc, StencilEnable, FrontFace, BackFace, DepthBoundsTestEnable"
#define SODB_FORMATS_COLUMNS \
	"RTFormat0, RTFormat1, RTFormat2, RTFormat3, RTFormat4, RTFormat5, RTFormat6, RTFormat7, NumRenderTargets"
#define SODB_TARGET_COLUMNS \
	"BlendEnable, LogicOpEnable, SrcBlend, DestBlend, BlendOp, SrcBlendAlpha, DestBlendAlpha, BlendOpAlpha, LogicOp, " \
	"RenderTargetWriteMask"
#define SODB_BLEND_COLUMNS \
	"AlphaToCoverageEnable, IndependentBlendEnable, RenderTarget0, RenderTarget1, RenderTarget2, RenderTarget3, " \
	"RenderTarget4, RenderTarget5, RenderTarget6, RenderTarget7"
#define SODB_RASTERIZER_COLUMNS \
	"FillMode, CullMode, FrontCounterClockwise, DepthBias, DepthBiasClamp, SlopeScaledDepthBias, DepthClipEnable, " \
	"LineRasterizationMode, ForcedSampleCount, ConservativeRaster"
#define SODB_PIPELINE_COLUMNS \
	"RootSignature, InputLayout, ByteCode_VS, ByteCode_PS, ByteCode_HS, ByteCode_DS, ByteCode_GS, ByteCode_AS, " \
	"ByteCode_MS, ByteCode_CS, DepthStencilDesc, RenderTargetFormats, BlendDesc, RasterizerDesc, ViewInstancingDesc, StreamOutDesc, " \
	"SampleDesc_Count, SampleDesc_Quality, SampleMask, IBStripCutValue, PrimitiveTopology, DSVFormat, NodeMask, Flags"
enum sodb_pipeline_column { SODB_ROOT, SODB_LAYOUT, SODB_VS, SODB_PS, SODB_HS, SODB_DS, SODB_GS, SODB_AS, SODB_MS, SODB_CS,
	SODB_DEPTH, SODB_FORMATS, SODB_BLEND, SODB_RASTERIZER, SODB_VIEWS, SODB_STREAM_OUT, SODB_COUNT, SODB_QUALITY,
	SODB_SAMPLE_MASK, SODB_STRIP_CUT, SODB_TOPOLOGY, SODB_DSV, SODB_NODE_MASK, SODB_FLAGS, SODB_PIPELINE_COUNT };

/* ---- sodb_read.c ---- */
bool sodb_is_database(const char *path);                       /* by its name (.sodb) or its first bytes */
/* The PSOs of f->path as entries of the set; what cannot be read fails the file. The database is untrusted: it is never
 * written, its triggers and views never run, sizes are capped. */
void sodb_read(struct pso_set *s, struct pso_file *f);

/* ---- sodb_write.c ---- */
struct sodb_application { const char *exe, *name; };
/* All entries of the set as full PSOs, by label. The file appears whole or not at all; false: diagnostics added. */
bool sodb_write(struct pso_set *s, const struct sodb_application *app, const char *path, struct kiln_diags *d);
#endif
