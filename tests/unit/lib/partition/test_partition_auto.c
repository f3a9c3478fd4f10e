/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/partition/internal.h"
#include "lib/partition/rectangles.h"

#include "tests/unit/test.h"

enum { MOST_RANKS = 40, BLOCKS = 12 };

/* Uniform in 0 .. 1; a generator of our own, so that every machine sees the same. */
static double uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 1) / 2147483648.0;
}

struct mix {
    int ranks;
    struct mt_strassen_speed speeds[MOST_RANKS];
    struct mt_partition_network network;
};

static struct mt_strassen_speed speed_of(double flops)
{
    return (struct mt_strassen_speed){
        .flops = flops, .half = 50, .bandwidth = flops / 2};
}

static const struct mt_partition_network gigabit = {5e-5, 110e6, 1.3, 1, 0};

/* Ranks whose mean speed is `heterogeneity` times the slowest one's. */
static struct mix random_mix(int ranks, double heterogeneity, unsigned *state)
{
    struct mix mix = {.ranks = ranks, .network = gigabit};
    double excess[MOST_RANKS] = {0}, total = 0;
    for (int i = 1; i < ranks; i++)
        total += excess[i] = uniform(state);
    for (int i = 0; i < ranks; i++)
        mix.speeds[i] = speed_of(3e9 * (1 + (total > 0 ? excess[i] / total : 0) *
                                                ranks * (heterogeneity - 1)));
    return mix;
}

static struct mt_partition_cluster cluster_of(const struct mix *mix)
{
    return (struct mt_partition_cluster){mix->ranks, mix->speeds, mix->network};
}

/* The partition of the kind, which must be possible, and its forecast. */
static struct mt_partition_forecast choose(struct mt_partition *partition,
                                           enum mt_partition_kind kind,
                                           const struct mix *mix,
                                           struct mt_partition_product product)
{
    const struct mt_partition_cluster cluster = cluster_of(mix);
    struct mt_partition_forecast forecast = {0};
    struct mt_error err;
    if (mt_partition_choose(partition, kind, &product, &cluster, BLOCKS, &err) ||
        mt_partition_check(partition, &err) ||
        mt_partition_predict(&forecast, partition, &product, &cluster, &err))
        fail_msg("%d ranks: %s", mix->ranks, err.text);
    assert_int_equal(partition->ranks, mix->ranks);
    return forecast;
}

static double seconds(enum mt_partition_kind kind, const struct mix *mix,
                      struct mt_partition_product product)
{
    struct mt_partition partition = {0};
    struct mt_partition_forecast forecast = choose(&partition, kind, mix, product);
    const double result = forecast.seconds;
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
    return result;
}

/* The best that Ohtaki et al. expect if only the computing is divided by speeds. */
static double ideal_gain(const struct mix *mix, struct mt_partition_product product)
{
    double sum = 0, least = INFINITY, communication = 0;
    for (int i = 0; i < mix->ranks; i++) {
        sum += mix->speeds[i].flops;
        least = fmin(least, mix->speeds[i].flops);
    }
    struct mt_partition partition = {0};
    struct mt_partition_forecast equal =
        choose(&partition, MT_PARTITION_EQUAL, mix, product);
    for (int i = 0; i < equal.nranks; i++)
        communication = fmax(communication, equal.ranks[i].communication);
    const double s = sum / mix->ranks / least, t = communication / equal.seconds;
    mt_partition_forecast_clear(&equal);
    mt_partition_clear(&partition);
    return 1 / ((1 - t) / s + t) - 1;
}

static void assert_gains(const struct mix *mix, int size)
{
    const struct mt_partition_product product = {size, size, size};
    const double gain = seconds(MT_PARTITION_EQUAL, mix, product) /
                            seconds(MT_PARTITION_AUTO, mix, product) -
                        1;
    assert_true(gain >= 0.9 * ideal_gain(mix, product));
}

/* The three clusters of Ohtaki et al.: eight processors, links of 32 MB/s that send or
   receive. */
static void gains_in_the_papers_environments(void **state)
{
    (void)state;
    const double athlon = 2.5e9, slow = 3.36e9, fast = 4.2e9;
    const double flops[3][8] = {{slow, slow, slow, slow, fast, fast, fast, fast},
                                {slow, slow, slow, slow, slow, slow, slow, fast},
                                {athlon, slow, slow, slow, fast, fast, fast, fast}};
    for (int i = 0; i < 3; i++) {
        struct mix mix = {.ranks = 8, .network = {1e-4, 32e6, 2, 1, 0}};
        for (int rank = 0; rank < 8; rank++)
            mix.speeds[rank] = speed_of(flops[i][rank]);
        assert_gains(&mix, 4000);
        assert_gains(&mix, 12000);
    }
}

static void gains_in_random_mixes(void **state)
{
    (void)state;
    unsigned random = 11;
    for (int i = 0; i < 10; i++) {
        const int ranks = 4 + (int)(29 * uniform(&random));
        const struct mix mix =
            random_mix(ranks, 1.05 + 1.95 * uniform(&random), &random);
        assert_gains(&mix, 8000);
    }
}

static void ranks_are_busy_for_the_same_time(void **state)
{
    (void)state;
    unsigned random = 5;
    for (int ranks = 2; ranks <= 16; ranks *= 2) {
        const struct mix mix = random_mix(ranks, 1.8, &random);
        struct mt_partition partition = {0};
        struct mt_partition_forecast forecast =
            choose(&partition, MT_PARTITION_AUTO, &mix,
                   (struct mt_partition_product){9000, 9000, 9000});
        for (int i = 0; i < ranks; i++)
            assert_true(forecast.ranks[i].waiting <= 0.05 * forecast.seconds);
        mt_partition_forecast_clear(&forecast);
        mt_partition_clear(&partition);
    }
}

static void any_number_of_ranks_and_sizes(void **state)
{
    (void)state;
    static const struct mt_partition_product products[] = {
        {1500, 1500, 1500}, {17, 17, 17}, {1, 1, 1},
        {0, 0, 0},          {5, 4000, 1}, {3000, 2, 60}};
    unsigned random = 3;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
        const struct mix mix = random_mix(ranks, 1.5, &random);
        const size_t count = sizeof products / sizeof products[0];
        for (size_t i = ranks % 5 == 1 ? 0 : count - 1; i < count; i++)
            assert_true(isfinite(seconds(MT_PARTITION_AUTO, &mix, products[i])));
    }
}

static void one_rank_has_everything(void **state)
{
    (void)state;
    unsigned random = 1;
    const struct mix mix = random_mix(1, 1, &random);
    struct mt_partition partition = {0};
    struct mt_partition_forecast forecast =
        choose(&partition, MT_PARTITION_AUTO, &mix,
               (struct mt_partition_product){3000, 3000, 3000});
    assert_int_equal(partition.ntiles, 1);
    assert_int_equal(partition.panels, 1);
    assert_true(forecast.bytes == 0);
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

/* Small products are not worth sending about. */
static void leaves_out_ranks_that_cost_more_than_they_help(void **state)
{
    (void)state;
    unsigned random = 1;
    const struct mix mix = random_mix(16, 1.5, &random);
    struct mt_partition partition = {0};
    struct mt_partition_forecast forecast =
        choose(&partition, MT_PARTITION_AUTO, &mix,
               (struct mt_partition_product){100, 100, 100});
    assert_true(partition.ntiles < 16);
    assert_true(forecast.seconds <= 2e6 / mix.speeds[15].flops * 2);
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

static void bears_extreme_speeds(void **state)
{
    (void)state;
    struct mix mix = {.ranks = 12, .network = gigabit};
    for (int i = 0; i < mix.ranks; i++)
        mix.speeds[i] = speed_of(i % 4 == 0 ? 1e12 : i % 4 == 1 ? 1e6 : 1e-6);
    const struct mt_partition_product product = {4000, 4000, 4000};
    struct mix fast = {.ranks = 3, .network = gigabit};
    for (int i = 0; i < fast.ranks; i++)
        fast.speeds[i] = speed_of(1e12);
    assert_true(seconds(MT_PARTITION_AUTO, &mix, product) <=
                1.05 * seconds(MT_PARTITION_AUTO, &fast, product));
}

static void long_products_are_partition_across(void **state)
{
    (void)state;
    unsigned random = 2;
    const struct mix mix = random_mix(6, 1.4, &random);
    struct mt_partition partition = {0};
    struct mt_partition_forecast forecast =
        choose(&partition, MT_PARTITION_AUTO, &mix,
               (struct mt_partition_product){60000, 1000, 1000});
    for (int i = 0; i < partition.ntiles; i++)
        assert_true(partition.tiles[i].left == 0 && partition.tiles[i].right == 1);
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

static void edges_spare_peeling(void **state)
{
    (void)state;
    unsigned random = 9;
    const struct mix mix = random_mix(5, 1.6, &random);
    struct mt_partition partition = {0};
    struct mt_partition_forecast forecast =
        choose(&partition, MT_PARTITION_AUTO, &mix,
               (struct mt_partition_product){8192, 8192, 8192});
    for (int i = 0; i < partition.ntiles; i++) {
        const struct mt_partition_tile *tile = &partition.tiles[i];
        const int unit = 1 << tile->levels;
        assert_true(tile->levels > 0);
        assert_int_equal(mt_partition_edge(tile->top, 8192) % unit, 0);
        assert_int_equal(mt_partition_edge(tile->left, 8192) % unit, 0);
        assert_int_equal(mt_partition_edge(tile->bottom, 8192) % unit, 0);
        assert_int_equal(mt_partition_edge(tile->right, 8192) % unit, 0);
    }
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

static void panels_can_be_halved(void **state)
{
    (void)state;
    static const int of_a_power[] = {1, 2, 4, 8, 16, 32, 64};
    static const int of_a_thousand[] = {1, 2, 4, 5, 10, 20, 25, 50};
    int counts[MT_PARTITION_PANEL_COUNTS];
    assert_int_equal(mt_partition_list_panels(counts, 1, 8192), 7);
    assert_memory_equal(counts, of_a_power, sizeof of_a_power);
    assert_int_equal(mt_partition_list_panels(counts, 1, 1000), 8);
    assert_memory_equal(counts, of_a_thousand, sizeof of_a_thousand);
    for (int k = 0; k < 3000; k++) {
        const int least = 1 + k % 2;
        const int count = mt_partition_list_panels(counts, least, k);
        assert_in_range(count, 1, MT_PARTITION_PANEL_COUNTS);
        assert_int_equal(counts[0], k < least ? 1 : least);
        for (int i = 1; i < count; i++)
            assert_true(counts[i] > counts[i - 1] && counts[i] <= k);
    }
}

/* Two equal ranks side by side: each gets half of A, 8 MB at 100 MB/s, and computes for
   a second, whatever the panels; a barrier at either end and the message each take a
   latency. With overlap ranks wait only for messages of the first panel: none, as each
   begins with its own. */
static void panels_only_where_messages_pass_while_ranks_compute(void **state)
{
    (void)state;
    static const double overlaps[] = {(double)NAN, 0, 1};
    const double latency = 1e-3, exchange = 8.0 * 1000 * 1000 / 1e8, compute = 1;
    const struct mt_partition_product product = {1000, 1000, 2000};
    struct mix mix = {.ranks = 2, .network = {latency, 1e8, 1, 0, 0}};
    for (int rank = 0; rank < 2; rank++)
        mix.speeds[rank] = (struct mt_strassen_speed){
            .flops = 2e9, .bandwidth = 1 /* no level of Strassen's method pays */};
    for (int i = 0; i < 3; i++) {
        struct mt_partition partition = {0};
        mix.network.overlap = overlaps[i];
        struct mt_partition_forecast forecast =
            choose(&partition, MT_PARTITION_AUTO, &mix, product);
        const bool overlap = overlaps[i] > 0;
        assert_int_equal(partition.overlap, overlap);
        assert_true(overlap ? partition.panels > 1 : partition.panels == 1);
        assert_close(forecast.seconds,
                     overlap ? compute + latency : compute + exchange + 3 * latency,
                     1e-6);
        mt_partition_forecast_clear(&forecast);
        mt_partition_clear(&partition);
    }
}

/* More overlap is never worse. */
static void overlap_does_no_harm(void **state)
{
    (void)state;
    unsigned random = 6;
    for (int trial = 0; trial < 6; trial++) {
        struct mix mix = random_mix(3 + trial, 1.7, &random);
        double before = INFINITY;
        for (int i = 0; i <= 4; i++) {
            mix.network.overlap = i / 4.0;
            const double now = seconds(MT_PARTITION_AUTO, &mix,
                                       (struct mt_partition_product){3000, 3000, 3000});
            assert_true(now <= 1.01 * before);
            before = now;
        }
    }
}

static void a_faster_rank_does_no_harm(void **state)
{
    (void)state;
    unsigned random = 4;
    const struct mt_partition_product product = {6000, 6000, 6000};
    for (int trial = 0; trial < 6; trial++) {
        struct mix mix = random_mix(3 + 2 * trial, 1.7, &random);
        double before = seconds(MT_PARTITION_AUTO, &mix, product);
        for (int i = 0; i < 4; i++) {
            mix.speeds[trial % 3] = speed_of(mix.speeds[trial % 3].flops * 1.3);
            const double now = seconds(MT_PARTITION_AUTO, &mix, product);
            assert_true(now <= 1.01 * before);
            before = now;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gains_in_the_papers_environments),
        cmocka_unit_test(gains_in_random_mixes),
        cmocka_unit_test(ranks_are_busy_for_the_same_time),
        cmocka_unit_test(any_number_of_ranks_and_sizes),
        cmocka_unit_test(one_rank_has_everything),
        cmocka_unit_test(leaves_out_ranks_that_cost_more_than_they_help),
        cmocka_unit_test(bears_extreme_speeds),
        cmocka_unit_test(long_products_are_partition_across),
        cmocka_unit_test(edges_spare_peeling),
        cmocka_unit_test(panels_can_be_halved),
        cmocka_unit_test(panels_only_where_messages_pass_while_ranks_compute),
        cmocka_unit_test(overlap_does_no_harm),
        cmocka_unit_test(a_faster_rank_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
