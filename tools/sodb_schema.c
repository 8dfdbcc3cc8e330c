/* The tables of a State Object Database, version 2, and the keys of the rows that Kiln writes. Names and types are the
 * format's; tables that Kiln has no use for stay empty, but readers expect them. */
#include "tools/sodb.h"
#include <nettle/sha1.h>
#include <string.h>

#define KEY "Key BLOB NOT NULL PRIMARY KEY, "
#define INT(name) #name " INTEGER NOT NULL"
#define INT0(name) #name " INTEGER"
#define REF(column, table) "FOREIGN KEY(" #column ") REFERENCES " #table "(Key)"
#define REF8(column, table) \
	REF(column##0, table) "," REF(column##1, table) "," REF(column##2, table) "," REF(column##3, table) "," \
	REF(column##4, table) "," REF(column##5, table) "," REF(column##6, table) "," REF(column##7, table)
#define TABLE(name, columns) "CREATE TABLE " #name " (" columns ")",
/* a link between two tables; b stands in the table that the foreign key names */
#define LINK(name, a, b, rest) \
	"CREATE TABLE " #name " (" #a " BLOB NOT NULL, " #b " BLOB NOT NULL, " rest "UNIQUE(" #a ", " #b "))",
#define OBJECT REF(StateObjectKey, state_objects) ","
#define STATES \
	"DepthStencilDesc BLOB, RenderTargetFormats BLOB, BlendDesc BLOB, RasterizerDesc BLOB, ViewInstancingDesc BLOB, " \
	"StreamOutDesc BLOB, " INT0(SampleDesc_Count) "," INT0(SampleDesc_Quality) "," INT0(SampleMask) "," \
	INT0(IBStripCutValue) "," INT0(PrimitiveTopology) "," INT0(DSVFormat) "," INT0(NodeMask) "," INT0(Flags) ","
#define STATE_REFS \
	REF(DepthStencilDesc, depth_stencil_descs) "," REF(RenderTargetFormats, render_target_formats) "," \
	REF(BlendDesc, blend_descs) "," REF(RasterizerDesc, rasterizer_descs) "," \
	REF(ViewInstancingDesc, view_instancing_descs) "," REF(StreamOutDesc, stream_out_descs)
#define SHADER(stage) REF(ByteCode_##stage, shader_bytecode) ","

/* clang-format off */
const char *const sodb_schema[] = {
	"PRAGMA user_version = 2",
	"PRAGMA application_id = 0xD3D50DB",
	/* state of pipelines */
	TABLE(root_signatures, KEY "value BLOB NOT NULL")
	TABLE(input_element_descs, KEY "SemanticName TEXT NOT NULL," INT(SemanticIndex) "," INT(Format) "," INT(InputSlot) ","
		INT(AlignedByteOffset) "," INT(InputSlotClass) "," INT(InstanceDataStepRate))
	TABLE(state_objects, KEY INT0(Type) "," INT0(NodeMask) "," INT0(Flags) ",AddToStateObjectParent BLOB,"
		REF(AddToStateObjectParent, state_objects))
	TABLE(shader_bytecode, KEY "Type TEXT, Bytecode BLOB")
	TABLE(exports, KEY "Name TEXT NOT NULL, ExportToRename TEXT," INT(Flags))
	TABLE(depth_stencil_op_descs, KEY INT(StencilFailOp) "," INT(StencilDepthFailOp) "," INT(StencilPassOp) ","
		INT(StencilFunc) "," INT(StencilReadMask) "," INT(StencilWriteMask))
	TABLE(depth_stencil_descs, KEY INT(DepthEnable) "," INT(DepthWriteMask) "," INT(DepthFunc) "," INT(StencilEnable) ","
		"FrontFace BLOB NOT NULL, BackFace BLOB NOT NULL," INT(DepthBoundsTestEnable) ","
		REF(FrontFace, depth_stencil_op_descs) "," REF(BackFace, depth_stencil_op_descs))
	TABLE(render_target_formats, KEY INT(RTFormat0) "," INT(RTFormat1) "," INT(RTFormat2) "," INT(RTFormat3) ","
		INT(RTFormat4) "," INT(RTFormat5) "," INT(RTFormat6) "," INT(RTFormat7) "," INT(NumRenderTargets))
	TABLE(render_target_blend_descs, KEY INT(BlendEnable) "," INT(LogicOpEnable) "," INT(SrcBlend) "," INT(DestBlend) ","
		INT(BlendOp) "," INT(SrcBlendAlpha) "," INT(DestBlendAlpha) "," INT(BlendOpAlpha) "," INT(LogicOp) ","
		INT(RenderTargetWriteMask))
	TABLE(blend_descs, KEY INT(AlphaToCoverageEnable) "," INT(IndependentBlendEnable) ","
		"RenderTarget0 BLOB, RenderTarget1 BLOB, RenderTarget2 BLOB, RenderTarget3 BLOB, RenderTarget4 BLOB, "
		"RenderTarget5 BLOB, RenderTarget6 BLOB, RenderTarget7 BLOB," REF8(RenderTarget, render_target_blend_descs))
	TABLE(rasterizer_descs, KEY INT(FillMode) "," INT(CullMode) "," INT(FrontCounterClockwise) ",DepthBias REAL NOT NULL,"
		"DepthBiasClamp REAL NOT NULL, SlopeScaledDepthBias REAL NOT NULL," INT(DepthClipEnable) ","
		INT(LineRasterizationMode) "," INT(ForcedSampleCount) "," INT(ConservativeRaster))
	TABLE(view_instancing_descs, KEY INT(ViewInstanceCount) "," INT(RenderFlags) ","
		INT0(ViewportArrayIndex0) "," INT0(RenderTargetArrayIndex0) "," INT0(ViewportArrayIndex1) ","
		INT0(RenderTargetArrayIndex1) "," INT0(ViewportArrayIndex2) "," INT0(RenderTargetArrayIndex2) ","
		INT0(ViewportArrayIndex3) "," INT0(RenderTargetArrayIndex3))
	TABLE(so_declarations, KEY INT(Stream) ",SemanticName TEXT NOT NULL," INT(SemanticIndex) "," INT(StartComponent) ","
		INT(ComponentCount) "," INT(OutputSlot))
	TABLE(stream_out_descs, KEY INT(BufferStride0) "," INT(BufferStride1) "," INT(BufferStride2) "," INT(BufferStride3) ","
		INT(NumStrides) "," INT(RasterizedStream))
	/* raytracing, work graphs */
	TABLE(rt_hit_groups, KEY "HitGroupExport TEXT NOT NULL," INT(Type) ",AnyHitShaderImport TEXT, "
		"ClosestHitShaderImport TEXT, IntersectionShaderImport TEXT")
	TABLE(rt_shader_config, KEY INT(MaxPayloadSizeInBytes) "," INT(MaxAttributeSizeInBytes))
	TABLE(rt_pipeline_config, KEY INT(MaxTraceRecursionDepth) "," INT(Flags))
	TABLE(dxil_subobject_to_exports_associations, KEY "SubobjectToAssociate TEXT NOT NULL")
	TABLE(subobject_to_exports_associations, KEY INT(SubobjectType) ",SubobjectKey BLOB NOT NULL")
	TABLE(generic_programs, KEY "ProgramName TEXT, InputLayout BLOB, " STATES STATE_REFS)
	/* the pipelines */
	TABLE(pipeline_states, KEY "RootSignature BLOB, InputLayout BLOB, ByteCode_VS BLOB, ByteCode_PS BLOB, ByteCode_HS BLOB, "
		"ByteCode_DS BLOB, ByteCode_GS BLOB, ByteCode_AS BLOB, ByteCode_MS BLOB, ByteCode_CS BLOB, " STATES
		REF(RootSignature, root_signatures) "," SHADER(VS) SHADER(PS) SHADER(HS) SHADER(DS) SHADER(GS) SHADER(AS) SHADER(MS)
		SHADER(CS) STATE_REFS)
	TABLE(work_graphs, KEY "ProgramName TEXT NOT NULL," INT(Flags))
	TABLE(node_ids, KEY "Name TEXT NOT NULL," INT(ArrayIndex))
	TABLE(node_output_overrides, KEY INT(OutputIndex) ",NewName BLOB," INT0(AllowSparseNodes) "," INT0(MaxRecords) ","
		INT0(MaxRecordsSharedWithOutputIndex) "," REF(NewName, node_ids))
	TABLE(shader_nodes, KEY "ShaderOrProgram TEXT NOT NULL," INT(NodeType) "," INT(OverridesType) ","
		INT0(LocalRootArgumentsTableIndex) "," INT0(ProgramEntry) ",NewName BLOB, ShareInputOf BLOB,"
		INT0(DispatchGridX) "," INT0(DispatchGridY) "," INT0(DispatchGridZ) "," INT0(MaxDispatchGridX) ","
		INT0(MaxDispatchGridY) "," INT0(MaxDispatchGridZ) "," INT0(MaxInputRecordsPerGraphEntryRecord_RecordCount) ","
		INT0(MaxInputRecordsPerGraphEntryRecord_bCountSharedAcrossNodeArray) "," REF(NewName, node_ids) ","
		REF(ShareInputOf, node_ids))
	/* links */
	LINK(input_layout_to_input_element_associations, InputLayoutKey, InputElementKey,
		REF(InputElementKey, input_element_descs) ",")
	LINK(stream_output_desc_to_stream_output_decl_associations, StreamOutDescKey, StreamOutDeclKey,
		REF(StreamOutDescKey, stream_out_descs) "," REF(StreamOutDeclKey, so_declarations) ",")
	LINK(so_to_global_rs_associations, StateObjectKey, RootSignatureKey, OBJECT REF(RootSignatureKey, root_signatures) ",")
	LINK(so_to_local_rs_associations, StateObjectKey, RootSignatureKey, OBJECT REF(RootSignatureKey, root_signatures) ",")
	TABLE(so_to_dxil_lib_associations, "StateObjectKey BLOB NOT NULL, DxilLibKey BLOB NOT NULL, ExportKey BLOB,"
		OBJECT REF(DxilLibKey, shader_bytecode) "," REF(ExportKey, exports) ",UNIQUE(StateObjectKey, DxilLibKey, ExportKey)")
	"CREATE UNIQUE INDEX so_to_dxil_lib_associations_partial_index ON so_to_dxil_lib_associations(StateObjectKey, "
		"DxilLibKey) WHERE ExportKey IS NULL",
	TABLE(so_to_existing_so_associations, "StateObjectKey BLOB NOT NULL, ExistingStateObjectKey BLOB NOT NULL, "
		"ExportKey BLOB," OBJECT REF(ExistingStateObjectKey, state_objects) "," REF(ExportKey, exports)
		",UNIQUE(StateObjectKey, ExistingStateObjectKey, ExportKey)")
	"CREATE UNIQUE INDEX so_to_existing_so_associations_partial_index ON so_to_existing_so_associations(StateObjectKey, "
		"ExistingStateObjectKey) WHERE ExportKey IS NULL",
	LINK(so_to_hit_group_associations, StateObjectKey, HitGroupKey, OBJECT REF(HitGroupKey, rt_hit_groups) ",")
	LINK(so_to_rt_shader_config_associations, StateObjectKey, ShaderConfigKey,
		OBJECT REF(ShaderConfigKey, rt_shader_config) ",")
	LINK(so_to_rt_pipeline_config_associations, StateObjectKey, PipelineConfigKey,
		OBJECT REF(PipelineConfigKey, rt_pipeline_config) ",")
	LINK(so_to_dxil_subobject_to_exports_associations, StateObjectKey, DxilSubobjectToExportsAssociationKey,
		OBJECT REF(DxilSubobjectToExportsAssociationKey, dxil_subobject_to_exports_associations) ",")
	LINK(so_to_subobject_to_exports_associations, StateObjectKey, SubobjectToExportsAssociationKey,
		OBJECT REF(SubobjectToExportsAssociationKey, subobject_to_exports_associations) ",")
	LINK(so_to_generic_program_associations, StateObjectKey, GenericProgramKey,
		OBJECT REF(GenericProgramKey, generic_programs) ",")
	LINK(so_to_work_graph_associations, StateObjectKey, WorkGraphKey, OBJECT REF(WorkGraphKey, work_graphs) ",")
	LINK(work_graph_to_entrypoint_node_id_associations, WorkGraphKey, NodeIDKey,
		REF(WorkGraphKey, work_graphs) "," REF(NodeIDKey, node_ids) ",")
	LINK(workgraph_node_to_node_output_overrides_associations, WorkGraphNodeKey, NodeOutputOverridesKey,
		REF(WorkGraphNodeKey, shader_nodes) "," REF(NodeOutputOverridesKey, node_output_overrides) ",")
	LINK(work_graph_to_work_graph_node_associations, WorkGraphKey, WorkGraphNodeKey,
		REF(WorkGraphKey, work_graphs) "," REF(WorkGraphNodeKey, shader_nodes) ",")
	TABLE(string_associations, "OwningTableKey BLOB, Value TEXT NOT NULL, UNIQUE(OwningTableKey, Value)")
	"CREATE UNIQUE INDEX string_associations_partial_index ON string_associations(Value) WHERE OwningTableKey IS NULL",
	/* what the application calls them, and what it is */
	TABLE(groups, KEY INT(Version) ",PSOKey BLOB, SOKey BLOB," REF(PSOKey, pipeline_states) "," REF(SOKey, state_objects))
	TABLE(app_id, "id INTEGER NOT NULL PRIMARY KEY, exe TEXT NOT NULL, app_name TEXT NOT NULL, engine_name TEXT,"
		INT(app_version) "," INT(engine_version))
	NULL,
};
/* clang-format on */

/* ---- keys ---- */
static void put_value(struct sha1_ctx *h, const struct sodb_value *v)
{
	uint64_t number = v->type == SODB_TEXT || v->type == SODB_BLOB ? v->size : (uint64_t)v->integer;
	uint8_t head[9] = {v->type};
	if (v->type == SODB_REAL)
		memcpy(&number, &v->real, sizeof number);
	for (unsigned i = 0; v->type != SODB_NULL && i < 8; i++)
		head[1 + i] = (uint8_t)(number >> 8 * i);
	sha1_update(h, sizeof head, head);
	if ((v->type == SODB_TEXT || v->type == SODB_BLOB) && v->size)
		sha1_update(h, v->size, v->data);
}

void sodb_key(const char *table, const struct sodb_value *values, size_t count, uint8_t key[SODB_KEY_SIZE])
{
	struct sha1_ctx h;
	sha1_init(&h);
	sha1_update(&h, strlen(table) + 1, (const uint8_t *)table);
	for (size_t i = 0; i < count; i++)
		put_value(&h, &values[i]);
	memcpy(key, "kiln", SODB_KEY_SIZE - SHA1_DIGEST_SIZE);
	sha1_digest(&h, SHA1_DIGEST_SIZE, key + SODB_KEY_SIZE - SHA1_DIGEST_SIZE);
}

bool sodb_key_is_digest(const struct sodb_value *key)
{
	return key->type == SODB_BLOB && key->size == SODB_KEY_SIZE && !memcmp(key->data, "kiln", 4);
}
