/* SPDX-License-Identifier: BSD-3-Clause */
/* The one place where the command ends because memory is short. */
#include "memory.h"

#include "lib/base/argv.h"
#include "lib/base/array.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct {
    void (*function)(void *context);
    void *context;
} saver;

void mt_memory_save_first(void (*save)(void *context), void *context)
{
    saver.function = save;
    saver.context = context;
}

static _Noreturn void end_without_memory(void)
{
    void (*const save)(void *context) = saver.function;
    saver.function = NULL;
    if (save)
        save(saver.context);
    fputs("motley: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

void *mt_need(void *made)
{
    if (!made)
        end_without_memory();
    return made;
}

void mt_need_ok(int status)
{
    if (status != MT_OK)
        end_without_memory();
}

void *mt_calloc(size_t count, size_t size)
{
    return mt_need(calloc(count > 0 ? count : 1, size));
}

char *mt_strdup(const char *text)
{
    return text ? mt_need(strdup(text)) : NULL;
}

__attribute__((format(printf, 1, 0))) static char *format_list(const char *format,
                                                               va_list arguments)
{
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        end_without_memory();
    return text;
}

char *mt_asprintf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    return text;
}

FILE *mt_memory_open(char **text, size_t *length)
{
    return mt_need(open_memstream(text, length));
}

void mt_memory_close(FILE *stream, char *const *text)
{
    const bool failed = ferror(stream);
    if (fclose(stream) != 0 || failed || !*text) /* glibc leaves NULL and returns 0 */
        end_without_memory();
}

void mt_array_extend(void *array, int count, size_t size)
{
    mt_need_ok(mt_array_grow(array, count, size, "elements", NULL));
}

void mt_words_add(char ***words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *word = format_list(format, arguments);
    va_end(arguments);
    mt_need_ok(mt_argv_add(words, NULL, "%s", word));
    free(word);
}

void mt_words_add_all(char ***words, ...)
{
    va_list arguments;
    va_start(arguments, words);
    const char *word;
    while ((word = va_arg(arguments, const char *)))
        mt_need_ok(mt_argv_add(words, NULL, "%s", word));
    va_end(arguments);
}

void mt_words_append(char ***words, char *const *more)
{
    mt_need_ok(mt_argv_append(words, more, NULL));
}
