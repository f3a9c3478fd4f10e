/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gram.h - least squares with non-negative unknowns by the normal equations, for
 * problems that are solved again and again with other rows or other columns.
 *
 * The rows of A are sparse. Columns that meet in no row have no product, and where such
 * columns stand apart, in blocks, with the columns that meet all of them behind, a
 * Cholesky factor has no more entries than A'A: a factor from scratch costs less than
 * to update a dense one.
 *
 * The squares of the condition numbers of A are what counts here: add a ridge.
 */
#ifndef MT_GRAM_H
#define MT_GRAM_H

#include "motley/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A row of A, which is zero but at ascending columns, and its entry of b. Borrowed. */
struct mt_sparse_row {
    const int *columns;
    const double *values;
    int count;
    double right;
};

/* A'A and A'b. Of row i of A'A the columns first[i] .. i are held, from products +
   start[i] on. Members may be read. Zeroed is empty. */
struct mt_gram {
    int n;
    int *first;       /* owned */
    size_t *start;    /* owned */
    double *products; /* owned */
    double *right;    /* owned; A'b */
    double square;    /* b'b */
};

/* All zero, of `n` columns, with room for the sums of such rows (or of rows with fewer
   values at the same columns). `gram` must be empty. */
MT_MUST_CHECK int mt_gram_init(struct mt_gram *gram, int n,
                               const struct mt_sparse_row *rows, int nrows,
                               struct mt_error *err);
/* Make `part`, which must be empty, those rows and columns of a gram: `n` of them,
   ascending. */
MT_MUST_CHECK int mt_gram_extract(struct mt_gram *part, const struct mt_gram *gram,
                                  const int *columns, int n, struct mt_error *err);
void mt_gram_clear(struct mt_gram *gram);

/* Add weight times the products of a row; a negative weight takes the row out again. */
void mt_gram_add(struct mt_gram *gram, const struct mt_sparse_row *row, double weight);
/* Add it to each diagonal entry: the weight of the unknowns' own squares. */
void mt_gram_add_ridge(struct mt_gram *gram, double ridge);

/* Product of columns i and j <= i. */
static inline double mt_gram_product(const struct mt_gram *gram, int i, int j)
{
    return j < gram->first[i] ? 0 : gram->products[gram->start[i] + j - gram->first[i]];
}

/*
 * Solve min |A x - b| over x >= 0, with x = 0 but in the columns that are `allowed`
 * (NULL: in all). On entry x is where to start: zeros, or the solution of a similar
 * problem, which saves most of the steps. Columns that depend on those before them are
 * left out.
 */
MT_MUST_CHECK int mt_gram_nnls(const struct mt_gram *gram, const bool *allowed,
                               double *x, struct mt_error *err);

#endif
