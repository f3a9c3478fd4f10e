/* SPDX-License-Identifier: BSD-3-Clause */
/* Random linear systems, each entry a hash of its place, and HPL's scaled residual. */
#include "linear_system.h"

#include "lib/stats/random.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Every entry is a hash of its place. */
double linear_system_entry(const struct linear_system *system, int row, int column)
{
    const uint64_t place = ((uint64_t)system->seed << 48) +
                           ((uint64_t)(uint32_t)column << 24) + (uint64_t)(uint32_t)row;
    return mt_random_uniform(mt_random_at(place)) - 0.5;
}

/* The largest relative error of a rounded result: what HPL calls eps. */
static const double rounding = DBL_EPSILON / 2;

static double greatest(const double *values, int count)
{
    double result = 0;
    for (int i = 0; i < count; i++)
        if (!(fabs(values[i]) <= result)) /* a NaN stays */
            result = fabs(values[i]);
    return result;
}

/* Add this rank's share of Ax to `product` and of A's row sums to `row_sums`. */
static void multiply_share(const struct linear_system *system, const double *x,
                           int rank, int ranks, double *product, double *row_sums)
{
    for (int column = rank; column < system->size; column += ranks)
        for (int row = 0; row < system->size; row++) {
            const double entry = linear_system_entry(system, row, column);
            product[row] += entry * x[column];
            row_sums[row] += fabs(entry);
        }
}

double linear_system_residual(const struct linear_system *system, const double *x,
                              MPI_Comm comm)
{
    const int size = system->size;
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);

    double *sums = calloc(3 * (size_t)size, sizeof *sums);
    int have = sums != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, comm);
    if (!have) {
        free(sums);
        return NAN;
    }
    double *product = sums, *row_sums = sums + size, *b = sums + 2 * (size_t)size;
    multiply_share(system, x, rank, ranks, product, row_sums);
    MPI_Allreduce(MPI_IN_PLACE, sums, 2 * size, MPI_DOUBLE, MPI_SUM, comm);
    for (int row = 0; row < size; row++) {
        b[row] = linear_system_entry(system, row, size);
        product[row] -= b[row];
    }
    const double scale =
        greatest(row_sums, size) * greatest(x, size) + greatest(b, size);
    const double residual = greatest(product, size) / (rounding * scale * size);
    free(sums);
    return residual;
}
