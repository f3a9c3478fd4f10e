/* SPDX-License-Identifier: BSD-3-Clause */
#include "peel.h"

/* What is left of an operand from a row and column on. */
static struct operand from(const struct operand *x, size_t row, size_t column)
{
    size_t at = x->transposed ? column + row * x->ld : row + column * x->ld;
    return (struct operand){x->data + at, x->ld, x->transposed};
}

/*
 * The largest product whose sizes can be halved so often is cut. The rows, columns and
 * depth left over, fewer than 2^levels of each, are thin products: peeled off once, as
 * C would be gone through again on every level.
 */
void mt_strassen_peel(const struct call *call, const struct product *p, int levels,
                      double *workspace)
{
    const size_t left_over = ((size_t)1 << levels) - 1;
    struct product core = *p;
    core.m = p->m & ~left_over;
    core.n = p->n & ~left_over;
    core.k = p->k & ~left_over;
    mt_strassen_multiply(call, &core, levels, workspace);
    if (core.k < p->k) {
        struct product depth = core;
        depth.k = p->k - core.k;
        depth.a = from(&p->a, 0, core.k);
        depth.b = from(&p->b, core.k, 0);
        depth.beta = 1;
        mt_strassen_leaf(call, &depth);
    }
    if (core.n < p->n) {
        struct product columns = *p;
        columns.n = p->n - core.n;
        columns.b = from(&p->b, 0, core.n);
        columns.c = p->c + core.n * p->ldc;
        mt_strassen_thin(call, &columns);
    }
    if (core.m < p->m) {
        struct product rows = *p;
        rows.m = p->m - core.m;
        rows.n = core.n;
        rows.a = from(&p->a, core.m, 0);
        rows.c = p->c + core.m;
        mt_strassen_thin(call, &rows);
    }
}
