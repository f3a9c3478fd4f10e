/* SPDX-License-Identifier: BSD-3-Clause */
#include "argv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_arguments(char *const *argv)
{
    int count = 0;
    while (argv && argv[count])
        count++;
    return count;
}

int mt_argv_add(char ***argv, struct mt_error *err, const char *format, ...)
{
    const int count = count_arguments(*argv);
    char *argument = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&argument, format, arguments);
    va_end(arguments);
    char **longer =
        length < 0 ? NULL : realloc(*argv, ((size_t)count + 2) * sizeof *longer);
    if (!longer) {
        if (length >= 0)
            free(argument);
        return mt_fail(err, MT_ENOMEM, "no memory for a command's arguments");
    }
    longer[count] = argument;
    longer[count + 1] = NULL;
    *argv = longer;
    return MT_OK;
}

int mt_argv_add_all(char ***argv, struct mt_error *err, ...)
{
    int status = MT_OK;
    const char *argument;
    va_list list;
    va_start(list, err);
    while (status == MT_OK && (argument = va_arg(list, const char *)))
        status = mt_argv_add(argv, err, "%s", argument);
    va_end(list);
    return status;
}

int mt_argv_append(char ***argv, char *const *more, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && more && more[i]; i++)
        status = mt_argv_add(argv, err, "%s", more[i]);
    return status;
}

void mt_argv_free(char **argv)
{
    for (int i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

static const struct mt_placeholder *placeholder_at(const char *text,
                                                   const struct mt_placeholder *list)
{
    for (; list->name; list++)
        if (!strncmp(text, list->name, strlen(list->name)))
            return list;
    return NULL;
}

char *mt_fill_placeholders(const char *text, const struct mt_placeholder *list)
{
    char *filled = NULL;
    size_t length;
    FILE *stream = open_memstream(&filled, &length);
    if (!stream)
        return NULL;
    while (*text) {
        const struct mt_placeholder *placeholder = placeholder_at(text, list);
        if (placeholder) {
            fputs(placeholder->value, stream);
            text += strlen(placeholder->name);
        } else {
            fputc(*text++, stream);
        }
    }
    if (fclose(stream) != 0) {
        free(filled);
        return NULL;
    }
    return filled;
}
