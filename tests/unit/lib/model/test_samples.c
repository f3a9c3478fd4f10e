/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/model/internal.h"
#include "tests/unit/test.h"

#include <stdlib.h>

static struct mt_sample run(int nodes, double size, double seconds)
{
    return (struct mt_sample){
        .configuration = {.use[0] = {.nodes = nodes, .layout.processes = 1}},
        .size = size,
        .seconds = seconds};
}

static void measured_is_the_median_of_each_place(void **state)
{
    (void)state;
    struct mt_sample runs[] = {run(2, 100, 40), run(1, 100, 7), run(2, 100, 25),
                               run(2, 50, 3),   run(2, 50, 9),  run(2, 100, 26)};
    const struct mt_samples samples = {.samples = runs, .count = 6};
    struct mt_measured_list list = {0};
    assert_int_equal(mt_measured_find(&list, &samples, NULL, 0, NULL), MT_OK);
    assert_int_equal(list.count, 3);
    assert_true(list.all[0].size == 50 && list.all[2].size == 100);

    const struct mt_measured *of_three =
        mt_measured_at(&list, &runs[0].configuration, 100);
    assert_int_equal(of_three->runs, 3);
    assert_true(of_three->seconds == 26);
    const struct mt_measured *of_two =
        mt_measured_at(&list, &runs[0].configuration, 50);
    assert_true(of_two->runs == 2 && of_two->seconds == 6);
    assert_null(mt_measured_at(&list, &runs[1].configuration, 50));
    mt_measured_clear(&list);
}

static void sizes_that_are_not_asked_for_are_left_out(void **state)
{
    (void)state;
    struct mt_sample runs[] = {run(1, 100, 7), run(1, 50, 3)};
    const struct mt_samples samples = {.samples = runs, .count = 2};
    const double sizes[] = {50, 200};
    struct mt_measured_list list = {0};
    assert_int_equal(mt_measured_find(&list, &samples, sizes, 2, NULL), MT_OK);
    assert_int_equal(list.count, 1);
    assert_true(list.all[0].size == 50);
    mt_measured_clear(&list);
}

static void nothing_was_measured(void **state)
{
    (void)state;
    const struct mt_samples none = {.count = 0};
    const struct mt_sample any = run(1, 50, 3);
    struct mt_measured_list list = {0};
    assert_int_equal(mt_measured_find(&list, &none, NULL, 0, NULL), MT_OK);
    assert_null(mt_measured_at(&list, &any.configuration, 50));
    mt_measured_clear(&list);
}

static void failed_is_what_never_succeeded_there(void **state)
{
    (void)state;
    struct mt_sample runs[] = {run(1, 50, 3)};
    struct mt_sample failed[] = {run(1, 50, 0), run(2, 50, 0)};
    const struct mt_samples samples = {
        .samples = runs, .count = 1, .failed = failed, .nfailed = 2};
    assert_false(mt_samples_failed(&samples, &failed[0].configuration, 50));
    assert_true(mt_samples_failed(&samples, &failed[1].configuration, 50));
    assert_false(mt_samples_failed(&samples, &failed[1].configuration, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_is_the_median_of_each_place),
        cmocka_unit_test(sizes_that_are_not_asked_for_are_left_out),
        cmocka_unit_test(nothing_was_measured),
        cmocka_unit_test(failed_is_what_never_succeeded_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
