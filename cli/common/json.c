/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include "lib/base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

json_t *mt_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *valid = strdup(text);
    if (!valid)
        return NULL;
    for (char *c = valid; *c;) {
        uint32_t code;
        const int bytes = mt_text_character(c, strnlen(c, MT_LONGEST_CHARACTER), &code);
        if (bytes <= 0)
            *c = '?';
        c += bytes > 0 ? bytes : 1;
    }
    string = json_string(valid);
    free(valid);
    return string;
}

json_t *mt_json_texts(char *const *texts)
{
    json_t *list = json_array();
    for (; texts && *texts; texts++)
        json_array_append_new(list, mt_json_text(*texts));
    return list;
}

json_t *mt_json_number(double number)
{
    if (!isfinite(number))
        return json_null();
    if (number == floor(number) && fabs(number) < 1e15)
        return json_integer((json_int_t)number);
    return json_real(number);
}

json_t *mt_json_numbers(const double *numbers, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, mt_json_number(numbers[i]));
    return list;
}

/* Characters that would be cleaned away (outlet.h) and that jansson leaves as they are.
   The first ones are the line ends and blanks between the values. */
static bool needs_escape(uint32_t code)
{
    return code >= ' ' && mt_text_is_control(code);
}

static bool write_escaped(const char *text, FILE *stream)
{
    const char *plain = text; /* from here on, all up to `text` */
    while (*text) {
        uint32_t code = 0;
        const int bytes =
            mt_text_character(text, strnlen(text, MT_LONGEST_CHARACTER), &code);
        if (needs_escape(code)) {
            fprintf(stream, "%.*s\\u%04x", (int)(text - plain), plain, code);
            plain = text + bytes;
        }
        text += bytes > 0 ? bytes : 1;
    }
    fputs(plain, stream);
    return !ferror(stream);
}

int mt_json_write(const json_t *object, size_t flags, FILE *stream,
                  struct mt_error *err)
{
    char *text = object ? json_dumps(object, flags) : NULL;
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory to print JSON");
    const bool written = write_escaped(text, stream) && fputc('\n', stream) != EOF;
    free(text);
    return written ? MT_OK : mt_fail(err, MT_EIO, "the JSON could not be written");
}
