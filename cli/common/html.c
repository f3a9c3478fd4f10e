/* SPDX-License-Identifier: BSD-3-Clause */
#include "html.h"

#include "lib/base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static void write_character(FILE *stream, const char *character, int bytes,
                            uint32_t code)
{
    switch (code) {
    case '&':
        fputs("&amp;", stream);
        return;
    case '<':
        fputs("&lt;", stream);
        return;
    case '>':
        fputs("&gt;", stream);
        return;
    case '"':
        fputs("&quot;", stream);
        return;
    case '\'':
        fputs("&#39;", stream);
        return;
    default:
        if (code != '\n' && code != '\t' && mt_text_is_control(code))
            fputc('?', stream);
        else
            fwrite(character, 1, (size_t)bytes, stream);
    }
}

static void write_text(FILE *stream, const char *text, bool breakable)
{
    while (*text) {
        uint32_t code = 0;
        const int bytes =
            mt_text_character(text, strnlen(text, MT_LONGEST_CHARACTER), &code);
        if (bytes > 0)
            write_character(stream, text, bytes, code);
        else
            fputc('?', stream);
        if (breakable && *text == '+')
            fputs("<wbr>", stream);
        text += bytes > 0 ? bytes : 1;
    }
}

void mt_html_text(FILE *stream, const char *text)
{
    write_text(stream, text, false);
}

void mt_html_breakable(FILE *stream, const char *text)
{
    write_text(stream, text, true);
}
