/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify.h"

#include "matrix.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

enum { MOST_TO_MULTIPLY = 600 };

/* result = (the whole matrix) vector */
static void apply(const struct mt_pdgemm_part *part, const double *vector,
                  double *result)
{
    for (int row = 0; row < part->rows; row++)
        result[row] = 0;
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int column = 0; column < block->columns; column++) {
            const double factor = vector[block->column + column];
            const double *values =
                block->values + (size_t)column * (size_t)block->leading;
            for (int row = 0; row < block->rows; row++)
                result[block->row + row] += factor * values[row];
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, result, part->rows, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

static double larger(double largest, double difference)
{
    return fabs(difference) <= largest ? largest : fabs(difference); /* a NaN stays */
}

static double compare_by_vector(const struct mt_pdgemm_part *a,
                                const struct mt_pdgemm_part *b,
                                const struct mt_pdgemm_part *c, double *vectors)
{
    double *t = vectors, *bt = t + c->columns, *abt = bt + b->rows, *ct = abt + c->rows;
    for (int i = 0; i < c->columns; i++)
        t[i] = i % 5 - 2;
    apply(b, t, bt);
    apply(a, bt, abt);
    apply(c, t, ct);
    double largest = 0;
    for (int i = 0; i < c->rows; i++)
        largest = larger(largest, ct[i] - abt[i]);
    return largest;
}

static double compare_by_element(const struct strassen_matrix *a,
                                 const struct strassen_matrix *b,
                                 const struct strassen_matrix *c)
{
    double largest = 0;
    for (int column = 0; column < c->columns; column++)
        for (int row = 0; row < c->rows; row++) {
            double sum = c->values[column * c->rows + row];
            for (int i = 0; i < a->columns; i++)
                sum -= a->values[i * a->rows + row] * b->values[column * b->rows + i];
            largest = larger(largest, sum);
        }
    return largest;
}

/* On rank 0 */
static int gather_and_compare(double *difference, const struct mt_pdgemm_part *a,
                              const struct mt_pdgemm_part *b,
                              const struct mt_pdgemm_part *c, struct mt_error *err)
{
    struct strassen_matrix whole_a = {0}, whole_b = {0}, whole_c = {0};
    int status = strassen_matrix_gather(&whole_a, a, err);
    if (!status)
        status = strassen_matrix_gather(&whole_b, b, err);
    if (!status)
        status = strassen_matrix_gather(&whole_c, c, err);
    if (!status)
        *difference = compare_by_element(&whole_a, &whole_b, &whole_c);
    MPI_Bcast(difference, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    strassen_matrix_clear(&whole_c);
    strassen_matrix_clear(&whole_b);
    strassen_matrix_clear(&whole_a);
    return status;
}

int strassen_verify_integers(double *difference, const struct mt_pdgemm_part *a,
                             const struct mt_pdgemm_part *b,
                             const struct mt_pdgemm_part *c, struct mt_error *err)
{
    const size_t count = (size_t)c->columns + (size_t)b->rows + 2 * (size_t)c->rows;
    double *vectors = calloc(count, sizeof *vectors);
    int have = vectors != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!have || !vectors) {
        free(vectors);
        return mt_fail(err, MT_ENOMEM, "no memory for %zu numbers", count);
    }
    double by_vector = compare_by_vector(a, b, c, vectors), by_element = 0;
    free(vectors);
    int status = MT_OK;
    if (c->rows <= MOST_TO_MULTIPLY && c->columns <= MOST_TO_MULTIPLY &&
        b->rows <= MOST_TO_MULTIPLY)
        status = gather_and_compare(&by_element, a, b, c, err);
    if (!status)
        *difference = larger(by_element, by_vector);
    return status;
}
