/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/test.h"

#include "preload/common/options.h"

static struct options parse(const char *text)
{
    struct options options;
    char reason[200] = "";
    assert_true(options_parse(&options, text, reason, sizeof(reason)));
    assert_string_equal(reason, "");
    return options;
}

static void assert_asks_for_nothing(const struct options *options)
{
    assert_int_equal(options->bcast, BCAST_OFF);
    assert_false(options->reduce);
    assert_false(options->reproducible);
    assert_false(options->report);
    assert_false(options->verbose);
    assert_string_equal(options->report_file, "");
}

/* A wrong word disables the library, whatever else is in the text. */
static void assert_refused(const char *text, const char *because)
{
    struct options options;
    char reason[200] = "";
    memset(&options, 1, sizeof(options));
    assert_false(options_parse(&options, text, reason, sizeof(reason)));
    assert_contains(reason, because);
    assert_asks_for_nothing(&options);
}

static void asks_for_nothing_without_text(void **state)
{
    (void)state;
    struct options options = parse(NULL);
    assert_asks_for_nothing(&options);
    options = parse("");
    assert_asks_for_nothing(&options);
}

static void reads_each_mode(void **state)
{
    (void)state;
    assert_int_equal(parse("bcast").bcast, BCAST_AUTO);
    assert_int_equal(parse("bcast=auto").bcast, BCAST_AUTO);
    assert_int_equal(parse("bcast=paper").bcast, BCAST_PAPER);
    assert_int_equal(parse("bcast=paper-2").bcast, BCAST_PAPER_2);
    assert_int_equal(parse("bcast=off").bcast, BCAST_OFF);
}

static void reads_words_in_any_order(void **state)
{
    (void)state;
    const struct options options = parse("verbose,report=a=b.json,bcast=paper");
    assert_true(options.verbose);
    assert_true(options.report);
    assert_string_equal(options.report_file, "a=b.json");
    assert_int_equal(options.bcast, BCAST_PAPER);
}

static void reports_without_a_file_or_broadcasts(void **state)
{
    (void)state;
    const struct options options = parse("report");
    assert_true(options.report);
    assert_string_equal(options.report_file, "");
    assert_int_equal(options.bcast, BCAST_OFF);
}

static void the_last_word_counts(void **state)
{
    (void)state;
    assert_int_equal(parse("bcast=paper,bcast").bcast, BCAST_AUTO);
    assert_string_equal(parse("report=a,report=bc").report_file, "bc");
}

static void refuses_unknown_words(void **state)
{
    (void)state;
    assert_refused("bcats", "'bcats'");
    assert_refused("bcast,scatter", "'scatter'"); /* known until it gained too little */
    assert_refused("verbose,bcast=fast,report", "'bcast=fast'");
    assert_refused("bcast=", "'bcast='");
    assert_refused("verbose=1", "'verbose=1'");
    assert_refused("report=", "'report='");
    assert_refused("bcast,,report", "''");
    assert_refused(" bcast", "' bcast'");
    assert_refused("Bcast", "bcast[=auto|paper|paper-2|off]");
}

static void takes_a_file_name_as_long_as_there_is_room(void **state)
{
    (void)state;
    enum { room = sizeof(((struct options *)0)->report_file) };
    char text[room + 10] = "report=";
    memset(text + strlen(text), 'x', room - 1);
    assert_int_equal(strlen(parse(text).report_file), room - 1);
    strcat(text, "x");
    assert_refused(text, "report=xxx");
    strcat(text, "x");
    assert_refused(text, "too long");
}

static void cuts_the_reason_to_the_room_for_it(void **state)
{
    (void)state;
    struct options options;
    char reason[9] = "????????";
    assert_false(options_parse(&options, "nonsense", reason, 6));
    assert_string_equal(reason, "not k");
    assert_int_equal(reason[6], '?');
}

static void reads_what_to_do_with_reductions(void **state)
{
    (void)state;
    assert_true(parse("reduce").reduce);
    assert_false(parse("reduce").reproducible);
    assert_true(parse("reproducible,bcast,reduce").reproducible);
    assert_refused("reduce=auto", "'reduce=auto'");
}

static void reads_what_to_do_with_gathers(void **state)
{
    (void)state;
    assert_true(parse("bcast,gather").gather);
    assert_false(parse("bcast,reduce").gather);
    assert_refused("gather=1", "'gather=1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_for_nothing_without_text),
        cmocka_unit_test(reads_each_mode),
        cmocka_unit_test(reads_words_in_any_order),
        cmocka_unit_test(reports_without_a_file_or_broadcasts),
        cmocka_unit_test(reads_what_to_do_with_reductions),
        cmocka_unit_test(reads_what_to_do_with_gathers),
        cmocka_unit_test(the_last_word_counts),
        cmocka_unit_test(refuses_unknown_words),
        cmocka_unit_test(takes_a_file_name_as_long_as_there_is_room),
        cmocka_unit_test(cuts_the_reason_to_the_room_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
