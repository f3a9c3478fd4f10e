/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.h - memory for the command, which ends with "motley: out of memory" and exit
 * status 1 when none is left. A run that has ended is saved first, from when it is
 * recorded until it is in the store.
 */
#ifndef MT_CLI_MEMORY_H
#define MT_CLI_MEMORY_H

#include "motley/error.h"

#include <stddef.h>
#include <stdio.h>

/* What the command does before it ends for lack of memory: `save`, with its context,
   rescues a finished run that is not in the store yet. NULL: nothing. */
void mt_memory_save_first(void (*save)(void *context), void *context);

/* Returns the pointer, or ends the command if it is NULL, which means that its maker
   had no memory. */
void *mt_need(void *made) __attribute__((returns_nonnull));
/* Likewise for the status of a function that can only fail for lack of memory. */
void mt_need_ok(int status);

/* Zeroed, also when `count` is 0; freed by free(), as all that follows. */
void *mt_calloc(size_t count, size_t size)
    __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
/* A copy of the text; NULL of NULL. */
char *mt_strdup(const char *text);
MT_PRINTF(1, 2)
char *mt_asprintf(const char *format, ...) __attribute__((malloc, returns_nonnull));

/* A stream that is written to `text`, which is the caller's once the stream is closed.
 */
FILE *mt_memory_open(char **text, size_t *length) __attribute__((returns_nonnull));
void mt_memory_close(FILE *stream, char *const *text);

/* Room for one more element, as by mt_array_grow(): `array` points to the pointer. */
void mt_array_extend(void *array, int count, size_t size);

/* Add to a list of words (argv.h): a formatted one, copies of those that follow up to a
   NULL, copies of another list's. */
MT_PRINTF(2, 3) void mt_words_add(char ***words, const char *format, ...);
void mt_words_add_all(char ***words, ...) __attribute__((sentinel));
void mt_words_append(char ***words, char *const *more);

#endif
