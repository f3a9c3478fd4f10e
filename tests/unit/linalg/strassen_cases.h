/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_cases.h - products of matrices for the tests of libmotley-strassen: their
 * operands and expected results.
 */
#ifndef MT_STRASSEN_CASES_H
#define MT_STRASSEN_CASES_H

#include "motley/strassen.h"

#include <stdbool.h>

struct strassen_case {
    CBLAS_LAYOUT layout;
    CBLAS_TRANSPOSE transpose_a, transpose_b;
    int m, n, k;
    double alpha, beta;
    int pad; /* how much larger than needed the leading dimensions are */
};

/* The operands of a case, each with its padding. */
struct strassen_operands {
    int lda, ldb, ldc;
    size_t size_a, size_b, size_c;
    double *a, *b, *c; /* owned */
};

/* Every element is next(). */
struct strassen_operands strassen_operands_make(const struct strassen_case *x,
                                                double (*next)(void));
void strassen_operands_clear(struct strassen_operands *o);
double *strassen_copy(const double *values, size_t size); /* the caller's */

/* A product by mt_strassen_dgemm_with(), into c. */
int strassen_call(const struct strassen_case *x, const struct mt_strassen_how *how,
                  const struct strassen_operands *o, double *c);
void strassen_call_blas(const struct strassen_case *x,
                        const struct strassen_operands *o, double *c);
/* By its definition. */
void strassen_call_naive(const struct strassen_case *x,
                         const struct strassen_operands *o, double *c);

/* The same ones in every run: whole numbers from -4 to 4, and fractions in [-1, 1). */
double strassen_integer(void);
double strassen_fraction(void);

#endif
