/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Results of Ohtaki, Takahashi, Boku and Sato (2004) with their eight processors: table
 * 1, the predictions of tables 3 and 4, and the partitions of figures 10 and 11.
 */
#include "lib/partition/blocks.h"
#include "lib/partition/deal.h"
#include "lib/partition/spans.h"

#include "tests/unit/test.h"

enum { RANKS = 8 };
static const struct mt_partition_product whole = {12000, 12000, 12000};

/*
 * The paper's products take 7^log2(n / 3000) times those of size 3000, whose seconds
 * are given here. So do products with this half size in as many levels as are best,
 * within 0.4 % for the sizes that matter here: 1500, 2000, 2400, 3000 and 4000.
 */
static struct mt_strassen_speed speed_of(double seconds)
{
    struct mt_strassen_speed speed = {
        .flops = 1, .half = 145, .bandwidth = (double)INFINITY};
    speed.flops = mt_strassen_seconds(&speed, 3000, 3000, 3000, 2, true) / seconds;
    return speed;
}

struct environment {
    struct mt_strassen_speed speeds[RANKS];
    struct mt_partition_cluster cluster;
    struct mt_partition_task task;
};

/* One Athlon 1.53 GHz, if it is included, Xeons 2.4 GHz, and Xeons 3.06 GHz. */
static void set_up(struct environment *its, int athlons, int slow_xeons)
{
    for (int i = 0; i < RANKS; i++)
        its->speeds[i] = speed_of(i < athlons                ? 21.9
                                  : i < athlons + slow_xeons ? 16.06
                                                             : 12.85);
    its->cluster = (struct mt_partition_cluster){
        .ranks = RANKS,
        .speeds = its->speeds,
        .network = {.latency = 1e-4, .bandwidth = 35.7e6, .exchange = 1}};
    its->task = (struct mt_partition_task){&whole, &its->cluster};
}

static void test_table_1(void **state)
{
    (void)state;
    static const double seconds[] = {40, 30, 20, 10};
    static const int counts[9][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 1, 2},
                                     {0, 1, 1, 2}, {0, 1, 1, 3}, {1, 1, 1, 3},
                                     {1, 1, 2, 3}, {1, 1, 2, 4}, {1, 1, 2, 5}};
    for (int blocks = 1; blocks <= 9; blocks++) {
        int found[4];
        mt_partition_share_out(found, seconds, 4, blocks);
        assert_memory_equal(found, counts[blocks - 1], sizeof found);
    }
}

/* The seconds that the ranks compute if the blocks are dealt out like this. */
static void assert_computes(const struct environment *its,
                            const struct mt_partition_shares *shares,
                            const double expected[RANKS])
{
    struct mt_partition partition = {0};
    struct mt_partition_forecast forecast = {0};
    assert_int_equal(
        mt_partition_deal(&partition, &its->task, shares, MT_PARTITION_ROWS, NULL),
        MT_OK);
    assert_int_equal(mt_partition_check(&partition, NULL), MT_OK);
    assert_int_equal(
        mt_partition_predict(&forecast, &partition, &whole, &its->cluster, NULL),
        MT_OK);
    for (int rank = 0; rank < RANKS; rank++)
        assert_close(forecast.ranks[rank].compute, expected[rank], 0.01);
    mt_partition_forecast_clear(&forecast);
    mt_partition_clear(&partition);
}

static void test_table_4_h_strassen(void **state)
{
    (void)state;
    struct environment its;
    set_up(&its, 1, 3);
    static const int blocks[RANKS] = {2, 3, 3, 3, 3, 3, 4, 4};
    static const double computes[RANKS] = {117.1, 128.8, 128.8, 128.8,
                                           103.0, 103.0, 137.4, 137.4};
    assert_computes(&its, &(struct mt_partition_shares){.grid = 5, .blocks = blocks},
                    computes);
}

/* The tables put the messages of the left-over down to computing: in each of `grid`
   steps four of quarters of a block, 0.0313 s a megabyte. */
static double without_messages(double seconds, int grid)
{
    const double side = 12000.0 / grid / 2;
    return seconds - 4 * grid * 8e-6 * side * side * 0.0313;
}

static const int pieces[RANKS] = {0, 0, 0, 0, 1, 1, 1, 1};

static void test_table_4_h_strassen_r(void **state)
{
    (void)state;
    struct environment its;
    set_up(&its, 1, 3);
    static const int blocks[RANKS] = {1, 2, 2, 2, 2, 2, 2, 2};
    const double fast = without_messages(126.1, 4);
    const double computes[RANKS] = {87.6, 128.5, 128.5, 128.5, fast, fast, fast, fast};
    assert_computes(&its, &(struct mt_partition_shares){4, blocks, 2, pieces},
                    computes);
}

static void test_table_3_h_strassen_r(void **state)
{
    (void)state;
    struct environment its;
    set_up(&its, 0, 4);
    static const int blocks[RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
    const double fast = without_messages(122.6, 3);
    const double computes[RANKS] = {108.1, 108.1, 108.1, 108.1, fast, fast, fast, fast};
    assert_computes(&its, &(struct mt_partition_shares){3, blocks, 2, pieces},
                    computes);
}

/* In a step of the equal blocks, two ranks send blocks of B to two each, which get them
   from no other rank; one of these sends them on; and in all rows a block of A passes
   between the two. */
static void test_messages_of_equal_blocks(void **state)
{
    (void)state;
    struct environment its;
    struct mt_partition partition = {0};
    struct mt_partition_work work = {0};
    set_up(&its, 0, 4);
    assert_int_equal(mt_partition_choose(&partition, MT_PARTITION_EQUAL, &whole,
                                         &its.cluster, 1, NULL),
                     MT_OK);
    assert_int_equal(mt_partition_work_init(&work, &partition, &its.task, NULL), MT_OK);
    for (int phase = 0; phase < work.phases; phase++) {
        int messages[RANKS] = {0}, most = 0;
        for (int rank = 0; rank < RANKS; rank++)
            for (int i = work.starts[phase * RANKS + rank];
                 i < work.starts[phase * RANKS + rank + 1]; i++) {
                assert_true(work.messages[i].bytes == 72e6);
                messages[work.messages[i].to]++;
                messages[rank]++;
            }
        for (int rank = 0; rank < RANKS; rank++)
            most = messages[rank] > most ? messages[rank] : most;
        assert_int_equal(most, 5);
    }
    assert_int_equal(work.nmessages, 4 * (4 + 4 * 3));
    mt_partition_work_clear(&work);
    mt_partition_clear(&partition);
}

/* In a subpanel of the left-over no rank passes more than two quarters, as the tables
   count. */
static void test_messages_of_a_left_over(void **state)
{
    (void)state;
    static const int blocks[RANKS] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const struct mt_partition_shares shares = {3, blocks, 2, pieces};
    struct environment its;
    struct mt_partition partition = {0};
    struct mt_partition_work work = {0};
    set_up(&its, 0, 4);
    assert_int_equal(
        mt_partition_deal(&partition, &its.task, &shares, MT_PARTITION_ROWS, NULL),
        MT_OK);
    assert_int_equal(mt_partition_work_init(&work, &partition, &its.task, NULL), MT_OK);
    for (int phase = 0; phase < work.phases; phase++) {
        int messages[RANKS] = {0};
        for (int rank = 0;
             rank < RANKS && mt_partition_turn_of_phase(&partition, phase) == 1; rank++)
            for (int i = work.starts[phase * RANKS + rank];
                 i < work.starts[phase * RANKS + rank + 1]; i++) {
                assert_true(work.messages[i].bytes == 32e6);
                messages[work.messages[i].to]++;
                messages[rank]++;
            }
        for (int rank = 0; rank < RANKS; rank++)
            assert_in_range(messages[rank], 0, 2);
    }
    mt_partition_work_clear(&work);
    mt_partition_clear(&partition);
}

/* The expected choice: how many blocks of which grid each rank has, and into how many
   pieces a side the left-over is cut, one for each of the last ranks. */
struct choice {
    enum mt_partition_kind kind;
    int grid, parts;
    int blocks[RANKS];
};

static void assert_choice(const struct environment *its, const struct choice *expected)
{
    struct mt_partition partition = {0};
    int blocks[RANKS] = {0}, left_over[RANKS] = {0};
    assert_int_equal(mt_partition_choose(&partition, expected->kind, &whole,
                                         &its->cluster, 12, NULL),
                     MT_OK);
    assert_int_equal(partition.kind, expected->kind);
    assert_int_equal(partition.panels, expected->grid);
    assert_int_equal(partition.subpanels, expected->parts);
    for (int i = 0; i < partition.ntiles; i++)
        (partition.tiles[i].turn == 0 ? blocks : left_over)[partition.tiles[i].rank]++;
    assert_memory_equal(blocks, expected->blocks, sizeof blocks);
    if (expected->parts > 0)
        assert_memory_equal(left_over, pieces, sizeof left_over);
    mt_partition_clear(&partition);
}

static void test_partitions_of_environment_1(void **state)
{
    (void)state;
    static const struct choice choices[] = {
        {MT_PARTITION_EQUAL, 4, 0, {2, 2, 2, 2, 2, 2, 2, 2}},
        {MT_PARTITION_GREEDY, 4, 0, {2, 2, 2, 2, 2, 2, 2, 2}},
        {MT_PARTITION_RECURSIVE, 3, 2, {1, 1, 1, 1, 1, 1, 1, 1}}};
    struct environment its;
    set_up(&its, 0, 4);
    for (int i = 0; i < 3; i++)
        assert_choice(&its, &choices[i]);
}

static void test_partitions_of_environment_2(void **state)
{
    (void)state;
    struct environment its;
    set_up(&its, 0, 7);
    for (int kind = MT_PARTITION_EQUAL; kind <= MT_PARTITION_RECURSIVE; kind++)
        assert_choice(
            &its, &(struct choice){
                      (enum mt_partition_kind)kind, 4, 0, {2, 2, 2, 2, 2, 2, 2, 2}});
}

/* The paper's greedy partition wants a somewhat faster network here: there all messages
   of a processor were counted, wherever they are in the steps. And we give the fourth
   block to the first of equals, the paper to the last. */
static void test_partitions_of_environment_3(void **state)
{
    (void)state;
    static const struct choice choices[] = {
        {MT_PARTITION_RECURSIVE, 4, 2, {1, 2, 2, 2, 2, 2, 2, 2}},
        {MT_PARTITION_GREEDY, 5, 0, {2, 3, 3, 3, 4, 4, 3, 3}}};
    struct environment its;
    set_up(&its, 1, 3);
    assert_choice(&its, &choices[0]);
    its.cluster.network.bandwidth = 80e6;
    assert_choice(&its, &choices[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_1),
        cmocka_unit_test(test_table_4_h_strassen),
        cmocka_unit_test(test_table_4_h_strassen_r),
        cmocka_unit_test(test_table_3_h_strassen_r),
        cmocka_unit_test(test_messages_of_equal_blocks),
        cmocka_unit_test(test_messages_of_a_left_over),
        cmocka_unit_test(test_partitions_of_environment_1),
        cmocka_unit_test(test_partitions_of_environment_2),
        cmocka_unit_test(test_partitions_of_environment_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
