/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/partition/blocks.h"
#include "lib/partition/deal.h"
#include "lib/partition/steps.h"

#include "tests/unit/test.h"

enum { MOST_RANKS = 40 };

static const struct mt_partition_product product = {2000, 1500, 1800};

/* Speeds from 1 to `ratio`. */
static struct mt_partition_cluster make_cluster(struct mt_strassen_speed *speeds,
                                                int ranks, double ratio)
{
    for (int rank = 0; rank < ranks; rank++) {
        const double factor =
            ranks > 1 ? pow(ratio, (rank * 7 % ranks) / (ranks - 1.0)) : 1;
        speeds[rank] = (struct mt_strassen_speed){1e9 * factor, 100, 1e9 * factor};
    }
    return (struct mt_partition_cluster){ranks, speeds, {1e-4, 1e8, 2, 1}};
}

static double seconds_of(const struct mt_partition *partition,
                         const struct mt_partition_cluster *cluster)
{
    struct mt_partition_forecast forecast = {0};
    assert_int_equal(
        mt_partition_predict(&forecast, partition, &product, cluster, NULL), MT_OK);
    const double seconds = forecast.seconds;
    mt_partition_forecast_clear(&forecast);
    return seconds;
}

static double choose(const struct mt_partition_cluster *cluster,
                     enum mt_partition_kind kind, int most)
{
    struct mt_partition partition = {0};
    struct mt_error err = {0};
    if (mt_partition_choose(&partition, kind, &product, cluster, most, &err) != MT_OK ||
        mt_partition_check(&partition, &err) != MT_OK)
        fail_msg("%d ranks: %s", cluster->ranks, err.text);
    assert_int_equal(partition.kind, kind);
    assert_int_equal(partition.ranks, cluster->ranks);
    assert_false(partition.overlap);
    assert_false(partition.rolled);
    const double seconds = seconds_of(&partition, cluster);
    mt_partition_clear(&partition);
    return seconds;
}

/* For any number of ranks, also when there are more of them than blocks, and whatever
   their speeds are; and none of the finer ways is worse. */
static void test_the_square_is_covered(void **state)
{
    (void)state;
    static const double ratios[] = {1, 1.2, 3, 1000};
    struct mt_strassen_speed speeds[MOST_RANKS];
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        const struct mt_partition_cluster cluster =
            make_cluster(speeds, ranks, ratios[ranks % 4]);
        const int most = ranks % 5 == 0 ? 2 : 9;
        choose(&cluster, MT_PARTITION_EQUAL, most);
        const double greedy = choose(&cluster, MT_PARTITION_GREEDY, most);
        const double recursive = choose(&cluster, MT_PARTITION_RECURSIVE, most);
        assert_true(recursive <= greedy);
    }
}

/* One after the other, each rank at its place. */
static void test_equal_blocks_are_in_order(void **state)
{
    (void)state;
    struct mt_strassen_speed speeds[MOST_RANKS];
    static const int grids[][2] = {{1, 1}, {2, 2}, {4, 2}, {6, 6},
                                   {8, 4}, {9, 3}, {12, 6}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        const int ranks = grids[i][0], grid = grids[i][1];
        const struct mt_partition_cluster cluster = make_cluster(speeds, ranks, 2);
        struct mt_partition partition = {0};
        assert_int_equal(mt_partition_choose(&partition, MT_PARTITION_EQUAL, &product,
                                             &cluster, 1, NULL),
                         MT_OK);
        assert_int_equal(partition.panels, grid);
        assert_int_equal(partition.ntiles, grid * grid);
        for (int place = 0; place < partition.ntiles; place++) {
            const struct mt_partition_tile *tile = &partition.tiles[place];
            assert_int_equal(tile->rank, place * ranks / (grid * grid));
            assert_true(tile->top == place / grid / (double)grid);
            assert_true(tile->left == place % grid / (double)grid);
        }
        mt_partition_clear(&partition);
    }
}

/* What is known without much ado is below the prediction, and near it where messages do
   not get into each other's way. */
static void test_bounds_are_below_the_prediction(void **state)
{
    (void)state;
    struct mt_strassen_speed speeds[MOST_RANKS];
    int counts[MOST_RANKS];
    for (int ranks = 1; ranks <= MOST_RANKS; ranks += 3)
        for (int order = 0; order < MT_PARTITION_ORDERS; order++) {
            const struct mt_partition_cluster cluster = make_cluster(speeds, ranks, 2);
            const int grid = 1 + ranks % 6;
            const struct mt_partition_product even = {60 * 10, 60 * 20, 60 * 30};
            const struct mt_partition_task task = {&even, &cluster};
            const struct mt_partition_shares shares = {.grid = grid, .blocks = counts};
            double seconds[MOST_RANKS], rest[1 + 6];
            for (int rank = 0; rank < ranks; rank++)
                seconds[rank] = mt_partition_block_seconds(&task, rank, grid);
            mt_partition_share_out(counts, seconds, ranks, grid * grid);
            struct mt_partition partition = {0};
            struct mt_partition_forecast forecast = {0};
            assert_int_equal(mt_partition_bound(rest, &task, &shares,
                                                (enum mt_partition_order)order, NULL),
                             MT_OK);
            assert_int_equal(mt_partition_deal(&partition, &task, &shares,
                                               (enum mt_partition_order)order, NULL),
                             MT_OK);
            assert_int_equal(mt_partition_check(&partition, NULL), MT_OK);
            assert_int_equal(
                mt_partition_predict(&forecast, &partition, &even, &cluster, NULL),
                MT_OK);
            assert_true(rest[0] <= forecast.seconds * 1.001);
            assert_true(rest[0] >= forecast.seconds * 0.5);
            assert_true(rest[grid] == 0);

            /* a limit changes nothing as long as it is not reached */
            const double predicted = forecast.seconds;
            mt_partition_forecast_clear(&forecast);
            for (int half = 0; half <= 1; half++) {
                const struct mt_partition_limit limit = {
                    predicted * (half ? 0.5 : 1.001), rest};
                assert_int_equal(mt_partition_predict_within(&forecast, &partition,
                                                             &task, &limit, NULL),
                                 MT_OK);
                assert_true(forecast.seconds == (half ? (double)INFINITY : predicted));
                mt_partition_forecast_clear(&forecast);
            }
            mt_partition_clear(&partition);
        }
}

static void test_impossible_wishes_are_refused(void **state)
{
    (void)state;
    struct mt_strassen_speed speeds[MOST_RANKS];
    struct mt_partition_cluster cluster = make_cluster(speeds, 2, 1);
    struct mt_partition partition = {0};
    struct mt_error err;
    const struct mt_partition_product negative = {10, -1, 10};
    assert_int_equal(mt_partition_choose(&partition, MT_PARTITION_GREEDY, &negative,
                                         &cluster, 4, &err),
                     MT_EINVAL);
    assert_contains(err.text, "10, -1, 10");
    assert_int_equal(mt_partition_choose(&partition, MT_PARTITION_GREEDY, &product,
                                         &cluster, 0, &err),
                     MT_EINVAL);
    assert_contains(err.text, "no partition for 2 ranks with at most 0 blocks");
    cluster.ranks = 0;
    assert_int_equal(mt_partition_choose(&partition, MT_PARTITION_EQUAL, &product,
                                         &cluster, 4, &err),
                     MT_EINVAL);
    assert_null(partition.tiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_square_is_covered),
        cmocka_unit_test(test_equal_blocks_are_in_order),
        cmocka_unit_test(test_bounds_are_below_the_prediction),
        cmocka_unit_test(test_impossible_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
