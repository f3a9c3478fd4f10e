/* SPDX-License-Identifier: BSD-3-Clause */
/* The diagrams of a surface's page: lines over sizes or numbers of nodes. */
#include "survey_views.h"

#include "cli/common/json.h"
#include "lib/surface/internal.h"
#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The most curves in a diagram, and the factor between a curve's points. */
enum { CURVES = 6 };
static const double fine = 1.04;
/* The most series of levels in one diagram: where efficiency comes and goes, beyond
   these a line bridges the gap. */
enum { MOST_SERIES = 12 };

/* Where a diagram is put in its section, and the words around it. */
struct caption {
    const char *key, *what, *x_label;
    struct mt_panel panel; /* without series */
};

static struct mt_page_chart begin_chart(struct mt_page *page,
                                        const struct mt_survey *survey,
                                        const struct caption *caption)
{
    char label[MT_SURFACE_LABEL], title[256];
    snprintf(title, sizeof title, "%s of %s", caption->what,
             mt_surface_label(label, survey->surface));
    return mt_page_chart_begin(
        page, caption->key,
        &(struct mt_plot){.title = title,
                          .subtitle = mt_surface_machine(survey->surface)->simulated
                                          ? "simulated"
                                          : NULL,
                          .x_label = caption->x_label,
                          .log_x = true,
                          .panels = &caption->panel,
                          .count = 1});
}

/* The axis with steps fine enough for a curve; the caller clears it, also after a
   failure. */
static int refine(struct mt_axis *refined, const struct mt_axis *axis,
                  struct mt_error *err)
{
    const int status = mt_axis_copy(refined, axis, err);
    return status == MT_OK ? mt_axis_refine(refined, fine, err) : status;
}

/* Of longer axes so many numbers, each of which has a curve. */
static int count_curves(const struct mt_axis *axis)
{
    return axis->count < CURVES ? axis->count : CURVES;
}

static double curve_at(const struct mt_axis *axis, int curve)
{
    return axis->values[mt_axis_pick(curve, axis->count, CURVES)];
}

/* Mark the largest size that fits into memory on each number of nodes that is drawn. */
static void add_size_limits(struct mt_page_chart *chart, const struct mt_survey *survey)
{
    const struct mt_span sizes = mt_axis_span(&survey->sizes);
    mt_page_chart_series(chart, "memory limit", MT_SERIES_POINTS, MT_SERIES_BLACK);
    for (int i = 0; i < count_curves(&survey->nodes); i++) {
        const double nodes = curve_at(&survey->nodes, i);
        double limit =
            mt_surface_memory_limit(survey->surface, nodes, sizes.low, sizes.high);
        if (isnan(limit))
            limit = sizes.low;
        if (limit < sizes.high)
            mt_page_chart_point(
                chart, limit,
                100 * mt_surface_at(survey->surface, limit, nodes).efficiency);
    }
}

int mt_lines_sections(struct mt_page *page, const struct mt_survey *survey,
                      struct mt_error *err)
{
    struct mt_axis sizes = {0};
    struct mt_page_chart chart = begin_chart(
        page, survey,
        &(struct caption){
            "sections", "Efficiency", "problem size N", {.y_label = "efficiency [%]"}});
    const int status = refine(&sizes, &survey->sizes, err);
    for (int i = 0; status == MT_OK && i < count_curves(&survey->nodes); i++) {
        const double nodes = curve_at(&survey->nodes, i);
        char label[32];
        snprintf(label, sizeof label, "P = %.0f", nodes);
        mt_page_chart_series(&chart, label, MT_SERIES_LINE, i);
        for (int k = 0; k < sizes.count; k++)
            mt_page_chart_point(
                &chart, sizes.values[k],
                100 *
                    mt_surface_at(survey->surface, sizes.values[k], nodes).efficiency);
    }
    add_size_limits(&chart, survey);
    mt_axis_clear(&sizes);
    return status;
}

/* Operations per second of all nodes together; NaN where it is not valid. */
static double speed_of_all(const struct mt_surface *surface, double size, double nodes)
{
    return nodes * mt_surface_at(surface, size, nodes).speed;
}

/* The unit of speed that suits the numbers of a picture. */
struct unit {
    const char *name;
    double value;
};

static struct unit find_unit(const struct mt_survey *survey)
{
    static const struct unit units[] = {
        {"Tf", 1e12}, {"Gf", 1e9}, {"Mf", 1e6}, {"kf", 1e3}};
    double most = 0;
    for (int i = 0; i < survey->sizes.count * survey->nodes.count; i++)
        most = fmax(most, survey->points[i].speed *
                              survey->nodes.values[i % survey->nodes.count]);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (most >= units[i].value)
            return units[i];
    return (struct unit){"f", 1};
}

/* Mark the fewest of the nodes on which each size fits into memory. */
static void add_node_limits(struct mt_page_chart *chart, const struct mt_survey *survey,
                            const struct mt_axis *nodes, double unit)
{
    mt_page_chart_series(chart, "memory limit", MT_SERIES_POINTS, MT_SERIES_BLACK);
    for (int i = 0; i < count_curves(&survey->sizes); i++) {
        const double size = curve_at(&survey->sizes, i);
        int first = 0;
        while (first < nodes->count - 1 &&
               !mt_surface_at(survey->surface, size, nodes->values[first]).fits)
            first++;
        if (first > 0)
            mt_page_chart_point(
                chart, nodes->values[first],
                speed_of_all(survey->surface, size, nodes->values[first]) / unit);
    }
}

int mt_lines_speeds(struct mt_page *page, const struct mt_survey *survey,
                    struct mt_error *err)
{
    const struct unit unit = find_unit(survey);
    struct mt_axis nodes = {0};
    char y_label[64];
    snprintf(y_label, sizeof y_label, "speed of all nodes [%s]", unit.name);
    struct mt_page_chart chart = begin_chart(
        page, survey,
        &(struct caption){
            "speeds", "Speeds", "nodes P", {.y_label = y_label, .log_y = true}});
    const int status = refine(&nodes, &survey->nodes, err);
    for (int i = 0; status == MT_OK && i < count_curves(&survey->sizes); i++) {
        const double size = curve_at(&survey->sizes, i);
        char label[32];
        snprintf(label, sizeof label, "N = %.0f", size);
        mt_page_chart_series(&chart, label, MT_SERIES_LINE, i);
        for (int k = 0; k < nodes.count; k++)
            mt_page_chart_point(&chart, nodes.values[k],
                                speed_of_all(survey->surface, size, nodes.values[k]) /
                                    unit.value);
    }
    add_node_limits(&chart, survey, &nodes, unit.value);
    mt_axis_clear(&nodes);
    return status;
}

int mt_lines_speedups(struct mt_page *page, const struct mt_survey *survey,
                      struct mt_error *err)
{
    struct mt_axis nodes = {0};
    char y_label[64];
    double size;
    snprintf(y_label, sizeof y_label, "speed-up over N = %.0f on one node",
             survey->base);
    struct mt_page_chart chart = begin_chart(
        page, survey,
        &(struct caption){
            "diagram", "Speed-ups", "nodes P", {.y_label = y_label, .log_y = true}});
    const int status = refine(&nodes, &survey->nodes, err);
    for (int kind = 0; kind < MT_NSPEEDUPS; kind++) {
        const enum mt_speedup speedup = (enum mt_speedup)kind;
        mt_page_chart_series(&chart, mt_speedup_name(speedup), MT_SERIES_LINE, kind);
        for (int i = 0; i < nodes.count; i++)
            mt_page_chart_point(&chart, nodes.values[i],
                                mt_speedup(survey->surface, speedup, survey->base,
                                           nodes.values[i], &size));
    }
    mt_page_chart_series(&chart, "ideal", MT_SERIES_HINT, MT_SERIES_BLACK);
    for (int i = 0; i < nodes.count; i++)
        mt_page_chart_point(&chart, nodes.values[i], nodes.values[i]);
    mt_axis_clear(&nodes);
    return status;
}

/* The largest size of the span that fits on so many nodes; false: none does. */
static bool find_limit(double *limit, const struct mt_surface *surface, double nodes,
                       struct mt_span sizes)
{
    *limit = mt_surface_memory_limit(surface, nodes, sizes.low, sizes.high);
    return !isnan(*limit);
}

/* A level of efficiency, and the colour of its lines. */
struct level {
    double efficiency;
    int color;
};

/* One side of what reaches an efficiency: the smallest sizes, or the largest. Where the
   span or the memory ends first, there is no point; behind a gap another series begins
   while there is room. */
static void add_side(struct mt_page_chart *chart, const struct mt_surface *surface,
                     const struct mt_surface_map *map, const struct level *level,
                     bool upper)
{
    char text[32];
    const char *label = upper ? NULL : text;
    bool begun = false, any_begun = false;
    snprintf(text, sizeof text, "%.4g %%", 100 * level->efficiency);
    for (int i = 0; i < map->nvalid; i++) {
        const double nodes = map->valid[i];
        struct mt_span reached;
        double limit;
        const bool any =
            find_limit(&limit, surface, nodes, map->sizes) &&
            mt_iso_efficiency(surface, level->efficiency, nodes, map->sizes, &reached);
        if (!any || (upper ? reached.high >= limit : reached.low <= map->sizes.low)) {
            begun = any_begun && json_array_size(chart->all) >= MOST_SERIES;
            continue;
        }
        if (!begun)
            mt_page_chart_series(chart, label, MT_SERIES_LINE, level->color);
        mt_page_chart_point(chart, nodes, upper ? reached.high : reached.low);
        begun = any_begun = true;
        label = NULL;
    }
}

/* The best size on each number of nodes, and the largest that fits where not all do. */
static void add_bounds(struct mt_page_chart *chart, const struct mt_surface *surface,
                       const struct mt_surface_map *map)
{
    struct mt_surface_point point;
    double size;
    mt_page_chart_series(chart, "best size", MT_SERIES_POINTS, CURVES - 1);
    for (int i = 0; i < map->nvalid; i++)
        if (mt_best_size(surface, map->valid[i], map->sizes, &point, &size))
            mt_page_chart_point(chart, map->valid[i], size);
    mt_page_chart_series(chart, "memory limit", MT_SERIES_LINE, MT_SERIES_BLACK);
    for (int i = 0; i < map->nvalid; i++)
        if (find_limit(&size, surface, map->valid[i], map->sizes) &&
            size < map->sizes.high)
            mt_page_chart_point(chart, map->valid[i], size);
}

void mt_lines_levels(struct mt_page *page, const struct mt_survey *survey,
                     const struct mt_surface_map *map, const double *levels, int count)
{
    struct mt_page_chart chart =
        begin_chart(page, survey,
                    &(struct caption){"diagram",
                                      "Levels of efficiency",
                                      "nodes P",
                                      {.y_label = "problem size N", .log_y = true}});
    for (int i = 0; i < count && i < MT_MOST_LEVELS; i++) {
        const struct level level = {levels[mt_axis_pick(i, count, MT_MOST_LEVELS)], i};
        add_side(&chart, survey->surface, map, &level, false);
        add_side(&chart, survey->surface, map, &level, true);
    }
    add_bounds(&chart, survey->surface, map);
}
