/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.h - text of unknown origin: made fit to be printed and stored, and compared with
 * what may have been meant.
 */
#ifndef MT_TEXT_H
#define MT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MT_LONGEST_CHARACTER = 4 }; /* bytes of one of UTF-8 */

/* How many bytes the UTF-8 character has that `text` begins with, of which there are
   `length` > 0 bytes, and its number. 0: it begins with none; -1: with a part of one.
 */
int mt_text_character(const char *text, size_t length, uint32_t *code);
/* Whether a character drives terminals in place of being seen, also line ends: C0, DEL,
   C1, what turns the direction of the text or ends lines, and two that no XML may have.
 */
bool mt_text_is_control(uint32_t code);

/*
 * Clean text may be shown: it is valid UTF-8 without control characters other than line
 * ends and tabs. What is neither becomes '?', one a character or a byte that belongs to
 * none.
 */
void mt_text_clean(char *text);
/* The same of a text that shall stand on a line: line ends and tabs become '?', too. */
void mt_text_clean_line(char *text);

/* Cleans text that comes in pieces. Zeroed is at the beginning. */
struct mt_text_cleaner {
    bool returns;                    /* '\r' stays, too */
    char held[MT_LONGEST_CHARACTER]; /* the beginning of a character whose end is yet to
                                        come */
    size_t nheld;
};
/* Clean the next bytes; returns how many it wrote to `clean`, which has room for three
   more than there are, and may be `bytes` itself when nothing is held. */
size_t mt_text_clean_bytes(struct mt_text_cleaner *cleaner, const char *bytes,
                           size_t count, char *clean);

/* How many letters a node's name has without its domain; all of an IP address. */
size_t mt_text_short_host(const char *name);

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
