/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that good and bad solutions of a linear system are distinguished; prints TAP on
   rank 0. */
#include "apps/common/linear_system.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

enum { SIZE = 120 };

static int tests, failures;

static void expect(bool good, const char *what)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    tests++;
    failures += !good;
    if (rank == 0)
        printf("%sok %d - %s\n", good ? "" : "not ", tests, what);
}

static bool accepted(const struct linear_system *system, const double *x)
{
    return linear_system_residual(system, x, MPI_COMM_WORLD) < LINEAR_SYSTEM_TOLERANCE;
}

/* LAPACK's solution; with `pivoting` false, that of an elimination without. */
static void solve(const struct linear_system *system, double *x, bool pivoting)
{
    static double a[SIZE * SIZE];
    lapack_int pivots[SIZE];
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            a[j * SIZE + i] = linear_system_entry(system, i, j);
    for (int i = 0; i < SIZE; i++)
        x[i] = linear_system_entry(system, i, SIZE);
    LAPACKE_dgetrf(LAPACK_COL_MAJOR, SIZE, SIZE, a, SIZE, pivots);
    for (int i = 0; i < SIZE && !pivoting; i++)
        pivots[i] = i + 1;
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', SIZE, 1, a, SIZE, pivots, x, SIZE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct linear_system system = {.size = SIZE, .seed = 5};
    const struct linear_system other = {.size = SIZE, .seed = 6};
    double x[SIZE];

    solve(&system, x, true);
    expect(accepted(&system, x), "LAPACK's solution is accepted");
    expect(!accepted(&other, x), "the solution of another system is not");
    x[SIZE / 2] *= 1 + 1e-6;
    expect(!accepted(&system, x), "nor one with an error in the sixth digit");
    x[SIZE / 2] = NAN;
    expect(!accepted(&system, x), "nor one that is not a number");
    x[SIZE / 2] = INFINITY;
    expect(!accepted(&system, x), "nor an infinite one");
    for (int i = 0; i < SIZE; i++)
        x[i] = 0; /* A x - b is b itself, which the formula divides by */
    const double residual = linear_system_residual(&system, x, MPI_COMM_WORLD);
    expect(fabs(residual * SIZE * DBL_EPSILON / 2 - 1) < 1e-12,
           "x = 0 has 1 / (eps N)");
    solve(&system, x, false);
    expect(!accepted(&system, x), "nor one whose row exchanges were forgotten");

    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("1..%d\n", tests);
    MPI_Finalize();
    return failures != 0;
}
