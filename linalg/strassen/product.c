/* SPDX-License-Identifier: BSD-3-Clause */
/* The recursion: Winograd's variant of Strassen's method with peeling of odd sizes. */
#include "product.h"

#include "linalg/blas/blas.h"
#include "sums.h"

static CBLAS_TRANSPOSE transpose(const struct operand *operand)
{
    return operand->transposed ? CblasTrans : CblasNoTrans;
}

/* The rest of an operand from a row and column on. */
static struct operand rest_of(const struct operand *x, size_t row, size_t column)
{
    size_t at = x->transposed ? column + row * x->ld : row + column * x->ld;
    return (struct operand){x->data + at, x->ld, x->transposed};
}

/* The part of a product that computes some rows and columns of C. */
static struct product part_of(const struct product *p, size_t row, size_t rows,
                              size_t column, size_t columns)
{
    struct product part = *p;
    part.m = rows;
    part.n = columns;
    part.a = rest_of(&p->a, row, 0);
    part.b = rest_of(&p->b, 0, column);
    part.c = p->c + row + column * p->ldc;
    return part;
}

/* A product that is not cut. */
static void multiply_leaf(const struct strassen_call *call, const struct product *p)
{
    blas_dgemm(CblasColMajor, transpose(&p->a), transpose(&p->b), (int)p->m, (int)p->n,
               (int)p->k, call->alpha, p->a.data, (int)p->a.ld, p->b.data, (int)p->b.ld,
               p->beta, p->c, (int)p->ldc);
}

/* The same for rows or columns that are few, perhaps one. */
static void multiply_thin(const struct strassen_call *call, const struct product *p)
{
    if (p->m > 1 && p->n > 1)
        multiply_leaf(call, p);
    else
        blas_dgemm_thin(transpose(&p->a), transpose(&p->b), (int)p->m, (int)p->n,
                        (int)p->k, call->alpha, p->a.data, (int)p->a.ld, p->b.data,
                        (int)p->b.ld, p->beta, p->c, (int)p->ldc);
}

enum { LINE = 8, PAGE = 512, SMALL = 64 }; /* of cache and memory, in doubles */

/*
 * A temporary's leading dimension: whole cache lines, but not whole pages, to avoid
 * cache set conflicts between the elements of a row. Small temporaries do not need
 * this, and would grow a lot.
 */
static size_t pad_rows(size_t rows)
{
    if (rows < SMALL)
        return rows;
    size_t ld = (rows + LINE - 1) / LINE * LINE;
    return ld % PAGE ? ld : ld + LINE;
}

/* Doubles of a temporary, in either orientation. */
static size_t temporary_room(size_t rows, size_t columns)
{
    size_t by_columns = pad_rows(rows) * columns, by_rows = pad_rows(columns) * rows;
    return by_columns > by_rows ? by_columns : by_rows;
}

size_t mt_strassen_room(size_t m, size_t n, size_t k, int levels)
{
    size_t doubles = 0;
    for (int level = 0; level < levels; level++) {
        m /= 2;
        n /= 2;
        k /= 2;
        doubles += 2 * (temporary_room(m, k) + temporary_room(k, n));
    }
    return doubles;
}

/* An operand's quarters, rows x columns of the product, in their roles in sums of A;
   for B they are mirrored. The sums are in *room, which advances past them. */
static struct quarter_sums quarter(const struct operand *operand, bool is_b,
                                   size_t rows, size_t columns, double **room)
{
    const bool turned = operand->transposed;
    const size_t height = turned ? columns : rows, width = turned ? rows : columns;
    const size_t ld = operand->ld, size = temporary_room(rows, columns);
    const struct quarter first = {operand->data, ld},
                         below = {operand->data + height, ld},
                         right = {operand->data + width * ld, ld},
                         final = {right.data + height, ld};
    double *x = *room;
    *room += 2 * size;
    return (struct quarter_sums){
        .rows = height,
        .columns = width,
        .corner = is_b ? final : first,
        .side = is_b == turned ? below : right,
        .opposite = is_b ? first : final,
        .last = is_b == turned ? right : below,
        .sign = is_b ? -1 : 1,
        .x = x,
        .y = x + size,
        .ld = pad_rows(height),
    };
}

/* A product that is cut, and the operands of its parts. */
struct level {
    const struct strassen_call *call;
    const struct product *whole;
    int levels; /* of the parts */
    double *workspace;
};

static void multiply_even(const struct strassen_call *call, const struct product *p,
                          int levels, double *workspace);

/* C's quarter c = beta c + alpha qa qb. */
static void multiply_quarter(const struct level *level, struct quarter qa,
                             struct quarter qb, double *c, double beta)
{
    const struct product *whole = level->whole;
    const struct product part = {
        .m = whole->m / 2,
        .n = whole->n / 2,
        .k = whole->k / 2,
        .a = {qa.data, qa.ld, whole->a.transposed},
        .b = {qb.data, qb.ld, whole->b.transposed},
        .c = c,
        .ldc = whole->ldc,
        .beta = beta,
    };
    multiply_even(level->call, &part, level->levels, level->workspace);
}

/*
 * Winograd's variant, with two temporaries for sums of A's quarters and two for B's, so
 * that each pass over them yields two sums. All seven products are computed or added in
 * place: those that belong to several quarters of C (P1, P5, P6, P7) are added to one,
 * and split and join around them update the others.
 */
static void multiply_quarters(const struct level *level, const struct quarter_sums *a,
                              const struct quarter_sums *b)
{
    const struct product *p = level->whole;
    const int threads = level->call->threads;
    const struct result_quarters c = {p->m / 2, p->n / 2, p->c, p->ldc};
    double *c11 = c.data, *c21 = c11 + c.rows, *c12 = c11 + c.columns * c.ld,
           *c22 = c12 + c.rows;
    const struct quarter ax = {a->x, a->ld}, ay = {a->y, a->ld}, bx = {b->x, b->ld},
                         by = {b->y, b->ld};

    if (p->beta != 0)
        mt_strassen_split(threads, &c);
    mt_strassen_first_sums(threads, a, b);
    multiply_quarter(level, ay, by, c21, p->beta); /* P7 = S3 T3 */
    multiply_quarter(level, ax, bx, c22, p->beta); /* P5 = S1 T1 */
    mt_strassen_second_sums(threads, a, b);
    multiply_quarter(level, ay, by, c12, p->beta);                 /* P6 = S2 T2 */
    multiply_quarter(level, a->corner, b->opposite, c11, p->beta); /* P1 = A11 B11 */
    mt_strassen_join(threads, &c);
    multiply_quarter(level, a->last, b->last, c11, 1); /* P2 = A12 B21 */
    multiply_quarter(level, ax, b->corner, c12, 1);    /* P3 = S4 B22 */
    multiply_quarter(level, a->opposite, bx, c21, 1);  /* -P4 = A22 (-T4) */
}

/* m, n and k are multiples of 2^levels. */
static void multiply_even(const struct strassen_call *call, const struct product *p,
                          int levels, double *workspace)
{
    if (levels == 0) {
        multiply_leaf(call, p);
        return;
    }
    const struct quarter_sums a = quarter(&p->a, false, p->m / 2, p->k / 2, &workspace);
    const struct quarter_sums b = quarter(&p->b, true, p->k / 2, p->n / 2, &workspace);
    const struct level level = {call, p, levels - 1, workspace};
    multiply_quarters(&level, &a, &b);
}

/*
 * Cut the largest product whose sizes can be halved that often. The remaining rows,
 * columns and depth, fewer than 2^levels of each, become thin products: peeled once, as
 * peeling on every level would traverse C each time.
 */
void mt_strassen_multiply(const struct strassen_call *call, const struct product *p,
                          int levels, double *workspace)
{
    const size_t left_over = ((size_t)1 << levels) - 1;
    struct product core = *p;
    core.m = p->m & ~left_over;
    core.n = p->n & ~left_over;
    core.k = p->k & ~left_over;
    multiply_even(call, &core, levels, workspace);
    if (core.k < p->k) {
        struct product depth = core;
        depth.k = p->k - core.k;
        depth.a = rest_of(&p->a, 0, core.k);
        depth.b = rest_of(&p->b, core.k, 0);
        depth.beta = 1;
        multiply_leaf(call, &depth);
    }
    if (core.n < p->n) {
        const struct product columns = part_of(p, 0, p->m, core.n, p->n - core.n);
        multiply_thin(call, &columns);
    }
    if (core.m < p->m) {
        const struct product rows = part_of(p, core.m, p->m - core.m, 0, core.n);
        multiply_thin(call, &rows);
    }
}
