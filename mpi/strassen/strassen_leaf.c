/* SPDX-License-Identifier: BSD-3-Clause */
#include "strassen_product.h"

#include "blas.h"

static CBLAS_TRANSPOSE transpose(const struct operand *operand)
{
    return operand->transposed ? CblasTrans : CblasNoTrans;
}

void mt_strassen_leaf(const struct call *call, const struct product *p)
{
    blas_dgemm(CblasColMajor, transpose(&p->a), transpose(&p->b), (int)p->m, (int)p->n,
               (int)p->k, call->alpha, p->a.data, (int)p->a.ld, p->b.data, (int)p->b.ld,
               p->beta, p->c, (int)p->ldc);
}
