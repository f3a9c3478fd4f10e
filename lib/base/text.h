/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - text of unknown origin: cleaned for printing and storing, and compared with
 * known names.
 */
#ifndef MT_TEXT_H
#define MT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MT_LONGEST_CHARACTER = 4 }; /* bytes of one of UTF-8 */

/* The number of bytes of the UTF-8 character at the start of `text`, which has `length`
   > 0 bytes, and its code point. 0 if its bytes are not UTF-8; -1 if it is
   incomplete. */
int mt_text_character(const char *text, size_t length, uint32_t *code);
/* Whether a character is a control character, also line ends: C0, DEL, C1, characters
   that turn the direction of the text or end lines, and two that XML forbids. */
bool mt_text_is_control(uint32_t code);

/*
 * Clean text may be shown: it is valid UTF-8 without control characters other than line
 * ends and tabs. Any other character, and any byte outside a character, becomes '?'.
 */
void mt_text_clean(char *text);
/* The same for text within a line: line ends and tabs become '?', too. */
void mt_text_clean_line(char *text);

/* Cleans text that comes in pieces. At the beginning if zeroed. */
struct mt_text_cleaner {
    bool returns;                    /* '\r' stays, too */
    char held[MT_LONGEST_CHARACTER]; /* the beginning of an incomplete character */
    size_t nheld;
};
/* Clean the next bytes; returns how many it wrote to `clean`, which has room for three
   more than there are, and may be `bytes` itself when nothing is held. */
size_t mt_text_clean_bytes(struct mt_text_cleaner *cleaner, const char *bytes,
                           size_t count, char *clean);

/* The length of a node's name without its domain; of an IP address, all of it. */
size_t mt_text_short_host(const char *name);

/* Single letters to insert, delete or replace to make one word of the other; of words
   with more than 31 letters, SIZE_MAX. */
size_t mt_text_distance(const char *a, const char *b);

/* The known name closest to `word`. */
struct mt_closest {
    const char *word;
    const char *name; /* borrowed; NULL: none is close */
    size_t letters;   /* between them */
};
/* Keep `name` if it is close, and closer than the names before. */
void mt_closest_try(struct mt_closest *closest, const char *name);

#endif
