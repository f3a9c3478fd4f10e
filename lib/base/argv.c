/* SPDX-License-Identifier: BSD-3-Clause */
/* Argument vectors and other NULL-terminated lists of strings. */
#include "argv.h"

#include "text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
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

int mt_argv_append(char ***argv, char *const *more, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && more && more[i]; i++)
        status = mt_argv_add(argv, err, "%s", more[i]);
    return status;
}

/* That Linux passes on. */
enum { LONGEST_WORD = 128 * 1024 - 1 };

static int fail_as_too_long(const char *word, struct mt_error *err)
{
    return mt_fail(err, MT_EINVAL,
                   "a word of a command becomes longer than %d characters: '%.60s'",
                   LONGEST_WORD, word);
}

int mt_argv_add_word(char ***argv, const char *word, struct mt_error *err)
{
    return strlen(word) > LONGEST_WORD ? fail_as_too_long(word, err)
                                       : mt_argv_add(argv, err, "%s", word);
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

/* The length of the word with its placeholders filled. */
static size_t filled_length(const char *word, const struct mt_placeholder *list)
{
    size_t length = 0;
    while (*word) {
        const struct mt_placeholder *placeholder = placeholder_at(word, list);
        length += placeholder ? strlen(placeholder->value) : 1;
        word += placeholder ? strlen(placeholder->name) : 1;
    }
    return length;
}

int mt_argv_fill(char ***argv, const char *word, const struct mt_placeholder *list,
                 struct mt_error *err)
{
    const size_t length = filled_length(word, list);
    if (length > LONGEST_WORD)
        return fail_as_too_long(word, err);
    char *filled = malloc(length + 1), *end = filled;
    if (!filled)
        return mt_fail(err, MT_ENOMEM, "no memory for a command");
    while (*word) {
        const struct mt_placeholder *placeholder = placeholder_at(word, list);
        if (placeholder)
            end = stpcpy(end, placeholder->value);
        else
            *end++ = *word;
        word += placeholder ? strlen(placeholder->name) : 1;
    }
    *end = 0;
    const int status = mt_argv_add(argv, err, "%s", filled);
    free(filled);
    return status;
}

static bool is_clean(const char *word)
{
    while (*word) {
        uint32_t code = 0;
        const int bytes =
            mt_text_character(word, strnlen(word, MT_LONGEST_CHARACTER), &code);
        if (bytes <= 0 || mt_text_is_control(code))
            return false;
        word += bytes;
    }
    return true;
}

/* Quotes as $'...' for bash and newer shells, with all except plain ASCII as \ooo. */
static void print_escaped(FILE *stream, const char *word)
{
    fputs("$'", stream);
    for (; *word; word++)
        if (*word == '\'' || *word == '\\')
            fprintf(stream, "\\%c", *word);
        else if (*word >= ' ' && *word < 0x7F)
            fputc(*word, stream);
        else
            fprintf(stream, "\\%03o", (unsigned char)*word);
    fputc('\'', stream);
}

void mt_print_shell_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (!is_clean(word)) {
        print_escaped(stream, word);
        return;
    }
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    fputc('\'', stream);
}

char *mt_argv_format(char *const *argv)
{
    char *line = NULL;
    size_t length;
    FILE *stream = open_memstream(&line, &length);
    if (!stream)
        return NULL;
    for (int i = 0; argv && argv[i]; i++) {
        if (i > 0)
            fputc(' ', stream);
        mt_print_shell_word(stream, argv[i]);
    }
    if (fclose(stream) != 0) {
        free(line);
        return NULL;
    }
    return line;
}
