/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/options.h"

#include "tests/unit/test.h"

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

static void refuses(struct mt_number_option *option, const char *words,
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
        refuses(&runs, wrong[i], message);
    }
    refuses(&share, "0.51", "--share: '0.51' is not a number from 0 to 0.5");
    refuses(&share, "-0", "--share: '-0' is not a number from 0 to 0.5");
    refuses(&price, "0", "--price: '0' is not a number above 0");
    refuses(&price, "1e999", "--price: '1e999' is not a number above 0");
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
        cmocka_unit_test(a_number_that_is_not_given_stays),
        cmocka_unit_test(numbers_within_the_range_are_read),
        cmocka_unit_test(others_are_refused_by_one_message),
        cmocka_unit_test(a_mistyped_option_is_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
