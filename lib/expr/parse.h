/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse.h - read the text of expressions.
 *
 * From the loosest to the tightest: ||, &&, comparisons (which do not chain), + and -,
 * * / and %, unary - and !, and ^, which groups from the right: -2^2 is -4.
 */
#ifndef MT_EXPR_PARSE_H
#define MT_EXPR_PARSE_H

#include "build.h"
#include "motley/error.h"

enum { MT_LONGEST_LIST = 256 };

/* One expression of a list: its node, and its place in the text. */
struct mt_parsed {
    int node;
    const char *begin, *end;
};

/*
 * Read up to `most` (<= MT_LONGEST_LIST) expressions with commas between them into
 * parsed[0 .. *count-1], built with `builder`. On failure the reason names the column.
 */
MT_MUST_CHECK int mt_parse_list(struct mt_builder *builder, const char *text, int most,
                                struct mt_parsed *parsed, int *count,
                                struct mt_error *err);

#endif
