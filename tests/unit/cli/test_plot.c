/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/plot.h"

#include "tests/unit/test.h"

enum { POINTS = 5 };

/* A plot with one series; the caller clears it. */
static struct mt_plot plot_of(const double *x, const double *y, int count, bool log_y)
{
    struct mt_plot plot = {.x_label = "x", .count = 1};
    plot.panels[0].log_y = log_y;
    mt_panel_series(&plot.panels[0], NULL, MT_SERIES_LINE, 0);
    for (int i = 0; i < count; i++)
        mt_panel_point(&plot.panels[0], x[i], y[i]);
    return plot;
}

static void assert_ticks(const struct mt_plot_axis *axis, const double *ticks,
                         int count)
{
    assert_int_equal(axis->count, count);
    for (int i = 0; i < count; i++)
        assert_close(axis->ticks[i], ticks[i], 1e-12);
}

static void the_x_of_the_data_are_ticks_when_they_are_few(void **state)
{
    (void)state;
    const double x[POINTS] = {8, 1, 2, 4, 2}, y[POINTS] = {3, 0.5, 3, 1, 40};
    struct mt_plot plot = plot_of(x, y, POINTS, false);
    plot.log_x = true;
    struct mt_plot_axis axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){1, 2, 4, 8}, 4);
    assert_close(axis.low, 1 / pow(8, 0.04), 1e-12);
    assert_close(axis.high, 8 * pow(8, 0.04), 1e-12);
    assert_close(mt_plot_axis_fraction(&axis, sqrt(8)), 0.5, 1e-12);

    plot.round_ticks = true;
    axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){1, 2, 5}, 3);
    mt_plot_clear(&plot);
}

static void many_x_have_round_ticks(void **state)
{
    (void)state;
    double x[14], y[14];
    for (int i = 0; i < 14; i++) {
        x[i] = 1 + i;
        y[i] = 1;
    }
    struct mt_plot plot = plot_of(x, y, 14, false);
    struct mt_plot_axis axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){5, 10}, 2);
    assert_close(axis.low, 0.48, 1e-12);
    assert_close(axis.high, 14.52, 1e-12);
    plot.log_x = true;
    axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){1, 2, 5, 10}, 4);
    mt_plot_clear(&plot);
}

static void y_has_room_for_a_legend(void **state)
{
    (void)state;
    const double x[POINTS] = {8, 1, 2, 4, 2}, y[POINTS] = {NAN, 0.5, 3, -1, 40};
    struct mt_plot plot = plot_of(x, y, POINTS, true);
    assert_int_equal(plot.panels[0].series[0].count, 3);
    struct mt_plot_axis axis = mt_panel_y_axis(&plot.panels[0]);
    assert_ticks(&axis, (const double[]){0.5, 1, 2, 5, 10, 20, 50}, 7);
    assert_close(axis.high, 60, 1e-12);
    mt_plot_clear(&plot);

    plot = plot_of(x, y, POINTS, false); /* now -1 is shown */
    assert_int_equal(plot.panels[0].series[0].count, 4);
    axis = mt_panel_y_axis(&plot.panels[0]);
    assert_ticks(&axis, (const double[]){0, 10, 20, 30, 40}, 5);
    assert_true(axis.low < -1 && axis.high > 40);
    plot.panels[0].y_limit = 25;
    axis = mt_panel_y_axis(&plot.panels[0]);
    assert_ticks(&axis, (const double[]){0, 5, 10, 15, 20, 25}, 6);
    mt_plot_clear(&plot);
}

static void intervals_are_kept_where_the_panel_has_a_place_for_them(void **state)
{
    (void)state;
    const double x = 1, y = 2;
    struct mt_plot plot = plot_of(&x, &y, 1, true);
    struct mt_panel *panel = &plot.panels[0];
    mt_panel_interval(panel, -1, 3);
    assert_false(mt_series_has_intervals(&panel->series[0]));
    mt_panel_interval(panel, 1.5, 3);
    assert_true(mt_series_has_intervals(&panel->series[0]));
    assert_close(panel->series[0].points[0].low, 1.5, 0);
    mt_plot_clear(&plot);
    assert_null(plot.panels[0].series);
}

static void a_single_point_has_an_axis(void **state)
{
    (void)state;
    const double one = 100;
    struct mt_plot plot = plot_of(&one, &one, 1, true);
    struct mt_plot_axis axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, &one, 1);
    assert_close(mt_plot_axis_fraction(&axis, one), 0.5, 1e-12);
    axis = mt_panel_y_axis(&plot.panels[0]);
    assert_true(axis.count >= 2); /* round numbers, as no power of ten is near */
    mt_plot_clear(&plot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_x_of_the_data_are_ticks_when_they_are_few),
        cmocka_unit_test(many_x_have_round_ticks),
        cmocka_unit_test(y_has_room_for_a_legend),
        cmocka_unit_test(intervals_are_kept_where_the_panel_has_a_place_for_them),
        cmocka_unit_test(a_single_point_has_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
