/* SPDX-License-Identifier: BSD-3-Clause */
/* Means and variances of a design's posterior, against those that the joint normal
   distribution's formulas give, with its covariances written out. */
#include "lib/design/posterior.h"

#include "tests/unit/test.h"

enum { POINTS = 7, FIRST_TARGET = 5, SEEN = 3 };

static const struct mt_design_point points[POINTS] = {
    {.class = 0, .size = -1, .ranks = 0, .prior = 2},
    {.class = 0, .size = 0.5, .ranks = 2, .prior = 3},
    {.class = 1, .size = -0.5, .ranks = 1, .prior = 1},
    {.class = 1, .size = 1, .ranks = 3, .prior = 4},
    {.class = 0, .size = 1, .ranks = 3, .prior = 4},
    {.class = 0, .size = 1.5, .ranks = 2.5, .prior = 5},
    {.class = 1, .size = 1.5, .ranks = 2.5, .prior = 5},
};
static const int seen[SEEN] = {0, 2, 1};
static const double values[SEEN] = {2.5, 0.25, 3.75};
static const double noise = 0.0025;

static double covariance(int i, int j)
{
    const struct mt_design_point *a = &points[i], *b = &points[j];
    const double n = a->size * b->size, p = a->ranks * b->ranks;
    const double bend = n * n + n * p + p * p;
    const double common = 100 + n + 0.25 * p + 0.02 * bend;
    return a->class == b->class ? common + 1 + 0.06 * (n + p) + 0.005 * bend : common;
}

/* x of A x = b, by Gaussian elimination; A is positive definite. */
static void solve(double a[SEEN][SEEN], double *b, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* weights of the first n observations in what is expected of point i. */
static void weigh(double *weights, int i, int n)
{
    double a[SEEN][SEEN];
    for (int k = 0; k < n; k++) {
        weights[k] = covariance(i, seen[k]);
        for (int l = 0; l < n; l++)
            a[k][l] = covariance(seen[k], seen[l]) + (k == l ? noise : 0);
    }
    solve(a, weights, n);
}

static double expected_mean(int i, int n)
{
    double weights[SEEN], mean = points[i].prior;
    weigh(weights, i, n);
    for (int k = 0; k < n; k++)
        mean += weights[k] * (values[k] - points[seen[k]].prior);
    return mean;
}

static double expected_covariance(int i, int j, int n)
{
    double weights[SEEN], left = covariance(i, j);
    weigh(weights, i, n);
    for (int k = 0; k < n; k++)
        left -= weights[k] * covariance(j, seen[k]);
    return left;
}

static void check(const struct mt_variance *posterior, int n)
{
    for (int i = 0; i < POINTS; i++) {
        const double variance = expected_covariance(i, i, n);
        double gain = 0;
        for (int t = FIRST_TARGET; t < POINTS; t++)
            gain += pow(expected_covariance(i, t, n), 2) / (variance + noise);
        assert_close(posterior->variance[i], variance, 1e-6);
        assert_close(mt_variance_gain(posterior, i), gain, 1e-6);
    }
}

static void agrees_with_the_formulas(void **state)
{
    (void)state;
    struct mt_variance posterior = {0};
    assert_int_equal(mt_variance_init(&posterior, points, POINTS, FIRST_TARGET, NULL),
                     MT_OK);
    check(&posterior, 0);
    for (int n = 1; n <= SEEN; n++) {
        assert_int_equal(
            mt_variance_observe(&posterior, seen[n - 1], values[n - 1], NULL), MT_OK);
        check(&posterior, n);
        for (int i = 0; i < POINTS; i++)
            assert_close(posterior.mean[i], expected_mean(i, n), 1e-9);
    }
    mt_variance_forget(&posterior, 1);
    check(&posterior, 1);
    mt_variance_clear(&posterior);
}

/* What a gain promises comes true, for whichever point is observed. */
static void gains_come_true(void **state)
{
    (void)state;
    for (int i = 0; i < FIRST_TARGET; i++) {
        struct mt_variance posterior = {0};
        assert_int_equal(
            mt_variance_init(&posterior, points, POINTS, FIRST_TARGET, NULL), MT_OK);
        assert_int_equal(mt_variance_observe(&posterior, 0, 2, NULL), MT_OK);
        double before = 0, after = 0;
        for (int t = FIRST_TARGET; t < POINTS; t++)
            before += posterior.variance[t];
        const double gain = mt_variance_gain(&posterior, i);
        assert_int_equal(mt_variance_observe(&posterior, i, posterior.mean[i], NULL),
                         MT_OK);
        for (int t = FIRST_TARGET; t < POINTS; t++)
            after += posterior.variance[t];
        assert_close(before - after, gain, 1e-9);
        mt_variance_clear(&posterior);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_formulas),
        cmocka_unit_test(gains_come_true),
    };
    return cmocka_run_group_tests_name("posterior", tests, NULL, NULL);
}
