/* The scenes of scenes/bench on the first Vulkan driver there is, off screen: bench_vulkan FOLDER FRAMES SCENE... prints a line
 * a scene: its name, then milliseconds: the best frame, the median, the first with its pipeline made. What each scene is stands in
 * tools/bench_scenes.c; tests/bench-vulkan.sh puts the two side by side. Any failure ends it: this measures, nothing depends on it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <time.h>
#include <vulkan/vulkan.h>

enum { WIDTH = 1920, HEIGHT = 1080, CELLS_X = 1000, CELLS_Y = 500, CUBES = 10000, TEXTURE = 1024, MIPS = 11, FRAMES_MAX = 1000 };
enum kind { FULLSCREEN, TEXTURED, GRID, CUBE };

static const struct scene {
	const char *name, *vs, *ps;
	VkFormat format;
	enum kind kind;
	uint32_t layers;
	bool blend;
} scenes[] = {
	{"fill", "fullscreen.vs", "fill.ps", VK_FORMAT_R8G8B8A8_UNORM, FULLSCREEN, 16, false},
	{"blend", "fullscreen.vs", "blend.ps", VK_FORMAT_R16G16B16A16_SFLOAT, FULLSCREEN, 16, true},
	{"alu", "fullscreen.vs", "alu.ps", VK_FORMAT_R8G8B8A8_UNORM, FULLSCREEN, 1, false},
	{"tris", "mesh.vs", "mesh.ps", VK_FORMAT_R8G8B8A8_UNORM, GRID, 1, false},
	{"tex", "fullscreen.vs", "tex.ps", VK_FORMAT_R8G8B8A8_UNORM, TEXTURED, 1, false},
	{"draws", "cube.vs", "mesh.ps", VK_FORMAT_R8G8B8A8_UNORM, CUBE, 1, false},
};

static VkPhysicalDevice gpu;
static VkDevice device;
static VkQueue queue;
static VkCommandPool pool;

static void die(const char *what)
{
	fprintf(stderr, "bench_vulkan: %s failed\n", what);
	exit(2);
}

#define TRY(call) \
	do { \
		if ((call) != VK_SUCCESS) \
			die(#call); \
	} while (0)

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void open_device(void)
{
	const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1};
	const VkInstanceCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
	const float priority = 1;
	const VkDeviceQueueCreateInfo q = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
		.pQueuePriorities = &priority};
	const VkDeviceCreateInfo dci = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &q};
	const VkCommandPoolCreateInfo pci = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
	VkPhysicalDeviceProperties properties;
	VkInstance instance;
	uint32_t one = 1;

	TRY(vkCreateInstance(&ci, NULL, &instance));
	if (vkEnumeratePhysicalDevices(instance, &one, &gpu) < 0 || !one)
		die("looking for a Vulkan driver");
	vkGetPhysicalDeviceProperties(gpu, &properties);
	printf("# %s\n", properties.deviceName);
	TRY(vkCreateDevice(gpu, &dci, NULL, &device));
	vkGetDeviceQueue(device, 0, 0, &queue);
	TRY(vkCreateCommandPool(device, &pci, NULL, &pool));
}

static VkDeviceMemory memory(VkMemoryRequirements need, VkMemoryPropertyFlags flags)
{
	VkPhysicalDeviceMemoryProperties has;
	VkMemoryAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = need.size};
	VkDeviceMemory made;

	vkGetPhysicalDeviceMemoryProperties(gpu, &has);
	while (ai.memoryTypeIndex < has.memoryTypeCount && (!(need.memoryTypeBits >> ai.memoryTypeIndex & 1) ||
		(has.memoryTypes[ai.memoryTypeIndex].propertyFlags & flags) != flags))
		ai.memoryTypeIndex++;
	TRY(vkAllocateMemory(device, &ai, NULL, &made));
	return made;
}

static VkBuffer buffer(size_t size, VkBufferUsageFlags usage, void **data)
{
	const VkBufferCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
	VkMemoryRequirements need;
	VkDeviceMemory m;
	VkBuffer made;

	TRY(vkCreateBuffer(device, &ci, NULL, &made));
	vkGetBufferMemoryRequirements(device, made, &need);
	m = memory(need, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
	TRY(vkBindBufferMemory(device, made, m, 0));
	TRY(vkMapMemory(device, m, 0, VK_WHOLE_SIZE, 0, data));
	return made;
}

static VkImageView image(VkFormat format, uint32_t width, uint32_t height, uint32_t mips, VkImageUsageFlags usage,
	VkImageAspectFlags aspect, VkImage *out)
{
	const VkImageCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = format,
		.extent = {width, height, 1}, .mipLevels = mips, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT, .usage = usage};
	VkImageViewCreateInfo vi = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = format, .subresourceRange = {aspect, 0, mips, 0, 1}};
	VkMemoryRequirements need;
	VkImageView view;

	TRY(vkCreateImage(device, &ci, NULL, out));
	vkGetImageMemoryRequirements(device, *out, &need);
	TRY(vkBindImageMemory(device, *out, memory(need, 0), 0));
	vi.image = *out;
	TRY(vkCreateImageView(device, &vi, NULL, &view));
	return view;
}

static VkCommandBuffer commands(void)
{
	const VkCommandBufferAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool,
		.commandBufferCount = 1};
	const VkCommandBufferBeginInfo bi = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
	VkCommandBuffer c;

	TRY(vkAllocateCommandBuffers(device, &ai, &c));
	TRY(vkBeginCommandBuffer(c, &bi));
	return c;
}

static void run(VkCommandBuffer c)
{
	const VkSubmitInfo si = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &c};

	TRY(vkQueueSubmit(queue, 1, &si, VK_NULL_HANDLE));
	TRY(vkQueueWaitIdle(queue));
}

/* ---- geometry and texture ---- */

static void make_grid(VkBuffer *vertices, VkBuffer *indices)
{
	float(*v)[6];
	uint32_t *index;

	*vertices = buffer((size_t)(CELLS_X + 1) * (CELLS_Y + 1) * sizeof *v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, (void **)&v);
	*indices = buffer((size_t)CELLS_X * CELLS_Y * 6 * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, (void **)&index);
	for (uint32_t i = 0; i < (CELLS_X + 1) * (CELLS_Y + 1); i++) {
		double u = i % (CELLS_X + 1) / (double)CELLS_X, w = i / (CELLS_X + 1) / (double)CELLS_Y;

		v[i][0] = (float)(1.9 * u - 0.95), v[i][1] = (float)(1.9 * w - 0.95);
		v[i][2] = (float)(0.5 + 0.2 * sin(20 * u) * cos(20 * w));
		v[i][3] = (float)(-cos(20 * u) * cos(20 * w)), v[i][4] = (float)(sin(20 * u) * sin(20 * w)), v[i][5] = -1;
	}
	for (uint32_t i = 0; i < CELLS_X * CELLS_Y; i++) {
		uint32_t a = i / CELLS_X * (CELLS_X + 1) + i % CELLS_X;
		const uint32_t six[6] = {a, a + 1, a + CELLS_X + 1, a + CELLS_X + 1, a + 1, a + CELLS_X + 2};

		memcpy(index + 6 * (size_t)i, six, sizeof six);
	}
}

static void make_cube(VkBuffer *vertices, VkBuffer *indices)
{
	const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
	float(*v)[6];
	uint32_t *index;

	*vertices = buffer(24 * sizeof *v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, (void **)&v);
	*indices = buffer(36 * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, (void **)&index);
	memset(v, 0, 24 * sizeof *v);
	for (int f = 0; f < 6; f++) {
		for (int k = 0; k < 4; k++) {
			v[4 * f + k][f / 2] = v[4 * f + k][3 + f / 2] = f & 1 ? 1 : -1;
			v[4 * f + k][(f / 2 + 1) % 3] = k & 1 ? 1 : -1;
			v[4 * f + k][(f / 2 + 2) % 3] = k & 2 ? 1 : -1;
		}
		for (int k = 0; k < 6; k++)
			index[6 * f + k] = (uint32_t)(4 * f) + corners[k];
	}
}

static void barrier(VkCommandBuffer c, VkImage i, VkImageLayout from, VkImageLayout to)
{
	const VkImageMemoryBarrier b = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = from, .newLayout = to, .image = i, .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, MIPS, 0, 1}};

	vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &b);
}

static VkImageView make_texture(void)
{
	VkBufferImageCopy copies[MIPS];
	VkCommandBuffer c = commands();
	VkDeviceSize at = 0;
	uint8_t *texel;
	VkImage i;
	VkImageView v = image(VK_FORMAT_R8G8B8A8_UNORM, TEXTURE, TEXTURE, MIPS,
		VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_IMAGE_ASPECT_COLOR_BIT, &i);
	VkBuffer staging = buffer(TEXTURE * TEXTURE * 4 * 2, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, (void **)&texel);

	for (uint32_t level = 0; level < MIPS; level++) {
		uint32_t size = TEXTURE >> level;

		copies[level] = (VkBufferImageCopy){.bufferOffset = at, .imageExtent = {size, size, 1},
			.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1}};
		for (uint32_t k = 0; k < size * size; k++, at += 4) {
			uint32_t x = k % size << level, y = k / size << level;
			const uint8_t rgba[4] = {(uint8_t)(x / 4), (uint8_t)(y / 4), (uint8_t)((x ^ y) / 4), 255};

			memcpy(texel + at, rgba, 4);
		}
	}
	barrier(c, i, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdCopyBufferToImage(c, staging, i, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, MIPS, copies);
	barrier(c, i, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	TRY(vkEndCommandBuffer(c));
	run(c);
	return v;
}

/* ---- the pipeline ---- */

static VkShaderModule shader(const char *folder, const char *name)
{
	static uint32_t code[16384];
	VkShaderModuleCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .pCode = code};
	VkShaderModule made;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s.spv", folder, name);
	f = fopen(path, "rb");
	if (!f)
		die(path);
	ci.codeSize = fread(code, 1, sizeof code, f);
	fclose(f);
	TRY(vkCreateShaderModule(device, &ci, NULL, &made));
	return made;
}

static VkRenderPass render_pass(const struct scene *s, bool depth)
{
	const VkAttachmentDescription a[2] = {
		{.format = s->format, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
			.storeOp = VK_ATTACHMENT_STORE_OP_STORE, .finalLayout = VK_IMAGE_LAYOUT_GENERAL},
		{.format = VK_FORMAT_D32_SFLOAT, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
			.storeOp = VK_ATTACHMENT_STORE_OP_STORE, .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
	const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL}, z = {1, VK_IMAGE_LAYOUT_GENERAL};
	const VkSubpassDescription sub = {.colorAttachmentCount = 1, .pColorAttachments = &color,
		.pDepthStencilAttachment = depth ? &z : NULL};
	const VkRenderPassCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 1u + depth,
		.pAttachments = a, .subpassCount = 1, .pSubpasses = &sub};
	VkRenderPass made;

	TRY(vkCreateRenderPass(device, &ci, NULL, &made));
	return made;
}

static VkPipeline pipeline(const struct scene *s, const char *folder, VkRenderPass pass, VkPipelineLayout layout, bool mesh)
{
	const VkPipelineShaderStageCreateInfo stages[2] = {
		{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_VERTEX_BIT,
			.module = shader(folder, s->vs), .pName = "main"},
		{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
			.module = shader(folder, s->ps), .pName = "main"}};
	const VkVertexInputBindingDescription binding = {0, 24, VK_VERTEX_INPUT_RATE_VERTEX};
	const VkVertexInputAttributeDescription attributes[2] = {
		{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32_SFLOAT, 12}};
	const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = mesh, .pVertexBindingDescriptions = &binding,
		.vertexAttributeDescriptionCount = mesh ? 2 : 0, .pVertexAttributeDescriptions = attributes};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
	const VkViewport viewport = {0, HEIGHT, WIDTH, -HEIGHT, 0, 1}; /* y up, as D3D */
	const VkRect2D scissor = {{0, 0}, {WIDTH, HEIGHT}};
	const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1, .pViewports = &viewport, .scissorCount = 1, .pScissors = &scissor};
	const VkPipelineRasterizationStateCreateInfo raster = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
	const VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
	const VkPipelineDepthStencilStateCreateInfo depth = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
		.depthTestEnable = mesh, .depthWriteEnable = mesh, .depthCompareOp = VK_COMPARE_OP_LESS};
	const VkPipelineColorBlendAttachmentState target = {s->blend, VK_BLEND_FACTOR_SRC_ALPHA,
		VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
		VK_BLEND_OP_ADD, 15};
	const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = 1, .pAttachments = &target};
	const VkGraphicsPipelineCreateInfo ci = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 2,
		.pStages = stages, .pVertexInputState = &input, .pInputAssemblyState = &assembly, .pViewportState = &view,
		.pRasterizationState = &raster, .pMultisampleState = &samples, .pDepthStencilState = &depth, .pColorBlendState = &blend,
		.layout = layout, .renderPass = pass};
	VkPipeline made;

	TRY(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &ci, NULL, &made));
	return made;
}

/* The texture and its sampler as set 0. */
static VkDescriptorSet descriptors(VkDescriptorSetLayout *layout)
{
	const VkSamplerCreateInfo si = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = VK_FILTER_LINEAR,
		.minFilter = VK_FILTER_LINEAR, .mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR, .maxLod = VK_LOD_CLAMP_NONE};
	const VkDescriptorSetLayoutBinding b[2] = {
		{0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
		{1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}};
	const VkDescriptorSetLayoutCreateInfo li = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 2, .pBindings = b};
	const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1}, {VK_DESCRIPTOR_TYPE_SAMPLER, 1}};
	const VkDescriptorPoolCreateInfo pi = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 2, .pPoolSizes = sizes};
	VkDescriptorSetAllocateInfo ai = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorSetCount = 1,
		.pSetLayouts = layout};
	VkDescriptorImageInfo info = {.imageView = make_texture(), .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
	VkWriteDescriptorSet w[2] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .pImageInfo = &info}};
	VkDescriptorSet set;

	TRY(vkCreateSampler(device, &si, NULL, &info.sampler));
	TRY(vkCreateDescriptorSetLayout(device, &li, NULL, layout));
	TRY(vkCreateDescriptorPool(device, &pi, NULL, &ai.descriptorPool));
	TRY(vkAllocateDescriptorSets(device, &ai, &set));
	w[1] = w[0];
	w[0].dstSet = w[1].dstSet = set;
	w[1].dstBinding = 1;
	w[1].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
	vkUpdateDescriptorSets(device, 2, w, 0, NULL);
	return set;
}

/* ---- frames ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void draw(VkCommandBuffer c, const struct scene *s, VkPipelineLayout layout)
{
	if (s->kind == GRID)
		vkCmdDrawIndexed(c, 6 * CELLS_X * CELLS_Y, 1, 0, 0, 0);
	else if (s->kind != CUBE)
		vkCmdDraw(c, 3, s->layers, 0, 0);
	for (int i = 0; i < CUBES && s->kind == CUBE; i++) {
		const float place[4] = {(float)(i % 100) / 50 - 0.99f, (float)(i / 100) / 50 - 0.99f, 0.007f, 0.5f + (float)(i % 7) / 14};

		vkCmdPushConstants(c, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof place, place);
		vkCmdDrawIndexed(c, 36, 1, 0, 0, 0);
	}
}

static void bench(const struct scene *s, const char *folder, int frames)
{
	static double times[FRAMES_MAX];
	const VkPushConstantRange push = {VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
	const VkClearValue clear[2] = {{.color = {.float32 = {0, 0, 0, 1}}}, {.depthStencil = {1, 0}}};
	bool mesh = s->kind == GRID || s->kind == CUBE, textured = s->kind == TEXTURED;
	VkImageView views[2];
	VkBuffer vertices = VK_NULL_HANDLE, indices = VK_NULL_HANDLE;
	VkDescriptorSetLayout set_layout;
	VkDescriptorSet set = textured ? descriptors(&set_layout) : VK_NULL_HANDLE;
	VkPipelineLayoutCreateInfo li = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = textured,
		.pSetLayouts = &set_layout, .pushConstantRangeCount = 1, .pPushConstantRanges = &push};
	VkFramebufferCreateInfo fi = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .attachmentCount = 1u + mesh,
		.pAttachments = views, .width = WIDTH, .height = HEIGHT, .layers = 1};
	VkRenderPassBeginInfo ri = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderArea = {{0, 0}, {WIDTH, HEIGHT}},
		.clearValueCount = 1u + mesh, .pClearValues = clear};
	VkImage unused;
	VkPipelineLayout layout;
	VkCommandBuffer c = VK_NULL_HANDLE;
	double first = 0, start;

	views[0] = image(s->format, WIDTH, HEIGHT, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_ASPECT_COLOR_BIT, &unused);
	if (mesh)
		views[1] = image(VK_FORMAT_D32_SFLOAT, WIDTH, HEIGHT, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
			VK_IMAGE_ASPECT_DEPTH_BIT, &unused);
	if (s->kind == GRID)
		make_grid(&vertices, &indices);
	if (s->kind == CUBE)
		make_cube(&vertices, &indices);
	TRY(vkCreatePipelineLayout(device, &li, NULL, &layout));
	fi.renderPass = ri.renderPass = render_pass(s, mesh);
	TRY(vkCreateFramebuffer(device, &fi, NULL, &ri.framebuffer));
	for (int i = 0; i <= frames; i++) {
		start = now();
		if (i == 0) {
			VkPipeline p = pipeline(s, folder, ri.renderPass, layout, mesh);

			c = commands();
			vkCmdBeginRenderPass(c, &ri, VK_SUBPASS_CONTENTS_INLINE);
			vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, p);
			if (textured)
				vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
			if (mesh) {
				vkCmdBindVertexBuffers(c, 0, 1, &vertices, &(VkDeviceSize){0});
				vkCmdBindIndexBuffer(c, indices, 0, VK_INDEX_TYPE_UINT32);
			}
			draw(c, s, layout);
			vkCmdEndRenderPass(c);
			TRY(vkEndCommandBuffer(c));
		}
		run(c);
		*(i ? &times[i - 1] : &first) = now() - start;
	}
	qsort(times, (size_t)frames, sizeof *times, by_value);
	printf("%s %.3f %.3f %.3f\n", s->name, times[0], times[frames / 2], first);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int frames = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 4 || frames < 1 || frames > FRAMES_MAX) {
		fprintf(stderr, "Usage: bench_vulkan FOLDER FRAMES SCENE...\n");
		return 2;
	}
	open_device();
	for (int i = 3; i < argc; i++) {
		for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
			if (!strcmp(argv[i], scenes[k].name))
				bench(&scenes[k], argv[1], frames);
		}
	}
	return 0;
}
