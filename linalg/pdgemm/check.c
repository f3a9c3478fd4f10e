/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a product by multiplying random vectors (Freivalds' algorithm). */
#include "agree.h"
#include "message.h"

#include "motley/pdgemm.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A vector, and a bound of it: the same sums over absolute values. */
struct bounded_vector {
    double *value, *bound; /* owned, one array */
    int size;
};

static int pair_init(struct bounded_vector *pair, int size, struct mt_error *err)
{
    double *values = calloc(2 * (size_t)size + 1, sizeof *values);
    if (values == NULL)
        return mt_fail(err, MT_ENOMEM, "no memory for vectors of %d", size);
    pair->value = values;
    pair->bound = values + size;
    pair->size = size;
    return MT_OK;
}

/* Xorshift64*; the same on all ranks. Multiples of 2^-20: with matrices of small
   integers, whose sums below 2^33 are then exact, a right product has a difference of
   0. */
static double next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 44) * 0x1p-20;
}

/* Values of magnitude 1/2 or more, so that every column matters. */
static void set_random(struct bounded_vector *t, unsigned seed)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)seed + 1);
    for (int i = 0; i < t->size; i++) {
        const double number = next_random(&state);
        t->value[i] = number < 0.5 ? number - 1 : number;
        t->bound[i] = fabs(t->value[i]);
    }
}

/* y = y + factor M x, over the rank's blocks. */
static void add_product(struct bounded_vector *y, double factor,
                        const struct mt_pdgemm_part *part,
                        const struct bounded_vector *x)
{
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int j = 0; j < block->columns; j++) {
            const double *column = block->values + (size_t)j * (size_t)block->leading;
            const double value = factor * x->value[block->column + j];
            const double bound = fabs(factor) * x->bound[block->column + j];
            for (int row = 0; row < block->rows; row++) {
                y->value[block->row + row] += column[row] * value;
                y->bound[block->row + row] += fabs(column[row]) * bound;
            }
        }
    }
}

/* The sums over all ranks. */
static int add_up(struct bounded_vector *pair, MPI_Comm comm, struct mt_error *err)
{
    int code =
        MPI_Allreduce(MPI_IN_PLACE, pair->value, pair->size, MPI_DOUBLE, MPI_SUM, comm);
    if (code == MPI_SUCCESS)
        code = MPI_Allreduce(MPI_IN_PLACE, pair->bound, pair->size, MPI_DOUBLE, MPI_SUM,
                             comm);
    return pdgemm_mpi(code, err);
}

/* The largest value in units of k rounding errors of the largest bound; NaN if any. */
static double worst(const struct bounded_vector *error, int k)
{
    double value = 0, bound = 0;
    for (int i = 0; i < error->size; i++) {
        if (isnan(error->value[i]))
            return NAN;
        value = fmax(value, fabs(error->value[i]));
        bound = fmax(bound, error->bound[i]);
    }
    return value == 0 ? 0 : value / (DBL_EPSILON * fmax(k, 1) * bound);
}

struct check {
    double alpha, beta;
    const struct mt_pdgemm_part *a, *b, *before, *c;
    unsigned seed;
    struct bounded_vector t, bt, error;
};

static int has_shape(const struct mt_pdgemm_part *part, const char *name, int rows,
                     int columns, struct mt_error *err)
{
    if (part->values == NULL)
        return mt_fail(err, MT_EINVAL, "the part of %s has no values", name);
    if (part->rows != rows || part->columns != columns)
        return mt_fail(err, MT_EINVAL,
                       "the part of %s is of a %d x %d matrix, not %d x %d", name,
                       part->rows, part->columns, rows, columns);
    return MT_OK;
}

static int prepare(struct check *check, struct mt_error *err)
{
    const int m = check->c->rows, n = check->c->columns, k = check->a->columns;
    int status = has_shape(check->c, "C", m, n, err);
    if (status == MT_OK)
        status = has_shape(check->a, "A", m, k, err);
    if (status == MT_OK)
        status = has_shape(check->b, "B", k, n, err);
    if (status == MT_OK && check->beta != 0)
        status = check->before == NULL
                     ? mt_fail(err, MT_EINVAL, "C as it was before is missing")
                     : has_shape(check->before, "C before", m, n, err);
    if (status == MT_OK)
        status = pair_init(&check->t, n, err);
    if (status == MT_OK)
        status = pair_init(&check->bt, k, err);
    if (status == MT_OK)
        status = pair_init(&check->error, m, err);
    return status;
}

static int agree(const struct check *check, int status, MPI_Comm comm,
                 struct mt_error *err)
{
    const struct pdgemm_fact facts[] = {
        {"m", check->c->rows},   {"n", check->c->columns}, {"k", check->a->columns},
        {"alpha", check->alpha}, {"beta", check->beta},    {"seed", check->seed},
    };
    return pdgemm_agree(facts, sizeof facts / sizeof *facts, status, comm, err);
}

static int find_error(struct check *check, MPI_Comm comm, struct mt_error *err)
{
    set_random(&check->t, check->seed);
    add_product(&check->bt, 1, check->b, &check->t);
    const int status = add_up(&check->bt, comm, err);
    if (status != MT_OK)
        return status;
    add_product(&check->error, check->alpha, check->a, &check->bt);
    if (check->beta != 0)
        add_product(&check->error, check->beta, check->before, &check->t);
    add_product(&check->error, -1, check->c, &check->t);
    return add_up(&check->error, comm, err);
}

int mt_pdgemm_check(double *difference, double alpha, const struct mt_pdgemm_part *a,
                    const struct mt_pdgemm_part *b, double beta,
                    const struct mt_pdgemm_part *before, const struct mt_pdgemm_part *c,
                    unsigned seed, MPI_Comm comm, struct mt_error *err)
{
    struct check check = {.alpha = alpha,
                          .beta = beta,
                          .a = a,
                          .b = b,
                          .before = before,
                          .c = c,
                          .seed = seed};
    struct mt_error words = {0}; /* so that others learn of it, even if the caller
                                    ignores it */
    int status = agree(&check, prepare(&check, &words), comm, &words);
    if (status == MT_OK)
        status = find_error(&check, comm, &words);
    if (status == MT_OK)
        *difference = worst(&check.error, a->columns);
    free(check.t.value);
    free(check.bt.value);
    free(check.error.value);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", words.text);
}
