/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/process/output.h"

#include "lib/base/pattern.h"
#include "tests/unit/test.h"

static struct mt_output output;
static regex_t pattern;

static int set_up(void **state)
{
    (void)state;
    output = (struct mt_output){.pattern = &pattern};
    return mt_pattern_compile(&pattern, "^time ([^ ]+) s$", NULL);
}

static int tear_down(void **state)
{
    (void)state;
    regfree(&pattern);
    return 0;
}

static void eat(const char *text)
{
    mt_output_eat(&output, text, strlen(text));
}

#ifndef __SANITIZE_ADDRESS__ /* which has a realloc() of its own */
void *__libc_realloc(void *block, size_t bytes);
static bool no_memory;

void *realloc(void *block, size_t bytes)
{
    return no_memory ? NULL : __libc_realloc(block, bytes);
}

/* The stream for the text has room, but not for the last write. */
static void has_no_text_without_memory(void **state)
{
    (void)state;
    eat("some words\n");
    mt_output_finish(&output);
    no_memory = true;
    char *text = mt_output_text(&output);
    no_memory = false;
    assert_null(text);
}
#endif

static void finds_the_last_match(void **state)
{
    (void)state;
    double seconds = 0;
    eat("time 1.5 s\nsome text\nti");
    eat("me 2.5e-3 s");
    mt_output_finish(&output);
    assert_true(output.found);
    assert_int_equal(mt_output_number(&output, &seconds, NULL), MT_OK);
    assert_close(seconds, 2.5e-3, 1e-15);
}

static void reads_lines_of_other_systems(void **state)
{
    (void)state;
    double seconds = 0;
    eat("10 %\r20 %\rtime 3 s\r\n");
    mt_output_finish(&output);
    assert_int_equal(mt_output_number(&output, &seconds, NULL), MT_OK);
    assert_close(seconds, 3, 1e-15);
}

static void finds_no_time_without_its_group(void **state)
{
    (void)state;
    double seconds = 0;
    regex_t either;
    assert_int_equal(mt_pattern_compile(&either, "time ([0-9.]+) s|ended", NULL),
                     MT_OK);
    output.pattern = &either;
    eat("time 3 s\nended\n");
    assert_int_equal(mt_output_number(&output, &seconds, NULL), MT_OK);
    assert_close(seconds, 3, 1e-15);
    regfree(&either);
}

static void refuses_what_is_no_time(void **state)
{
    (void)state;
    const char *lines[] = {"time nan s\n", "time inf s\n",  "time -1 s\n",
                           "time 0 s\n",   "time 1.2x s\n", "time 1e999 s\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        double seconds = 42;
        eat(lines[i]);
        assert_true(output.found);
        assert_int_equal(mt_output_number(&output, &seconds, NULL), MT_EINVAL);
        assert_true(seconds == 42);
    }
}

static void keeps_the_beginning_and_the_end(void **state)
{
    (void)state;
    char line[32];
    size_t printed = 0;
    for (int i = 0; i < 10000; i++) {
        snprintf(line, sizeof line, "line %d\n", i);
        printed += strlen(line);
        eat(line);
    }
    char *text = mt_output_text(&output);
    assert_true(strlen(text) <= MT_OUTPUT_BEGIN + MT_OUTPUT_KEPT + 64);
    assert_true(strlen(text) > MT_OUTPUT_BEGIN + MT_OUTPUT_KEPT - 32);
    assert_int_equal(strncmp(text, "line 0\nline 1\n", 14), 0);
    assert_contains(text, "line 9999\n");
    const char *gap = strstr(text, "\n... ");
    assert_non_null(gap);
    size_t left_out = strtoul(gap + 5, NULL, 10);
    const char *after = strchr(gap + 1, '\n') + 1;
    assert_int_equal(strncmp(after, "line ", 5), 0);
    assert_int_equal((size_t)(gap + 1 - text) + left_out + strlen(after), printed);
    free(text);
}

static void keeps_all_that_fits(void **state)
{
    (void)state;
    for (int i = 0; i < (MT_OUTPUT_BEGIN + MT_OUTPUT_KEPT) / 8; i++)
        eat("1234567\n");
    char *text = mt_output_text(&output);
    assert_int_equal(strlen(text), MT_OUTPUT_BEGIN + MT_OUTPUT_KEPT);
    assert_null(strstr(text, "..."));
    free(text);
}

static void keeps_the_end_of_one_large_piece(void **state)
{
    (void)state;
    static char piece[3 * MT_OUTPUT_KEPT];
    memset(piece, 'x', sizeof piece);
    memcpy(piece + sizeof piece - 4, "end.", 4);
    mt_output_eat(&output, piece, sizeof piece);
    char *text = mt_output_text(&output);
    assert_contains(text, "x\n... 14336 bytes are left out ...\nx");
    assert_string_equal(text + strlen(text) - 4, "end.");
    free(text);
}

static void survives_endless_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        eat("no line end, never ever ");
    eat("\ntime 4 s\n");
    assert_string_equal(output.number, "4");
}

static void makes_valid_text(void **state)
{
    (void)state;
    const struct {
        const char *bytes, *text;
    } cases[] = {
        {"plain\ttext\n", "plain\ttext\n"},
        {"ssh: no\r\n1 %\r2 %\r", "ssh: no\n1 %?2 %?"},
        {"gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80", NULL}, /* as it is */
        {"\x1B[1mbold\x07", "?[1mbold?"},
        {"\xFF\xC3", "??"},
        {"\xC0\x80 \xED\xA0\x80 \xF4\x90\x80\x80", "?? ??? ????"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mt_output other = {0};
        mt_output_eat(&other, cases[i].bytes, strlen(cases[i].bytes));
        char *text = mt_output_text(&other);
        assert_string_equal(text, cases[i].text ? cases[i].text : cases[i].bytes);
        free(text);
    }
}

static void replaces_zero_bytes(void **state)
{
    (void)state;
    mt_output_eat(&output, "a\0b\ntime 5\0", 11);
    char *text = mt_output_text(&output);
    assert_string_equal(text, "a?b\ntime 5?");
    free(text);
}

static void has_no_text_when_nothing_was_printed(void **state)
{
    (void)state;
    assert_null(mt_output_text(&output));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_last_match, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_lines_of_other_systems, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(finds_no_time_without_its_group, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_the_beginning_and_the_end, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(keeps_all_that_fits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_the_end_of_one_large_piece, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(survives_endless_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replaces_zero_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(has_no_text_when_nothing_was_printed, set_up,
                                        tear_down),
        cmocka_unit_test(makes_valid_text),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test_setup_teardown(has_no_text_without_memory, set_up, tear_down),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
