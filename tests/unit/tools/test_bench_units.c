/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "tools/bcast-bench/units.h"

static void bytes_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int bytes;
    } cases[] = {{"1", 1},           {"64B", 64},       {"4KiB", 4096},
                 {"16MiB", 1 << 24}, {"1GiB", 1 << 30}, {"1000", 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int bytes;
        assert_true(bytes_read(&bytes, cases[i].text));
        assert_int_equal(bytes, cases[i].bytes);
    }
}

static void delays_are_read(void **state)
{
    (void)state;
    struct delay delay;
    assert_true(delay_read(&delay, "1.5ms"));
    assert_false(delay.relative);
    assert_close(delay.amount, 0.0015, 1e-15);
    assert_true(delay_read(&delay, "10x"));
    assert_true(delay.relative);
    assert_true(delay.amount == 10);
    assert_true(delay_read(&delay, "0s"));
    assert_true(delay.amount == 0);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char *const bytes_texts[] = {
        "",     "0",       "-1",
        "KiB",  "1kb",     "1.5KiB",
        "2GiB", "1 KiB x", "99999999999999999999"};
    static const char *const delay_texts[] = {"",    "10",   "x",   "-1ms", "1e999s",
                                              "10X", "1ms2", "nan", "inf s"};
    int bytes = 7, count = 7;
    struct delay delay = {.amount = 7};
    for (size_t i = 0; i < sizeof bytes_texts / sizeof *bytes_texts; i++)
        assert_false(bytes_read(&bytes, bytes_texts[i]));
    for (size_t i = 0; i < sizeof delay_texts / sizeof *delay_texts; i++)
        assert_false(delay_read(&delay, delay_texts[i]));
    assert_false(count_read(&count, "2147483648"));
    assert_false(count_read(&count, " 1"));
    assert_int_equal(bytes, 7);
    assert_int_equal(count, 7);
    assert_true(delay.amount == 7);
}

static void texts_take_the_unit_that_fits(void **state)
{
    (void)state;
    char text[UNITS_TEXT];
    bytes_text(1000, text);
    assert_string_equal(text, "1000 B");
    bytes_text(1 << 24, text);
    assert_string_equal(text, "16 MiB");
    bytes_text(1 << 30, text);
    assert_string_equal(text, "1 GiB");
    seconds_text(0, text);
    assert_string_equal(text, "0 ns");
    seconds_text(1.2345e-5, text);
    assert_string_equal(text, "12.35 us");
    seconds_text(0.9999999e-3, text);
    assert_string_equal(text, "1 ms");
    seconds_text(1234, text);
    assert_string_equal(text, "1234 s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_read),
        cmocka_unit_test(delays_are_read),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(texts_take_the_unit_that_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
