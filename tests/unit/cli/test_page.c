/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages: whatever text is put on one is shown, and is in the data. */
#include "cli/page/page.h"

#include "lib/base/text.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const pieces[] = {
    "<",         ">",    "\"",           "'",           "&",
    "&amp;",     "</p>", "<script>",     "-->",         "<!--",
    "</script>", "]]>",  "\\u003c",      "javascript:", "\x1b[2J",
    "\xc3\x28",  "\xff", "\xe2\x80\xae", "\xc3\xa9",    "\xf0\x9f\x90\xb1",
    "a b",       "\t",   "\r",           "%s%n",        "onload=x ",
    "{{x}}",     "`",    "\x7f"};
enum { PIECES = sizeof pieces / sizeof *pieces, MOST_PIECES = 2000 };

/* A text that somebody may have thought of; some are 10 kB long. */
static void make_text(char *text, unsigned *seed)
{
    int count = rand_r(seed) % 12;
    if (count == 0)
        count = MOST_PIECES;
    *text = '\0';
    for (int i = 0; i < count; i++)
        text = stpcpy(text, pieces[rand_r(seed) % PIECES]);
}

/* Write the page into a file, and read it. */
static char *write_page(const struct mt_page *page, const char *title)
{
    char path[] = "/tmp/test_page-XXXXXX";
    char *text = NULL;
    size_t room = 0;
    struct mt_error err;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const struct mt_page_file written = {
        .layout = "report", .title = title, .path = path};
    assert_int_equal(mt_page_write(&written, page->data, &err), MT_OK);
    FILE *stream = fopen(path, "r"); /* which has replaced the empty one */
    close(file);
    assert_non_null(stream);
    assert_true(getdelim(&text, &room, 0, stream) > 0);
    fclose(stream);
    unlink(path);
    return text;
}

/* The text from `begin` to `end`; `*at` moves behind it. */
static char *find_between(const char **at, const char *begin, const char *end)
{
    const char *first = strstr(*at, begin);
    assert_non_null(first);
    first += strlen(begin);
    const char *behind = strstr(first, end);
    assert_non_null(behind);
    *at = behind;
    return strndup(first, (size_t)(behind - first));
}

/* A text of HTML as a browser shows it; fails on markup. */
static void unescape(char *html)
{
    char *shown = html;
    for (const char *c = html; *c;) {
        assert_true(*c != '<' && *c != '>');
        if (*c != '&') {
            *shown++ = *c++;
            continue;
        }
        const char *end = strchr(c, ';');
        assert_non_null(end);
        *shown++ = strncmp(c, "&lt;", 4) == 0   ? '<'
                   : strncmp(c, "&gt;", 4) == 0 ? '>'
                                                : '&';
        c = end + 1;
    }
    *shown = 0;
}

/* The data that is in the page. */
static json_t *find_data(const char *html)
{
    char *text = find_between(&html, "<script type=\"application/json\">", "</script>");
    json_t *data = json_loads(text, 0, NULL);
    assert_non_null(data);
    assert_null(strchr(text, '<'));
    free(text);
    return data;
}

static void texts_are_shown_never_taken_for_markup(void **state)
{
    (void)state;
    enum { ROOM = 16 * MOST_PIECES };
    char *text = malloc(ROOM), *clean = malloc(ROOM);
    unsigned seed = 20;
    for (int i = 0; i < 200; i++) {
        struct mt_page page;
        mt_page_begin(&page);
        make_text(text, &seed);
        strcpy(clean, text);
        mt_text_clean_line(clean);
        mt_page_section(&page, "section");
        mt_page_say(&page, "said", "%s", text);
        json_t *data = json_deep_copy(page.data);
        char *html = write_page(&page, text);
        const char *at = html;
        char *title = find_between(&at, "<title>", "</title>");
        unescape(title);
        assert_string_equal(title, clean);
        json_t *read = find_data(html);
        assert_true(json_equal(read, data));
        json_decref(read);
        json_decref(data);
        free(title);
        free(html);
        mt_page_clear(&page);
    }
    free(clean);
    free(text);
}

static void texts_and_lines_are_what_was_printed_since_the_last_one(void **state)
{
    (void)state;
    struct mt_page page;
    mt_page_begin(&page);
    mt_page_section(&page, "section");
    fputs("a longer line\nand another\n", page.lines);
    mt_page_lines(&page, "lines");
    mt_page_say(&page, "said", "%d", 7);
    fputs("of two\nlines", page.lines);
    mt_page_text(&page, "text");
    mt_page_lines(&page, "none");
    json_t *expected =
        json_pack("{s:[s, s], s:s, s:s, s:[]}", "lines", "a longer line", "and another",
                  "said", "7", "text", "of two\nlines", "none");
    assert_true(json_equal(page.section, expected));
    json_decref(expected);
    mt_page_clear(&page);
}

static void diagrams_keep_their_points_and_end_no_script(void **state)
{
    (void)state;
    struct mt_plot plot = {.x_label = "nodes", .count = 1};
    struct mt_panel *panel = &plot.panels[0];
    plot.title = strdup("<i>");
    panel->y_label = strdup("seconds");
    panel->log_y = true;
    mt_panel_series(panel, "</script><b>", MT_SERIES_LINE, 2);
    assert_true(mt_panel_point(panel, 1, 10));
    mt_panel_interval(panel, 9, 10);
    /* a logarithmic axis has no place for the one below 0 */
    assert_false(mt_panel_point(panel, 2, -1));
    assert_true(mt_panel_point(panel, 3, 30.5));
    struct mt_page page;
    mt_page_begin(&page);
    mt_page_section(&page, "times");
    mt_page_plot(&page, "diagram", &plot);
    char *html = write_page(&page, "title");
    assert_null(strstr(html, "<b>"));
    assert_null(strstr(html, "<i>"));
    json_t *read = find_data(html);
    const json_t *kept = json_object_get(json_object_get(read, "times"), "diagram");
    const json_t *first = json_array_get(
        json_object_get(json_array_get(json_object_get(kept, "panels"), 0), "series"),
        0);
    assert_string_equal(json_string_value(json_object_get(first, "label")),
                        "</script><b>");
    assert_int_equal(json_array_size(json_object_get(first, "y")), 2);
    assert_true(json_number_value(json_array_get(json_object_get(first, "y"), 1)) ==
                30.5);
    assert_int_equal(json_array_size(json_object_get(first, "low")), 2);
    json_decref(read);
    free(html);
    mt_page_clear(&page);
    mt_plot_clear(&plot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_shown_never_taken_for_markup),
        cmocka_unit_test(texts_and_lines_are_what_was_printed_since_the_last_one),
        cmocka_unit_test(diagrams_keep_their_points_and_end_no_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
