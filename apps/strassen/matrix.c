/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include "apps/common/linear_system.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

/* Products of such integers stay exact in all sums of Strassen's method. */
static double small_integer(double number)
{
    return floor((number + 0.5) * 9) - 4;
}

void strassen_matrix_fill(struct mt_pdgemm_part *part, enum mt_pdgemm_matrix matrix,
                          int seed, bool integers)
{
    if (!part->values)
        return;
    const struct linear_system numbers = {.seed = 2 * (unsigned)seed +
                                                  (matrix == MT_PDGEMM_B)};
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int column = 0; column < block->columns; column++)
            for (int row = 0; row < block->rows; row++) {
                const double number = linear_system_entry(&numbers, block->row + row,
                                                          block->column + column);
                block->values[(size_t)column * (size_t)block->leading + (size_t)row] =
                    integers ? small_integer(number) : number;
            }
    }
}

int strassen_matrix_init(struct strassen_matrix *matrix, int rows, int columns,
                         struct mt_error *err)
{
    matrix->values = calloc((size_t)rows * (size_t)columns, sizeof *matrix->values);
    if (!matrix->values)
        return mt_fail(err, MT_ENOMEM, "no memory for a matrix of %d x %d", rows,
                       columns);
    matrix->rows = rows;
    matrix->columns = columns;
    return MT_OK;
}

void strassen_matrix_clear(struct strassen_matrix *matrix)
{
    free(matrix->values);
    *matrix = (struct strassen_matrix){.values = NULL};
}

int strassen_matrix_gather(struct strassen_matrix *matrix,
                           const struct mt_pdgemm_part *part, struct mt_error *err)
{
    int rank, status = MT_OK;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        status = strassen_matrix_init(matrix, part->rows, part->columns, err);
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status)
        return rank == 0 ? status : mt_fail(err, status, "rank 0 has no memory");
    return mt_pdgemm_gather(part, matrix->values, part->rows, 0, MPI_COMM_WORLD, err);
}
