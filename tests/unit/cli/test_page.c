/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages: whatever text is put on one is shown, and is in the data. */
#include "cli/page/page.h"

#include "lib/base/text.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

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

/* What a browser shows for the text of an element; fails on markup. */
static void unescape(char *shown, const char *html, size_t length)
{
    static const struct {
        const char *escape;
        char letter;
    } known[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (size_t i = 0; i < length;) {
        size_t k = 0;
        assert_true(html[i] != '<' && html[i] != '>' && html[i] != '"');
        if (html[i] != '&') {
            *shown++ = html[i++];
            continue;
        }
        while (k < 5 &&
               strncmp(html + i, known[k].escape, strlen(known[k].escape)) != 0)
            k++;
        assert_true(k < 5);
        *shown++ = known[k].letter;
        i += strlen(known[k].escape);
    }
    *shown = '\0';
}

/* The text of the first element of that name after `from`. */
static const char *find_shown(char *shown, const char *from, const char *name)
{
    char start[16], end[16];
    snprintf(start, sizeof start, "<%s>", name);
    snprintf(end, sizeof end, "</%s>", name);
    const char *begin = strstr(from, start);
    assert_non_null(begin);
    begin += strlen(start);
    const char *behind = strstr(begin, end);
    assert_non_null(behind);
    unescape(shown, begin, (size_t)(behind - begin));
    return behind;
}

static void texts_are_shown_never_taken_for_markup(void **state)
{
    (void)state;
    enum { ROOM = 16 * MOST_PIECES };
    char *text = malloc(ROOM), *clean = malloc(ROOM), *shown = malloc(ROOM);
    unsigned seed = 20;
    for (int i = 0; i < 200; i++) {
        struct mt_page page;
        struct mt_error err;
        assert_int_equal(mt_page_begin(&page, "motley/report", 1, &err), MT_OK);
        make_text(text, &seed);
        strcpy(clean, text);
        mt_text_clean(clean);
        mt_page_section(&page, "section", text);
        mt_page_say(&page, "said", "%s", text);
        mt_page_copy(&page, "copied", text, text);
        fflush(page.body);
        const char *at = find_shown(shown, page.text, "h2");
        assert_string_equal(shown, clean);
        at = find_shown(shown, at, "p");
        assert_string_equal(shown, clean);
        find_shown(shown, at, "code");
        assert_string_equal(shown, clean);
        assert_false(page.failed);
        mt_page_clear(&page);
    }
    free(shown);
    free(clean);
    free(text);
}

static void diagrams_keep_their_points_and_end_no_script(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3}, y[] = {10, -1, 30.5}, low[] = {9, -1, 29};
    const struct mt_series series = {.label = "</script><b>",
                                     .color = 2,
                                     .count = 3,
                                     .x = x,
                                     .y = y,
                                     .low = low,
                                     .high = y};
    const struct mt_panel panel = {
        .y_label = "seconds", .log_y = true, .series = &series, .count = 1};
    const struct mt_plot plot = {
        .title = "<i>", .x_label = "nodes", .panels = &panel, .count = 1};
    struct mt_page page;
    struct mt_error err;
    assert_int_equal(mt_page_begin(&page, "motley/report", 1, &err), MT_OK);
    mt_page_section(&page, "times", "Times");
    mt_page_plot(&page, "diagram", &plot);
    fflush(page.body);
    const char *begin = strstr(page.text, "<script type=\"application/json\">");
    assert_non_null(begin);
    begin = strchr(begin, '>') + 1;
    const char *end = strchr(begin, '<');
    assert_int_equal(strncmp(end, "</script>\n", 10), 0);
    assert_null(strstr(page.text, "<b>"));
    assert_null(strstr(page.text, "<i>"));
    json_t *read = json_loadb(begin, (size_t)(end - begin), 0, NULL);
    json_t *kept = json_object_get(json_object_get(page.data, "times"), "diagram");
    assert_true(json_equal(read, kept));
    const json_t *first = json_array_get(
        json_object_get(json_array_get(json_object_get(read, "panels"), 0), "series"),
        0);
    assert_string_equal(json_string_value(json_object_get(first, "label")),
                        series.label);
    /* a logarithmic axis has no place for the one below 0 */
    assert_int_equal(json_array_size(json_object_get(first, "y")), 2);
    assert_true(json_number_value(json_array_get(json_object_get(first, "y"), 1)) ==
                30.5);
    assert_int_equal(json_array_size(json_object_get(first, "low")), 2);
    json_decref(read);
    mt_page_clear(&page);
}

/* The upper half of a rectangle of 40 rows and 20 columns, with a hostile group. */
static void tiles_say_what_they_are_and_are_no_markup(void **state)
{
    (void)state;
    const struct mt_plot_tile tile = {
        .left = 0, .top = 0, .right = 1, .bottom = 0.5, .name = "<7>"};
    const struct mt_tile_group group = {.name = "a\"<b>", .legend = "</li><script>"};
    const struct mt_tiles tiles = {.title = "\" onload=\"x",
                                   .columns = 20,
                                   .rows = 40,
                                   .tiles = &tile,
                                   .count = 1,
                                   .groups = &group,
                                   .ngroups = 1};
    struct mt_page page;
    assert_int_equal(mt_page_begin(&page, "motley/report", 1, NULL), MT_OK);
    mt_page_section(&page, "section", "Title");
    mt_page_tiles(&page, "tiles", &tiles);
    fflush(page.body);
    assert_non_null(strstr(page.text, "aria-label=\"&quot; onload=&quot;x\""));
    assert_non_null(strstr(page.text,
                           "<title>&lt;7&gt;: a&quot;&lt;b&gt;, rows 0 to 20, "
                           "columns 0 to 20</title>"));
    assert_non_null(strstr(page.text, "&lt;/li&gt;&lt;script&gt;</li>"));
    assert_null(strstr(page.text, "<script"));
    assert_null(strstr(page.text, "<b>"));
    const json_t *data =
        json_object_get(json_object_get(page.data, "section"), "tiles");
    assert_int_equal(json_integer_value(json_object_get(data, "rows")), 40);
    const json_t *kept = json_array_get(json_object_get(data, "tiles"), 0);
    assert_string_equal(json_string_value(json_object_get(kept, "group")), "a\"<b>");
    assert_close(json_number_value(json_object_get(kept, "bottom")), 0.5, 0);
    assert_false(page.failed);
    mt_page_clear(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_shown_never_taken_for_markup),
        cmocka_unit_test(diagrams_keep_their_points_and_end_no_script),
        cmocka_unit_test(tiles_say_what_they_are_and_are_no_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
