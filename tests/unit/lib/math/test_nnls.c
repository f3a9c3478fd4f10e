/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/math/least_squares.h"
#include "lib/math/nnls.h"

#include "tests/unit/test.h"

#include <stdbool.h>

enum { LD = 40, MOST = 6 };

/* A random problem: [A b], by columns, and its triangle. */
struct random_problem {
    int rows, n;
    double full[LD * (MOST + 1)];
    double triangle[LD * (MOST + 1)];
};

/* Uniform in -1 .. 1; a generator of our own, so that every machine sees the same. */
static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 2147483648.0 - 1;
}

static void make(struct random_problem *p, unsigned seed)
{
    unsigned state = seed * 2654435761u + 1;
    memset(p, 0, sizeof *p);
    p->n = 1 + (int)(seed % MOST);
    p->rows = p->n + 1 + (int)(seed % 20);
    for (int j = 0; j <= p->n; j++) {
        for (int i = 0; i < p->rows; i++)
            p->full[j * LD + i] = uniform(&state);
    }
    memcpy(p->triangle, p->full, sizeof p->full);
    assert_int_equal(mt_reduce_to_triangle(p->triangle, LD, p->rows, p->n + 1, NULL),
                     MT_OK);
}

static double residual_square(const struct random_problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->rows; i++) {
        double r = p->full[p->n * LD + i];
        for (int j = 0; j < p->n; j++)
            r -= p->full[j * LD + i] * x[j];
        sum += r * r;
    }
    return sum;
}

/* The least squares over the unknowns in `set` by the normal equations and Gauss's
   elimination: another way than the code's. */
static void solve_subset(const struct random_problem *p, unsigned set, double *x)
{
    double a[MOST][MOST + 1];
    int index[MOST], k = 0;
    for (int j = 0; j < p->n; j++) {
        x[j] = 0;
        if (set >> j & 1)
            index[k++] = j;
    }
    for (int r = 0; r < k; r++) {
        for (int c = 0; c <= k; c++) {
            const double *left = p->full + index[r] * LD;
            const double *right = p->full + (c < k ? index[c] : p->n) * LD;
            a[r][c] = 0;
            for (int i = 0; i < p->rows; i++)
                a[r][c] += left[i] * right[i];
        }
    }
    for (int pivot = 0; pivot < k; pivot++) {
        for (int r = 0; r < k; r++) {
            const double factor = r == pivot ? 0 : a[r][pivot] / a[pivot][pivot];
            for (int c = pivot; c <= k; c++)
                a[r][c] -= factor * a[pivot][c];
        }
    }
    for (int r = 0; r < k; r++)
        x[index[r]] = a[r][k] / a[r][r];
}

static void agrees_with_all_active_sets(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 600; seed++) {
        struct random_problem p;
        make(&p, seed);
        double least = HUGE_VAL, x[MOST] = {0};
        for (unsigned set = 0; set < 1u << p.n; set++) {
            double y[MOST];
            bool feasible = true;
            solve_subset(&p, set, y);
            for (int j = 0; j < p.n; j++)
                feasible = feasible && y[j] >= 0;
            if (feasible)
                least = fmin(least, residual_square(&p, y));
        }
        assert_int_equal(mt_nnls(p.triangle, LD, p.n, x, NULL), MT_OK);
        for (int j = 0; j < p.n; j++)
            assert_true(x[j] >= 0);
        assert_close(residual_square(&p, x), least, 1e-10);
    }
}

/* Karush, Kuhn and Tucker: where x is 0 the residual does not fall with x; elsewhere it
   is at rest. */
static void satisfies_optimality_conditions(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 600; seed++) {
        struct random_problem p;
        double x[MOST] = {0};
        make(&p, seed);
        assert_int_equal(mt_nnls(p.triangle, LD, p.n, x, NULL), MT_OK);
        for (int j = 0; j < p.n; j++) {
            double slope = 0;
            for (int i = 0; i < p.rows; i++) {
                double r = p.full[p.n * LD + i];
                for (int k = 0; k < p.n; k++)
                    r -= p.full[k * LD + i] * x[k];
                slope += p.full[j * LD + i] * r;
            }
            assert_true(slope < 1e-12 * p.rows);
            assert_true(x[j] == 0 || slope > -1e-12 * p.rows);
        }
    }
}

static void start_does_not_change_the_solution(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 200; seed++) {
        struct random_problem p;
        double cold[MOST] = {0}, warm[MOST];
        unsigned random = seed;
        make(&p, seed);
        for (int j = 0; j < p.n; j++)
            warm[j] = fmax(0, uniform(&random));
        assert_int_equal(mt_nnls(p.triangle, LD, p.n, cold, NULL), MT_OK);
        assert_int_equal(mt_nnls(p.triangle, LD, p.n, warm, NULL), MT_OK);
        for (int j = 0; j < p.n; j++)
            assert_true(fabs(warm[j] - cold[j]) < 1e-9 * (1 + cold[j]));
    }
}

/* Columns that are the same, or zero, or more than the rows determine. */
static void survives_dependent_columns(void **state)
{
    (void)state;
    for (unsigned seed = 3; seed < 600; seed += MOST) { /* 4 unknowns */
        struct random_problem p;
        double x[MOST] = {0}, warm[MOST] = {1, 1, 1, 1}, two[MOST] = {0};
        make(&p, seed);
        memcpy(p.full + LD, p.full, LD * sizeof(double));
        memset(p.full + 2 * LD, 0, LD * sizeof(double));
        memcpy(p.triangle, p.full, sizeof p.full);
        assert_int_equal(mt_reduce_to_triangle(p.triangle, LD, p.rows, p.n + 1, NULL),
                         MT_OK);
        assert_int_equal(mt_nnls(p.triangle, LD, p.n, x, NULL), MT_OK);
        assert_int_equal(mt_nnls(p.triangle, LD, p.n, warm, NULL), MT_OK);
        assert_true(x[2] == 0 && (x[0] == 0 || x[1] == 0));

        /* The same problem without the repetitions. */
        struct random_problem q = p;
        q.n = 2;
        memcpy(q.full + LD, p.full + 3 * LD, LD * sizeof(double));
        memcpy(q.full + 2 * LD, p.full + 4 * LD, LD * sizeof(double));
        memcpy(q.triangle, q.full, sizeof q.full);
        assert_int_equal(mt_reduce_to_triangle(q.triangle, LD, q.rows, 3, NULL), MT_OK);
        assert_int_equal(mt_nnls(q.triangle, LD, 2, two, NULL), MT_OK);
        assert_close(residual_square(&p, x), residual_square(&q, two), 1e-10);
        assert_close(residual_square(&p, warm), residual_square(&q, two), 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_active_sets),
        cmocka_unit_test(satisfies_optimality_conditions),
        cmocka_unit_test(start_does_not_change_the_solution),
        cmocka_unit_test(survives_dependent_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
