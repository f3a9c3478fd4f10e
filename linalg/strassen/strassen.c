/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of dgemm: checks, scaling, and the choice of levels. */
#include "motley/strassen.h"

#include "columns.h"
#include "linalg/blas/blas.h"
#include "linalg/kernel/kernel.h"
#include "motley/partition.h"
#include "product.h"
#include "sums.h"
#include "team.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

bool mt_strassen_by_kernel(const struct mt_strassen_tuning *tuning, int m, int n, int k,
                           int levels)
{
    if (!tuning->kernel || !mt_kernel_available())
        return false;
    const int threads = tuning->threads > 1 ? tuning->threads : 1;
    const struct team team = mt_strassen_team((size_t)m, (size_t)n, threads);
    return mt_kernel_suits(((size_t)m / team.rows) >> levels,
                           ((size_t)n / team.columns) >> levels, (size_t)k >> levels) &&
           (threads == 1 || mt_strassen_has_cores(threads));
}

/* Levels end where the kernel would leave their products to the BLAS, which may be
   several times slower: where they pay was measured with the kernel. */
int mt_strassen_levels(const struct mt_strassen_tuning *tuning, int m, int n, int k,
                       double beta)
{
    const struct mt_strassen_cutoff *cutoff =
        beta == 0 ? &tuning->overwrite : &tuning->accumulate;
    if (m <= 1 || n <= 1 || k <= 1)
        return 0;
    const bool kernel = mt_strassen_by_kernel(tuning, m, n, k, 0);
    int levels = 0;
    while (levels < MT_STRASSEN_MAX_LEVELS && m >> levels > 1 && n >> levels > 1 &&
           k >> levels > 1 &&
           cutoff->rows / (m >> levels) + cutoff->columns / (n >> levels) +
                   cutoff->depth / (k >> levels) <=
               1 &&
           (!kernel || mt_strassen_by_kernel(tuning, m, n, k, levels + 1)))
        levels++;
    return levels;
}

static const struct mt_strassen_tuning *tuning_of(const struct mt_strassen_how *how)
{
    return how->tuning ? how->tuning : mt_strassen_tuned();
}

/* As the caller says, or as the tuning does. */
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

/* How a product is made in so many levels: in which parts of C, and what each takes of
   the workspace, in doubles: for sums and, if its products of the lowest level are the
   kernel's, for its copies behind them. */
struct scheme {
    int levels;
    struct team team;
    size_t sums, copies;
};

static size_t room_of(const struct scheme *scheme)
{
    return scheme->team.rows * scheme->team.columns * (scheme->sums + scheme->copies);
}

/* By the kernel, a part a thread, where parts are large enough for it; else as a whole,
   by the BLAS. */
static struct scheme scheme_of(const struct mt_strassen_how *how, int m, int n, int k,
                               int levels)
{
    const struct mt_strassen_tuning *tuning = tuning_of(how);
    struct scheme scheme = {.levels = levels, .team = {1, 1}};
    if (!mt_strassen_by_kernel(tuning, m, n, k, levels)) {
        scheme.sums = mt_strassen_room((size_t)m, (size_t)n, (size_t)k, levels);
        return scheme;
    }
    scheme.team = mt_strassen_team((size_t)m, (size_t)n,
                                   tuning->threads > 1 ? tuning->threads : 1);
    const size_t rows = mt_strassen_largest_part((size_t)m, scheme.team.rows, levels);
    const size_t columns =
        mt_strassen_largest_part((size_t)n, scheme.team.columns, levels);
    scheme.copies = mt_kernel_room(mt_kernel_kind(0), rows >> levels, columns >> levels,
                                   (size_t)k >> levels);
    scheme.sums = mt_strassen_room(rows, columns, (size_t)k, levels);
    return scheme;
}

size_t mt_strassen_workspace(const struct mt_strassen_how *how, int m, int n, int k,
                             double beta)
{
    const int levels = levels_of(how, m, n, k, beta);
    const struct scheme cut = scheme_of(how, m, n, k, levels),
                        whole = scheme_of(how, m, n, k, 0);
    const size_t room = room_of(&cut), other = room_of(&whole);
    /* where it is not cut after all */
    return tuning_of(how)->finite && other > room ? other : room;
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

/* New memory in large pages where the system has them: there are few of those to make
   ready. NULL: none. */
static double *allocate_doubles(size_t doubles)
{
    const size_t large_page = (size_t)1 << 21;
    if (doubles > (SIZE_MAX - large_page) / sizeof(double))
        return NULL;
    size_t bytes = doubles * sizeof(double);
    if (bytes < large_page)
        return malloc(bytes);
    bytes = (bytes + large_page - 1) / large_page * large_page;
    void *memory = aligned_alloc(large_page, bytes);
    if (memory)
        madvise(memory, bytes, MADV_HUGEPAGE); /* a wish: it may fail */
    return memory;
}

static bool is_finite(const struct operand *x, size_t rows, size_t columns)
{
    return x->transposed ? mt_strassen_finite(columns, rows, x->data, x->ld)
                         : mt_strassen_finite(rows, columns, x->data, x->ld);
}

/* Whether sums of quarters carry no NaN and no infinity from one to another. */
static bool may_be_cut(const struct product *p, double alpha)
{
    return isfinite(alpha) && isfinite(p->beta) && is_finite(&p->a, p->m, p->k) &&
           is_finite(&p->b, p->k, p->n) &&
           (p->beta == 0 || mt_strassen_finite(p->m, p->n, p->c, p->ldc));
}

static void multiply_in_room(const struct strassen_call *call, const struct product *p,
                             const struct scheme *scheme, double *workspace)
{
    const struct team_room room = {workspace, scheme->sums + scheme->copies,
                                   scheme->sums};
    mt_strassen_team_multiply(call, p, scheme->levels, scheme->team, &room);
}

/* In the most levels, at most so many, for which there is memory; when there is none at
   all, by the BLAS. */
static void multiply_allocating(const struct mt_strassen_how *how,
                                const struct strassen_call *call,
                                const struct product *p, int levels)
{
    struct scheme scheme = scheme_of(how, (int)p->m, (int)p->n, (int)p->k, levels);
    double *memory = NULL;
    while (room_of(&scheme) > 0 && !(memory = allocate_doubles(room_of(&scheme))))
        scheme = levels > 0 ? scheme_of(how, (int)p->m, (int)p->n, (int)p->k, --levels)
                            : (struct scheme){.team = {1, 1}};
    multiply_in_room(call, p, &scheme, memory);
    free(memory);
}

int mt_strassen_dgemm_with(const struct mt_strassen_how *how, CBLAS_LAYOUT layout,
                           CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b,
                           int m, int n, int k, double alpha, const double *a, int lda,
                           const double *b, int ldb, double beta, double *c, int ldc)
{
    struct mt_strassen_how fixed = *how;
    fixed.tuning = tuning_of(how); /* that may become another meanwhile */
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
        .progress = how->progress,
        .data = how->data,
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
    const struct scheme scheme = scheme_of(how, x.m, x.n, (int)product.k, levels);
    if (how->workspace)
        multiply_in_room(&call, &product, &scheme, how->workspace);
    else
        multiply_allocating(how, &call, &product, levels);
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
