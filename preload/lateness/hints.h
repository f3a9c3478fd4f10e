/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hints.h - what was found, in words, and what to do about it.
 */
#ifndef MT_BALANCE_HINTS_H
#define MT_BALANCE_HINTS_H

#include "findings.h"

enum { MOST_HINTS = 4 };

/* A few sentences each, what matters most first. */
struct hints {
    char *text[MOST_HINTS]; /* owned */
    int count;
};

/* Where memory is short some are missing. */
void hints_find(struct hints *hints, const struct findings *findings);
void hints_free(struct hints *hints);

/* What rank 0 prints at the end: how much the ranks waited, the first hint, and, of all
   calls, where to read more; a line each. */
void hints_put(FILE *text, const struct findings *findings);

#endif
