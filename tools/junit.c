/* JUnit's XML. Names and diagnostics may hold any bytes: what XML 1.0 has no place for becomes U+FFFD. */
#include "tools/junit.h"
#include "tools/tools.h"
#include <stdio.h>
#include <stdlib.h>

/* The bytes of the character of XML 1.0 that s starts with; 0 where there is none. */
static size_t character(const uint8_t *s)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = *s < 0x80 ? 1 : *s < 0xC0 ? 0 : *s < 0xE0 ? 2 : *s < 0xF0 ? 3 : *s < 0xF8 ? 4 : 0;
	uint32_t c = length > 1 ? *s & (0xFFu >> (length + 1)) : *s;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3F);
	}
	bool control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
	bool outside = (c >= 0xD800 && c < 0xE000) || c == 0xFFFE || c == 0xFFFF || c > 0x10FFFF;
	return length && c >= least[length] && !control && !outside ? length : 0;
}

static void put_escaped(struct buf *out, const char *text)
{
	for (const uint8_t *s = (const uint8_t *)text; *s;) {
		size_t length = character(s);
		switch (*s) {
		case '&': buf_printf(out, "&amp;"); break;
		case '<': buf_printf(out, "&lt;"); break;
		case '>': buf_printf(out, "&gt;"); break;
		case '"': buf_printf(out, "&quot;"); break;
		case '\r': buf_printf(out, "&#13;"); break;
		default: buf_put(out, length ? s : (const uint8_t *)"\xEF\xBF\xBD", length ? length : 3);
		}
		s += length ? length : 1;
	}
}

static void put_diags(struct buf *out, const struct kiln_diags *d)
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return;
	print_diags(to, d);
	fclose(to);
	put_escaped(out, text);
	free(text);
}

void junit_case(struct junit *j, const char *name, const char *failure, const struct kiln_diags *d)
{
	struct buf *out = &j->cases;
	buf_printf(out, "  <testcase classname=\"kiln run\" name=\"");
	put_escaped(out, name);
	j->tests++;
	if (!failure) {
		buf_printf(out, "\"/>\n");
		return;
	}
	j->failures++;
	buf_printf(out, "\">\n    <failure message=\"");
	put_escaped(out, failure);
	buf_printf(out, "\">");
	put_diags(out, d);
	buf_printf(out, "</failure>\n  </testcase>\n");
}

bool junit_write(struct junit *j, const char *path, struct kiln_diags *d)
{
	struct buf out = {0};
	buf_printf(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"kiln run\" tests=\"%u\" failures=\"%u\">\n",
		j->tests, j->failures);
	buf_put(&out, j->cases.data, j->cases.size);
	buf_printf(&out, "</testsuite>\n");
	bool ok = file_write(path, out.data, out.size, d);
	buf_finish(&out);
	return ok;
}

void junit_finish(struct junit *j) { buf_finish(&j->cases); }
