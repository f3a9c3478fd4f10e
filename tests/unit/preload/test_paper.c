/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload/bcast/paper/optimise.h"

#include "tests/unit/test.h"

/* A broadcast as the paper draws it: a message keeps its sender and its receiver busy
   for `message` ns; rank i comes `ready[i]` ns after the root, and the message waits
   for it without holding up the sender. */
struct picture {
    int size;
    int message;
    const int *ready;
    int place[64];
    int at[64]; /* the rank in each place */
    int64_t wait[64];
};

static void draw_below(struct picture *picture, int place, int64_t free_at)
{
    int bit = 1;
    while (bit < picture->size && !(place & bit))
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        const int child = place + bit;
        if (child >= picture->size)
            continue;
        const int rank = picture->at[child];
        const int64_t late = picture->ready[rank] - free_at;
        picture->wait[rank] = late < 0 ? -late : 0;
        free_at += picture->message;
        draw_below(picture, child, free_at + (late > 0 ? late : 0));
    }
}

static int64_t draw(struct picture *picture)
{
    for (int rank = 0; rank < picture->size; rank++)
        picture->at[picture->place[rank]] = rank;
    draw_below(picture, 0, 0);
    int64_t total = 0;
    for (int rank = 0; rank < picture->size; rank++)
        total += picture->wait[rank];
    return total;
}

static void init(struct picture *picture, int size, int message, const int *ready)
{
    *picture = (struct picture){.size = size, .message = message, .ready = ready};
    for (int rank = 0; rank < size; rank++)
        picture->place[rank] = rank;
}

static struct paper_round play_round(struct picture *picture,
                                     struct paper_optimiser *optimiser)
{
    struct paper_round round =
        paper_optimise(optimiser, picture->wait, picture->place, 0);
    const int *swap = round.swap, place = picture->place[swap[0]];
    picture->place[swap[0]] = picture->place[swap[1]];
    picture->place[swap[1]] = place;
    return round;
}

static void assert_swap(struct paper_round round, int a, int b)
{
    assert_int_equal(round.swap[0], a);
    assert_int_equal(round.swap[1], b);
}

/* Figure 6: rank i is ready at i, and a message takes twice the step. Of four swaps the
   second and the third are taken back, which makes six rounds; then no rank waits. */
static void swaps_as_in_figure_6(void **state)
{
    (void)state;
    static const int ready[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const struct {
        int64_t total;
        int swap[2];
    } expected[] = {
        {8, {4, 1}},              /* (a) to (b) */
        {2, {1, 3}}, {6, {1, 3}}, /* (c) and back */
        {2, {2, 3}}, {4, {2, 3}}, /* (d) and back */
        {2, {6, 3}}, {0, {0, 0}}, /* (e) */
    };
    struct picture picture;
    struct paper_optimiser optimiser;
    init(&picture, 8, 2, ready);
    assert_true(paper_optimiser_init(&optimiser, 8, false));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(draw(&picture), expected[i].total);
        struct paper_round round = play_round(&picture, &optimiser);
        assert_swap(round, expected[i].swap[0], expected[i].swap[1]);
    }
    paper_optimiser_free(&optimiser);
}

/* Half of the ranks wait for rank 32, which has the most to send but for the root. */
static void late_rank_becomes_a_leaf_in_one_round(void **state)
{
    (void)state;
    static const int ready[64] = {[32] = 10000};
    struct picture picture;
    struct paper_optimiser optimiser;
    init(&picture, 64, 30, ready);
    assert_true(paper_optimiser_init(&optimiser, 64, false));
    const int64_t before = draw(&picture);
    play_round(&picture, &optimiser);
    assert_true(draw(&picture) * 20 < before);
    assert_int_equal(picture.place[32] & 1, 1); /* odd places are leaves */
    assert_int_equal(picture.wait[32], 0);
    paper_optimiser_free(&optimiser);
}

/* Ranks without wait: most sends first, then least depth; in the tree of 16, ranks 4
   and 12 have two children each, and 12 is deeper, as 10 is against 2. */
static void candidates_come_by_sends_then_by_depth(void **state)
{
    (void)state;
    int64_t wait[16] = {[7] = 1000};
    int place[16];
    for (int rank = 0; rank < 16; rank++)
        place[rank] = rank;
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 16, false));
    static const int order[] = {8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 9, 11, 13, 15};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        wait[7] = 1000;
        assert_swap(paper_optimise(&optimiser, wait, place, 0), order[i], 7);
        wait[7] = 1001; /* worse: undone */
        assert_swap(paper_optimise(&optimiser, wait, place, 0), order[i], 7);
    }
    /* All have failed: the table rests until the waits change. */
    wait[7] = 1000;
    assert_swap(paper_optimise(&optimiser, wait, place, 0), 0, 0);
    wait[7] = 1251;
    assert_swap(paper_optimise(&optimiser, wait, place, 0), 8, 7);
    paper_optimiser_free(&optimiser);
}

/* If messages take their time, every rank waits: a wait of up to twice the least one
   counts as none. */
static void least_wait_counts_as_none(void **state)
{
    (void)state;
    const int place[6] = {0, 1, 2, 3, 4, 5};
    int64_t wait[6] = {0, 101, 201, 200, 100, 5000};
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 6, false));
    static const int order[] = {4, 1, 3};
    for (int i = 0; i < 3; i++) {
        wait[5] = 5000;
        assert_swap(paper_optimise(&optimiser, wait, place, 0), order[i], 5);
        wait[5] = 5001;
        assert_swap(paper_optimise(&optimiser, wait, place, 0), order[i], 5);
    }
    assert_swap(paper_optimise(&optimiser, wait, place, 0), 0, 0);
    paper_optimiser_free(&optimiser);
}

/* Loads that have grown spoil the trial that goes on, but not those after it. */
static void swap_is_compared_with_what_was_just_before_it(void **state)
{
    (void)state;
    const int place[4] = {0, 1, 2, 3};
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 4, false));
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 0, 0, 9}, place, 0), 2, 3);
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 0, 0, 90}, place, 0), 2, 3);
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 0, 0, 90}, place, 0), 1, 3);
    /* Not worse than before: kept, and the search begins anew. */
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 0, 0, 90}, place, 0), 2, 3);
    paper_optimiser_free(&optimiser);
}

static void root_keeps_its_place(void **state)
{
    (void)state;
    const int place[3] = {0, 1, 2};
    const int64_t wait[3] = {30, 0, 20};
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 3, false));
    assert_swap(paper_optimise(&optimiser, wait, place, 1), 2, 0);
    paper_optimiser_free(&optimiser);
}

/* Virtual ranks count from the root's: with root 4, rank 0 is in place 4, the best of
   the tree of 8 but for the root's. */
static void places_count_from_the_root(void **state)
{
    (void)state;
    const int place[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int64_t wait[8] = {[1] = 50};
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 8, false));
    assert_swap(paper_optimise(&optimiser, wait, place, 4), 0, 1);
    paper_optimiser_free(&optimiser);
}

static void nobody_to_swap(void **state)
{
    (void)state;
    const int place[2] = {0, 1};
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 2, false));
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 0}, place, 0), 0, 0);
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 70}, place, 0), 0, 0);
    assert_swap(paper_optimise(&optimiser, (int64_t[]){0, 700}, place, 1), 0, 0);
    paper_optimiser_free(&optimiser);
}

static void interval_follows_the_change(void **state)
{
    (void)state;
    assert_int_equal(paper_interval(1, 1000, 1250, false), 2); /* 25 % or less: twice */
    assert_int_equal(paper_interval(4, 1000, 750, false), 8);
    assert_int_equal(paper_interval(4, 1000, 1251, false), 2); /* more: half */
    assert_int_equal(paper_interval(5, 1000, 749, false), 2);
    assert_int_equal(paper_interval(1, 1000, 0, false), 1);
    assert_int_equal(paper_interval(1, 0, 1000, false), 1);
    assert_int_equal(paper_interval(1, 0, 0, false), 2);
    int interval = 1;
    for (int i = 0; i < 100; i++)
        interval = paper_interval(interval, 1, 1, false);
    assert_true(interval > 1000000);
}

static void values_are_means_of_the_last_and_the_new(void **state)
{
    (void)state;
    int64_t value = 8000;
    static const int64_t waits[] = {0, 2000, 3001}, smooth[] = {4000, 3000, 3000};
    for (int i = 0; i < 3; i++) {
        value = paper_smooth(value, waits[i]);
        assert_int_equal(value, smooth[i]);
    }
}

static void steady_waits_count_by_their_mean(void **state)
{
    (void)state;
    assert_int_equal(paper_steady((int64_t[]){1600, 1700, 1650}), 1650);
    assert_int_equal(paper_steady((int64_t[]){1701, 1600, 1650}), -1);
    assert_int_equal(paper_steady((int64_t[]){0, 0, 0}), 0);
}

/* In benchmark 2 the interval begins at 16 and never gets shorter. */
static void intervals_of_benchmark_2_only_grow(void **state)
{
    (void)state;
    static const int64_t waits[][2] = {{0, 70}, {0, 70}, {0, 700}, {0, 1}};
    static const int expected[] = {16, 32, 32, 32}, place[2] = {0, 1};
    struct paper_optimiser optimiser;
    assert_true(paper_optimiser_init(&optimiser, 2, true));
    for (int i = 0; i < 4; i++)
        assert_int_equal(paper_optimise(&optimiser, waits[i], place, 0).interval,
                         expected[i]);
    paper_optimiser_free(&optimiser);
}

static void values_are_sent_when_they_differ_by_half(void **state)
{
    (void)state;
    assert_true(paper_worth_sending(1000, 666));
    assert_true(paper_worth_sending(1000, 1500));
    assert_true(paper_worth_sending(0, 1));
    assert_true(paper_worth_sending(1000, 0));
    assert_false(paper_worth_sending(1000, 667));
    assert_false(paper_worth_sending(1000, 1499));
    assert_false(paper_worth_sending(0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swaps_as_in_figure_6),
        cmocka_unit_test(late_rank_becomes_a_leaf_in_one_round),
        cmocka_unit_test(candidates_come_by_sends_then_by_depth),
        cmocka_unit_test(least_wait_counts_as_none),
        cmocka_unit_test(swap_is_compared_with_what_was_just_before_it),
        cmocka_unit_test(root_keeps_its_place),
        cmocka_unit_test(places_count_from_the_root),
        cmocka_unit_test(nobody_to_swap),
        cmocka_unit_test(interval_follows_the_change),
        cmocka_unit_test(values_are_means_of_the_last_and_the_new),
        cmocka_unit_test(steady_waits_count_by_their_mean),
        cmocka_unit_test(intervals_of_benchmark_2_only_grow),
        cmocka_unit_test(values_are_sent_when_they_differ_by_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
