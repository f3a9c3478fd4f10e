/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse.h - read the text of expressions, and put them together from the leaves up:
 * constants are folded, whole powers become products, equal subexpressions become one.
 *
 * Operators, loosest first: ||, &&, comparisons (which do not chain), + and -, * / and
 * %, unary - and !, and ^, which groups from the right: -2^2 is -4.
 */
#ifndef MT_EXPR_PARSE_H
#define MT_EXPR_PARSE_H

#include "code.h"

#include "motley/error.h"

#include <stdbool.h>

enum mt_node_kind { MT_NODE_VARIABLE, MT_NODE_CONSTANT, MT_NODE_OPERATION };

/* A variable, a constant, or an operation on nodes that come before it. */
struct mt_node {
    enum mt_node_kind kind;
    double constant;
    struct mt_operation operation; /* on the indices of nodes */
    uint8_t uses;                  /* a bit for each variable that it can depend on */
};

struct mt_builder {
    struct mt_node nodes[MT_CODE_MAX_SLOTS]; /* the first are the variables */
    int count;
    bool full;   /* there was no room for a node: what was built is not to be used */
    bool smooth; /* nothing is rounded: see mt_terms_parse_smooth() */
};

void mt_builder_init(struct mt_builder *builder);

/* The code that computes the given nodes; false when memory is short. */
bool mt_build_code(const struct mt_builder *builder, const int *results, int nresults,
                   struct mt_code *code);

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
