/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - text of unknown origin: made fit to be printed and stored, and compared with
 * what may have been meant.
 */
#ifndef MT_TEXT_H
#define MT_TEXT_H

#include <stddef.h>

/* Make `text` valid UTF-8 without control characters other than line ends and tabs:
   every other byte becomes '?'. */
void mt_text_clean(char *text);

/* Single letters to insert, delete or replace to make one word of the other; of words
   with more than 31 letters, SIZE_MAX. */
size_t mt_text_distance(const char *a, const char *b);

/* The known name that somebody who wrote `word` may have meant. */
struct mt_closest {
    const char *word;
    const char *name; /* borrowed; NULL: none is close */
    size_t letters;   /* between them */
};
/* Take `name` if it is closer than what was tried before, and close at all. */
void mt_closest_try(struct mt_closest *closest, const char *name);

#endif
