/* SPDX-License-Identifier: BSD-3-Clause */
/* The recursion: Winograd's variant of Strassen's method with peeling of odd sizes. */
#include "product.h"

#include "columns.h"
#include "linalg/blas/blas.h"
#include "sums.h"

static CBLAS_TRANSPOSE transpose(const struct operand *operand)
{
    return operand->transposed ? CblasTrans : CblasNoTrans;
}

/* What is left of an operand from a row and column on. */
static struct operand rest_of(const struct operand *x, size_t row, size_t column)
{
    size_t at = x->transposed ? column + row * x->ld : row + column * x->ld;
    return (struct operand){x->data + at, x->ld, x->transposed};
}

static struct terms rest_of_terms(const struct terms *terms, const struct operand *from,
                                  const struct operand *rest)
{
    struct terms rests = *terms;
    for (int i = 0; i < terms->count; i++)
        rests.data[i] += rest->data - from->data;
    return rests;
}

struct product mt_strassen_part(const struct product *p, size_t row, size_t rows,
                                size_t column, size_t columns)
{
    struct product part = *p;
    part.m = rows;
    part.n = columns;
    part.a = rest_of(&p->a, row, 0);
    part.b = rest_of(&p->b, 0, column);
    part.more_a = rest_of_terms(&p->more_a, &p->a, &part.a);
    part.more_b = rest_of_terms(&p->more_b, &p->b, &part.b);
    part.c = p->c + row + column * p->ldc;
    return part;
}

/* Some columns of C. */
static void multiply_columns(const struct strassen_call *call, const struct product *p,
                             size_t first, size_t columns)
{
    const struct product part = mt_strassen_part(p, 0, p->m, first, columns);
    if (call->packed && mt_kernel_suits(part.m, part.n, part.k))
        mt_kernel_multiply(mt_kernel_kind(0), &part, call->alpha, call->packed);
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

/* A product that is not cut, by the kernel or the BLAS. */
static void multiply_leaf(const struct strassen_call *call, const struct product *p)
{
    const size_t parts = call->progress ? parts_of(p) : 1;
    for (size_t i = 0; i < parts; i++) {
        const size_t first = p->n * i / parts, end = p->n * (i + 1) / parts;
        multiply_columns(call, p, first, end - first);
        if (call->progress)
            call->progress(call->data);
    }
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
 * A temporary's leading dimension: whole cache lines, but not whole pages, or else the
 * elements of a row would compete for the same places in the cache. Small ones need no
 * such care, and would grow by much.
 */
static size_t pad_rows(size_t rows)
{
    if (rows < SMALL)
        return rows;
    size_t ld = (rows + LINE - 1) / LINE * LINE;
    return ld % PAGE ? ld : ld + LINE;
}

/* Doubles of a temporary, whichever way round it lies. */
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
        doubles += temporary_room(m, k) + temporary_room(k, n);
    }
    return doubles;
}

/* An operand's quarters and a temporary for their sums, all rows x columns in storage.
 */
struct quarters {
    size_t rows, columns;
    struct quarter q11, q12, q21, q22, sum;
    double *room; /* borrowed; where the sum is */
};

static struct quarters quarter_operand(const struct operand *operand, size_t rows,
                                       size_t columns, double *temporary)
{
    bool turned = operand->transposed;
    size_t height = turned ? columns : rows, width = turned ? rows : columns;
    size_t ld = operand->ld;
    struct quarter below = {operand->data + height, ld};
    struct quarter right = {operand->data + width * ld, ld};
    return (struct quarters){
        .rows = height,
        .columns = width,
        .q11 = {operand->data, ld},
        .q12 = turned ? below : right,
        .q21 = turned ? right : below,
        .q22 = {right.data + height, ld},
        .sum = {temporary, pad_rows(height)},
        .room = temporary,
    };
}

/* A sum of quarters of A or of B. */
struct quarters_sum {
    struct sum_place sum;
    struct quarter p, q;
    double sign;
};

static void add_columns(const void *data, size_t first, size_t columns)
{
    const struct quarters_sum *whole = data;
    const struct sum_place sum = {whole->sum.rows, columns,
                                  whole->sum.data + first * whole->sum.ld,
                                  whole->sum.ld};
    const struct quarter p = {whole->p.data + first * whole->p.ld, whole->p.ld},
                         q = {whole->q.data + first * whole->q.ld, whole->q.ld};
    mt_strassen_sum(&sum, p, whole->sign, q);
}

static void add_quarters(const struct strassen_call *call, struct quarters *x,
                         struct quarter p, double sign, struct quarter q)
{
    const struct quarters_sum sum = {
        {x->rows, x->columns, x->room, x->sum.ld}, p, q, sign};
    mt_strassen_by_columns(call->threads, x->rows, x->columns, add_columns, &sum);
}

/* See sums.h. */
static void split_columns(const void *data, size_t first, size_t columns)
{
    const struct product *p = data;
    mt_strassen_split(p->m / 2, columns, p->c + first * p->ldc, p->n / 2 * p->ldc,
                      p->ldc);
}

static void join_columns(const void *data, size_t first, size_t columns)
{
    const struct product *p = data;
    mt_strassen_join(p->m / 2, columns, p->c + first * p->ldc, p->n / 2 * p->ldc,
                     p->ldc);
}

/* A product that is cut, and what its parts are made of. */
struct level {
    const struct strassen_call *call;
    const struct product *whole;
    struct quarters a, b;
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
 * Winograd's variant, with one temporary for sums of A's quarters and one for B's. All
 * seven products are made in place or added in place: of those that belong to several
 * quarters of C (P1, P5, P6, P7), each is added to one, and split and join around them
 * see to the others.
 */
static void multiply_quarters(struct level *level)
{
    const struct product *p = level->whole;
    struct quarters *a = &level->a, *b = &level->b;
    size_t m = p->m / 2, n = p->n / 2;
    double *c11 = p->c, *c21 = c11 + m, *c12 = c11 + n * p->ldc, *c22 = c12 + m;

    if (p->beta != 0)
        mt_strassen_by_columns(level->call->threads, m, n, split_columns, p);
    add_quarters(level->call, a, a->q11, -1, a->q21);      /* S3 */
    add_quarters(level->call, b, b->q22, -1, b->q12);      /* T3 */
    multiply_quarter(level, a->sum, b->sum, c21, p->beta); /* P7 */
    add_quarters(level->call, a, a->q21, +1, a->q22);      /* S1 */
    add_quarters(level->call, b, b->q12, -1, b->q11);      /* T1 */
    multiply_quarter(level, a->sum, b->sum, c22, p->beta); /* P5 */
    add_quarters(level->call, a, a->sum, -1, a->q11);      /* S2 */
    add_quarters(level->call, b, b->q22, -1, b->sum);      /* T2 */
    multiply_quarter(level, a->sum, b->sum, c12, p->beta); /* P6 */
    multiply_quarter(level, a->q11, b->q11, c11, p->beta); /* P1 */
    mt_strassen_by_columns(level->call->threads, m, n, join_columns, p);
    multiply_quarter(level, a->q12, b->q21, c11, 1);  /* P2 */
    add_quarters(level->call, a, a->q12, -1, a->sum); /* S4 */
    multiply_quarter(level, a->sum, b->q22, c12, 1);  /* P3 */
    add_quarters(level->call, b, b->q21, -1, b->sum); /* -T4 */
    multiply_quarter(level, a->q22, b->sum, c21, 1);  /* -P4 */
}

/* A quarter of A or B, and quarters that are added to it. */
struct quarter_sum {
    struct quarter first;
    struct terms more;
};

static struct quarter_sum only(struct quarter first)
{
    return (struct quarter_sum){.first = first};
}

static struct quarter_sum sum_of(struct quarter first, double sign,
                                 struct quarter second)
{
    return (struct quarter_sum){first, {1, {second.data}, {sign}}};
}

static struct quarter_sum add(struct quarter_sum sum, double sign, struct quarter term)
{
    sum.more.data[sum.more.count] = term.data;
    sum.more.sign[sum.more.count++] = sign;
    return sum;
}

/* C's quarter c = beta c + alpha qa qb, by the kernel. */
static void multiply_sums(const struct level *level, const struct quarter_sum *qa,
                          const struct quarter_sum *qb, double *c, double beta)
{
    const struct product *whole = level->whole;
    const struct product part = {
        .m = whole->m / 2,
        .n = whole->n / 2,
        .k = whole->k / 2,
        .a = {qa->first.data, qa->first.ld, whole->a.transposed},
        .b = {qb->first.data, qb->first.ld, whole->b.transposed},
        .more_a = qa->more,
        .more_b = qb->more,
        .c = c,
        .ldc = whole->ldc,
        .beta = beta,
    };
    multiply_leaf(level->call, &part);
}

/*
 * The same where the kernel makes the products: it adds quarters as it packs them. They
 * are read again for each sum, but no temporary is written and read.
 */
static void multiply_quarters_by_kernel(const struct level *level)
{
    const struct product *p = level->whole;
    const struct quarters *a = &level->a, *b = &level->b;
    size_t m = p->m / 2, n = p->n / 2;
    double *c11 = p->c, *c21 = c11 + m, *c12 = c11 + n * p->ldc, *c22 = c12 + m;
    const struct quarter_sum s3 = sum_of(a->q11, -1, a->q21),
                             t3 = sum_of(b->q22, -1, b->q12),
                             s1 = sum_of(a->q21, +1, a->q22),
                             t1 = sum_of(b->q12, -1, b->q11), s2 = add(s1, -1, a->q11),
                             t2 = add(sum_of(b->q22, -1, b->q12), +1, b->q11),
                             s4 = add(add(sum_of(a->q12, -1, a->q21), -1, a->q22), +1,
                                      a->q11),
                             minus_t4 = add(add(sum_of(b->q21, -1, b->q22), +1, b->q12),
                                            -1, b->q11),
                             a11 = only(a->q11), a12 = only(a->q12), a22 = only(a->q22),
                             b11 = only(b->q11), b21 = only(b->q21), b22 = only(b->q22);

    if (p->beta != 0)
        mt_strassen_by_columns(level->call->threads, m, n, split_columns, p);
    multiply_sums(level, &s3, &t3, c21, p->beta);   /* P7 */
    multiply_sums(level, &s1, &t1, c22, p->beta);   /* P5 */
    multiply_sums(level, &s2, &t2, c12, p->beta);   /* P6 */
    multiply_sums(level, &a11, &b11, c11, p->beta); /* P1 */
    mt_strassen_by_columns(level->call->threads, m, n, join_columns, p);
    multiply_sums(level, &a12, &b21, c11, 1);      /* P2 */
    multiply_sums(level, &s4, &b22, c12, 1);       /* P3 */
    multiply_sums(level, &a22, &minus_t4, c21, 1); /* -P4 */
}

/* m, n and k are multiples of 2^levels. */
static void multiply_even(const struct strassen_call *call, const struct product *p,
                          int levels, double *workspace)
{
    if (levels == 0) {
        multiply_leaf(call, p);
        return;
    }
    size_t m = p->m / 2, n = p->n / 2, k = p->k / 2;
    double *room_b = workspace + temporary_room(m, k);
    struct level level = {
        .call = call,
        .whole = p,
        .a = quarter_operand(&p->a, m, k, workspace),
        .b = quarter_operand(&p->b, k, n, room_b),
        .levels = levels - 1,
        .workspace = room_b + temporary_room(k, n),
    };
    if (levels == 1 && call->packed && mt_kernel_suits(m, n, k))
        multiply_quarters_by_kernel(&level);
    else
        multiply_quarters(&level);
}

/*
 * The largest product whose sizes can be halved so often is cut. The rows, columns and
 * depth left over, fewer than 2^levels of each, are thin products: peeled off once, as
 * C would be gone through again on every level.
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
        const struct product columns =
            mt_strassen_part(p, 0, p->m, core.n, p->n - core.n);
        multiply_thin(call, &columns);
    }
    if (core.m < p->m) {
        const struct product rows =
            mt_strassen_part(p, core.m, p->m - core.m, 0, core.n);
        multiply_thin(call, &rows);
    }
}
