/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/format.h"

#include "tests/unit/test.h"

struct example {
    double number;
    const char *text;
};

typedef const char *format_function(char buffer[MT_QUANTITY_TEXT], double number);

static void assert_formats(const struct example *examples, size_t count,
                           format_function *format)
{
    char buffer[MT_QUANTITY_TEXT];
    for (size_t i = 0; i < count; i++)
        assert_string_equal(format(buffer, examples[i].number), examples[i].text);
}

#define ASSERT_FORMATS(examples, format) \
    assert_formats(examples, sizeof(examples) / sizeof *(examples), format)

static void formats_seconds(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {62.67, "62.67 s"},
        {1.21e-3, "1.210 ms"},
        {0.99996, "1.000 s"},
        {0.99994, "999.9 ms"},
        {9.99951, "10.00 s"},
        {3.14159e-6, "3.142 us"},
        {5e-10, "0.500 ns"},
        {1.5e-300, "1.5e-300 s"},
        {1.25e30, "1.25e+30 s"},
        {0, "0 s"},
        {-1, "-"},
        {NAN, "-"},
        {INFINITY, "-"},
    };
    ASSERT_FORMATS(examples, mt_format_seconds);
}

static void formats_long_times_as_people_say_them(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {599.94, "599.9 s"},     {599.96, "10 min 00 s"},
        {600, "10 min 00 s"},    {725, "12 min 05 s"},
        {3599.4, "59 min 59 s"}, {3599.6, "1 h 00 min"},
        {11040, "3 h 04 min"},   {86369, "23 h 59 min"},
        {86371, "1 d 00 h"},     {2 * 86400 + 3 * 3600, "2 d 03 h"},
    };
    ASSERT_FORMATS(examples, mt_format_seconds);
}

static void formats_dates(void **state)
{
    char buffer[MT_QUANTITY_TEXT];
    (void)state;
    assert_string_equal(mt_format_date(buffer, 0), "1970-01-01 00:00");
    assert_string_equal(mt_format_date(buffer, 1795431567), "2026-11-23 10:59");
    assert_string_equal(mt_format_date(buffer, INT64_MAX), "-");
}

static void formats_bytes(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {1, "1 B"}, {1536, "1.5 KiB"}, {1048576, "1 MiB"}, {NAN, "-"}};
    ASSERT_FORMATS(examples, mt_format_bytes);
}

static void formats_rates(void **state)
{
    (void)state;
    char text[MT_QUANTITY_TEXT];
    assert_string_equal(mt_format_rate(text, 1.2345e9, "f"), "1.23 Gf");
    assert_string_equal(mt_format_rate(text, 9.996e6, "B/s"), "10.0 MB/s");
    assert_string_equal(mt_format_rate(text, 999.6e3, "B/s"), "1.00 MB/s");
    assert_string_equal(mt_format_rate(text, 117e6, "B/s"), "117 MB/s");
    assert_string_equal(mt_format_rate(text, NAN, "f"), "-");
}

static void formats_shares(void **state)
{
    (void)state;
    static const struct example shares[] = {{0.1234, "12.3 %"}, {1.016, "101.6 %"},
                                            {-0.0004, "0.0 %"}, {-0.01, "-1.0 %"},
                                            {0, "0.0 %"},       {NAN, "-"}};
    static const struct example changes[] = {
        {0.1234, "+12.3 %"}, {-0.08, "-8.0 %"}, {0.0004, "0.0 %"}, {NAN, "-"}};
    ASSERT_FORMATS(shares, mt_format_percent);
    ASSERT_FORMATS(changes, mt_format_change);
}

static void formats_plain_numbers(void **state)
{
    (void)state;
    static const struct example counts[] = {
        {3200, "3200"}, {1e6, "1000000"}, {NAN, "-"}};
    static const struct example numbers[] = {
        {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {1e300, "1e+300"}};
    ASSERT_FORMATS(counts, mt_format_count);
    ASSERT_FORMATS(numbers, mt_format_number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_seconds),
        cmocka_unit_test(formats_long_times_as_people_say_them),
        cmocka_unit_test(formats_dates),
        cmocka_unit_test(formats_bytes),
        cmocka_unit_test(formats_rates),
        cmocka_unit_test(formats_shares),
        cmocka_unit_test(formats_plain_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
