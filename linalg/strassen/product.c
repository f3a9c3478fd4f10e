/* SPDX-License-Identifier: BSD-3-Clause */
#include "product.h"

#include "sums.h"

enum { LINE = 8, PAGE = 512, SMALL = 64 }; /* of cache and memory, in doubles */

/*
 * A temporary's leading dimension: whole cache lines, but not whole pages, or else the
 * elements of a row would compete for the same places in the cache. Small ones need no
 * such care, and would grow by much.
 */
static size_t padded(size_t rows)
{
    if (rows < SMALL)
        return rows;
    size_t ld = (rows + LINE - 1) / LINE * LINE;
    return ld % PAGE ? ld : ld + LINE;
}

/* Doubles of a temporary, whichever way round it lies. */
static size_t room(size_t rows, size_t columns)
{
    size_t by_columns = padded(rows) * columns, by_rows = padded(columns) * rows;
    return by_columns > by_rows ? by_columns : by_rows;
}

size_t mt_strassen_room(size_t m, size_t n, size_t k, int levels)
{
    size_t doubles = 0;
    for (int level = 0; level < levels; level++) {
        m /= 2;
        n /= 2;
        k /= 2;
        doubles += room(m, k) + room(k, n);
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

static struct quarters cut(const struct operand *operand, size_t rows, size_t columns,
                           double *temporary)
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
        .sum = {temporary, padded(height)},
        .room = temporary,
    };
}

static void add(struct quarters *x, struct quarter p, double sign, struct quarter q)
{
    mt_strassen_sum(x->rows, x->columns, x->room, x->sum.ld, p, sign, q);
}

/* A product that is cut, and what its parts are made of. */
struct level {
    const struct call *call;
    const struct product *whole;
    struct quarters a, b;
    int levels; /* of the parts */
    double *workspace;
};

/* C's quarter c = beta c + alpha qa qb. */
static void multiply(const struct level *level, struct quarter qa, struct quarter qb,
                     double *c, double beta)
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
    mt_strassen_multiply(level->call, &part, level->levels, level->workspace);
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
        mt_strassen_split(m, n, p->c, p->ldc);
    add(a, a->q11, -1, a->q21);                    /* S3 */
    add(b, b->q22, -1, b->q12);                    /* T3 */
    multiply(level, a->sum, b->sum, c21, p->beta); /* P7 */
    add(a, a->q21, +1, a->q22);                    /* S1 */
    add(b, b->q12, -1, b->q11);                    /* T1 */
    multiply(level, a->sum, b->sum, c22, p->beta); /* P5 */
    add(a, a->sum, -1, a->q11);                    /* S2 */
    add(b, b->q22, -1, b->sum);                    /* T2 */
    multiply(level, a->sum, b->sum, c12, p->beta); /* P6 */
    multiply(level, a->q11, b->q11, c11, p->beta); /* P1 */
    mt_strassen_join(m, n, p->c, p->ldc);
    multiply(level, a->q12, b->q21, c11, 1); /* P2 */
    add(a, a->q12, -1, a->sum);              /* S4 */
    multiply(level, a->sum, b->q22, c12, 1); /* P3 */
    add(b, b->q21, -1, b->sum);              /* -T4 */
    multiply(level, a->q22, b->sum, c21, 1); /* -P4 */
}

void mt_strassen_multiply(const struct call *call, const struct product *p, int levels,
                          double *workspace)
{
    if (levels == 0) {
        mt_strassen_leaf(call, p);
        return;
    }
    size_t m = p->m / 2, n = p->n / 2, k = p->k / 2;
    double *room_b = workspace + room(m, k);
    struct level level = {
        .call = call,
        .whole = p,
        .a = cut(&p->a, m, k, workspace),
        .b = cut(&p->b, k, n, room_b),
        .levels = levels - 1,
        .workspace = room_b + room(k, n),
    };
    multiply_quarters(&level);
}
