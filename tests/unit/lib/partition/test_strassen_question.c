/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/partition/internal.h"
#include "lib/partition/question.h"
#include "lib/partition/speeds.h"
#include "tests/unit/lib/store/test_store.h"
#include "tests/unit/test.h"

#include <math.h>

static const char cluster_text[] =
    "name: lab\n"
    "launcher: openmpi\n"
    "groups:\n"
    "  - {name: fast, hosts: 'f[1-2]', processes: [1]}\n"
    "  - {name: slow, hosts: 's[1-2]', processes: [1]}\n";

/* Fast nodes multiply at 2 Gf, slow ones at 1 Gf; a level takes 95 % of the time. */
static double product_seconds(bool fast, double n, bool strassen)
{
    return 2 * n * n * n / (fast ? 2e9 : 1e9) * (strassen ? 0.95 : 1);
}

/* A second for 8 MB; both ways two. */
static double message_seconds(double n, int ways)
{
    return ways * n * n / 1e6;
}

static void keep(const struct folder *folder, enum mt_strassen_probe probe,
                 const char *configuration, double size, double seconds)
{
    struct mt_run run = {.cluster = test_copy("lab"),
                         .program = test_copy(mt_strassen_probe_name(probe)),
                         .configuration = test_copy(configuration),
                         .size = size,
                         .repetition = 1,
                         .seconds = seconds,
                         .launcher = test_copy("openmpi")};
    add_run(store_path(folder), &run);
    mt_run_clear(&run);
}

static void keep_all(const struct folder *folder)
{
    static const char *const pairs[] = {"fast:2x1", "fast:1x1+slow:1x1", "slow:2x1"};
    static const double products[] = {500, 1000};
    static const double messages[] = {MT_STRASSEN_SMALL, MT_STRASSEN_LARGE};
    for (int i = 0; i < 2; i++) {
        for (int fast = 0; fast < 2; fast++)
            for (int levels = 0; levels < 2; levels++)
                keep(folder, levels ? MT_PROBE_STRASSEN : MT_PROBE_PRODUCT,
                     fast ? "fast:1x1" : "slow:1x1", products[i],
                     product_seconds(fast, products[i], levels));
        for (int pair = 0; pair < 3; pair++) {
            /* the slow nodes' own connection is half as fast */
            const double factor = pair == 2 ? 2 : 1;
            keep(folder, MT_PROBE_TRANSFER, pairs[pair], messages[i],
                 factor * message_seconds(messages[i], 1));
            keep(folder, MT_PROBE_EXCHANGE, pairs[pair], messages[i],
                 factor * message_seconds(messages[i], 2));
        }
    }
}

static struct mt_strassen_question ask(const struct folder *folder,
                                       const char *configuration)
{
    struct mt_strassen_question question = {
        .product = {1000, 1000, 1000}, .most = 4, .kinds = {true, false, false, true}};
    struct mt_error err = {0};
    char path[64];
    snprintf(path, sizeof path, "%s/lab.yaml", folder_path(folder));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(cluster_text, file);
    fclose(file);
    if (mt_cluster_load(&question.cluster, path, &err) != MT_OK ||
        mt_configuration_parse(&question.configuration, &question.cluster,
                               configuration, &err) != MT_OK)
        fail_msg("%s", err.text);
    return question;
}

static int calibrate(struct mt_strassen_question *question, const struct folder *folder,
                     struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, store_path(folder), MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_strassen_question_calibrate(question, store, err);
    mt_store_close(store);
    return status;
}

static void test_runs_tell_speeds_and_the_network(void **state)
{
    const struct folder *folder = *state;
    keep_all(folder);
    struct mt_strassen_question question = ask(folder, "fast:2x1+slow:2x1");
    assert_int_equal(calibrate(&question, folder, NULL), MT_OK);
    assert_int_equal(question.machine.ranks, 4);
    assert_int_equal(question.groups[1], 0);
    assert_int_equal(question.groups[2], 1);
    assert_close(question.speeds[0].flops, 2e9, 0.02);
    assert_close(question.speeds[3].flops, 1e9, 0.02);
    assert_true(isfinite(question.speeds[0].bandwidth));
    assert_close(question.machine.network.bandwidth, 4e6, 1e-9); /* the slowest */
    assert_close(question.machine.network.exchange, 2, 1e-9);
    assert_true(isnan(question.machine.network.overlap)); /* not measured */
    mt_strassen_question_clear(&question);

    /* an exchange and a product of a second each take 1.5 s together */
    keep(folder, MT_PROBE_OVERLAP, "slow:2x1", MT_STRASSEN_LARGE, 1.5);
    question = ask(folder, "fast:2x1+slow:2x1");
    assert_int_equal(calibrate(&question, folder, NULL), MT_OK);
    assert_close(question.machine.network.overlap, 0.5, 1e-9);
    mt_strassen_question_clear(&question);

    /* of the groups that are used */
    question = ask(folder, "fast:2x1");
    assert_int_equal(calibrate(&question, folder, NULL), MT_OK);
    assert_close(question.machine.network.bandwidth, 8e6, 1e-9);
    mt_strassen_question_clear(&question);
}

static void test_what_was_not_measured_is_named(void **state)
{
    const struct folder *folder = *state;
    struct mt_error err = {0};
    keep(folder, MT_PROBE_PRODUCT, "fast:1x1", 500, 1);
    struct mt_strassen_question question = ask(folder, "fast:2x1+slow:1x1");
    assert_int_equal(calibrate(&question, folder, &err), MT_ENOTFOUND);
    assert_string_equal(err.text, "nothing is known of products on 'slow' with 1 "
                                  "process on a node");
    mt_strassen_question_clear(&question);
    question = ask(folder, "fast:2x1");
    assert_int_equal(calibrate(&question, folder, &err), MT_ENOTFOUND);
    assert_string_equal(err.text,
                        "nothing is known of messages between the nodes of 'lab'");
    mt_strassen_question_clear(&question);
}

static void test_only_kinds_that_are_asked_for_are_compared(void **state)
{
    const struct folder *folder = *state;
    keep_all(folder);
    struct mt_strassen_choices choices = {.best = MT_PARTITION_EQUAL};
    struct mt_strassen_question question = ask(folder, "fast:2x1+slow:2x1");
    assert_int_equal(calibrate(&question, folder, NULL), MT_OK);
    assert_int_equal(mt_strassen_choose_all(&choices, &question, NULL), MT_OK);
    assert_int_equal(choices.of[MT_PARTITION_EQUAL].partition.ntiles, 4);
    assert_int_equal(choices.of[MT_PARTITION_GREEDY].partition.ntiles, 0);
    assert_int_equal(choices.of[MT_PARTITION_RECURSIVE].partition.ntiles, 0);
    assert_int_equal(choices.promising, MT_PARTITION_AUTO);
    assert_int_equal(choices.best,
                     MT_PARTITION_EQUAL); /* no product has confirmed it */
    const struct mt_strassen_ideal ideal =
        mt_strassen_ideal(&choices.of[MT_PARTITION_EQUAL].forecast);
    assert_close(ideal.heterogeneity, 1.5, 1e-3); /* of 2, 2, 1, 1: 1.5 / 1 */
    assert_close(1 / (1 + ideal.gain),
                 (1 - ideal.communication) / ideal.heterogeneity + ideal.communication,
                 1e-12);
    const struct mt_partition *rectangles = &choices.of[MT_PARTITION_AUTO].partition;
    assert_true(mt_strassen_perimeters(rectangles) >=
                mt_strassen_least_perimeters(rectangles) - 1e-12);
    mt_strassen_choices_clear(&choices);
    mt_strassen_question_clear(&question);
}

static void test_equal_ranks_are_a_row(void **state)
{
    const struct folder *folder = *state;
    keep_all(folder);
    struct mt_strassen_choice choice = {.partition = {.ranks = 0}};
    struct mt_strassen_rows rows = {0};
    struct mt_strassen_question question = ask(folder, "fast:2x1+slow:2x1");
    const struct mt_partition_times actual[] = {
        {1, 2, 3}, {3, 2, 1}, {5, 5, 5}, {NAN, NAN, NAN}};
    assert_int_equal(calibrate(&question, folder, NULL), MT_OK);
    assert_int_equal(mt_strassen_choose(&choice, MT_PARTITION_EQUAL, &question, NULL),
                     MT_OK);
    assert_int_equal(mt_strassen_rows_make(&rows, &question, &choice, actual, NULL),
                     MT_OK);
    assert_int_equal(rows.count, 2);
    assert_string_equal(rows.rows[0].ranks, "0-1");
    assert_string_equal(rows.rows[1].ranks, "2-3");
    assert_int_equal(rows.rows[1].group, 1);
    assert_close(rows.rows[0].share, 0.25, 1e-12);
    assert_close(rows.rows[0].actual.compute, 2, 1e-12);
    assert_true(isnan(rows.rows[1].actual.waiting));
    mt_strassen_rows_clear(&rows);
    mt_strassen_choice_clear(&choice);
    mt_strassen_question_clear(&question);
}

static const struct mt_strassen_speed xeon = {
    .flops = 3e9, .half = 40, .bandwidth = 1.5e9};

static struct mt_strassen_sample run(const struct mt_strassen_speed *speed, double size,
                                     int levels)
{
    return (struct mt_strassen_sample){
        size, mt_strassen_seconds(speed, size, size, size, levels, false), levels};
}

static void test_a_speed_is_found_again(void **state)
{
    (void)state;
    const struct mt_strassen_sample samples[] = {
        run(&xeon, 500, 0),  run(&xeon, 1000, 0), run(&xeon, 2000, 0),
        run(&xeon, 2000, 1), run(&xeon, 4000, 2),
    };
    struct mt_strassen_speed speed;
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 5, NULL), MT_OK);
    assert_close(speed.flops, xeon.flops, 1e-6);
    assert_close(speed.half, xeon.half, 1e-6);
    assert_close(speed.bandwidth, xeon.bandwidth, 1e-6);

    /* values that the runs do not determine are left out */
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 3, NULL), MT_OK);
    assert_close(speed.half, xeon.half, 1e-6);
    assert_true(isinf(speed.bandwidth));
    assert_int_equal(mt_strassen_speed_fit(&speed, samples + 2, 1, NULL), MT_OK);
    assert_true(speed.half == 0);
    assert_close(mt_strassen_seconds(&speed, 2000, 2000, 2000, 0, false),
                 samples[2].seconds, 1e-6);
}

/* Where small products are the faster ones, as caches make them, no size has half. */
static void test_no_part_is_negative(void **state)
{
    (void)state;
    const struct mt_strassen_sample samples[] = {
        {500, 0.08, 0}, {1000, 0.7, 0}, {2000, 6, 0}, {2000, 4, 1}};
    struct mt_strassen_speed speed;
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 4, NULL), MT_OK);
    assert_true(speed.flops > 0 && isfinite(speed.flops));
    assert_true(speed.half == 0);
    assert_true(speed.bandwidth > 0);
}

/* Only costs proportional to the square of the size. */
static void test_a_speed_is_finite(void **state)
{
    (void)state;
    const struct mt_strassen_sample samples[] = {
        {100, 0.1, 0}, {200, 0.3, 0}, {400, 0.9, 0}, {800, 2.7, 0}};
    struct mt_strassen_speed speed;
    assert_int_equal(mt_strassen_speed_fit(&speed, samples, 4, NULL), MT_OK);
    assert_true(speed.flops > 0 && isfinite(speed.flops));
    assert_true(speed.half == 0);
}

static void test_poor_runs_are_refused(void **state)
{
    (void)state;
    struct mt_strassen_sample sample = run(&xeon, 1000, 1);
    struct mt_strassen_speed speed = xeon;
    struct mt_error err;
    assert_int_equal(mt_strassen_speed_fit(&speed, &sample, 1, &err), MT_ERANK);
    assert_contains(err.text, "no run is without levels");
    assert_int_equal(mt_strassen_speed_fit(&speed, NULL, 0, &err), MT_ERANK);
    const double wrong[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        sample = (struct mt_strassen_sample){1000, wrong[i], 0};
        assert_int_equal(mt_strassen_speed_fit(&speed, &sample, 1, &err), MT_EINVAL);
        assert_contains(err.text, "cannot have been measured");
        sample = (struct mt_strassen_sample){wrong[i], 1, 0};
        assert_int_equal(mt_strassen_speed_fit(&speed, &sample, 1, &err), MT_EINVAL);
    }
    assert_true(speed.flops == xeon.flops);
}

/* Levels pay from a size on; and more of them later. */
static void test_levels_grow_with_the_size(void **state)
{
    (void)state;
    int levels = 0;
    for (int size = 0; size <= 16000; size += 250) {
        const int best = mt_strassen_best_levels(&xeon, size, size, size,
                                                 MT_STRASSEN_MAX_LEVELS, true);
        assert_true(best >= levels && best <= levels + 1);
        const double least = mt_strassen_seconds(&xeon, size, size, size, best, true);
        for (int other = 0; other <= MT_STRASSEN_MAX_LEVELS; other++)
            assert_true(mt_strassen_seconds(&xeon, size, size, size, other, true) >=
                        least);
        levels = best;
    }
    assert_true(levels >= 2);
    assert_int_equal(mt_strassen_best_levels(&xeon, 16000, 16000, 16000, 1, true), 1);
    assert_true(mt_strassen_seconds(&xeon, 1000, 0, 1000, 1, true) == 0);

    /* sums that cost nothing: as deep as it may be */
    const struct mt_strassen_speed ideal = {.flops = 1, .bandwidth = (double)INFINITY};
    assert_int_equal(mt_strassen_best_levels(&ideal, 9, 9, 9, 8, false), 8);
    assert_close(mt_strassen_seconds(&ideal, 8, 8, 8, 3, true), 2.0 * 343, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(test_runs_tell_speeds_and_the_network),
        in_folder(test_what_was_not_measured_is_named),
        in_folder(test_only_kinds_that_are_asked_for_are_compared),
        in_folder(test_equal_ranks_are_a_row),
        cmocka_unit_test(test_a_speed_is_found_again),
        cmocka_unit_test(test_no_part_is_negative),
        cmocka_unit_test(test_a_speed_is_finite),
        cmocka_unit_test(test_poor_runs_are_refused),
        cmocka_unit_test(test_levels_grow_with_the_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
