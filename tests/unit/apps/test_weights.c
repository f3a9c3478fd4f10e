/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common/weights.h"

#include "tests/unit/test.h"

#include <unistd.h>

enum { RANKS = 3 };

/* Load a file of these bytes; its name becomes FILE in what is wrong. */
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
                  ", line 5: one weight more than the 3 ranks; there must be one for "
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
                 ", line 3: no weight: '%s'; there must be one positive number on a "
                 "line",
                 wrong[i]);
        expect_reason(text, MT_EPARSE, expected);
    }
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    double weights[RANKS];
    char reason[512], *longest = malloc(3 << 20);
    assert_non_null(longest);
    assert_int_equal(load_bytes("1\0\n2\n3\n", 7, weights, reason), MT_EPARSE);
    expect_reason(
        "\xff\x1b[2J\n", MT_EPARSE,
        ", line 1: no weight: '??[2J'; there must be one positive number on a "
        "line");
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
        cmocka_unit_test(only_ratios_matter),
        cmocka_unit_test(comments_and_empty_lines_are_skipped),
        cmocka_unit_test(there_is_one_for_each_rank),
        cmocka_unit_test(other_than_positive_numbers_are_refused),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
