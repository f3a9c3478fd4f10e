/* SPDX-License-Identifier: BSD-3-Clause */
/* A module of an interpreter, which brings the BLAS. */
#include <cblas.h>

double trace_of_square(int n, double *a, double *c);

double trace_of_square(int n, double *a, double *c)
{
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, a, n, 0, c,
                n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += c[i + i * n];
    return sum;
}
