/* SPDX-License-Identifier: BSD-3-Clause */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *mt_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *ascii = strdup(text);
    if (!ascii)
        return NULL;
    for (char *c = ascii; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    string = json_string(ascii);
    free(ascii);
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

int mt_json_print(json_t *object, FILE *stream, struct mt_error *err)
{
    if (!object)
        return mt_fail(err, MT_ENOMEM, "no memory to print JSON");
    int failed =
        json_dumpf(object, stream, JSON_INDENT(2)) || fputc('\n', stream) == EOF;
    json_decref(object);
    if (failed)
        return mt_fail(err, MT_EIO, "the JSON could not be written");
    return MT_OK;
}
