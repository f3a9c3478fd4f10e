/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen_cases.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static uint64_t next_bits(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

double strassen_integer(void)
{
    return (double)(next_bits() % 9) - 4;
}

double strassen_fraction(void)
{
    return (double)next_bits() / (double)(1u << 30) - 1;
}

/* Whether the matrix lies so that its rows are the columns of the storage. */
static bool is_turned(const struct strassen_case *x, CBLAS_TRANSPOSE transpose)
{
    return (transpose != CblasNoTrans) != (x->layout == CblasRowMajor);
}

static double *make(int *ld, size_t *size, int rows, int columns, bool turned, int pad,
                    double (*next)(void))
{
    *ld = (turned ? columns : rows) + pad;
    *size = (size_t)*ld * (size_t)(turned ? rows : columns);
    double *values = malloc((*size + 1) * sizeof *values);
    for (size_t i = 0; i < *size; i++)
        values[i] = next();
    return values;
}

struct strassen_operands strassen_operands_make(const struct strassen_case *x,
                                                double (*next)(void))
{
    struct strassen_operands o;
    o.a =
        make(&o.lda, &o.size_a, x->m, x->k, is_turned(x, x->transpose_a), x->pad, next);
    o.b =
        make(&o.ldb, &o.size_b, x->k, x->n, is_turned(x, x->transpose_b), x->pad, next);
    o.c = make(&o.ldc, &o.size_c, x->m, x->n, is_turned(x, CblasNoTrans), x->pad, next);
    return o;
}

void strassen_operands_clear(struct strassen_operands *o)
{
    free(o->a);
    free(o->b);
    free(o->c);
}

double *strassen_copy(const double *values, size_t size)
{
    double *copy = malloc((size + 1) * sizeof *copy);
    return memcpy(copy, values, size * sizeof *copy);
}

int strassen_call(const struct strassen_case *x, const struct mt_strassen_how *how,
                  const struct strassen_operands *o, double *c)
{
    return mt_strassen_dgemm_with(how, x->layout, x->transpose_a, x->transpose_b, x->m,
                                  x->n, x->k, x->alpha, o->a, o->lda, o->b, o->ldb,
                                  x->beta, c, o->ldc);
}

void strassen_call_blas(const struct strassen_case *x,
                        const struct strassen_operands *o, double *c)
{
    cblas_dgemm(x->layout, x->transpose_a, x->transpose_b, x->m, x->n, x->k, x->alpha,
                o->a, o->lda, o->b, o->ldb, x->beta, c, o->ldc);
}

static size_t place(int row, int column, int ld, bool turned)
{
    return turned ? (size_t)row * (size_t)ld + (size_t)column
                  : (size_t)column * (size_t)ld + (size_t)row;
}

void strassen_call_naive(const struct strassen_case *x,
                         const struct strassen_operands *o, double *c)
{
    bool turned_a = is_turned(x, x->transpose_a),
         turned_b = is_turned(x, x->transpose_b);
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->n; j++) {
            double sum = 0;
            for (int l = 0; l < x->k; l++)
                sum += o->a[place(i, l, o->lda, turned_a)] *
                       o->b[place(l, j, o->ldb, turned_b)];
            double *to = &c[place(i, j, o->ldc, is_turned(x, CblasNoTrans))];
            *to = x->alpha * sum + (x->beta == 0 ? 0 : x->beta * *to);
        }
}
