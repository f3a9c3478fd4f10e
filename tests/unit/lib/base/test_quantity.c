/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/quantity.h"

#include "tests/unit/test.h"

static double parsed(const char *text, enum mt_quantity quantity)
{
    struct mt_error err = {0};
    double value = -1;
    if (mt_quantity_parse(&value, text, quantity, &err) != MT_OK)
        fail_msg("'%s': %s", text, err.text);
    return value;
}

static void refuses(const char *text, enum mt_quantity quantity, const char *reason)
{
    struct mt_error err = {0};
    double value = -1;
    assert_int_equal(mt_quantity_parse(&value, text, quantity, &err), MT_EPARSE);
    assert_contains(err.text, reason);
    assert_true(value == -1);
}

static void reads_every_kind_of_unit(void **state)
{
    (void)state;
    assert_close(parsed("1 GiB", MT_BYTES), 1073741824.0, 0);
    assert_close(parsed("1.5MB", MT_BYTES), 1.5e6, 1e-15);
    assert_close(parsed("0 B", MT_BYTES), 0, 0);
    assert_close(parsed("50 us", MT_SECONDS), 50e-6, 1e-15);
    assert_close(parsed("2 min", MT_SECONDS), 120, 0);
    assert_close(parsed("1e2s", MT_SECONDS), 100, 0);
    assert_close(parsed("1.3 Gf", MT_FLOPS), 1.3e9, 1e-15);
    assert_close(parsed(" 90 MB/s ", MT_BANDWIDTH), 90e6, 0);
    assert_close(parsed("1 Gbps", MT_BANDWIDTH), 125e6, 0);
    assert_close(parsed("1KiB/s", MT_BANDWIDTH), 1024, 0);
}

static void reads_other_names_of_units(void **state)
{
    (void)state;
    assert_close(parsed("2.4 Gflop/s", MT_FLOPS), 2.4e9, 1e-15);
    assert_close(parsed("2.4 GFLOPS", MT_FLOPS), 2.4e9, 1e-15);
    assert_close(parsed("1.5TFlops/s", MT_FLOPS), 1.5e12, 1e-15);
    assert_close(parsed("10 Gbit/s", MT_BANDWIDTH), 1.25e9, 1e-15);
    assert_close(parsed("100 Mbits/s", MT_BANDWIDTH), 12.5e6, 1e-15);
    assert_close(parsed("3 MBps", MT_BANDWIDTH), 3e6, 1e-15);
    assert_close(parsed("1.5 hours", MT_SECONDS), 5400, 0);
    assert_close(parsed("90 seconds", MT_SECONDS), 90, 0);
    assert_close(parsed("2 days", MT_SECONDS), 172800, 0);
    assert_close(parsed("2 h 13 min", MT_SECONDS), 7980, 0);
    assert_close(parsed("1h30min5s", MT_SECONDS), 5405, 0);
    refuses("1 GB/s", MT_FLOPS, "unknown unit 'GB/s'");
    refuses("1 Gop/s", MT_FLOPS, "unknown unit");
    refuses("1 Gflop/s", MT_BANDWIDTH, "unknown unit");
    refuses("1 Gbit", MT_BANDWIDTH, "unknown unit");
    refuses("1 Gflops Gflops", MT_FLOPS, "text after the unit: '1 Gflops Gflops'");
}

static void names_the_units_that_are_understood(void **state)
{
    (void)state;
    refuses("5", MT_SECONDS, "a unit is missing: '5' (units: ns us ms s min h)");
    refuses("5 parsec", MT_SECONDS, "unknown unit 'parsec'");
    refuses("1 GB", MT_BANDWIDTH, "Gbps");
    refuses("1 s", MT_BYTES, "B kB MB GB TB KiB MiB GiB TiB");
    refuses("1 gf", MT_FLOPS, "unknown unit 'gf'");
}

static void refuses_what_is_not_one_number_and_one_unit(void **state)
{
    (void)state;
    refuses("", MT_BYTES, "not a positive number");
    refuses("-1 s", MT_SECONDS, "not a positive number");
    refuses("nan s", MT_SECONDS, "not a positive number");
    refuses("inf s", MT_SECONDS, "not a positive number");
    refuses("0x10 s", MT_SECONDS, "unknown unit 'x'");
    refuses("1e999 s", MT_SECONDS, "too large");
    refuses("1e308 TB", MT_BYTES, "too large");
    refuses("1 s 2", MT_SECONDS, "a unit is missing: '1 s 2'");
    refuses("1 s s", MT_SECONDS, "text after the unit: '1 s s'");
    refuses("1 s 2 min", MT_SECONDS, "'min' after a unit that is no larger");
    refuses("1 h 1 h", MT_SECONDS, "'h' after a unit that is no larger");
    refuses("1 GiB 1 MiB", MT_BYTES, "text after the unit: '1 GiB 1 MiB'");
}

static void expect_written(double value, enum mt_quantity quantity, const char *text)
{
    char written[MT_QUANTITY_LENGTH];
    mt_quantity_format(written, value, quantity);
    assert_string_equal(written, text);
}

static void writes_the_shortest_unit(void **state)
{
    (void)state;
    expect_written(0x1p18, MT_BYTES, "256 KiB");
    expect_written(256e3, MT_BYTES, "256 kB");
    expect_written(1.5 * 0x1p30, MT_BYTES, "1.5 GiB");
    expect_written(1000, MT_BYTES, "1 kB");
    expect_written(0.71 * 1e-6, MT_SECONDS, "0.71 us");
    expect_written(710 * 1e-9, MT_SECONDS, "710 ns");
    expect_written(1.2 * 1e-6, MT_SECONDS, "1.2 us");
    expect_written(90, MT_SECONDS, "90 s");
    expect_written(2.78e6, MT_FLOPS, "2.78 Mf");
    expect_written(2e6, MT_BANDWIDTH, "2 MB/s");
}

/* Numbers that have no short text, over all magnitudes. */
static void what_is_written_is_read_again(void **state)
{
    (void)state;
    for (double value = 1e-30 / 3; value < 1e30; value *= 7.3)
        for (enum mt_quantity quantity = MT_BYTES; quantity <= MT_BANDWIDTH;
             quantity++) {
            char text[MT_QUANTITY_LENGTH];
            mt_quantity_format(text, value, quantity);
            assert_close(parsed(text, quantity), value, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_of_unit),
        cmocka_unit_test(reads_other_names_of_units),
        cmocka_unit_test(names_the_units_that_are_understood),
        cmocka_unit_test(refuses_what_is_not_one_number_and_one_unit),
        cmocka_unit_test(writes_the_shortest_unit),
        cmocka_unit_test(what_is_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
