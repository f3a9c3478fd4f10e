/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/partition/blocks.h"
#include "lib/partition/deal.h"
#include "lib/partition/internal.h"
#include "lib/partition/rectangles.h"
#include "lib/partition/steps.h"
#include "tests/unit/test.h"

enum { MOST = 64 };

/* Uniform in 0 .. 1; a generator of our own, so that every machine sees the same. */
static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 1) / 2147483648.0;
}

/* Shares of ranks whose mean speed is `heterogeneity` times the slowest one's. */
static void mix(double *shares, int count, double heterogeneity, unsigned *state)
{
    double total = 0;
    for (int i = 0; i < count; i++) {
        shares[i] = i == 0 ? 0 : uniform(state);
        total += shares[i];
    }
    for (int i = 0; i < count; i++)
        shares[i] =
            (1 + (total > 0 ? shares[i] / total : 0) * count * (heterogeneity - 1)) /
            (count * heterogeneity);
}

static double height(const struct mt_partition_tile *tile)
{
    return tile->bottom - tile->top;
}

static double width(const struct mt_partition_tile *tile)
{
    return tile->right - tile->left;
}

static double sum_of_sides(const struct mt_partition_tile *tiles, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += height(&tiles[i]) + width(&tiles[i]);
    return sum;
}

static double bound(const double *shares, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += 2 * sqrt(shares[i]);
    return sum;
}

static bool apart(const struct mt_partition_tile *a, const struct mt_partition_tile *b)
{
    return a->right <= b->left || b->right <= a->left || a->bottom <= b->top ||
           b->bottom <= a->top;
}

/* Every rank has its share, no two tiles overlap, and so, as the shares add up to 1,
   they cover the square. */
static void assert_tiles_fit(const struct mt_partition_tile *tiles,
                             const double *shares, int count)
{
    bool seen[MOST] = {false};
    for (int i = 0; i < count; i++) {
        const struct mt_partition_tile *tile = &tiles[i];
        assert_in_range(tile->rank, 0, count - 1);
        assert_false(seen[tile->rank]);
        seen[tile->rank] = true;
        assert_true(tile->top >= 0 && tile->left >= 0);
        assert_true(tile->bottom <= 1 && tile->right <= 1);
        assert_true(height(tile) > 0 && width(tile) > 0);
        assert_true(fabs(height(tile) * width(tile) - shares[tile->rank]) <= 1e-12);
        for (int j = 0; j < i; j++)
            assert_true(apart(tile, &tiles[j]));
    }
}

static double rectangles(struct mt_partition_tile *tiles, const double *shares,
                         int count)
{
    memset(tiles, 0, (size_t)count * sizeof *tiles);
    assert_int_equal(mt_partition_rectangles(tiles, shares, count, NULL), MT_OK);
    assert_tiles_fit(tiles, shares, count);
    return sum_of_sides(tiles, count);
}

static void equal_areas_become_a_grid(void **state)
{
    (void)state;
    struct mt_partition_tile tiles[MOST];
    double shares[MOST];
    for (int side = 1; side <= 8; side++) {
        int count = side * side;
        for (int i = 0; i < count; i++)
            shares[i] = 1.0 / count;
        assert_close(rectangles(tiles, shares, count), 2.0 * side, 1e-12);
    }
}

static void finds_known_optima(void **state)
{
    (void)state;
    struct mt_partition_tile tiles[5];

    assert_close(rectangles(tiles, (double[]){1}, 1), 2, 0);
    /* Two: only one partition is possible, whatever the areas. */
    assert_close(rectangles(tiles, (double[]){0.999, 0.001}, 2), 3, 1e-12);
    /* Three equal ones: 1 + 1/3 beside a column of two. */
    assert_close(rectangles(tiles, (double[]){1 / 3., 1 / 3., 1 / 3.}, 3), 11 / 3.,
                 1e-12);
    /* A quarter of a quarter is cut in four again: only recursive cuts find it. */
    assert_close(rectangles(tiles, (double[]){0.25, 0.5, 0.0625, 0.125, 0.0625}, 5),
                 1.5 + 1 + 0.75 + 4 * 0.25, 1e-12);
}

static void sides_are_near_the_bound(void **state)
{
    (void)state;
    static const double heterogeneities[] = {1.05, 1.3, 2, 3};
    struct mt_partition_tile tiles[MOST];
    double shares[MOST];
    unsigned random = 1;
    for (int count = 3; count <= 32; count += count < 12 ? 1 : 5) {
        for (int i = 0; i < 4; i++) {
            mix(shares, count, heterogeneities[i], &random);
            double ratio = rectangles(tiles, shares, count) / bound(shares, count);
            assert_true(ratio >= 1);
            assert_true(ratio <= (count < 8 ? 1.07 : 1.03));
        }
    }
}

static void bears_extreme_ratios(void **state)
{
    (void)state;
    struct mt_partition_tile tiles[40];
    double shares[40];
    for (int count = 2; count <= 40; count += 19) {
        double total = 0;
        for (int i = 0; i < count; i++)
            total += shares[i] = i % 3 == 0 ? 1000 : 1;
        for (int i = 0; i < count; i++)
            shares[i] /= total;
        rectangles(tiles, shares, count);
    }
}

/* The longer side is cut: rows of a tall product, columns of a wide one. */
static void follows_the_products_shape(void **state)
{
    (void)state;
    const double shares[4] = {0.25, 0.25, 0.25, 0.25};
    for (int wide = 0; wide < 2; wide++) {
        struct mt_partition_tile tiles[4];
        struct mt_partition_layout layout = {0};
        assert_int_equal(mt_partition_layout_init(&layout, shares, 4, wide ? 1 : 100,
                                                  wide ? 100 : 1, NULL),
                         MT_OK);
        mt_partition_layout_place(&layout, shares, tiles);
        for (int i = 0; i < 4; i++)
            assert_true((wide ? height(&tiles[i]) : width(&tiles[i])) == 1);
        mt_partition_layout_clear(&layout);
    }
}

static void a_layout_takes_other_areas(void **state)
{
    (void)state;
    struct mt_partition_tile tiles[MOST];
    double shares[MOST], others[MOST];
    unsigned random = 21;
    for (int count = 1; count <= MOST; count += 9) {
        struct mt_partition_layout layout = {0};
        mix(shares, count, count > 1 ? 2 : 1, &random);
        mix(others, count, count > 1 ? 1.5 : 1, &random);
        assert_int_equal(mt_partition_layout_init(&layout, shares, count, 1, 1, NULL),
                         MT_OK);
        mt_partition_layout_place(&layout, others, tiles);
        assert_tiles_fit(tiles, others, count);
        mt_partition_layout_clear(&layout);
    }
}

/* The least over all ways to part the areas [next, count) among strips that some have
   begun: `sums` and `members` of each. */
static double all_partitions(const double *areas, int count, int next, double *sums,
                             int *members, int strips, double length)
{
    if (next == count) {
        double cost = strips * length;
        for (int i = 0; i < strips; i++)
            cost += members[i] * sums[i] / length;
        return cost;
    }
    double best = INFINITY;
    for (int i = 0; i <= strips; i++) {
        if (i == strips) {
            sums[i] = 0;
            members[i] = 0;
        }
        sums[i] += areas[next];
        members[i]++;
        best = fmin(best, all_partitions(areas, count, next + 1, sums, members,
                                         i == strips ? strips + 1 : strips, length));
        sums[i] -= areas[next];
        members[i]--;
    }
    return best;
}

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void strips_are_the_best_of_all_partitions(void **state)
{
    (void)state;
    unsigned random = 7;
    for (int trial = 0; trial < 60; trial++) {
        int count = 2 + trial % 6;
        double areas[7], sums[8] = {0}, least[8], length = 0.5 + uniform(&random);
        int from[8];
        mix(areas, count, 1 + 3 * uniform(&random), &random);
        qsort(areas, (size_t)count, sizeof *areas, falling);
        for (int i = 0; i < count; i++)
            sums[i + 1] = sums[i] + areas[i];

        double of_strip[7];
        int members[7];
        assert_close(
            mt_partition_strips(&(struct mt_partition_areas){sums, least, from}, 0,
                                count, length),
            all_partitions(areas, count, 0, of_strip, members, 0, length), 1e-12);
    }
}

static void refuses_impossible_shares(void **state)
{
    (void)state;
    struct mt_partition_tile tiles[3];
    struct mt_error err;
    assert_int_equal(mt_partition_rectangles(tiles, (double[]){0.5, 0, 0.5}, 3, &err),
                     MT_EINVAL);
    assert_contains(err.text, "share 1 of the area is 0");
    assert_int_equal(mt_partition_rectangles(tiles, (double[]){0.5, NAN}, 2, &err),
                     MT_EINVAL);
    assert_contains(err.text, "share 1");
    assert_int_equal(mt_partition_rectangles(tiles, (double[]){0.5, 0.25}, 2, &err),
                     MT_EINVAL);
    assert_contains(err.text, "add up to 0.75");
}

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
    return (struct mt_partition_cluster){ranks, speeds, {1e-4, 1e8, 2, 1, 0}};
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

/* The quick bound is below the prediction, and close to it where messages do not
   interfere. */
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
        cmocka_unit_test(equal_areas_become_a_grid),
        cmocka_unit_test(finds_known_optima),
        cmocka_unit_test(sides_are_near_the_bound),
        cmocka_unit_test(bears_extreme_ratios),
        cmocka_unit_test(follows_the_products_shape),
        cmocka_unit_test(a_layout_takes_other_areas),
        cmocka_unit_test(strips_are_the_best_of_all_partitions),
        cmocka_unit_test(refuses_impossible_shares),
        cmocka_unit_test(test_the_square_is_covered),
        cmocka_unit_test(test_equal_blocks_are_in_order),
        cmocka_unit_test(test_bounds_are_below_the_prediction),
        cmocka_unit_test(test_impossible_wishes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
