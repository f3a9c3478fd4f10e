/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * build.h - puts expressions together from the leaves up: constants are folded,
 * whole powers become products, equal subexpressions become one.
 */
#ifndef MT_EXPR_BUILD_H
#define MT_EXPR_BUILD_H

#include "code.h"

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

/* The node of a constant, or of an operation on two nodes. The node of a variable has
   the variable's number. */
int mt_build_constant(struct mt_builder *builder, double constant);
int mt_build_operation(struct mt_builder *builder, enum mt_operator op, int left,
                       int right);

/* The code that computes the given nodes; false when memory is short. */
bool mt_build_code(const struct mt_builder *builder, const int *results, int nresults,
                   struct mt_code *code);

#endif
