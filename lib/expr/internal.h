/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of expressions beyond the public headers.
 */
#ifndef MT_EXPR_INTERNAL_H
#define MT_EXPR_INTERNAL_H

#include "motley/expr.h"

#include <stdbool.h>

/* A closed interval; both bounds NaN: nothing is known. */
struct mt_range {
    double low, high;
};

/* The text that the expression was parsed from, without surrounding blanks; lives as
   long as it. */
const char *mt_expr_text(const struct mt_expr *expr);
/* Whether the value can depend on the variable. */
bool mt_expr_uses(const struct mt_expr *expr, enum mt_variable variable);

/*
 * Bounds of the value over a box of the variables, by interval arithmetic: no value
 * inside the box lies outside the result, which may be wider than needed. Where the box
 * may hold a point without a finite value, nothing is known; so known bounds are
 * finite. N and P that are whole numbers are not treated specially, except in dims(),
 * whose bounds are those at the whole numbers of its range.
 */
struct mt_range mt_expr_range(const struct mt_expr *expr,
                              const struct mt_range box[MT_NVARIABLES]);
/* The same as smooth functions of N and P between whole numbers: ceil(x) and floor(x)
   are x, and each of the n factors dims(x, n, i) is x^(1/n). */
MT_MUST_CHECK int mt_terms_parse_smooth(struct mt_terms **terms, const char *text,
                                        struct mt_error *err);
/* Whether term i can depend on the variable. */
bool mt_terms_use(const struct mt_terms *terms, int i, enum mt_variable variable);
/* Write the values of all terms to row[0 .. count-1]; NaN as for one expression. */
void mt_terms_values(const struct mt_terms *terms, const double values[MT_NVARIABLES],
                     double *row);
/* Write bounds of all terms over the box to row[0 .. count-1]. */
void mt_terms_ranges(const struct mt_terms *terms,
                     const struct mt_range box[MT_NVARIABLES], struct mt_range *row);

#endif
