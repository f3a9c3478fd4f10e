/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/canvas.h"

#include "tests/unit/test.h"

static void assert_prints(const struct mt_canvas *canvas, const char *expected)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    mt_canvas_print(canvas, stream);
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
}

static void puts_text_where_it_fits(void **state)
{
    (void)state;
    struct mt_canvas canvas = {.columns = 8, .rows = 3};
    mt_canvas_text(&canvas, 6, 0, "abc");  /* cut off */
    mt_canvas_text(&canvas, -1, 1, "xyz"); /* on both sides */
    mt_canvas_text_before(&canvas, 8, 1, "end");
    mt_canvas_put(&canvas, 0, 3, '!');    /* outside */
    mt_canvas_text(&canvas, 2, 2, "a  "); /* no blanks at the end */
    assert_prints(&canvas, "      ab\nyz   end\n  a\n");
}

static void frames_share_their_corners(void **state)
{
    (void)state;
    struct mt_canvas canvas = {.columns = 11, .rows = 5};
    static const struct mt_canvas_frame frames[] = {{0, 0, 5, 4}, {5, 0, 10, 2}};
    for (int i = 0; i < 2; i++)
        mt_canvas_frame(&canvas, &frames[i]);
    mt_canvas_text_inside(&canvas, &frames[0], 1, "12");
    mt_canvas_text_inside(&canvas, &frames[0], 2, "large"); /* no room */
    mt_canvas_text_inside(&canvas, &frames[1], 2, "x");     /* on a line */
    assert_prints(&canvas, "+----+----+\n"
                           "| 12 |    |\n"
                           "|    +----+\n"
                           "|    |\n"
                           "+----+\n");
}

static void axes_have_the_numbers_that_have_room(void **state)
{
    (void)state;
    struct mt_canvas canvas = {.columns = 15, .rows = 6};
    const struct mt_canvas_axis x = {
        .cells = 10,
        .ticks = {{0, "1"}, {4, "100"}, {7, "300"}, {8, "500"}, {9, "1000000"}},
        .count = 5};
    const struct mt_canvas_axis y = {
        .cells = 4, .ticks = {{0, "0"}, {2, "50"}, {2, "51"}, {3, "75"}}, .count = 4};
    mt_canvas_y_axis(&canvas, 3, 3, &y);
    mt_canvas_x_axis(&canvas, 4, 4, &x);
    assert_prints(&canvas, "75 +\n"
                           "50 +\n"
                           "   |\n"
                           " 0 +\n"
                           "    +---+---+-\n"
                           "    1   100 500\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_text_where_it_fits),
        cmocka_unit_test(frames_share_their_corners),
        cmocka_unit_test(axes_have_the_numbers_that_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
