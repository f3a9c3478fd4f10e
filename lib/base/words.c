/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_words(char *const *words)
{
    int count = 0;
    while (words && words[count])
        count++;
    return count;
}

int mt_words_add(char ***words, struct mt_error *err, const char *format, ...)
{
    const int count = count_words(*words);
    char *word = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&word, format, arguments);
    va_end(arguments);
    char **longer =
        length < 0 ? NULL : realloc(*words, ((size_t)count + 2) * sizeof *longer);
    if (!longer) {
        if (length >= 0)
            free(word);
        return mt_fail(err, MT_ENOMEM, "no memory for a command's arguments");
    }
    longer[count] = word;
    longer[count + 1] = NULL;
    *words = longer;
    return MT_OK;
}

int mt_words_add_all(char ***words, struct mt_error *err, ...)
{
    int status = MT_OK;
    const char *word;
    va_list list;
    va_start(list, err);
    while (status == MT_OK && (word = va_arg(list, const char *)))
        status = mt_words_add(words, err, "%s", word);
    va_end(list);
    return status;
}

int mt_words_append(char ***words, char *const *more, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && more && more[i]; i++)
        status = mt_words_add(words, err, "%s", more[i]);
    return status;
}

void mt_words_free(char **words)
{
    for (int i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
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
