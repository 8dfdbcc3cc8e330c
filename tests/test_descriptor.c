/* Descriptors as they are written: what each kind refuses, and what a view description comes to. */
#include "sim/texture.h"
#include "tests/bind_rig.h"

static struct kiln_resource *image, *cube, *many, *memory;
#define SRV_ROW(name, of, ...) \
	static bool name(struct bench *b) \
	{ \
		return kiln_descriptor_srv(b->views, 0, of, &(struct kiln_view_desc){__VA_ARGS__}, b->r.diags); \
	}
#define UAV_ROW(name, of, ...) \
	static bool name(struct bench *b) \
	{ \
		return kiln_descriptor_uav(b->views, 0, of, &(struct kiln_view_desc){__VA_ARGS__}, NULL, 0, b->r.diags); \
	}
#define CBV_ROW(name, of, offset, size) \
	static bool name(struct bench *b) { return kiln_descriptor_cbv(b->views, 0, of, offset, size, b->r.diags); }
#define SAMPLER_ROW(name, ...) \
	static bool name(struct bench *b) \
	{ \
		return kiln_descriptor_sampler(b->samplers, 0, &(struct kiln_sampler_desc){__VA_ARGS__}, b->r.diags); \
	}
SRV_ROW(mips_past, image, .MostDetailedMip = 1, .MipLevels = 2)
SRV_ROW(mip_past, image, .MostDetailedMip = 2)
SRV_ROW(mips_all, image, .MipLevels = 0xffffffff)
SRV_ROW(slices_past, image, .FirstArraySlice = 1, .ArraySize = 2)
SRV_ROW(as_volume, image, .ViewDimension = KILN_VIEW_TEXTURE3D)
SRV_ROW(as_samples, image, .ViewDimension = KILN_VIEW_TEXTURE2DMS)
SRV_ROW(as_cube, image, .ViewDimension = KILN_VIEW_TEXTURECUBE)
SRV_ROW(as_nothing, image, .ViewDimension = 11)
SRV_ROW(in_another_family, image, .Format = KILN_FORMAT_R16_FLOAT)
SRV_ROW(mapping_six, image, .Shader4ComponentMapping = 0x168e)
SRV_ROW(mapping_unmarked, image, .Shader4ComponentMapping = 0x0688)
SRV_ROW(mapping_swapped, image, .Shader4ComponentMapping = 0x1000 | 2 | 1 << 3 | 4 << 6 | 5 << 9)
SRV_ROW(clamp_below, image, .ResourceMinLODClamp = -1)
SRV_ROW(cube_of_six, cube, .ViewDimension = KILN_VIEW_TEXTURECUBE)
SRV_ROW(cube_from_one, cube, .ViewDimension = KILN_VIEW_TEXTURECUBE, .FirstArraySlice = 1)
SRV_ROW(cube_too_late, cube, .ViewDimension = KILN_VIEW_TEXTURECUBE, .FirstArraySlice = 2)
SRV_ROW(cubes, cube, .ViewDimension = KILN_VIEW_TEXTURECUBEARRAY)
SRV_ROW(cubes_of_seven, cube, .ViewDimension = KILN_VIEW_TEXTURECUBEARRAY, .ArraySize = 7)
SRV_ROW(samples, many, .ViewDimension = KILN_VIEW_TEXTURE2DMS)
SRV_ROW(samples_as_plane, many, .ViewDimension = KILN_VIEW_TEXTURE2D)
SRV_ROW(buffer_as_plane, memory, .ViewDimension = KILN_VIEW_TEXTURE2D)
SRV_ROW(elements_of_image, image, .NumElements = 4)
SRV_ROW(stride_of_image, image, .StructureByteStride = 4)
SRV_ROW(mips_of_buffer, memory, .MipLevels = 1)
SRV_ROW(slices_of_buffer, memory, .Format = KILN_FORMAT_R32_FLOAT, .FirstArraySlice = 1)
SRV_ROW(stride_six, memory, .StructureByteStride = 6)
SRV_ROW(stride_typed, memory, .StructureByteStride = 8, .Format = KILN_FORMAT_R32_FLOAT)
SRV_ROW(stride_long, memory, .StructureByteStride = 2052)
SRV_ROW(elements_past, memory, .Format = KILN_FORMAT_R32_FLOAT, .FirstElement = 1, .NumElements = 4)
SRV_ROW(element_past, memory, .Format = KILN_FORMAT_R32_FLOAT, .FirstElement = 5)
SRV_ROW(element_far, memory, .Format = KILN_FORMAT_R32_FLOAT, .FirstElement = UINT64_MAX)
SRV_ROW(depth_buffer, memory, .Format = KILN_FORMAT_D32_FLOAT)
SRV_ROW(block_buffer, memory, .Format = KILN_FORMAT_BC1_UNORM)
UAV_ROW(uav_of_samples, many, .ViewDimension = KILN_VIEW_TEXTURE2DMS)
UAV_ROW(uav_of_srgb, image, .Format = KILN_FORMAT_R8G8B8A8_UNORM_SRGB)
UAV_ROW(uav_of_mip, image, .MostDetailedMip = 1)
UAV_ROW(uav_past, image, .MostDetailedMip = 2)
CBV_ROW(cbv_offset, memory, 128, 0)
CBV_ROW(cbv_past, memory, 256, 0)
CBV_ROW(cbv_long, memory, 0, 65537)
CBV_ROW(cbv_of_texture, image, 0, 0)
CBV_ROW(cbv_longer_than_buffer, memory, 0, 65536)
SAMPLER_ROW(address_none, .Filter = 0x15)
SAMPLER_ROW(filter_unknown, .Filter = 0x13, .AddressU = 1, .AddressV = 1, .AddressW = 1)
SAMPLER_ROW(anisotropy_17, .AddressU = 1, .AddressV = 1, .AddressW = 1, .MaxAnisotropy = 17)
SAMPLER_ROW(bias_17, .AddressU = 1, .AddressV = 1, .AddressW = 1, .MipLODBias = 17)
SAMPLER_ROW(compares_nothing, .Filter = 0x95, .AddressU = 1, .AddressV = 1, .AddressW = 1)
SAMPLER_ROW(sampler_right, .Filter = 0x95, .AddressU = 1, .AddressV = 4, .AddressW = 5, .ComparisonFunc = 4, .Flags = 3)
static bool past_heap(struct bench *b) { return kiln_descriptor_srv(b->views, 16, image, NULL, b->r.diags); }
static bool view_in_samplers(struct bench *b) { return kiln_descriptor_srv(b->samplers, 0, image, NULL, b->r.diags); }
static bool sampler_in_views(struct bench *b)
{
	return kiln_descriptor_sampler(b->views, 0, &(struct kiln_sampler_desc){.AddressU = 1}, b->r.diags);
}
static bool counter(struct bench *b, uint32_t stride, uint64_t offset)
{
	const struct kiln_view_desc d = {.StructureByteStride = stride};

	return kiln_descriptor_uav(b->views, 0, memory, &d, memory, offset, b->r.diags);
}
static bool counter_right(struct bench *b) { return counter(b, 4, 12); }
static bool counter_past(struct bench *b) { return counter(b, 4, 16); }
static bool counter_odd(struct bench *b) { return counter(b, 4, 2); }
static bool counter_of_raw(struct bench *b) { return counter(b, 0, 0); }

Test(descriptor, refused_descriptors)
{
	static const struct { bool (*write)(struct bench *); uint32_t number; } rows[] = {
		{mips_past, 5030}, {mip_past, 5030}, {mips_all, 0}, {slices_past, 5030}, {as_volume, 5030}, {as_samples, 5030},
		{as_cube, 5030}, {as_nothing, 5030}, {in_another_family, 5030}, {mapping_six, 5030}, {mapping_unmarked, 5030},
		{mapping_swapped, 0}, {clamp_below, 5030}, {cube_of_six, 0}, {cube_from_one, 0}, {cube_too_late, 5030}, {cubes, 0},
		{cubes_of_seven, 5030}, {samples, 0}, {samples_as_plane, 5030}, {buffer_as_plane, 5030}, {stride_six, 5030},
		{stride_typed, 5030}, {stride_long, 5030}, {elements_past, 5030}, {element_past, 5030}, {element_far, 5030},
		{depth_buffer, 5030}, {block_buffer, 5030}, {uav_of_samples, 5030}, {uav_of_srgb, 5030}, {uav_of_mip, 0}, {uav_past, 5030},
		{cbv_offset, 5031}, {cbv_past, 5031}, {cbv_long, 5031}, {cbv_of_texture, 5031}, {cbv_longer_than_buffer, 0},
		{address_none, 5031}, {filter_unknown, 5031}, {anisotropy_17, 5031}, {bias_17, 5031}, {compares_nothing, 5031},
		{sampler_right, 0}, {past_heap, 5031}, {view_in_samplers, 5031}, {sampler_in_views, 5031}, {counter_right, 0},
		{counter_past, 5031}, {counter_odd, 5031}, {counter_of_raw, 5031}, {elements_of_image, 5030}, {stride_of_image, 5030},
		{mips_of_buffer, 5030}, {slices_of_buffer, 5030},
	};
	struct bench b;

	bench_open(&b);
	image = texture(&b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R8G8B8A8_UNORM, .Width = 2, .Height = 2,
		.DepthOrArraySize = 2, .MipLevels = 2});
	cube = texture(&b, (struct kiln_texture_desc){KILN_FORMAT_R8_UNORM, .Width = 2, .Height = 2, .DepthOrArraySize = 7});
	many = texture(&b, (struct kiln_texture_desc){KILN_FORMAT_R8_UNORM, .Width = 2, .Height = 2, .SampleDesc = {4, 0}});
	memory = buffer(&b.r, NULL, 16);
	for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
		kiln_diags_clear(b.r.diags);
		cr_expect_eq(rows[i].write(&b), rows[i].number == 0, "row %zu", i);
		cr_expect_eq(kiln_diags_count(b.r.diags), rows[i].number != 0, "row %zu", i);
		cr_expect(!rows[i].number || kiln_diags_has(b.r.diags, rows[i].number), "row %zu", i);
	}
	cr_expect_null(kiln_descriptor_heap_create(b.r.device, KILN_HEAP_SAMPLER, 2049, b.r.diags));
	cr_expect_null(kiln_descriptor_heap_create(b.r.device, KILN_HEAP_CBV_SRV_UAV, 0, b.r.diags));
	cr_expect_null(kiln_descriptor_heap_create(b.r.device, 2, 1, b.r.diags));
	bench_close(&b);
}

/* What a description comes to. */
Test(descriptor, resolved_views)
{
	struct view v;
	struct bench b;

	bench_open(&b);
	cube = texture(&b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R8_TYPELESS, .Width = 4, .Height = 4,
		.DepthOrArraySize = 14, .MipLevels = 3});
	cr_assert(view_srv(cube, &(struct kiln_view_desc){.Format = KILN_FORMAT_R8_SNORM, .FirstArraySlice = 1,
		.ViewDimension = KILN_VIEW_TEXTURECUBEARRAY, .MostDetailedMip = 1, .ResourceMinLODClamp = 1.5f}, "", b.r.diags, &v));
	cr_expect(v.slices == 12 && v.first_slice == 1 && v.first_mip == 1 && v.mips == 2 && v.min_lod == 1.5f &&
		v.dimension == KILN_VIEW_TEXTURECUBEARRAY && v.format == format_info(KILN_FORMAT_R8_SNORM) && v.resource == cube);
	cr_expect(v.swizzle[0] == 0 && v.swizzle[1] == 1 && v.swizzle[2] == 2 && v.swizzle[3] == 3);
	cr_assert(view_srv(cube, &(struct kiln_view_desc){.Format = KILN_FORMAT_R8_UINT,
		.Shader4ComponentMapping = 0x1000 | 5 | 4 << 3 | 0 << 6 | 3 << 9}, "", b.r.diags, &v));
	cr_expect(v.swizzle[0] == 5 && v.swizzle[1] == 4 && v.swizzle[2] == 0 && v.swizzle[3] == 3);
	cr_expect(v.dimension == KILN_VIEW_TEXTURE2DARRAY && v.slices == 14 && v.mips == 3);
	image = texture(&b, (struct kiln_texture_desc){.Format = KILN_FORMAT_R32_FLOAT, .Width = 4, .Height = 4,
		.DepthOrArraySize = 8, .MipLevels = 3, .Dimension = KILN_DIMENSION_TEXTURE3D});
	cr_assert(view_uav(image, &(struct kiln_view_desc){.MostDetailedMip = 1, .FirstArraySlice = 1}, "", b.r.diags, &v));
	cr_expect(v.first_slice == 1 && v.slices == 3 && v.mips == 1); /* mip 1 is four deep */
	memory = buffer(&b.r, NULL, 30);
	cr_assert(view_srv(memory, &(struct kiln_view_desc){.StructureByteStride = 8, .FirstElement = 1}, "", b.r.diags, &v));
	cr_expect(v.offset == 8 && v.size == 16 && v.stride == 8 && !v.format && v.dimension == KILN_VIEW_BUFFER);
	cr_assert(view_srv(memory, &(struct kiln_view_desc){.Format = KILN_FORMAT_R8G8B8A8_UNORM, .NumElements = 2}, "",
		b.r.diags, &v));
	cr_expect(v.offset == 0 && v.size == 8 && v.stride == 4 && v.format);
	cr_assert(view_srv(memory, NULL, "", b.r.diags, &v));
	cr_expect(v.offset == 0 && v.size == 28 && v.stride == 0 && !v.format); /* whole words */
	cr_assert(view_srv(NULL, NULL, "", b.r.diags, &v));
	cr_expect_null(v.resource);
	bench_close(&b);
}
