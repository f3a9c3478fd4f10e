/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - columns of a square sparse matrix, compressed: the non-zeros of a
 * column lie side by side, in the order of their rows, so that a column is near at hand
 * and a row has to be searched for in every column.
 *
 * The matrix is random, but any process can make any of its columns at any time.
 */
#ifndef MT_APPS_SPMM_MATRIX_H
#define MT_APPS_SPMM_MATRIX_H

#include "apps/common/parts.h"
#include "apps/common/work.h"

/* Which matrix: the number of non-zeros in a column falls linearly from the middle of
   the matrix to its edges. */
struct spmm_shape {
    int size;       /* rows, and columns */
    double density; /* share of non-zeros among the entries */
    double slope;   /* non-zeros of the first and last column, as a share of the middle
                       one's */
    unsigned seed;  /* another seed makes another matrix */
};

/* An element of a row; as MPI_DOUBLE_INT has it. */
struct spmm_element {
    double value;
    int column;
};

/* Columns `first` to `first` + `count` - 1 of a matrix. */
struct spmm_columns {
    struct spmm_shape shape;
    struct work_node node;
    int first, count;
    double nonzeros;     /* of these columns */
    double search_steps; /* that it takes to find a row in all of them */
    size_t *starts; /* owned; count + 1: where each column begins; NULL: model only */
    int *rows;      /* owned; of the non-zeros */
    double *values; /* owned; of the non-zeros */
};

/* Cut the matrix into columns firsts[rank] to firsts[rank + 1] - 1 for each rank, one
   at least, whose non-zeros follow the weights. There must be as many columns as ranks.
 */
void spmm_cut_columns(const struct spmm_shape *shape, const double *weights, int ranks,
                      int *firsts, struct parts_summary *summary);

/* Make columns. Returns 0, or -1 when memory is short, with `columns` zeroed. */
int spmm_columns_init(struct spmm_columns *columns, const struct work_node *node,
                      const struct spmm_shape *shape, int first, int count);
void spmm_columns_clear(struct spmm_columns *columns);

/* Add to lengths[row], for every row, how many non-zeros these columns have there. */
void spmm_count_rows(const struct spmm_columns *columns, int *lengths);
/* Search all columns for the elements of a row, which has room for as many as there
   are. */
void spmm_extract_row(const struct spmm_columns *columns, int row,
                      struct spmm_element *elements);
/* Multiply a row of another matrix, `size` values, with the columns: result[i] is its
   product with the i-th of them. */
void spmm_multiply(const struct spmm_columns *columns, const double *row,
                   double *result);

#endif
