/* SPDX-License-Identifier: BSD-3-Clause */
#include "product.h"

#include "blas.h"
#include "linalg/kernel/kernel.h"

static CBLAS_TRANSPOSE transpose(const struct operand *operand)
{
    return operand->transposed ? CblasTrans : CblasNoTrans;
}

/* Some columns of C. */
static void multiply(const struct call *call, const struct product *p, size_t first,
                     size_t columns)
{
    struct product part = *p;
    part.n = columns;
    part.b.data += first * (p->b.transposed ? 1 : p->b.ld);
    part.c += first * p->ldc;
    if (call->packed && mt_kernel_suits(part.m, part.n, part.k))
        mt_kernel_multiply(&part, call->alpha, call->packed);
    else
        blas_dgemm(CblasColMajor, transpose(&p->a), transpose(&p->b), (int)part.m,
                   (int)part.n, (int)part.k, call->alpha, part.a.data, (int)part.a.ld,
                   part.b.data, (int)part.b.ld, part.beta, part.c, (int)part.ldc);
}

/* How many parts a product has to have, so that messages do not stand still for longer
   than a twentieth of a second; but with enough columns to be as fast as a whole, also
   by the kernel. */
static size_t parts_of(const struct product *p)
{
    const double operations = 2e9;
    const size_t least = 560;
    const double wanted = 2.0 * (double)p->m * (double)p->n * (double)p->k / operations;
    const size_t most = p->n / least;
    return wanted < 2 || most < 2 ? 1 : wanted < (double)most ? (size_t)wanted : most;
}

void mt_strassen_leaf(const struct call *call, const struct product *p)
{
    const size_t parts = call->progress ? parts_of(p) : 1;
    for (size_t i = 0; i < parts; i++) {
        const size_t first = p->n * i / parts, end = p->n * (i + 1) / parts;
        multiply(call, p, first, end - first);
        if (call->progress)
            call->progress(call->data);
    }
}

void mt_strassen_thin(const struct call *call, const struct product *p)
{
    if (p->m > 1 && p->n > 1)
        mt_strassen_leaf(call, p);
    else
        blas_dgemm_thin(transpose(&p->a), transpose(&p->b), (int)p->m, (int)p->n,
                        (int)p->k, call->alpha, p->a.data, (int)p->a.ld, p->b.data,
                        (int)p->b.ld, p->beta, p->c, (int)p->ldc);
}
