/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common/parts.h"
#include "apps/common/weights.h"
#include "tests/unit/test.h"

#include <unistd.h>

enum { MOST_PARTS = 64 };

static double largest_quotient(const int *parts, const double *weights, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, parts[i] / weights[i]);
    return largest;
}

static void expect_parts(int total, const double *weights, int count,
                         const int *expected)
{
    int parts[MOST_PARTS];
    parts_divide(parts, total, weights, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(parts[i], expected[i]);
}

static void parts_follow_weights(void **state)
{
    (void)state;
    expect_parts(12, (const double[]){1, 2, 3}, 3, (const int[]){2, 4, 6});
    expect_parts(11, (const double[]){1, 2, 3}, 3, (const int[]){2, 4, 5});
    expect_parts(7, (const double[]){0.3}, 1, (const int[]){7});
    expect_parts(1000, (const double[]){1e-12, 1}, 2, (const int[]){1, 999});
    expect_parts(3, (const double[]){1e-12, 1, 1e-12}, 3, (const int[]){1, 1, 1});
}

static void parts_of_equal_weights_differ_by_one_at_most(void **state)
{
    (void)state;
    const double weight = 0.7;
    double weights[MOST_PARTS];
    for (int i = 0; i < MOST_PARTS; i++)
        weights[i] = weight;
    for (int count = 1; count <= MOST_PARTS; count++)
        for (int total = count; total < 300; total += 7) {
            int expected[MOST_PARTS];
            for (int i = 0; i < count; i++)
                expected[i] = total / count + (i < total % count);
            expect_parts(total, weights, count, expected);
        }
}

/* The least that the largest quotient can be, over all ways to divide. */
static double search(int total, const double *weights, int count)
{
    if (count == 1)
        return total / weights[0];
    double best = INFINITY;
    for (int first = 1; first <= total - count + 1; first++)
        best = fmin(best, fmax(first / weights[0],
                               search(total - first, weights + 1, count - 1)));
    return best;
}

static double draw(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (double)(*seed >> 8) * 0x1p-24;
}

static void no_division_is_ready_sooner(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 300; round++) {
        const int count = 1 + (int)(4 * draw(&seed));
        const int total = count + (int)(30 * draw(&seed));
        double weights[4];
        int parts[4], sum = 0;
        for (int i = 0; i < count; i++)
            weights[i] = pow(draw(&seed) + 1e-3, 3);
        parts_divide(parts, total, weights, count);
        for (int i = 0; i < count; i++) {
            assert_true(parts[i] >= 1);
            sum += parts[i];
        }
        assert_int_equal(sum, total);
        assert_close(largest_quotient(parts, weights, count),
                     search(total, weights, count), 1e-12);
    }
}

static void assert_box(const struct box *box, const int first[3], const int points[3])
{
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(box->first[axis], first[axis]);
        assert_int_equal(box->points[axis], points[axis]);
    }
}

static double imbalance(const struct box *boxes, const double *weights, int count)
{
    struct parts_summary summary = {0};
    for (int i = 0; i < count; i++)
        parts_summarise(&summary, box_volume(&boxes[i]), weights[i]);
    return parts_imbalance(&summary);
}

static void boxes_follow_weights(void **state)
{
    (void)state;
    struct box boxes[4];
    /* half of it to the last one, and the rest cut across the next axis */
    parts_cut_box(boxes, (const int[]){8, 8, 8}, (const double[]){1, 1, 2}, 3);
    assert_box(&boxes[0], (const int[]){0, 0, 0}, (const int[]){4, 4, 8});
    assert_box(&boxes[1], (const int[]){0, 4, 0}, (const int[]){4, 4, 8});
    assert_box(&boxes[2], (const int[]){4, 0, 0}, (const int[]){4, 8, 8});
    assert_close(imbalance(boxes, (const double[]){1, 1, 2}, 3), 1, 1e-15);

    parts_cut_box(boxes, (const int[]){2, 10, 3}, (const double[]){4, 1}, 2);
    assert_box(&boxes[0], (const int[]){0, 0, 0}, (const int[]){2, 8, 3});
    assert_box(&boxes[1], (const int[]){0, 8, 0}, (const int[]){2, 2, 3});

    /* 2.5 layers become 3: with two, the slow one would be ready later still */
    parts_cut_box(boxes, (const int[]){4, 1, 1}, (const double[]){5, 3}, 2);
    assert_box(&boxes[1], (const int[]){3, 0, 0}, (const int[]){1, 1, 1});
    assert_close(imbalance(boxes, (const double[]){5, 3}, 2), 3 / 2.5, 1e-15);

    parts_cut_box(boxes, (const int[]){5, 6, 7}, (const double[]){9}, 1);
    assert_box(&boxes[0], (const int[]){0, 0, 0}, (const int[]){5, 6, 7});
}

/* Each point is in one box, and none is empty. */
static void expect_cover(const struct box *boxes, const int size[3], int count)
{
    const struct box whole = {.points = {size[0], size[1], size[2]}};
    struct box common;
    double points = 0;
    for (int i = 0; i < count; i++) {
        points += box_volume(&boxes[i]);
        assert_true(box_overlap(&boxes[i], &whole, &common));
        assert_box(&common, boxes[i].first, boxes[i].points);
        for (int other = 0; other < i; other++)
            assert_false(box_overlap(&boxes[i], &boxes[other], &common));
    }
    assert_true(points == box_volume(&whole));
}

static void boxes_cover_the_whole(void **state)
{
    (void)state;
    unsigned seed = 2;
    for (int round = 0; round < 500; round++) {
        const int size[3] = {1 + (int)(9 * draw(&seed)), 1 + (int)(9 * draw(&seed)),
                             1 + (int)(9 * draw(&seed))};
        const int volume = size[0] * size[1] * size[2];
        /* sometimes as many boxes as points */
        const int most = volume < MOST_PARTS ? volume : MOST_PARTS;
        const int count = round % 4 ? 1 + (int)(most * draw(&seed)) : most;
        double weights[MOST_PARTS];
        struct box boxes[MOST_PARTS];
        for (int i = 0; i < count; i++)
            weights[i] = round % 3 ? 1e-12 + pow(draw(&seed), 4) : 1;
        parts_cut_box(boxes, size, weights, count);
        expect_cover(boxes, size, count);
    }
}

static void large_boxes_have_their_share(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int round = 0; round < 50; round++) {
        const int size[3] = {512, 512, 512},
                  count = 1 + (int)(MOST_PARTS * draw(&seed));
        double weights[MOST_PARTS];
        struct box boxes[MOST_PARTS];
        for (int i = 0; i < count; i++)
            weights[i] = 1 + 7 * draw(&seed); /* the fastest is eight times as fast */
        parts_cut_box(boxes, size, weights, count);
        const double most = imbalance(boxes, weights, count);
        assert_true(most >= 1 && most < 1.05);
    }
}

static void equal_boxes_are_cubic(void **state)
{
    (void)state;
    double weights[MOST_PARTS];
    struct box boxes[MOST_PARTS];
    for (int i = 0; i < MOST_PARTS; i++)
        weights[i] = 3;
    parts_cut_box(boxes, (const int[]){32, 32, 32}, weights, MOST_PARTS);
    for (int i = 0; i < MOST_PARTS; i++)
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(boxes[i].points[axis], 8);
}

static void divisions_are_summarised(void **state)
{
    (void)state;
    struct parts_summary summary = {0};
    parts_summarise(&summary, 30, 2);
    parts_summarise(&summary, 10, 1);
    parts_summarise(&summary, 20, 1);
    assert_close(summary.smallest, 10, 0);
    assert_close(summary.largest, 30, 0);
    assert_close(parts_imbalance(&summary), 20.0 / 15, 1e-15);
}

static void boxes_touch_when_one_has_grown(void **state)
{
    (void)state;
    const struct box a = {{0, 0, 0}, {2, 3, 4}}, b = {{2, 1, 0}, {2, 3, 1}};
    const struct box grown = box_grow(&a);
    struct box common;
    assert_box(&grown, (const int[]){-1, -1, -1}, (const int[]){4, 5, 6});
    assert_false(box_overlap(&a, &b, &common));
    assert_true(box_overlap(&grown, &b, &common));
    assert_box(&common, (const int[]){2, 1, 0}, (const int[]){1, 3, 1});

    struct box own, halo;
    assert_true(box_touch(&a, &b, &own, &halo));
    assert_box(&own, (const int[]){1, 0, 0}, (const int[]){1, 3, 2});
    assert_box(&halo, (const int[]){2, 1, 0}, (const int[]){1, 3, 1});
    assert_true(box_touch(&b, &a, &own, &halo));
    assert_box(&own, (const int[]){0, 0, 0}, (const int[]){1, 3, 1});
    assert_box(&halo, (const int[]){-1, -1, 0}, (const int[]){1, 3, 2});
    const struct box corner = {{2, 3, 4}, {1, 1, 1}}, apart = {{2, 3, 5}, {1, 1, 1}};
    assert_true(box_touch(&a, &corner, &own, &halo));
    assert_false(box_touch(&a, &apart, &own, &halo));
}

enum { RANKS = 3 };

/* Load a file of these bytes; FILE stands for its name in the error message. */
static int load_bytes(const char *bytes, size_t length, double weights[RANKS],
                      char reason[512])
{
    char path[] = "/tmp/test_weights-XXXXXX";
    struct mt_error err = {0};
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, length), length);
    close(file);
    const int status = weights_load(weights, RANKS, path, &err);
    unlink(path);
    const char *at = strstr(err.text, path);
    snprintf(reason, 512, "%s", at ? at + strlen(path) : err.text);
    return status;
}

static int load(const char *text, double weights[RANKS], char reason[512])
{
    return load_bytes(text, strlen(text), weights, reason);
}

static void expect_weights(const char *text, double first, double second, double third)
{
    double weights[RANKS];
    char reason[512];
    assert_int_equal(load(text, weights, reason), MT_OK);
    assert_close(weights[0], first, 1e-15);
    assert_close(weights[1], second, 1e-15);
    assert_close(weights[2], third, 1e-15);
}

static void expect_reason(const char *text, enum mt_status status, const char *expected)
{
    double weights[RANKS];
    char reason[512];
    assert_int_equal(load(text, weights, reason), status);
    assert_string_equal(reason, expected);
}

static void only_ratios_matter(void **state)
{
    (void)state;
    expect_weights("1\n2\n4\n", 0.25, 0.5, 1);
    expect_weights("2.5e300\n5e300\n10e300\n", 0.25, 0.5, 1);
    expect_weights("3e-300\n1e300\n1e300", 1e-12, 1, 1);
}

static void comments_and_empty_lines_are_skipped(void **state)
{
    (void)state;
    expect_weights("# of four nodes\n\n3\n \t\n#7\n 6 \n.3e1\n\n", 0.5, 1, 0.5);
    expect_weights("1\r\n\r\n1\r\n2\r\n", 0.5, 0.5, 1);
}

static void there_is_one_for_each_rank(void **state)
{
    (void)state;
    expect_reason("", MT_EINVAL, ": 0 weights for 3 ranks; there must be one for each");
    expect_reason("1\n2\n", MT_EINVAL,
                  ": 2 weights for 3 ranks; there must be one for each");
    expect_reason("1\n2\n3\n\n4\n5\n", MT_EINVAL,
                  ", line 5: more weights than the 3 ranks; there must be one for "
                  "each");
}

static void other_than_positive_numbers_are_refused(void **state)
{
    (void)state;
    const char *wrong[] = {"0",   "-1", "0.0", "nan", "inf", "1e999", "1e-999",
                           "1 2", "1,", "0x2", "+1",  "one", "1#"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64], expected[128];
        snprintf(text, sizeof text, "1\n2\n%s\n", wrong[i]);
        snprintf(expected, sizeof expected,
                 ", line 3: not a weight: '%s'; each line must be one positive "
                 "number",
                 wrong[i]);
        expect_reason(text, MT_EPARSE, expected);
    }
}

static void files_that_are_not_text_are_refused(void **state)
{
    (void)state;
    double weights[RANKS];
    char reason[512], *longest = malloc(3 << 20);
    assert_non_null(longest);
    assert_int_equal(load_bytes("1\0\n2\n3\n", 7, weights, reason), MT_EPARSE);
    expect_reason("\xff\x1b[2J\n", MT_EPARSE,
                  ", line 1: not a weight: '??[2J'; each line must be one positive "
                  "number");
    memset(longest, '1', 3 << 20);
    assert_int_equal(load_bytes(longest, 3 << 20, weights, reason), MT_EPARSE);
    assert_string_equal(reason, ", line 1: a line is longer than 1 MiB");
    free(longest);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    double weights[RANKS];
    struct mt_error err = {0};
    assert_int_equal(weights_load(weights, RANKS, "/no/such/file", &err), MT_EIO);
    assert_string_equal(err.text,
                        "cannot open '/no/such/file': No such file or directory");
    assert_int_equal(weights_load(weights, RANKS, "/tmp", &err), MT_EIO);
    assert_contains(err.text, "/tmp, line 1: cannot read: Is a directory");
    /* which never ends */
    assert_int_equal(weights_load(weights, RANKS, "/dev/zero", &err), MT_EPARSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_follow_weights),
        cmocka_unit_test(parts_of_equal_weights_differ_by_one_at_most),
        cmocka_unit_test(no_division_is_ready_sooner),
        cmocka_unit_test(boxes_follow_weights),
        cmocka_unit_test(boxes_cover_the_whole),
        cmocka_unit_test(large_boxes_have_their_share),
        cmocka_unit_test(equal_boxes_are_cubic),
        cmocka_unit_test(divisions_are_summarised),
        cmocka_unit_test(boxes_touch_when_one_has_grown),
        cmocka_unit_test(only_ratios_matter),
        cmocka_unit_test(comments_and_empty_lines_are_skipped),
        cmocka_unit_test(there_is_one_for_each_rank),
        cmocka_unit_test(other_than_positive_numbers_are_refused),
        cmocka_unit_test(files_that_are_not_text_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
