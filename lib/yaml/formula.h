/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formula.h - values of YAML files that are expressions: parsed, and checked for their
 * variables and values. Errors have the line of the key.
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
    MT_USES_T = 1 << MT_T,
    /* What only placeholders may. */
    MT_USES_WEIGHTS = 1 << MT_NVARIABLES,
    MT_USES_WEIGHTS_FILE = 1 << (MT_NVARIABLES + 1)
};

/* A value of a file that is an expression or, then `terms` is set, a list of them. All
   pointers are borrowed. */
struct mt_formula {
    const struct mt_yaml *yaml;
    int node;
    const char *subject;     /* for errors: "'steps' of 'surface'" */
    int variables;           /* that it may use, MT_USES_... */
    bool counts;             /* its value is a number of things: not negative */
    struct mt_expr **expr;   /* where an expression goes */
    struct mt_terms **terms; /* where a list goes; NULL: it is one expression */
};

/* Parse the text in the file, and check its variables. */
MT_MUST_CHECK int mt_formula_parse(const struct mt_formula *formula,
                                   struct mt_error *err);
/* How many expressions a parsed formula has: 1, unless it is a list. */
int mt_formula_count(const struct mt_formula *formula);
/*
 * Check that the parsed formula has valid values at a point; `row` has room for one
 * value per expression.
 */
MT_MUST_CHECK int mt_formula_check(const struct mt_formula *formula,
                                   const double values[MT_NVARIABLES], double *row,
                                   struct mt_error *err);

#endif
