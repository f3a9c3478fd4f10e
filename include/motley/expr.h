/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expr.h - the expressions of program files: work, memory, valid, split, terms.
 *
 * One small language over the variables below: numbers, + - * / % ^, comparisons,
 * && || !, parentheses, and log (natural), log2, sqrt, min, max, ceil, floor, dims.
 * They bind as in C; ^ is the power, binds tightest and from the right: -2^2 is -4.
 * Comparisons do not chain. Truth is 1, falsehood 0. An expression is parsed once and
 * evaluated millions of times.
 *
 * dims(x, n, i) is the i-th largest of the n factors (1 to 3) into which
 * MPI_Dims_create() splits x: as close to each other as possible, which is, with the
 * smallest difference of the largest and the smallest, and of equals with the larger
 * smallest. MPICH does so; Open MPI 4.1 gives others for some x, such as 72 = 12 * 6
 * instead of 9 * 8. n and i are constants; x is a whole number from 1 to INT_MAX.
 */
#ifndef MT_EXPR_H
#define MT_EXPR_H

#include "motley/error.h"

MT_C_BEGIN

/* The variables, as indices into the array of their values. */
enum mt_variable {
    MT_N, /* problem size */
    MT_P, /* total processes */
    MT_M, /* processes per node */
    MT_T, /* seconds of the reference N-T model at N; only in the terms of P-T */
    MT_NVARIABLES
};

struct mt_expr;

/*
 * Parse `text`. On success `*expr` is the caller's, to be freed by mt_expr_free(). On
 * failure (MT_EPARSE, MT_ENOMEM) the reason names the column, counted from 1, and
 * quotes the text there.
 */
MT_MUST_CHECK int mt_expr_parse(struct mt_expr **expr, const char *text,
                                struct mt_error *err);
/* Free an expression; NULL is allowed. */
void mt_expr_free(struct mt_expr *expr);

/*
 * The value. It is NaN where the expression has none: a division, remainder or negative
 * power of zero, a logarithm, root or dims() out of its range, or anything computed
 * from such a value, except that "0 && x" is 0 and "1 || x" is 1 for every x. It may be
 * infinite only where numbers overflow. The caller's message adds N and P.
 */
double mt_expr_value(const struct mt_expr *expr, const double values[MT_NVARIABLES]);

/*
 * A comma-separated list of expressions, compiled together so that what they share
 * (powers, quotients) is computed once: the terms of a model.
 */
struct mt_terms;

MT_MUST_CHECK int mt_terms_parse(struct mt_terms **terms, const char *text,
                                 struct mt_error *err);
void mt_terms_free(struct mt_terms *terms);
/* How many terms there are; at least 1. */
int mt_terms_count(const struct mt_terms *terms);
/* The text of term i, 0 <= i < count, without surrounding blanks. */
const char *mt_terms_text(const struct mt_terms *terms, int i);

MT_C_END

#endif
