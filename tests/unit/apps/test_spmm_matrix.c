/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/spmm/matrix.h"

#include "tests/unit/test.h"

enum { RANKS = 5 };

static void expect_cut(double slope, const double weights[RANKS],
                       const int expected[RANKS + 1])
{
    const struct spmm_shape shape = {.size = 100, .density = 0.1, .slope = slope};
    struct parts_summary summary = {0};
    int firsts[RANKS + 1];
    spmm_cut_columns(&shape, weights, RANKS, firsts, &summary);
    for (int rank = 0; rank <= RANKS; rank++)
        assert_int_equal(firsts[rank], expected[rank]);
}

static void columns_follow_weights(void **state)
{
    (void)state;
    expect_cut(1, (const double[]){1, 1, 1, 1, 1},
               (const int[]){0, 20, 40, 60, 80, 100});
    expect_cut(1, (const double[]){1, 2, 4, 2, 1},
               (const int[]){0, 10, 30, 70, 90, 100});
    /* every rank has one, at either end, too */
    expect_cut(1, (const double[]){1, 1e-9, 1e-9, 1, 1e-9},
               (const int[]){0, 50, 51, 52, 99, 100});
    expect_cut(1, (const double[]){1e-9, 1e-9, 1e-9, 1e-9, 1},
               (const int[]){0, 1, 2, 3, 4, 100});
}

/* A column in the middle has twice as many as one on average. */
static void parts_are_as_large_as_their_non_zeros(void **state)
{
    (void)state;
    const struct spmm_shape shape = {.size = 3000, .density = 0.1, .slope = 0};
    const struct work_node node = {.model_only = true};
    const double weights[RANKS] = {3, 1, 2, 1, 3};
    struct parts_summary summary = {0};
    int firsts[RANKS + 1];
    double nonzeros[RANKS], all = 0;
    spmm_cut_columns(&shape, weights, RANKS, firsts, &summary);
    for (int rank = 0; rank < RANKS; rank++) {
        struct spmm_columns columns;
        assert_int_equal(spmm_columns_init(&columns, &node, &shape, firsts[rank],
                                           firsts[rank + 1] - firsts[rank]),
                         0);
        nonzeros[rank] = columns.nonzeros;
        all += columns.nonzeros;
    }
    for (int rank = 0; rank < RANKS; rank++)
        assert_close(nonzeros[rank], all * weights[rank] / 10, 0.01);
    assert_in_range(firsts[3] - firsts[2], 300, 360); /* of 600, were they all alike */
    assert_close(summary.all, all, 0);
    assert_close(parts_imbalance(&summary), 1, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_follow_weights),
        cmocka_unit_test(parts_are_as_large_as_their_non_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
