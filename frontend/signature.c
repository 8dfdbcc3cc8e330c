/* Signature parts ISG1, OSG1, PSG1: bytes -> elements, one for each semantic index.
 * Takes a part of a parsed container and trusts nothing in it. Names point into the part.
 *
 *   u32 count, u32 offset; at offset 32 bytes each: stream, name offset, semantic index, system value, component type,
 *   register, u8 mask, u8 never-writes (outputs) or always-reads (inputs) mask, u16 0, minimum precision (facts 8.3) */
#include "frontend/frontend.h"
#include <string.h>

enum { ELEMENT_SIZE = 32, REGISTERS_MAX = 32, STREAMS_MAX = 4 };

/* What is wrong with an element; NULL if nothing. */
static const char *element_fault(const struct fe_signature_element *e)
{
	switch (e->min_precision) {
	case 0: case 1: case 2: case 4: case 5: case 0xf0: case 0xf1:
		break;
	default:
		return "unknown minimum precision";
	}
	if (e->stream >= STREAMS_MAX)
		return "stream above 3";
	if (e->type > ISA_F64)
		return "unknown component type";
	if (e->mask > 15 || e->rw_mask > 15)
		return "component mask above 15";
	if (e->reg >= REGISTERS_MAX && e->reg != UINT32_MAX)
		return "register above 31";
	return NULL;
}

static const char *name_at(const struct fe_part *part, uint32_t offset)
{
	if (offset >= part->size || !memchr(part->data + offset, 0, part->size - offset))
		return NULL;
	return (const char *)part->data + offset;
}

bool fe_signature_parse(const struct fe_part *part, const char *where, struct fe_signature *out, struct kiln_diags *diags)
{
	char place[FE_WHERE_MAX];
	struct reader r = {.data = part->data, .size = part->size};
	uint32_t count = reader_u32(&r), offset = reader_u32(&r);
	fe_part_where(place, where, part->fourcc);
	out->count = 0;
	if (r.failed || offset > part->size || count > (part->size - offset) / ELEMENT_SIZE) {
		diag_add(diags, DIAG_CONTAINER_PART, place, "%u elements from byte %u on pass the end at byte %u", count, offset,
			part->size);
		return false;
	}
	if (count > ISA_IO_MAX) {
		diag_add(diags, DIAG_DXIL_UNSUPPORTED, place, "%u signature elements; at most %d are supported", count, ISA_IO_MAX);
		return false;
	}
	r.at = offset;
	for (uint32_t i = 0; i < count; i++) {
		struct fe_signature_element e = {.stream = reader_u32(&r)};
		e.name = name_at(part, reader_u32(&r));
		e.index = reader_u32(&r);
		e.system_value = reader_u32(&r);
		e.type = reader_u32(&r);
		e.reg = reader_u32(&r);
		e.mask = reader_u8(&r);
		e.rw_mask = reader_u8(&r);
		reader_u16(&r);
		e.min_precision = reader_u32(&r);
		const char *why = e.name ? element_fault(&e) : "its name lies outside the part";
		if (why) {
			diag_add(diags, DIAG_CONTAINER_PART, place, "element %u at byte %u: %s", i, offset + i * ELEMENT_SIZE, why);
			return false;
		}
		out->elements[out->count++] = e;
	}
	return true;
}
