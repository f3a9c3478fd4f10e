/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel.h"

#include <math.h>
#include <string.h>

bool mt_panel_shows(const struct mt_panel *panel, double y)
{
    return isfinite(y) && (y > 0 || !panel->log_y);
}

int mt_panel_count(const struct mt_panel *panel, const struct mt_series *series)
{
    int count = 0;
    for (int i = 0; i < series->count; i++)
        count += mt_panel_shows(panel, series->y[i]);
    return count;
}

double mt_plot_axis_fraction(const struct mt_plot_axis *axis, double value)
{
    if (axis->log)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

static void add_tick(struct mt_plot_axis *axis, double tick)
{
    if (axis->count < MT_PLOT_TICKS && tick >= axis->low * (1 - 1e-9) &&
        tick <= axis->high * (1 + 1e-9))
        axis->ticks[axis->count++] = tick;
}

/* Multiples of 1, 2 or 5 times a power of ten, about six of them. */
static void add_linear_ticks(struct mt_plot_axis *axis)
{
    const double width = (axis->high - axis->low) / 6,
                 power = pow(10, floor(log10(width)));
    const double factor = width / power;
    const double step = power * (factor > 5 ? 10 : factor > 2 ? 5 : factor > 1 ? 2 : 1);
    for (double i = ceil(axis->low / step); i * step <= axis->high; i++)
        add_tick(axis, i * step);
}

/* 1, 2 and 5 times powers of ten; over more than three of these, powers alone. */
static void add_log_ticks(struct mt_plot_axis *axis)
{
    const int first = (int)floor(log10(axis->low)),
              last = (int)floor(log10(axis->high));
    const int every = (last - first) / MT_PLOT_TICKS + 1;
    for (int power = first; power <= last; power += every) {
        add_tick(axis, pow(10, power));
        if (last - first > 3)
            continue;
        add_tick(axis, 2 * pow(10, power));
        add_tick(axis, 5 * pow(10, power));
    }
}

static void add_ticks(struct mt_plot_axis *axis)
{
    if (axis->log)
        add_log_ticks(axis);
    if (axis->count < 2) { /* on a log axis, too, where it is short */
        axis->count = 0;
        add_linear_ticks(axis);
    }
}

/* Note an x of the data. Its ticks ascend; one more than there is room for, and there
   are too many. */
static void note_x(struct mt_plot_axis *axis, double x)
{
    int at = 0;
    axis->low = fmin(axis->low, x);
    axis->high = fmax(axis->high, x);
    while (at < axis->count && at < MT_PLOT_TICKS && axis->ticks[at] < x)
        at++;
    if (axis->count > MT_PLOT_TICKS || (at < axis->count && axis->ticks[at] == x))
        return;
    if (axis->count < MT_PLOT_TICKS) {
        memmove(axis->ticks + at + 1, axis->ticks + at,
                (size_t)(axis->count - at) * sizeof *axis->ticks);
        axis->ticks[at] = x;
    }
    axis->count++;
}

struct mt_plot_axis mt_plot_x_axis(const struct mt_plot *plot)
{
    struct mt_plot_axis axis = {.low = INFINITY, .high = -INFINITY, .log = plot->log_x};
    for (int p = 0; p < plot->count; p++)
        for (int s = 0; s < plot->panels[p].count; s++)
            for (int i = 0; i < plot->panels[p].series[s].count; i++)
                note_x(&axis, plot->panels[p].series[s].x[i]);
    const bool too_many = axis.count > MT_PLOT_TICKS;
    const double share = axis.low < axis.high ? 0.04 : 0.5; /* the margins */
    if (axis.log) {
        const double factor =
            axis.low < axis.high ? pow(axis.high / axis.low, share) : 2;
        axis.low /= factor;
        axis.high *= factor;
    } else {
        const double margin = axis.low < axis.high ? (axis.high - axis.low) * share : 1;
        axis.low -= margin;
        axis.high += margin;
    }
    const bool given = plot->ticks && plot->nticks <= MT_PLOT_TICKS;
    if (given || too_many)
        axis.count = 0;
    for (int i = 0; given && i < plot->nticks; i++)
        add_tick(&axis, plot->ticks[i]);
    if (axis.count == 0)
        add_ticks(&axis);
    return axis;
}

struct mt_plot_axis mt_panel_y_axis(const struct mt_panel *panel)
{
    struct mt_plot_axis axis = {
        .low = INFINITY, .high = -INFINITY, .log = panel->log_y};
    for (int s = 0; s < panel->count; s++)
        for (int i = 0; i < panel->series[s].count; i++)
            if (mt_panel_shows(panel, panel->series[s].y[i])) {
                axis.low = fmin(axis.low, panel->series[s].y[i]);
                axis.high = fmax(axis.high, panel->series[s].y[i]);
            }
    if (axis.log) {
        axis.low /= 1.3;
        axis.high *= 1.5;
    } else if (panel->y_limit > 0 && axis.high > panel->y_limit) {
        axis.low = 0;
        axis.high = panel->y_limit;
    } else if (axis.low >= 0) {
        axis.low = 0;
        axis.high = axis.high > 0 ? axis.high * 1.3 : 1;
    } else {
        const double margin = 0.05 * fmax(axis.high - axis.low, 1e-9 * -axis.low);
        axis.low -= margin;
        axis.high += margin;
    }
    add_ticks(&axis);
    return axis;
}
