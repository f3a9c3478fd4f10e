/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/number.h"
#include "lib/base/options.h"
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

static void knows_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double factor; /* 0: it is none */
    } cases[] = {
        {"FLOPS", 1},       {"MFLOPS", 1e6},  {"GFlop/s", 1e9},  {"Mop/s", 1e6},
        {"kops", 1e3},      {"MB/s", 1e6},    {"GiB/s", 0x1p30}, {"GUPS", 1e9},
        {"MLUPS", 1e6},     {"TEPS", 1},      {"GTEPS", 1e9},    {"1/s", 1},
        {"PFLOPS", 1e15},   {"Gb/s", 0},      {"mflops", 0},     {"s", 0},
        {"Gbit/s", 1.25e8}, {"Mbps", 1.25e5}, {"MBps", 1e6},     {"GFlop/sec", 1e9},
        {"Mbyte/s", 1e6},   {"", 0},          {"G", 0},          {"seconds", 0},
        {"GFLOPS/s", 1e9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double factor = 0;
        const bool is_unit =
            mt_rate_unit(&factor, cases[i].unit, strlen(cases[i].unit));
        assert_int_equal(is_unit, cases[i].factor > 0);
        assert_close(factor, cases[i].factor, 0);
    }
}

static struct mt_number_option runs = {.least = 1, .most = MT_MOST_COUNT, .value = 7},
                               share = {.kind = MT_NUMBER_FROM, .most = 0.5},
                               price = {.kind = MT_NUMBER_ABOVE};
static int quiet;

static struct poptOption inner[] = {
    {"share", 0, POPT_ARG_STRING, &share, MT_OPTION_NUMBER, "", "X"},
    POPT_TABLEEND,
};
static const struct poptOption table[] = {
    {"runs", 'r', POPT_ARG_STRING, &runs, MT_OPTION_NUMBER, "", "N"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, inner, 0, NULL, NULL},
    {"price", 0, POPT_ARG_STRING, &price, MT_OPTION_NUMBER, "", "X"},
    {"quiet", 0, POPT_ARG_NONE, &quiet, 0, "", NULL},
    POPT_TABLEEND,
};

static char text[64]; /* of the option that is given */

static int give(struct mt_number_option *option, const char *words,
                struct mt_error *err)
{
    snprintf(text, sizeof text, "%s", words);
    option->text = text;
    const int status = mt_options_read_numbers(table, err);
    option->text = NULL;
    return status;
}

static void takes(struct mt_number_option *option, const char *words, double value)
{
    assert_int_equal(give(option, words, NULL), MT_OK);
    assert_close(option->value, value, 0);
}

static void refuses_options(struct mt_number_option *option, const char *words,
                            const char *message)
{
    const double before = option->value;
    struct mt_error err = {0};
    assert_int_equal(give(option, words, &err), MT_EINVAL);
    assert_string_equal(err.text, message);
    assert_close(option->value, before, 0);
}

static void a_number_that_is_not_given_stays(void **state)
{
    (void)state;
    assert_int_equal(mt_options_read_numbers(table, NULL), MT_OK);
    assert_close(runs.value, 7, 0);
}

static void numbers_within_the_range_are_read(void **state)
{
    (void)state;
    takes(&runs, "1", 1);
    takes(&runs, "1000000", 1e6);
    takes(&runs, "1e3", 1000);
    takes(&share, "0", 0);
    takes(&share, ".5", 0.5);
    takes(&price, "1e-300", 1e-300);
}

static void others_are_refused_by_one_message(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0",     "-1",      "",    " 5",  "5 ",
                                        "5x",    "1.5",     "nan", "inf", "0x5",
                                        "1e999", "1000001", "+5",  "two", "--quiet"};
    char message[128];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(message, sizeof message,
                 "--runs: '%s' is not a whole number from 1 to 1000000", wrong[i]);
        refuses_options(&runs, wrong[i], message);
    }
    refuses_options(&share, "0.51", "--share: '0.51' is not a number from 0 to 0.5");
    refuses_options(&share, "-0", "--share: '-0' is not a number from 0 to 0.5");
    refuses_options(&price, "0", "--price: '0' is not a number above 0");
    refuses_options(&price, "1e999", "--price: '1e999' is not a number above 0");
}

static void refuse(const char *word, const char *message)
{
    struct mt_error err = {0};
    assert_int_equal(mt_options_refuse(table, "motley plan", word, "unknown", &err),
                     MT_EINVAL);
    assert_string_equal(err.text, message);
}

static void a_mistyped_option_is_guessed(void **state)
{
    (void)state;
    refuse("--rums", "unknown: '--rums'; did you mean '--runs'?");
    refuse("--rums=3", "unknown: '--rums=3'; did you mean '--runs'?");
    refuse("--shared", "unknown: '--shared'; did you mean '--share'?");
    refuse("--weather", "unknown: '--weather'; see 'motley plan --help'");
    refuse("--runs", "unknown: '--runs'; see 'motley plan --help'");
    refuse("--runs x", "unknown: '--runs x'; see 'motley plan --help'");
    refuse("-q", "unknown: '-q'; see 'motley plan --help'");
    refuse("--a-very-long-word-that-is-no-option-at-all",
           "unknown: '--a-very-long-word-that-is-no-option-at-all'; see 'motley plan "
           "--help'");
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
        cmocka_unit_test(knows_units),
        cmocka_unit_test(a_number_that_is_not_given_stays),
        cmocka_unit_test(numbers_within_the_range_are_read),
        cmocka_unit_test(others_are_refused_by_one_message),
        cmocka_unit_test(a_mistyped_option_is_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
