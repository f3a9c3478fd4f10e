/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/plot/panel.h"

#include "tests/unit/test.h"

static const double xs[] = {8, 1, 2, 4, 2}, ys[] = {NAN, 0.5, 3, -1, 40};
static const struct mt_series series = {.count = 5, .x = xs, .y = ys};

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
    const struct mt_panel panel = {.series = &series, .count = 1};
    struct mt_plot plot = {.log_x = true, .panels = &panel, .count = 1};
    struct mt_plot_axis axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){1, 2, 4, 8}, 4);
    assert_close(axis.low, 1 / pow(8, 0.04), 1e-12);
    assert_close(axis.high, 8 * pow(8, 0.04), 1e-12);
    assert_close(mt_plot_axis_fraction(&axis, sqrt(8)), 0.5, 1e-12);

    plot.ticks = (const double[]){2, 6, 100}; /* the last one is beyond the data */
    plot.nticks = 3;
    axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){2, 6}, 2);
}

static void many_x_have_round_ticks(void **state)
{
    (void)state;
    double x[14], y[14];
    for (int i = 0; i < 14; i++) {
        x[i] = 1 + i;
        y[i] = 1;
    }
    const struct mt_series many = {.count = 14, .x = x, .y = y};
    const struct mt_panel panel = {.series = &many, .count = 1};
    struct mt_plot plot = {.panels = &panel, .count = 1};
    struct mt_plot_axis axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){5, 10}, 2);
    assert_close(axis.low, 0.48, 1e-12);
    assert_close(axis.high, 14.52, 1e-12);
    plot.log_x = true;
    axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, (const double[]){1, 2, 5, 10}, 4);
}

static void y_has_room_for_a_legend(void **state)
{
    (void)state;
    struct mt_panel panel = {.log_y = true, .series = &series, .count = 1};
    assert_int_equal(mt_panel_count(&panel, &series), 3);
    struct mt_plot_axis axis = mt_panel_y_axis(&panel);
    assert_ticks(&axis, (const double[]){0.5, 1, 2, 5, 10, 20, 50}, 7);
    assert_close(axis.high, 60, 1e-12);

    panel.log_y = false; /* now -1 is shown */
    assert_int_equal(mt_panel_count(&panel, &series), 4);
    axis = mt_panel_y_axis(&panel);
    assert_ticks(&axis, (const double[]){0, 10, 20, 30, 40}, 5);
    assert_true(axis.low < -1 && axis.high > 40);
    panel.y_limit = 25;
    axis = mt_panel_y_axis(&panel);
    assert_ticks(&axis, (const double[]){0, 5, 10, 15, 20, 25}, 6);
}

static void a_single_point_has_an_axis(void **state)
{
    (void)state;
    const double one = 100;
    const struct mt_series single = {.count = 1, .x = &one, .y = &one};
    struct mt_panel panel = {.log_y = true, .series = &single, .count = 1};
    const struct mt_plot plot = {.panels = &panel, .count = 1};
    struct mt_plot_axis axis = mt_plot_x_axis(&plot);
    assert_ticks(&axis, &one, 1);
    assert_close(mt_plot_axis_fraction(&axis, one), 0.5, 1e-12);
    axis = mt_panel_y_axis(&panel);
    assert_true(axis.count >= 2); /* round numbers, as no power of ten is near */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_x_of_the_data_are_ticks_when_they_are_few),
        cmocka_unit_test(many_x_have_round_ticks),
        cmocka_unit_test(y_has_room_for_a_legend),
        cmocka_unit_test(a_single_point_has_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
