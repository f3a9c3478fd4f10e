/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/partition/deal.h"
#include "lib/partition/internal.h"

#include "tests/unit/test.h"

enum { MOST_RANKS = 40 };

/* Products of two ranks side by side, in two steps: each needs the other's half of A.
 */
static const struct mt_partition_product two_sides = {400, 200, 1000};
static const struct mt_strassen_speed two_speeds[] = {
    {.flops = 1e9, .bandwidth = (double)INFINITY},
    {.flops = 5e8, .bandwidth = (double)INFINITY}};
static const double compute[] = {2e-9 * 400 * 100 * 500, 4e-9 * 400 * 100 * 500};
static const double message = 8 * 400 * 500 / 1e8, latency = 1e-3;

static struct mt_partition_cluster two_ranks(double exchange)
{
    return (struct mt_partition_cluster){
        .ranks = 2, .speeds = two_speeds, .network = {latency, 1e8, exchange, 1, 0}};
}

static void add(struct mt_partition *partition, const struct mt_partition_tile *tile)
{
    assert_int_equal(mt_partition_add(partition, tile, NULL), MT_OK);
}

static struct mt_partition halves(void)
{
    struct mt_partition partition = {.ranks = 2, .panels = 2};
    add(&partition, &(struct mt_partition_tile){.rank = 0, .bottom = 1, .right = 0.5});
    add(&partition,
        &(struct mt_partition_tile){.rank = 1, .bottom = 1, .left = 0.5, .right = 1});
    return partition;
}

static struct mt_partition_forecast predict(const struct mt_partition *partition,
                                            const struct mt_partition_product *product,
                                            const struct mt_partition_cluster *cluster)
{
    struct mt_partition_forecast forecast = {0};
    struct mt_error err = {0};
    if (mt_partition_predict(&forecast, partition, product, cluster, &err) != MT_OK)
        fail_msg("%s", err.text);
    return forecast;
}

static void assert_times(const struct mt_partition_times *times, double computes,
                         double communication, double waiting)
{
    assert_close(times->compute, computes, 1e-9);
    assert_close(times->communication, communication, 1e-9);
    assert_close(times->waiting, waiting, 1e-9);
}

/* A barrier of two takes a latency; then one sends its half, then the other. */
static void test_two_ranks_step_by_step(void **state)
{
    (void)state;
    const struct mt_partition_cluster cluster = two_ranks(2);
    struct mt_partition partition = halves();
    struct mt_partition_forecast forecast = predict(&partition, &two_sides, &cluster);
    const double exchanges = 2 * (latency + message);
    assert_close(forecast.seconds, exchanges + 2 * compute[1] + 3 * latency, 1e-9);
    assert_times(&forecast.ranks[0], 2 * compute[0], exchanges,
                 2 * (compute[1] - compute[0]) + 3 * latency);
    assert_times(&forecast.ranks[1], 2 * compute[1], exchanges, 3 * latency);
    assert_close(forecast.bytes, 2 * 8 * 400 * 500, 1e-12);
    /* two halves of the area: 8 k (2 * 2 sqrt(m n / 2) - m - n) */
    assert_close(forecast.bound, 8000 * (4 * sqrt(400 * 200 / 2.0) - 600), 1e-12);
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

/* Each gets one half, into memory that it has not used before. */
static void test_new_memory(void **state)
{
    (void)state;
    struct mt_partition_cluster cluster = two_ranks(2);
    struct mt_partition partition = halves();
    struct mt_partition_forecast forecast = predict(&partition, &two_sides, &cluster);
    const double before = forecast.seconds;
    mt_partition_forecast_clear(&forecast);
    const double more = (compute[1] - compute[0]) / 2;
    cluster.network.fresh = more / (8 * 400 * 500);
    forecast = predict(&partition, &two_sides, &cluster);
    /* of the faster one the other one takes no notice */
    assert_close(forecast.seconds, before + more, 1e-9);
    for (int rank = 0; rank < 2; rank++) {
        assert_close(forecast.ranks[rank].compute, 2 * compute[rank], 1e-9);
        assert_close(forecast.ranks[rank].communication, 2 * (latency + message) + more,
                     1e-9);
    }
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

/* Each begins with its own half, while the other half is on its way, in both directions
   at once. */
static void test_two_ranks_with_overlap(void **state)
{
    (void)state;
    for (int exchange = 1; exchange <= 2; exchange++) {
        const struct mt_partition_cluster cluster = two_ranks(exchange);
        struct mt_partition partition = halves();
        partition.overlap = partition.rolled = true;
        struct mt_partition_forecast forecast =
            predict(&partition, &two_sides, &cluster);
        const double passed = latency + exchange * message;
        const double ends[] = {fmax(passed, compute[0]) + compute[0],
                               fmax(passed, compute[1]) + compute[1]};
        const double seconds = fmax(ends[0], ends[1]) + latency;
        assert_close(forecast.seconds, seconds, 1e-9);
        for (int rank = 0; rank < 2; rank++)
            assert_times(&forecast.ranks[rank], 2 * compute[rank],
                         ends[rank] - 2 * compute[rank], seconds - ends[rank]);
        mt_partition_forecast_clear(&forecast);
        mt_partition_clear(&partition);
    }
}

/* Messages that pass while a rank computes delay it by the part that overlap does not
   save. */
static void test_messages_delay_ranks_that_compute(void **state)
{
    (void)state;
    static const double overlaps[] = {(double)NAN, 0, 0.25, 0.999};
    struct mt_partition partition = halves();
    partition.overlap = partition.rolled = true;
    for (int exchange = 1; exchange <= 2; exchange++)
        for (int i = 0; i < 4; i++) {
            struct mt_partition_cluster cluster = two_ranks(exchange);
            cluster.network.overlap = overlaps[i];
            struct mt_partition_forecast forecast =
                predict(&partition, &two_sides, &cluster);
            const double delay = (1 - fmax(overlaps[i], 0)) * exchange * message;
            assert_close(forecast.seconds, 2 * compute[1] + delay + latency, 1e-9);
            for (int rank = 0; rank < 2; rank++) {
                assert_close(forecast.ranks[rank].compute, 2 * compute[rank], 1e-9);
                assert_close(forecast.ranks[rank].communication, delay, 1e-9);
            }
            mt_partition_forecast_clear(&forecast);
        }
    mt_partition_clear(&partition);
}

/* A single rank: products, and nothing else. */
static void test_one_rank(void **state)
{
    (void)state;
    struct mt_partition partition = {.ranks = 1, .panels = 3};
    add(&partition, &(struct mt_partition_tile){.levels = 1, .bottom = 1, .right = 1});
    struct mt_partition_cluster cluster = two_ranks(2);
    cluster.ranks = 1;
    struct mt_partition_forecast forecast = predict(&partition, &two_sides, &cluster);
    assert_close(forecast.seconds, 2e-9 * 400 * 200 * 1000 * 7 / 8, 1e-12);
    assert_times(&forecast.ranks[0], forecast.seconds, 0, 0);
    assert_true(forecast.bytes == 0);
    assert_true(forecast.bound == 0);
    mt_partition_forecast_clear(&forecast);

    struct mt_error err;
    cluster.ranks = 2;
    assert_int_equal(
        mt_partition_predict(&forecast, &partition, &two_sides, &cluster, &err),
        MT_EINVAL);
    assert_string_equal(err.text, "the partition is for 1 ranks, not 2");
    mt_partition_clear(&partition);
}

/* Three ranks on a quarter of the square each, and the last quarter cut again for the
   first two. A step's messages of that begin when these have done their own quarters;
   the third rank, which is slow, sends while it computes. */
static void test_a_left_over(void **state)
{
    (void)state;
    struct mt_partition partition = {.ranks = 3, .panels = 2, .subpanels = 2};
    add(&partition,
        &(struct mt_partition_tile){.rank = 0, .bottom = 0.5, .right = 0.5});
    add(&partition,
        &(struct mt_partition_tile){.rank = 1, .bottom = 0.5, .left = 0.5, .right = 1});
    add(&partition,
        &(struct mt_partition_tile){.rank = 2, .top = 0.5, .bottom = 1, .right = 0.5});
    for (int rank = 0; rank < 2; rank++)
        add(&partition, &(struct mt_partition_tile){.rank = rank,
                                                    .turn = 1,
                                                    .top = 0.5 + 0.25 * rank,
                                                    .bottom = 0.75 + 0.25 * rank,
                                                    .left = 0.5,
                                                    .right = 1});
    assert_int_equal(mt_partition_check(&partition, NULL), MT_OK);
    const struct mt_strassen_speed speeds[] = {
        {.flops = 1e9, .bandwidth = (double)INFINITY},
        {.flops = 1e9, .bandwidth = (double)INFINITY},
        {.flops = 1e7, .bandwidth = (double)INFINITY}};
    const struct mt_partition_cluster cluster = {3, speeds, {0, 1e8, 2, 1, 0}};
    const struct mt_partition_product product = {400, 400, 400};
    struct mt_partition_forecast forecast = predict(&partition, &product, &cluster);
    /* all wait for the third, whose messages are counted in quarters, as its products
     */
    const double quarter = 8 * 200 * 200 / 1e8, slow = 2 * 200.0 * 200 * 200 / 1e7;
    /* step 0: the third gets B, and its A is its own; step 1: it gets A's left-over
       parts from the first two, which have both: no other rank passes as much */
    assert_close(forecast.ranks[2].compute, 2 * slow, 1e-9);
    assert_close(forecast.ranks[0].compute, (2 + 1) * slow / 100, 1e-9);
    assert_true(forecast.ranks[2].communication >= 2 * quarter * (1 - 1e-9));
    assert_close(forecast.seconds,
                 forecast.ranks[2].compute + forecast.ranks[2].communication, 1e-9);
    assert_true(forecast.ranks[0].communication > forecast.ranks[2].communication);
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

/*
 * The times of the program strassen with these partitions on the first twin of Ohtaki's
 * clusters (clusters/ohtaki-1.yaml, without noise), simulated by SimGrid 3.32, with N =
 * 1500; with full and with half duplex. Before it begins, the program takes 0.7 ms to
 * agree about the product.
 */
static void test_simulated_runs(void **state)
{
    (void)state;
    enum { RANKS = 8, PARTITIONS = 3 };
    static const int two[RANKS] = {2, 2, 2, 2, 2, 2, 2, 2};
    static const int one[RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const int pieces[RANKS] = {0, 0, 0, 0, 1, 1, 1, 1};
    static const struct mt_partition_shares shares[PARTITIONS - 1] = {
        {4, two, 0, NULL}, {3, one, 2, pieces}};
    static const double measured[2][PARTITIONS] = {
        {0.841571729, 0.928426478, 0.582201244}, {0.931579009, 1.0982376, 0.672812365}};
    static const struct mt_partition_product product = {1500, 1500, 1500};
    struct mt_strassen_speed speeds[RANKS];
    for (int rank = 0; rank < RANKS; rank++)
        speeds[rank] = rank < RANKS / 2
                           ? (struct mt_strassen_speed){3.34e9, 200, 1.5e9}
                           : (struct mt_strassen_speed){4.163e9, 200, 1.87e9};
    for (int exchange = 1; exchange <= 2; exchange++) {
        const struct mt_partition_cluster cluster = {
            RANKS, speeds, {1e-4, 50e6, exchange, 1, 0}};
        const struct mt_partition_task task = {&product, &cluster};
        struct mt_partition partitions[PARTITIONS] = {
            {0}, {0}, {.ranks = RANKS, .panels = 10}};
        for (int i = 0; i < PARTITIONS - 1; i++)
            assert_int_equal(mt_partition_deal(&partitions[i], &task, &shares[i],
                                               MT_PARTITION_ROWS, NULL),
                             MT_OK);
        partitions[PARTITIONS - 1].overlap = partitions[PARTITIONS - 1].rolled = true;
        for (int rank = 0; rank < RANKS; rank++)
            add(&partitions[PARTITIONS - 1],
                &(struct mt_partition_tile){.rank = rank,
                                            .levels = 1,
                                            .top = rank < 4 ? 0 : 0.45,
                                            .bottom = rank < 4 ? 0.45 : 1,
                                            .left = rank % 4 / 4.0,
                                            .right = (rank % 4 + 1) / 4.0});
        for (int i = 0; i < PARTITIONS; i++) {
            struct mt_partition_forecast forecast =
                predict(&partitions[i], &product, &cluster);
            assert_close(forecast.seconds + 0.7e-3, measured[exchange - 1][i], 1e-3);
            mt_partition_forecast_clear(&forecast);
            mt_partition_clear(&partitions[i]);
        }
    }
}

static double random_share(unsigned *seed)
{
    *seed = *seed * 1103515245U + 12345U;
    return (*seed >> 8) % 65536 / 65536.0;
}

/* The products of a rank, one by one. */
static double add_products(const struct mt_partition *partition,
                           const struct mt_partition_product *product,
                           const struct mt_strassen_speed *speed, int rank)
{
    double seconds = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        const int rows = mt_partition_edge(tile->bottom, product->m) -
                         mt_partition_edge(tile->top, product->m);
        const int columns = mt_partition_edge(tile->right, product->n) -
                            mt_partition_edge(tile->left, product->n);
        bool first = true;
        const int parts = tile->turn == 0 ? 1 : partition->subpanels;
        for (int step = 0; step < partition->panels && tile->rank == rank; step++)
            for (int part = 0; part < parts; part++) {
                const int panel = mt_partition_panel(partition, rank, step);
                const struct mt_partition_range range =
                    tile->turn == 0
                        ? mt_partition_panel_range(partition, panel, product->k)
                        : mt_partition_subpanel_range(partition, panel, part,
                                                      product->k);
                if (range.end == range.first)
                    continue;
                seconds +=
                    mt_strassen_seconds(speed, rows, columns, range.end - range.first,
                                        tile->levels, !first);
                first = false;
            }
    }
    return seconds;
}

static int overlap(double first, double end, double from, double to, int size)
{
    const int low = mt_partition_edge(fmax(first, from), size);
    const int high = mt_partition_edge(fmin(end, to), size);
    return high > low ? high - low : 0;
}

/* Whether an earlier tile of the same rank and turn has these rows, or columns. */
static bool is_seen(const struct mt_partition *partition, int tile, bool rows)
{
    const struct mt_partition_tile *its = &partition->tiles[tile];
    for (int i = 0; i < tile; i++) {
        const struct mt_partition_tile *other = &partition->tiles[i];
        if (other->rank == its->rank && other->turn == its->turn &&
            (rows ? other->top == its->top && other->bottom == its->bottom
                  : other->left == its->left && other->right == its->right))
            return true;
    }
    return false;
}

static bool is_within(double first, double end, double from, double to, int size)
{
    return mt_partition_edge(from, size) <= mt_partition_edge(first, size) &&
           mt_partition_edge(to, size) >= mt_partition_edge(end, size);
}

/* Whether the rank of a tile of turn 1 has these rows, or columns, of turn 0. */
static bool is_held(const struct mt_partition *partition,
                    const struct mt_partition_product *product, int tile, bool rows)
{
    const struct mt_partition_tile *its = &partition->tiles[tile];
    bool held = false;
    for (int i = 0; i < tile && its->turn == 1 && !partition->overlap; i++) {
        const struct mt_partition_tile *other = &partition->tiles[i];
        held |= other->rank == its->rank && other->turn == 0 &&
                overlap(other->top, other->bottom, 0, 1, product->m) > 0 &&
                overlap(other->left, other->right, 0, 1, product->n) > 0 &&
                (rows ? is_within(its->top, its->bottom, other->top, other->bottom,
                                  product->m)
                      : is_within(its->left, its->right, other->left, other->right,
                                  product->n));
    }
    return held;
}

/* The parts that every rank needs from others, tile by tile. */
static double add_bytes(const struct mt_partition *partition,
                        const struct mt_partition_product *product)
{
    double values = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *to = &partition->tiles[i];
        const bool needs_a =
            !is_seen(partition, i, true) && !is_held(partition, product, i, true);
        const bool needs_b =
            !is_seen(partition, i, false) && !is_held(partition, product, i, false);
        for (int j = 0; j < partition->ntiles; j++) {
            const struct mt_partition_tile *from = &partition->tiles[j];
            if (needs_a && to->rank != from->rank)
                values += (double)overlap(to->top, to->bottom, from->top, from->bottom,
                                          product->m) *
                          overlap(from->left, from->right, 0, 1, product->k);
            if (needs_b && to->rank != from->rank)
                values += (double)overlap(to->left, to->right, from->left, from->right,
                                          product->n) *
                          overlap(from->top, from->bottom, 0, 1, product->k);
        }
    }
    return 8 * values;
}

static void assert_adds_up(const struct mt_partition *partition,
                           const struct mt_partition_product *product,
                           const struct mt_partition_cluster *cluster)
{
    struct mt_partition_forecast forecast = predict(partition, product, cluster);
    assert_int_equal(forecast.nranks, cluster->ranks);
    for (int rank = 0; rank < cluster->ranks; rank++) {
        const struct mt_partition_times *times = &forecast.ranks[rank];
        assert_close(times->compute,
                     add_products(partition, product, &cluster->speeds[rank], rank),
                     1e-9);
        assert_close(times->compute + times->communication + times->waiting,
                     forecast.seconds, 1e-9);
        assert_true(times->communication >= -1e-9 * forecast.seconds);
        assert_true(times->waiting >= -1e-9 * forecast.seconds);
    }
    assert_close(forecast.bytes, add_bytes(partition, product), 1e-12);
    mt_partition_forecast_clear(&forecast);
}

static void fill_speeds(struct mt_strassen_speed *speeds, int ranks, double ratio,
                        unsigned *seed)
{
    for (int rank = 0; rank < ranks; rank++) {
        const double factor = 1 + (ratio - 1) * random_share(seed);
        speeds[rank] = (struct mt_strassen_speed){1e9 * factor, 100, 1e9 * factor};
    }
}

/* Of whatever partition, also with more ranks than blocks, and sizes smaller than the
 * grid.
 */
static void test_all_adds_up(void **state)
{
    (void)state;
    unsigned seed = 1;
    struct mt_strassen_speed speeds[MOST_RANKS];
    for (int ranks = 1; ranks <= MOST_RANKS; ranks += 3) {
        fill_speeds(speeds, ranks, ranks % 2 ? 3 : 1000, &seed);
        const struct mt_partition_cluster cluster = {
            ranks,
            speeds,
            {1e-4, 1e8, 1 + random_share(&seed), random_share(&seed), 0}};
        const struct mt_partition_product product = {
            (int)(1000 * random_share(&seed)), (int)(1000 * random_share(&seed)),
            ranks % 7 == 1 ? 3 : (int)(1000 * random_share(&seed))};
        for (int kind = MT_PARTITION_GREEDY; kind <= MT_PARTITION_RECURSIVE; kind++) {
            struct mt_partition partition = {0};
            assert_int_equal(mt_partition_choose(&partition,
                                                 (enum mt_partition_kind)kind, &product,
                                                 &cluster, 6, NULL),
                             MT_OK);
            assert_adds_up(&partition, &product, &cluster);
            partition.overlap = true;
            assert_adds_up(&partition, &product, &cluster);
            partition.rolled = true;
            partition.panels = 5;
            assert_adds_up(&partition, &product, &cluster);
            mt_partition_clear(&partition);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_ranks_step_by_step),
        cmocka_unit_test(test_new_memory),
        cmocka_unit_test(test_two_ranks_with_overlap),
        cmocka_unit_test(test_messages_delay_ranks_that_compute),
        cmocka_unit_test(test_one_rank),
        cmocka_unit_test(test_a_left_over),
        cmocka_unit_test(test_simulated_runs),
        cmocka_unit_test(test_all_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
