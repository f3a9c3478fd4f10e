/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * argv.h - argument vectors, environments and other lists of strings: NULL-terminated
 * arrays that own their strings. NULL is the empty one.
 */
#ifndef MT_ARGV_H
#define MT_ARGV_H

#include "motley/error.h"

#include <stdio.h>

/* Add a formatted string; MT_ENOMEM leaves `*argv` as it was. */
MT_MUST_CHECK MT_PRINTF(3, 4) int mt_argv_add(char ***argv, struct mt_error *err,
                                              const char *format, ...);
/* Add copies of all of `more`, which may be NULL. */
MT_MUST_CHECK int mt_argv_append(char ***argv, char *const *more, struct mt_error *err);
/* Add a copy of a word; MT_EINVAL: it is longer than a word of a command may be. */
MT_MUST_CHECK int mt_argv_add_word(char ***argv, const char *word,
                                   struct mt_error *err);
void mt_argv_free(char **argv);

/* Print a word so that a shell reads it as one word, quoted if needed; control
   characters, which could drive the terminal, become escapes of bash. */
void mt_print_shell_word(FILE *stream, const char *word);
/* The words as a line that can be typed into a shell. The caller frees it; NULL: memory
   is short. */
char *mt_argv_format(char *const *argv);

/* A placeholder, as "{N}", and what stands for it. */
struct mt_placeholder {
    const char *name;
    const char *value;
};
/*
 * Add a word with every placeholder replaced; the list ends with a NULL name. Braces
 * around other names stay as they are. MT_EINVAL: it is longer than a word of a command
 * may be.
 */
MT_MUST_CHECK int mt_argv_fill(char ***argv, const char *word,
                               const struct mt_placeholder *list, struct mt_error *err);

#endif
