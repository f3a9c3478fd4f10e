/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON: values that jansson would refuse, and the documents that commands print. */
#include "json.h"

#include "cli/process/memory.h"
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
    char *valid = mt_strdup(text);
    for (char *c = valid; *c;) {
        uint32_t code;
        const int bytes = mt_text_character(c, strnlen(c, MT_LONGEST_CHARACTER), &code);
        if (bytes <= 0)
            *c = '?';
        c += bytes > 0 ? bytes : 1;
    }
    string = mt_need(json_string(valid));
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

void mt_json_merge(json_t *object, json_t *more)
{
    mt_need_ok(json_object_update(object, mt_need(more)));
    json_decref(more);
}

/* Characters that the output would clean away (outlet.h) and that jansson does not
   escape. The first ones are the line ends and blanks between the values. */
static bool needs_escape(uint32_t code)
{
    return code >= ' ' && mt_text_is_control(code);
}

static void write_escaped(const char *text, FILE *stream)
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
}

void mt_json_write(const json_t *object, size_t flags, FILE *stream)
{
    char *text = mt_need(object ? json_dumps(object, flags) : NULL);
    write_escaped(text, stream);
    fputc('\n', stream);
    free(text);
}

void mt_document_print(const char *schema, int version, json_t *object, FILE *stream)
{
    json_t *whole =
        mt_need(json_pack("{s:s, s:i}", "schema", schema, "version", version));
    mt_json_merge(whole, object);
    mt_json_write(whole, JSON_INDENT(2), stream);
    json_decref(whole);
}

void mt_document_print_list(const char *schema, bool simulated, const char *key,
                            json_t *list)
{
    mt_document_print(schema, 1,
                      json_pack("{s:b, s:o}", "simulated", (int)simulated, key, list),
                      stdout);
}
