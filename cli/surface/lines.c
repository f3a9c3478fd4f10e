/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include "parts.h"

#include <stdio.h>
#include <stdlib.h>

/* So many names do not cover the lines. */
enum { MOST_INSIDE = 5 };

static int count_names(const struct mt_lines *lines)
{
    int count = 0;
    for (int i = 0; i < lines->count; i++)
        count += lines->series[i].label && lines->series[i].count > 0;
    return count;
}

int mt_lines_begin(struct mt_lines *lines, enum mt_series_style style, int color,
                   int room, const char *label, struct mt_error *err)
{
    if (lines->count == MT_MAX_LINES)
        return mt_fail(err, MT_EINVAL, "too many lines for a picture");
    double *x = calloc(2 * (size_t)room, sizeof *x);
    if (!x)
        return mt_fail(err, MT_ENOMEM, "no memory for a line");
    const int i = lines->count++;
    snprintf(lines->labels[i], sizeof lines->labels[i], "%s", label);
    lines->rooms[i] = x;
    lines->series[i] = (struct mt_series){.label = *label ? lines->labels[i] : NULL,
                                          .style = style,
                                          .color = color,
                                          .x = x,
                                          .y = x + room};
    return MT_OK;
}

void mt_lines_add(struct mt_lines *lines, double x, double y)
{
    struct mt_series *series = &lines->series[lines->count - 1];
    double *room = lines->rooms[lines->count - 1];
    room[series->count] = x;
    room[series->y - series->x + series->count] = y;
    series->count++;
}

void mt_lines_clear(struct mt_lines *lines)
{
    for (int i = 0; i < lines->count; i++)
        free(lines->rooms[i]);
    *lines = (struct mt_lines){0};
}

int mt_lines_draw(const struct mt_lines *lines, const struct mt_drawing *drawing,
                  const struct mt_line_axes *axes, const char *target,
                  struct mt_error *err)
{
    char title[256];
    double ticks[MT_MAX_TICKS];
    mt_drawing_title(title, drawing, axes->what, axes->nsurfaces);
    const struct mt_panel panel = {.y_label = axes->y_label,
                                   .log_y = axes->log_y,
                                   .series = lines->series,
                                   .count = lines->count};
    const struct mt_plot plot = {
        .title = title,
        .subtitle = drawing->simulated ? "simulated" : NULL,
        .x_label = axes->x_label,
        .log_x = true,
        .ticks = ticks,
        .nticks = mt_span_ticks(ticks, axes->x),
        .marks = axes->marks,
        .nmarks = axes->nmarks,
        .key = count_names(lines) > MOST_INSIDE ? MT_KEY_BESIDE : MT_KEY_INSIDE,
        .panels = &panel,
        .count = 1};
    return mt_plot_draw(&plot, target, err);
}
