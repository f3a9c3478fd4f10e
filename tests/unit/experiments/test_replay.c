/* SPDX-License-Identifier: BSD-3-Clause */
/* The noise of the study's replayed runs (experiments/heho). */
#include "experiments/heho/replay.h"
#include "tests/unit/test.h"

#include <math.h>

enum { RUNS = 20000 };

static struct mt_sample points[2] = {
    {.configuration = {.use = {{.nodes = 2, .layout.processes = 1}}},
     .size = 10,
     .seconds = 3},
    {.configuration = {.use = {{.nodes = 1, .layout.processes = 2}}},
     .size = 10,
     .seconds = 3},
};
static const struct recorded recorded = {.points = points, .count = 2};

static double log_noise(const struct replay *replay, int point, int repetition)
{
    return log(replay_run(replay, point, repetition).seconds / points[point].seconds);
}

/* Bounds of four standard errors. */
static void has_the_deviation_asked_for(void **state)
{
    (void)state;
    const struct replay replay = {.recorded = &recorded, .noise = 0.05, .seed = 7};
    double sum = 0, squares = 0;
    for (int i = 0; i < RUNS; i++) {
        const double x = log_noise(&replay, 0, i) / replay.noise;
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / RUNS) < 4 / sqrt(RUNS));
    assert_true(fabs(squares / RUNS - 1) < 4 * sqrt(2. / RUNS));
}

/* Their products average to 0 where they are independent. */
static void differs_by_seed_point_and_repetition(void **state)
{
    (void)state;
    const struct replay replay = {.recorded = &recorded, .noise = 1, .seed = 7};
    const struct replay other = {.recorded = &recorded, .noise = 1, .seed = 8};
    double seeds = 0, places = 0, repetitions = 0;
    for (int i = 0; i < RUNS; i++) {
        const double x = log_noise(&replay, 0, i);
        seeds += x * log_noise(&other, 0, i);
        places += x * log_noise(&replay, 1, i);
        repetitions += x * log_noise(&replay, 0, i + 1);
    }
    assert_true(fabs(seeds / RUNS) < 4 / sqrt(RUNS));
    assert_true(fabs(places / RUNS) < 4 / sqrt(RUNS));
    assert_true(fabs(repetitions / RUNS) < 4 / sqrt(RUNS));
}

static void is_the_same_each_time(void **state)
{
    (void)state;
    const struct replay replay = {.recorded = &recorded, .noise = 0.02, .seed = 3};
    const double first = replay_run(&replay, 1, 5).seconds;
    replay_run(&replay, 0, 1);
    assert_true(replay_run(&replay, 1, 5).seconds == first);
}

static void is_none_without_noise(void **state)
{
    (void)state;
    const struct replay replay = {.recorded = &recorded, .seed = 3};
    assert_true(replay_run(&replay, 0, 9).seconds == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_deviation_asked_for),
        cmocka_unit_test(differs_by_seed_point_and_repetition),
        cmocka_unit_test(is_the_same_each_time),
        cmocka_unit_test(is_none_without_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
