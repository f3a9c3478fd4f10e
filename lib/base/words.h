/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * words.h - argument vectors and environments: NULL-terminated arrays of strings that
 * own their strings. NULL is the empty one.
 */
#ifndef MT_CLI_WORDS_H
#define MT_CLI_WORDS_H

#include "motley/error.h"

/* Add a formatted word; MT_ENOMEM leaves `*words` as it was. */
MT_MUST_CHECK MT_PRINTF(3, 4) int mt_words_add(char ***words, struct mt_error *err,
                                               const char *format, ...);
/* Add copies of the words that follow `err`; the list ends with NULL. */
MT_MUST_CHECK int mt_words_add_all(char ***words, struct mt_error *err, ...)
    __attribute__((sentinel));
/* Add copies of all of `more`, which may be NULL. */
MT_MUST_CHECK int mt_words_append(char ***words, char *const *more,
                                  struct mt_error *err);
void mt_words_free(char **words);

/* A placeholder, as "{N}", and what stands for it. */
struct mt_placeholder {
    const char *name;
    const char *value;
};
/*
 * `text` with every placeholder replaced; the list ends with a NULL name. The caller
 * frees it; NULL: memory is short. Braces around other names stay as they are.
 */
char *mt_fill_placeholders(const char *text, const struct mt_placeholder *list);

#endif
