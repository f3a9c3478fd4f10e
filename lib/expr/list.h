/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list.h - what an expression and a list of terms are made of.
 */
#ifndef MT_EXPR_LIST_H
#define MT_EXPR_LIST_H

#include "code.h"

/* Expressions compiled together. Zeroed is empty. */
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

#endif
