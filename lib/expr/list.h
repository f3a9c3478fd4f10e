/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list.h - the parts of an expression and of a list of terms, and their values on a
 * grid of N and P.
 */
#ifndef MT_EXPR_LIST_H
#define MT_EXPR_LIST_H

#include "code.h"

/* Expressions compiled together. Empty if zeroed. */
struct mt_expr_list {
    char **texts; /* owned; code.nresults of them */
    struct mt_code code;
};

struct mt_expr {
    struct mt_expr_list list; /* of one */
};

struct mt_terms {
    struct mt_expr_list list;
};

/* The values of a list of expressions on a grid, some columns at a time: what depends
   on P alone is computed once for a tile, what depends on N alone once for a row of it.
   M is 1. */
struct mt_tile {
    const struct mt_code *code;      /* borrowed */
    uint8_t uses[MT_CODE_MAX_SLOTS]; /* a bit for each variable in the slot's value */
    double values[MT_CODE_MAX_SLOTS][MT_OPERANDS];
};

/* Begin a tile of up to MT_OPERANDS values of P. */
void mt_tile_begin(struct mt_tile *tile, const struct mt_terms *terms,
                   const double *ranks, int columns);
/* Compute the row of that N. */
void mt_tile_row(struct mt_tile *tile, double size);
/* The values of expression i in the row, one a column. */
const double *mt_tile_values(const struct mt_tile *tile, int i);

#endif
