/* SPDX-License-Identifier: BSD-3-Clause */
/* QR factorisation and least squares by LAPACK. */
#include "least_squares.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* Columns that are combinations of others, up to rounding, leave pivots of about 1e-16;
   columns that merely resemble each other (N^3/P to P*N^2 over a factor of two in N and
   P) stay far above this. */
static const double smallest_pivot = 1e-12;

int mt_reduce_to_triangle(double *matrix, int ld, int rows, int columns,
                          struct mt_error *err)
{
    double *tau = malloc((size_t)columns * sizeof *tau);
    if (!tau)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", columns - 1);
    const int info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, rows, columns, matrix, ld, tau);
    free(tau);
    if (info != 0)
        return mt_fail(err, MT_EINVAL, "the values to fit are not all finite");
    for (int j = 0; j < columns; j++)
        memset(matrix + (size_t)j * (size_t)ld + j + 1, 0,
               (size_t)(rows - j - 1) * sizeof *matrix);
    return MT_OK;
}

int mt_solve_least_squares(const double *triangle, int ld, int unknowns, double *x,
                           int *rank, struct mt_error *err)
{
    const int n = unknowns;
    const size_t column_bytes = (size_t)n * sizeof(double);
    double *a = malloc((size_t)n * column_bytes);
    int *order = calloc((size_t)n, sizeof *order);
    int status = MT_OK;
    if (!a || !order) {
        status = mt_fail(err, MT_ENOMEM, "no memory to fit %d terms", n);
    } else {
        for (int j = 0; j < n; j++)
            memcpy(a + (size_t)j * (size_t)n, triangle + (size_t)j * (size_t)ld,
                   column_bytes);
        memcpy(x, triangle + (size_t)n * (size_t)ld, column_bytes);
        if (LAPACKE_dgelsy(LAPACK_COL_MAJOR, n, n, 1, a, n, x, n, order, smallest_pivot,
                           rank) != 0)
            status = mt_fail(err, MT_EINVAL, "the values to fit are not all finite");
    }
    free(order);
    free(a);
    return status;
}

int mt_factor_cholesky(double *matrix, int n, struct mt_error *err)
{
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, matrix, n) != 0)
        return mt_fail(err, MT_ERANK, "a covariance matrix is not positive definite");
    return MT_OK;
}

int mt_solve_cholesky(const double *factor, int n, double *x, struct mt_error *err)
{
    if (LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, factor, n, x, n) != 0)
        return mt_fail(err, MT_EINVAL, "the values to solve for are not all finite");
    return MT_OK;
}
