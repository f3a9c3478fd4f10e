/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of dgemm: checks, scaling, and the choice of levels. */
#include "motley/strassen.h"

#include "linalg/blas/blas.h"
#include "motley/partition.h"
#include "product.h"
#include "sums.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

int mt_strassen_levels(const struct mt_strassen_tuning *tuning, int m, int n, int k,
                       double beta)
{
    const struct mt_strassen_cutoff *cutoff =
        beta == 0 ? &tuning->overwrite : &tuning->accumulate;
    if (m <= 1 || n <= 1 || k <= 1)
        return 0;
    int levels = 0;
    while (levels < MT_STRASSEN_MAX_LEVELS && m >> levels > 1 && n >> levels > 1 &&
           k >> levels > 1 &&
           cutoff->rows / (m >> levels) + cutoff->columns / (n >> levels) +
                   cutoff->depth / (k >> levels) <=
               1)
        levels++;
    return levels;
}

static const struct mt_strassen_tuning *tuning_of(const struct mt_strassen_how *how)
{
    return how->tuning ? how->tuning : mt_strassen_tuned();
}

/* The caller's choice, or else the tuning's. */
static int levels_of(const struct mt_strassen_how *how, int m, int n, int k,
                     double beta)
{
    static const struct mt_strassen_tuning always = {0};
    if (!how->levels)
        return mt_strassen_levels(tuning_of(how), m, n, k, beta);
    const int most = mt_strassen_levels(&always, m, n, k, beta);
    const int wanted = *how->levels > 0 ? *how->levels : 0;
    return wanted < most ? wanted : most;
}

size_t mt_strassen_workspace(const struct mt_strassen_how *how, int m, int n, int k,
                             double beta)
{
    return mt_strassen_room((size_t)m, (size_t)n, (size_t)k,
                            levels_of(how, m, n, k, beta));
}

/* The arguments of a call, by columns. */
struct dgemm_arguments {
    CBLAS_TRANSPOSE transpose_a, transpose_b;
    int m, n, k;
    const double *a, *b;
    int lda, ldb;
    double *c;
    int ldc;
};

/* A row-major product is C^T = op(B)^T op(A)^T by columns. */
static struct dgemm_arguments by_columns(const struct dgemm_arguments *rows)
{
    return (struct dgemm_arguments){
        .transpose_a = rows->transpose_b,
        .transpose_b = rows->transpose_a,
        .m = rows->n,
        .n = rows->m,
        .k = rows->k,
        .a = rows->b,
        .b = rows->a,
        .lda = rows->ldb,
        .ldb = rows->lda,
        .c = rows->c,
        .ldc = rows->ldc,
    };
}

static bool is_transpose(CBLAS_TRANSPOSE transpose)
{
    return transpose == CblasNoTrans || transpose == CblasTrans ||
           transpose == CblasConjTrans;
}

static bool spans(int ld, int rows)
{
    return ld >= (rows > 1 ? rows : 1);
}

static bool are_right(const struct dgemm_arguments *x)
{
    return is_transpose(x->transpose_a) && is_transpose(x->transpose_b) && x->m >= 0 &&
           x->n >= 0 && x->k >= 0 &&
           spans(x->lda, x->transpose_a == CblasNoTrans ? x->m : x->k) &&
           spans(x->ldb, x->transpose_b == CblasNoTrans ? x->k : x->n) &&
           spans(x->ldc, x->m);
}

/* Memory for a call; `bytes` is set only if the memory is kept. */
struct memory {
    void *place;
    size_t bytes;
};

/*
 * The memory of the last large call, kept because preparing new pages takes longer than
 * a sum; it is smaller than that call's operands. It is in small pages, and the system
 * is not told that it may take them (MADV_FREE): on a virtual machine where changes of
 * the page table are slow, 4000 x 4000 took 1.38 s so, 1.52 s with MADV_FREE and 2.1 s
 * in large pages.
 */
static struct memory kept;
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
enum { KEPT_BYTES = 1 << 21 };

/* Keep this memory in place of the old, unless another thread is doing so. */
static void exchange_kept(struct memory *memory)
{
    if (pthread_mutex_trylock(&keeping) != 0)
        return;
    const struct memory before = kept;
    kept = *memory;
    *memory = before;
    pthread_mutex_unlock(&keeping);
}

static bool allocate(struct memory *memory, size_t doubles)
{
    *memory = (struct memory){NULL, 0};
    if (doubles > (SIZE_MAX - KEPT_BYTES) / sizeof(double))
        return false;
    const size_t bytes = doubles * sizeof(double);
    if (bytes < KEPT_BYTES) {
        memory->place = malloc(bytes);
        return memory->place != NULL;
    }
    exchange_kept(memory);
    if (memory->bytes >= bytes)
        return true;
    free(memory->place);
    const size_t whole = (bytes + KEPT_BYTES - 1) / KEPT_BYTES * KEPT_BYTES;
    void *place = aligned_alloc(KEPT_BYTES, whole);
    *memory = (struct memory){place, place ? whole : 0};
    return place != NULL;
}

static void release(struct memory *memory)
{
    if (memory->bytes > 0)
        exchange_kept(memory);
    free(memory->place);
}

static bool is_finite(const struct operand *x, size_t rows, size_t columns)
{
    return x->transposed ? mt_strassen_finite(columns, rows, x->data, x->ld)
                         : mt_strassen_finite(rows, columns, x->data, x->ld);
}

/* Whether sums of quarters spread no NaN or infinity. */
static bool may_be_cut(const struct product *p, double alpha)
{
    return isfinite(alpha) && isfinite(p->beta) && is_finite(&p->a, p->m, p->k) &&
           is_finite(&p->b, p->k, p->n) &&
           (p->beta == 0 || mt_strassen_finite(p->m, p->n, p->c, p->ldc));
}

/* Multiply in `levels` levels, or in fewer if memory is short. */
static void multiply_allocating(const struct strassen_call *call,
                                const struct product *p, int levels)
{
    struct memory memory = {NULL, 0};
    while (levels > 0 && !allocate(&memory, mt_strassen_room(p->m, p->n, p->k, levels)))
        levels--;
    mt_strassen_multiply(call, p, levels, memory.place);
    release(&memory);
}

int mt_strassen_dgemm_with(const struct mt_strassen_how *how, CBLAS_LAYOUT layout,
                           CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b,
                           int m, int n, int k, double alpha, const double *a, int lda,
                           const double *b, int ldb, double beta, double *c, int ldc)
{
    struct mt_strassen_how fixed = *how;
    fixed.tuning = tuning_of(how); /* a copy, as the tuning may change */
    how = &fixed;
    struct dgemm_arguments x = {transpose_a, transpose_b, m,   n, k,  a,
                                b,           lda,         ldb, c, ldc};
    if (layout == CblasRowMajor)
        x = by_columns(&x);
    bool known_layout = layout == CblasRowMajor || layout == CblasColMajor;
    if (!known_layout || !are_right(&x)) {
        blas_dgemm(layout, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb,
                   beta, c, ldc);
        return MT_STRASSEN_WRONG;
    }
    if (how->workspace && how->room < mt_strassen_workspace(how, m, n, k, beta))
        return MT_STRASSEN_NO_ROOM;

    const int threads = how->tuning->threads;
    const struct strassen_call call = {
        .alpha = alpha,
        .threads = threads > 1 && mt_strassen_has_cores(threads) ? threads : 1};
    const struct product product = {
        .m = (size_t)x.m,
        .n = (size_t)x.n,
        .k = alpha == 0 ? 0 : (size_t)x.k, /* then A and B are not read */
        .a = {x.a, (size_t)x.lda, x.transpose_a != CblasNoTrans},
        .b = {x.b, (size_t)x.ldb, x.transpose_b != CblasNoTrans},
        .c = x.c,
        .ldc = (size_t)x.ldc,
        .beta = beta,
    };
    int levels = alpha == 0 ? 0 : levels_of(how, m, n, k, beta);
    if (levels > 0 && how->tuning->finite && !may_be_cut(&product, alpha))
        levels = 0;
    if (how->workspace)
        mt_strassen_multiply(&call, &product, levels, how->workspace);
    else
        multiply_allocating(&call, &product, levels);
    return MT_STRASSEN_OK;
}

int mt_strassen_dgemm(CBLAS_LAYOUT layout, CBLAS_TRANSPOSE transpose_a,
                      CBLAS_TRANSPOSE transpose_b, int m, int n, int k, double alpha,
                      const double *a, int lda, const double *b, int ldb, double beta,
                      double *c, int ldc)
{
    const struct mt_strassen_how as_tuned = {0};
    return mt_strassen_dgemm_with(&as_tuned, layout, transpose_a, transpose_b, m, n, k,
                                  alpha, a, lda, b, ldb, beta, c, ldc);
}
