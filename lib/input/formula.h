/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formula.h - keys of YAML files whose values are expressions: how they are parsed, and
 * found to depend on what they may and to have values. Errors have the line of the key.
 */
#ifndef MT_FORMULA_H
#define MT_FORMULA_H

#include "yaml_file.h"

#include "motley/error.h"
#include "motley/expr.h"

#include <stdbool.h>

/* The variables that a formula may depend on. */
enum {
    MT_USES_N = 1 << MT_N,
    MT_USES_P = 1 << MT_P,
    MT_USES_M = 1 << MT_M,
    MT_USES_T = 1 << MT_T
};

/* A key of the file whose value is an expression or a list of them. */
struct mt_formula {
    const char *key;
    int map;                 /* node around the key */
    const char *text;        /* NULL: not given */
    int allowed;             /* the variables that it may depend on, MT_USES_... */
    bool counts;             /* its value is a number of things: not negative */
    struct mt_expr **expr;   /* where an expression goes */
    struct mt_terms **terms; /* where a list goes; NULL: it is one expression */
};

/* Parse the formula, whose text must be given, and check what it depends on. */
MT_MUST_CHECK int mt_formula_parse(const struct mt_formula *formula,
                                   const struct mt_yaml *yaml, struct mt_error *err);
/* How many expressions a parsed formula has: 1, unless it is a list. */
int mt_formula_count(const struct mt_formula *formula);
/*
 * Check that the parsed formula has values at a point, and none that may not be;
 * `row` is a place for as many as it has expressions.
 */
MT_MUST_CHECK int mt_formula_check(const struct mt_formula *formula,
                                   const double values[MT_NVARIABLES], double *row,
                                   const struct mt_yaml *yaml, struct mt_error *err);

#endif
