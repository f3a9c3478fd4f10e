/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "cli/common/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What is drawn: a line for each two groups, inside each, and of all to all. */
struct line {
    char label[128];
    double megabytes[MT_CURVE_POINTS];
};

static struct mt_series series_of(const struct line *line, const struct mt_curve *curve,
                                  int color)
{
    return (struct mt_series){.label = line->label,
                              .style = MT_SERIES_LINE,
                              .color = color,
                              .count = curve->count,
                              .x = curve->bytes,
                              .y = line->megabytes};
}

static bool joins(const struct mt_check *check, const struct mt_checked_link *link,
                  int g, int h)
{
    const int from = check->nodes[link->from].group, to = check->nodes[link->to].group;
    return (from == g && to == h) || (from == h && to == g);
}

/* The slowest link's bandwidth at each size. Returns a curve with the sizes; NULL: the
   groups have no link. */
static const struct mt_curve *draw_line(struct line *line, const struct mt_check *check,
                                        int g, int h)
{
    const struct mt_curve *sizes = NULL;
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_curve *curve = &check->links[i].curve;
        if (!joins(check, &check->links[i], g, h))
            continue;
        for (int p = 0; p < curve->count; p++) {
            const double bandwidth = 1e-6 * mt_curve_bandwidth(curve, p);
            line->megabytes[p] =
                sizes ? fmin(line->megabytes[p], bandwidth) : bandwidth;
        }
        sizes = sizes ? sizes : curve;
    }
    const struct mt_group *groups = check->cluster->groups;
    if (g == h)
        snprintf(line->label, sizeof line->label, "in %s", groups[g].name);
    else
        snprintf(line->label, sizeof line->label, "%s - %s", groups[g].name,
                 groups[h].name);
    return sizes;
}

static void draw_alltoall(struct line *line, const struct mt_check *check)
{
    for (int p = 0; p < check->alltoall.count; p++)
        line->megabytes[p] =
            1e-6 * (check->nanswer - 1) * mt_curve_bandwidth(&check->alltoall, p);
    snprintf(line->label, sizeof line->label, "each node to all others");
}

static int draw_lines(struct line *lines, struct mt_series *series,
                      const struct mt_check *check)
{
    int count = 0;
    for (int g = 0; g < check->cluster->ngroups; g++)
        for (int h = g; h < check->cluster->ngroups; h++) {
            const struct mt_curve *sizes = draw_line(&lines[count], check, g, h);
            if (sizes) {
                series[count] = series_of(&lines[count], sizes, count);
                count++;
            }
        }
    draw_alltoall(&lines[count], check);
    series[count] = series_of(&lines[count], &check->alltoall, MT_SERIES_BLACK);
    return count + 1;
}

static int draw(const struct mt_check *check, const struct mt_series *series, int count,
                const char *target, struct mt_error *err)
{
    static const double ticks[] = {1, 32, 1024, 32768, 1048576};
    char title[256];
    snprintf(title, sizeof title, "Bandwidth between the nodes of %s",
             check->cluster->name);
    const struct mt_panel panel = {
        .y_label = "MB/s", .log_y = true, .series = series, .count = count};
    const struct mt_plot plot = {
        .title = title,
        .subtitle = mt_cluster_simulated(check->cluster) ? "simulated" : NULL,
        .x_label = "bytes of a message",
        .log_x = true,
        .ticks = ticks,
        .nticks = sizeof ticks / sizeof *ticks,
        .panels = &panel,
        .count = 1};
    return mt_plot_draw(&plot, target, err);
}

int mt_check_plot(const struct mt_check *check, const char *target,
                  struct mt_error *err)
{
    if (check->nlinks == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "there is nothing to draw: one node alone sends no messages");
    const size_t groups = (size_t)check->cluster->ngroups;
    const size_t most = groups * (groups + 1) / 2 + 1;
    struct line *lines = calloc(most, sizeof *lines);
    struct mt_series *series = calloc(most, sizeof *series);
    int status = lines && series ? draw(check, series, draw_lines(lines, series, check),
                                        target, err)
                                 : mt_fail(err, MT_ENOMEM, "no memory for the picture");
    free(series);
    free(lines);
    return status;
}
