/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - columns of a square sparse matrix, compressed: the non-zeros of a column
 * are contiguous, in the order of their rows. Reading a column is cheap; reading a row
 * takes a search in every column.
 *
 * The matrix is random, but any process can compute any of its columns at any time.
 */
#ifndef MT_APPS_SPMM_MATRIX_H
#define MT_APPS_SPMM_MATRIX_H

#include "apps/common/parts.h"
#include "apps/common/work.h"

/* The parameters of a matrix. The number of non-zeros in a column falls linearly from
   the middle of the matrix to its edges. */
struct spmm_shape {
    int size;       /* rows, and columns */
    double density; /* share of non-zeros among the entries */
    double slope;   /* non-zeros of the first and last column, as a share of the middle
                       one's */
    unsigned seed;  /* another seed makes another matrix */
};

/* An element of a row; laid out as MPI_DOUBLE_INT. */
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
    double search_steps; /* to find a row in all of them */
    size_t *starts; /* owned; count + 1: where each column begins; NULL: model only */
    int *rows;      /* owned; of the non-zeros */
    double *values; /* owned; of the non-zeros */
};

/* Give each rank columns firsts[rank] to firsts[rank + 1] - 1, at least one, with
   non-zeros by the weights. There must be as many columns as ranks. */
void spmm_cut_columns(const struct spmm_shape *shape, const double *weights, int ranks,
                      int *firsts, struct parts_summary *summary);

/* Make columns. Returns 0, or -1 when memory is short, with `columns` zeroed. */
int spmm_columns_init(struct spmm_columns *columns, const struct work_node *node,
                      const struct spmm_shape *shape, int first, int count);
void spmm_columns_clear(struct spmm_columns *columns);

/* Add, for every row, its number of non-zeros in these columns to lengths[row]. */
void spmm_count_rows(const struct spmm_columns *columns, int *lengths);
/* Search all columns for the elements of a row; `elements` must have room for all. */
void spmm_extract_row(const struct spmm_columns *columns, int row,
                      struct spmm_element *elements);
/* Multiply a row of another matrix, `size` values, by the columns: result[i] is its
   product with the i-th of them. */
void spmm_multiply(const struct spmm_columns *columns, const double *row,
                   double *result);

#endif
