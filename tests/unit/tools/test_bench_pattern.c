/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/bcast-bench/pattern.h"

enum { RANKS = 17, DRAWS = 20000 };

static double share(const char *text, int place, int call)
{
    struct pattern pattern;
    assert_true(pattern_read(&pattern, text));
    return pattern_share(&pattern, 1, place, RANKS, call);
}

static void nobody_is_late(void **state)
{
    (void)state;
    for (int place = 0; place < RANKS; place++)
        assert_true(share("none", place, 3) == 0);
}

static void one_is_late(void **state)
{
    (void)state;
    for (int place = 0; place < RANKS; place++)
        assert_true(share("one:5", place, 0) == (place == 5));
    assert_true(share("one:0", 0, 0) == 1);
}

static void slopes_are_even(void **state)
{
    (void)state;
    for (int place = 0; place < RANKS; place++) {
        assert_close(share("ascending", place, 0), place / 16.0, 1e-15);
        assert_close(share("descending", place, 0), 1 - place / 16.0, 1e-15);
    }
}

static void bell_is_highest_in_the_middle(void **state)
{
    (void)state;
    assert_true(share("bell", 0, 0) == 0);
    assert_close(share("bell", 4, 0), 0.5, 1e-12);
    assert_close(share("bell", 8, 0), 1, 1e-12);
    for (int place = 0; place < RANKS; place++)
        assert_true(fabs(share("bell", place, 0) - share("bell", 16 - place, 0)) <
                    1e-12);
}

static void random_shares_are_spread_evenly(void **state)
{
    (void)state;
    const struct pattern pattern = {.kind = PATTERN_RANDOM};
    int tenths[10] = {0};
    for (int place = 0; place < DRAWS; place++)
        tenths[(int)(10 * pattern_share(&pattern, 7, place, DRAWS, 0))]++;
    for (int i = 0; i < 10; i++)
        assert_close(tenths[i], DRAWS / 10, 0.1);
}

static void random_shares_change_when_asked_to(void **state)
{
    (void)state;
    struct pattern first = {.kind = PATTERN_RANDOM, .number = 1};
    struct pattern second = {.kind = PATTERN_RANDOM, .number = 2};
    assert_true(share("random", 3, 0) == share("random", 3, 999));
    assert_true(share("random", 3, 0) != share("random", 4, 0));
    assert_true(share("random:10", 3, 0) == share("random:10", 3, 9));
    assert_true(share("random:10", 3, 9) != share("random:10", 3, 10));
    assert_true(pattern_share(&first, 1, 3, RANKS, 0) !=
                pattern_share(&second, 1, 3, RANKS, 0));
    assert_true(pattern_share(&first, 1, 3, RANKS, 0) !=
                pattern_share(&first, 2, 3, RANKS, 0));
}

static double wait_for_root(const char *text)
{
    struct pattern pattern;
    assert_true(pattern_read(&pattern, text));
    return pattern_wait_for_root(&pattern, 1, RANKS, 0);
}

static void ranks_wait_for_a_root_that_comes_after_them(void **state)
{
    (void)state;
    assert_true(wait_for_root("none") == 0);
    assert_true(wait_for_root("one:5") == 0);
    assert_true(wait_for_root("ascending") == 0);
    assert_close(wait_for_root("one:0"), 16 / 17.0, 1e-15);
    assert_close(wait_for_root("descending"), 8.5 / 17, 1e-15);
}

static void text_is_what_was_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"none", "one:12", "ascending", "descending",
                                        "bell", "random", "random:3"};
    struct pattern pattern;
    char text[PATTERN_TEXT];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(pattern_read(&pattern, texts[i]));
        pattern_text(&pattern, text);
        assert_string_equal(text, texts[i]);
    }
    pattern = (struct pattern){.kind = PATTERN_RANDOM, .number = 4};
    pattern_text(&pattern, text);
    assert_string_equal(text, "random#4");
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",         "one",       "one:",   "one:-1",         "one:1x",
        "one: 1",   "ascend",    "none:1", "bell:2",         "random:",
        "random:0", "random:-1", "Random", "one:99999999999"};
    struct pattern pattern = {.kind = PATTERN_BELL, .place = 77};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(pattern_read(&pattern, texts[i]));
    assert_int_equal(pattern.kind, PATTERN_BELL);
    assert_int_equal(pattern.place, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_late),
        cmocka_unit_test(one_is_late),
        cmocka_unit_test(slopes_are_even),
        cmocka_unit_test(bell_is_highest_in_the_middle),
        cmocka_unit_test(random_shares_are_spread_evenly),
        cmocka_unit_test(random_shares_change_when_asked_to),
        cmocka_unit_test(ranks_wait_for_a_root_that_comes_after_them),
        cmocka_unit_test(text_is_what_was_read),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
