/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/view.h"

#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NAME, COUNT, TIME, HERE, SPAN, SECRET, COLUMNS };
static const struct mt_column columns[COLUMNS] = {
    [NAME] = {"name", "group", MT_COLUMN_TEXT},
    [COUNT] = {"count", "N", MT_COLUMN_COUNT},
    [TIME] = {"seconds", "time", MT_COLUMN_SECONDS},
    [HERE] = {"here", "here", MT_COLUMN_FLAG},
    [SPAN] = {NULL, "interval", MT_COLUMN_SECONDS}, /* in the table only */
    [SECRET] = {"raw", NULL, MT_COLUMN_NUMBER},     /* in JSON and CSV only */
};

static void fill(struct mt_view *view)
{
    mt_view_row(view);
    mt_view_text(view, NAME, "xeon");
    mt_view_number(view, COUNT, 3200);
    mt_view_number(view, TIME, 62.67);
    mt_view_flag(view, HERE, true);
    mt_view_show(view, SPAN, "%d s - %d s", 60, 64);
    mt_view_number(view, SECRET, 0.1);
    mt_view_row(view); /* most of it is not known */
    mt_view_text(view, NAME, NULL);
    mt_view_number(view, COUNT, 1e6);
    mt_view_number(view, TIME, NAN);
    mt_view_flag(view, HERE, false);
    mt_view_row(view); /* most of it is not set */
    mt_view_own_text(view, NAME, strdup("celeron"));
}

static struct mt_view made_view(void)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    fill(&view);
    return view;
}

/* The table; the caller frees it. */
static char *printed(struct mt_view *view)
{
    static char *text;
    static size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    mt_view_print(view, stream);
    fclose(stream);
    return text;
}

static void assert_prints(struct mt_view *view, const char *expected)
{
    char *text = printed(view);
    assert_string_equal(text, expected);
    free(text);
}

/* The CSV of a view with this number of columns. */
static void assert_writes_csv(int ncolumns, void (*fill_view)(struct mt_view *),
                              const char *expected)
{
    char *text = NULL;
    size_t length;
    struct mt_view view = {.columns = columns, .ncolumns = ncolumns};
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    mt_view_begin_csv(&view, stream);
    fill_view(&view);
    mt_view_end_csv(&view);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
}

static void prints_a_table(void **state)
{
    (void)state;
    struct mt_view view = made_view();
    assert_prints(&view, "group          N     time  here     interval\n"
                         "xeon        3200  62.67 s  yes   60 s - 64 s\n"
                         "-        1000000        -  no\n"
                         "celeron\n");
    fill(&view); /* once more, as it is empty now */
    mt_view_hide(&view, COUNT);
    mt_view_hide(&view, SPAN);
    assert_prints(&view, "group       time  here\n"
                         "xeon     62.67 s  yes\n"
                         "-              -  no\n"
                         "celeron\n");
}

static void fill_for_csv(struct mt_view *view)
{
    fill(view);
    mt_view_row(view);
    mt_view_text(view, NAME, "a \"b\", c\nd");
    mt_view_show(view, COUNT, "many"); /* what is shown is the table's */
}

static void prints_csv(void **state)
{
    (void)state;
    assert_writes_csv(COLUMNS, fill_for_csv,
                      "name,count,seconds,here,raw\n"
                      "xeon,3200,62.67,true,0.1\n"
                      ",1000000,,false,\n"
                      "celeron,,,,\n"
                      "\"a \"\"b\"\", c\nd\",,,,\n");
}

static void fill_with_formulas(struct mt_view *view)
{
    static const char *const texts[] = {
        "=cmd|' /C calc'!A0", "+1", "-1", "@x", "\t=", "'", "'=1", "a=1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mt_view_row(view);
        mt_view_text(view, NAME, texts[i]);
        mt_view_number(view, COUNT, -1);
    }
}

static void csv_guards_what_spreadsheets_compute(void **state)
{
    (void)state;
    assert_writes_csv(2, fill_with_formulas,
                      "name,count\n'=cmd|' /C calc'!A0,-1\n'+1,-1\n'-1,-1\n'@x,-1\n"
                      "'\t=,-1\n',-1\n''=1,-1\na=1,-1\n");
    assert_string_equal(mt_csv_unguard("'=1"), "=1");
    assert_string_equal(mt_csv_unguard("''=1"), "'=1");
    assert_string_equal(mt_csv_unguard("'a"), "'a");
    assert_string_equal(mt_csv_unguard("=1"), "=1");
}

/* Each is written when the next one begins, and is not kept. */
static void csv_is_written_row_by_row(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length;
    struct mt_view view = {.columns = columns, .ncolumns = 2};
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    mt_view_hide(&view, NAME);
    mt_view_begin_csv(&view, stream);
    for (int i = 0; i < 1000; i++) {
        mt_view_row(&view);
        mt_view_number(&view, COUNT, i);
        assert_int_equal(view.rows, 1);
    }
    fflush(stream);
    assert_string_equal(text + length - 8, "997\n998\n");
    mt_view_end_csv(&view);
    fclose(stream);
    assert_string_equal(text + length - 8, "998\n999\n");
    assert_int_equal(strncmp(text, "count\n0\n1\n", 10), 0);
    free(text);
}

static void becomes_json(void **state)
{
    (void)state;
    struct mt_view view = made_view();
    mt_view_json(&view, SECRET, json_pack("[i, i]", 1, 2));
    json_t *list = mt_view_to_json(&view);
    json_t *expected = json_pack("[{s:s, s:i, s:f, s:b, s:f}, {s:n, s:i, s:n, s:b}, "
                                 "{s:s, s:[i, i]}]",
                                 "name", "xeon", "count", 3200, "seconds", 62.67,
                                 "here", 1, "raw", 0.1, "name", "count", 1000000,
                                 "seconds", "here", 0, "name", "celeron", "raw", 1, 2);
    assert_non_null(expected);
    assert_true(json_equal(list, expected));
    json_decref(expected);
    json_decref(list);
    assert_int_equal(view.rows, 0);
}

static void its_first_row_becomes_an_object(void **state)
{
    (void)state;
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    json_t *none = mt_view_row_to_json(&view);
    assert_true(json_is_null(none));
    json_decref(none);
    mt_view_row(&view);
    mt_view_number(&view, COUNT, 3200);
    json_t *object = mt_view_row_to_json(&view);
    json_t *expected = json_pack("{s:i}", "count", 3200);
    assert_true(json_equal(object, expected));
    json_decref(expected);
    json_decref(object);
}

static void fill_nothing(struct mt_view *view)
{
    (void)view;
}

static void prints_titles_without_rows(void **state)
{
    (void)state;
    struct mt_view view = {.columns = columns, .ncolumns = 2};
    assert_prints(&view, "group  N\n");
    assert_writes_csv(2, fill_nothing, "name,count\n");
    json_t *list = mt_view_to_json(&view);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

/* Whatever the locale: tests run in "C". */
static void counts_characters_and_shows_what_is_none(void **state)
{
    (void)state;
    struct mt_view view = {.columns = columns, .ncolumns = 2};
    static const char *const names[] = {"\u00b1 1", "\033[31m", "a\tb\nc",
                                        "\xff",     "x ",       "a\u202eb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mt_view_row(&view);
        mt_view_text(&view, NAME, names[i]);
        mt_view_number(&view, COUNT, (double)i);
    }
    assert_prints(&view, "group  N\n"
                         "\u00b1 1    0\n"
                         "?[31m  1\n"
                         "a?b?c  2\n"
                         "?      3\n"
                         "x      4\n"
                         "a?b    5\n");
}

static void is_as_wide_as_its_cells(void **state)
{
    (void)state;
    struct mt_view view = {.columns = columns, .ncolumns = 2};
    char name[401] = "";
    memset(name, 'x', 400);
    mt_view_row(&view);
    mt_view_text(&view, NAME, name);
    mt_view_number(&view, COUNT, 1);
    char *text = printed(&view);
    assert_int_equal(strlen(text), 2 * 404);
    assert_string_equal(strrchr(text, 'x') + 1, "  1\n");
    free(text);
}

static void holds_many_rows_and_can_be_filled_again(void **state)
{
    (void)state;
    struct mt_view view = {.columns = columns, .ncolumns = 2};
    for (int i = 0; i < 1000; i++) {
        mt_view_row(&view);
        mt_view_text(&view, NAME, "a");
        mt_view_text(&view, NAME, "b"); /* in its place */
        mt_view_show(&view, COUNT, "%d", i);
        mt_view_show(&view, COUNT, "%d.", i);
    }
    char *text = printed(&view);
    assert_string_equal(text + strlen(text) - 14, ".\nb      999.\n");
    free(text);
    assert_prints(&view, "group  N\n");
}

static void set_no_text(struct mt_view *view)
{
    mt_view_own_text(view, NAME, NULL);
}

static void set_no_value(struct mt_view *view)
{
    mt_view_json(view, NAME, NULL);
}

/* Whether the process that does so says that memory is short, and fails. */
static void assert_ends(void (*set)(struct mt_view *view))
{
    char said[64] = "";
    int pipes[2], ended;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct mt_view view = made_view();
        dup2(pipes[1], STDERR_FILENO);
        set(&view);
        _exit(0);
    }
    close(pipes[1]);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(read(pipes[0], said, sizeof said - 1) >= 0);
    close(pipes[0]);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == EXIT_FAILURE);
    assert_string_equal(said, "motley: out of memory\n");
}

static void says_that_memory_was_short(void **state)
{
    (void)state;
    assert_ends(set_no_text);
    assert_ends(set_no_value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_a_table),
        cmocka_unit_test(prints_csv),
        cmocka_unit_test(csv_guards_what_spreadsheets_compute),
        cmocka_unit_test(csv_is_written_row_by_row),
        cmocka_unit_test(becomes_json),
        cmocka_unit_test(its_first_row_becomes_an_object),
        cmocka_unit_test(prints_titles_without_rows),
        cmocka_unit_test(counts_characters_and_shows_what_is_none),
        cmocka_unit_test(is_as_wide_as_its_cells),
        cmocka_unit_test(holds_many_rows_and_can_be_filled_again),
        cmocka_unit_test(says_that_memory_was_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
