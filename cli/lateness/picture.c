/* SPDX-License-Identifier: BSD-3-Clause */
#include "picture.h"

#include "cli/plot/plot_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In more rows than that nobody can tell ranks apart: each has several then. */
enum { MOST_COLUMNS = 64, MOST_ROWS = 64 };

static bool has_intervals(const struct mt_report *report)
{
    bool any = false;
    for (int i = 0; i < report->nranks; i++)
        any = any || report->ranks[i].intervals;
    return any && report->interval > 0 && report->rank_seconds > 0;
}

/* As long as the run was, or what is known of some rank. */
static int columns_of(const struct mt_report *report)
{
    double columns = ceil(report->rank_seconds / report->size / report->interval);
    for (int i = 0; i < report->nranks; i++)
        columns = fmax(columns, (double)json_array_size(report->ranks[i].intervals));
    return (int)fmin(columns, MOST_COLUMNS);
}

/* Round numbers. A cell is `width` wide, and 0 stands `before` cells ahead of the
   middle of the first. */
static void set_ticks(struct mt_field_axis *axis, double width, double before)
{
    enum { WANTED = 8 };
    const double length = axis->cells * width;
    double step = 1;
    for (int i = 0; length / step > WANTED; i++)
        step *= i % 3 == 1 ? 2.5 : 2; /* 1, 2, 5, 10 */
    for (double at = 0; at / width - before <= axis->cells - 1 + before &&
                        axis->count < MT_FIELD_TICKS;
         at += step)
        axis->ticks[axis->count++] = (struct mt_field_tick){at / width - before, at};
}

/* The mean over the ranks of each row. */
static int fill(double *values, const struct mt_report *report, int columns, int rows,
                struct mt_error *err)
{
    int *ranks = calloc((size_t)rows, sizeof *ranks);
    if (!ranks)
        return mt_fail(err, MT_ENOMEM, "no memory for a picture");
    for (int i = 0; i < report->nranks; i++) {
        const struct mt_report_rank *rank = &report->ranks[i];
        const int row = (int)((long)rank->rank * rows / report->size);
        ranks[row]++;
        for (int c = 0; c < columns; c++) {
            const json_t *waited = json_array_get(rank->intervals, (size_t)c);
            const double part = json_number_value(waited) / report->interval;
            values[row * columns + c] += fmin(fmax(part, 0), 1);
        }
    }
    for (int row = 0; row < rows; row++)
        for (int c = 0; c < columns && ranks[row] > 0; c++)
            values[row * columns + c] /= ranks[row];
    free(ranks);
    return MT_OK;
}

static int draw(const struct mt_report *report, const char *title, double *values,
                const char *target, struct mt_error *err)
{
    const int rows = report->size < MOST_ROWS ? report->size : MOST_ROWS;
    const int columns = columns_of(report);
    const bool seconds = columns * report->interval >= 10;
    struct mt_field field = {
        .title = title,
        .x = {.name = seconds ? "time of the run [s]" : "time of the run [ms]",
              .cells = columns},
        .y = {.name = "rank", .cells = rows},
        .name = "waiting",
        .values = values,
        .step = 10,
        .bare = true,
    };
    set_ticks(&field.x, report->interval * (seconds ? 1 : 1000), 0.5);
    set_ticks(&field.y, (double)report->size / rows, 0);
    const int status = fill(values, report, columns, rows, err);
    return status == MT_OK ? mt_field_draw(&field, target, err) : status;
}

int mt_report_draw(const struct mt_lateness *lateness, const struct mt_report *report,
                   const char *target, struct mt_error *err)
{
    if (!has_intervals(report))
        return mt_fail(err, MT_ENOTFOUND, "the report does not say when ranks waited");
    double *values = calloc(MOST_ROWS * MOST_COLUMNS, sizeof *values);
    char *title = NULL;
    if (!lateness)
        title =
            strdup(report->simulated ? "(simulated) when ranks waited (dark: at work)"
                                     : "when ranks waited (dark: at work)");
    else if (asprintf(&title,
                      "%s on %s, %s, N = %.15g%s: when ranks waited (dark: at work)",
                      lateness->program, lateness->cluster, lateness->configuration,
                      lateness->size, lateness->simulated ? " (simulated)" : "") < 0)
        title = NULL;
    const int status = title && values
                           ? draw(report, title, values, target, err)
                           : mt_fail(err, MT_ENOMEM, "no memory for a picture");
    free(title);
    free(values);
    return status;
}
