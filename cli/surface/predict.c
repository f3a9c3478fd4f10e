/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface predict, and report: what it prints as a page. */
#include "cli/page/page.h"
#include "cli/process/memory.h"
#include "contours.h"
#include "lib/surface/map.h"
#include "surface.h"
#include "survey_views.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static void show(const struct mt_survey *survey)
{
    if (mt_common.json) {
        mt_survey_print_json(survey);
        return;
    }
    if (mt_surface_options.csv)
        mt_points_print_csv(survey);
    else
        mt_survey_print(survey);
}

static int draw(const struct mt_survey *survey, struct mt_error *err)
{
    char label[MT_SURFACE_LABEL];
    const struct mt_drawing drawing = {
        .surfaces = {survey->surface},
        .labels = {mt_surface_label(label, survey->surface)},
        .sizes = &survey->sizes,
        .nodes = &survey->nodes,
        .simulated = mt_surface_machine(survey->surface)->simulated,
    };
    return mt_contours_draw(&drawing, err);
}

static int predict(const struct mt_surface *surface, const struct mt_surface_axes *axes,
                   struct mt_surface_levels *levels, struct mt_error *err)
{
    struct mt_survey_request request = {.nodes = mt_surface_axis(&axes->nodes),
                                        .sizes = mt_surface_axis(&axes->sizes)};
    struct mt_survey survey = {0};
    int status = mt_surface_base_read(&request.base, err);
    if (status == MT_OK)
        status = mt_surface_levels_read(levels, err);
    if (status != MT_OK)
        return status;
    request.levels = levels->values;
    request.nlevels = levels->count;
    status = mt_survey_make(&survey, surface, &request, err);
    status = mt_surface_need_sizes(status, err);
    if (status == MT_OK)
        show(&survey);
    if (status == MT_OK)
        status = draw(&survey, err);
    mt_survey_clear(&survey);
    return status;
}

static int run_predict(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input input = {0};
    struct mt_surface_axes axes = {0};
    struct mt_surface_levels levels = {0};
    int status = mt_surface_check_output(err);
    if (status == MT_OK)
        status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = mt_surface_axes_read(&axes, err);
    if (status == MT_OK)
        status = predict(input.surface, &axes, &levels, err);
    mt_surface_levels_clear(&levels);
    mt_surface_axes_clear(&axes);
    mt_surface_input_clear(&input);
    return mt_exit_status(status);
}

static const char *const predict_options[] = {
    "algorithm", "nodes", "size", "base", "efficiency", "plot", "csv", "json", NULL};

const struct mt_action mt_surface_predict = {
    .name = "predict",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "efficiency, speed and time over sizes and nodes",
    .least = 1,
    .most = 1,
    .options = predict_options,
    .run = run_predict,
};

/* What a page can show of longer axes, and how fine its levels of efficiency are. */
enum { MOST_NUMBERS = 24, LEVEL_CELLS = 121 };

/* What is to be known first: the best on the most nodes. */
static void say_verdict(struct mt_page *page, const struct mt_survey *survey)
{
    const int last = survey->nodes.count - 1;
    const double nodes = survey->nodes.values[last];
    const struct mt_ridge_point *best = &survey->ridge[last];
    char text[32], efficiency[MT_QUANTITY_TEXT], speed[MT_QUANTITY_TEXT];
    mt_format_nodes(text, nodes);
    if (!best->found)
        mt_page_say(page, "verdict", "On %s no size looked at runs and fits.", text);
    else
        mt_page_say(
            page, "verdict",
            "On %s N = %.15g is best: an efficiency of %s, %s of all nodes together.",
            text, best->size, mt_format_percent(efficiency, best->point.efficiency),
            mt_format_rate(speed, nodes * best->point.speed, "f"));
}

static void show_machine(struct mt_page *page, const struct mt_survey *survey)
{
    const struct mt_surface *surface = survey->surface;
    char speed[MT_QUANTITY_TEXT];
    mt_page_section(page, "prediction");
    say_verdict(page, survey);
    mt_page_say(
        page, "meaning",
        "An efficiency of 100 %% is %s on each node%s. It is predicted from how "
        "fast nodes compute, read their memory and send messages.",
        mt_format_rate(speed, mt_surface_machine(surface)->speed, "f"),
        mt_surface_simulated(surface));
    mt_surface_print_origin(surface, mt_axis_span(&survey->nodes).high, page->lines);
    mt_page_lines(page, "origin");
}

static int show_lines(struct mt_page *page, const struct mt_survey *survey,
                      struct mt_error *err)
{
    int status = MT_OK;
    mt_page_section(page, "lines");
    if (survey->sizes.count > 1)
        status = mt_lines_sections(page, survey, err);
    if (status == MT_OK && survey->nodes.count > 1)
        status = mt_lines_speeds(page, survey, err);
    mt_page_add(page, "points", mt_points_json(survey));
    return status;
}

static int show_speedups(struct mt_page *page, const struct mt_survey *survey,
                         struct mt_error *err)
{
    const int status =
        survey->nodes.count > 1 ? mt_lines_speedups(page, survey, err) : MT_OK;
    mt_survey_put_speedups(page, survey);
    return status;
}

static int show_survey(struct mt_page *page, const struct mt_survey *survey,
                       const struct mt_surface_map *map,
                       const struct mt_surface_levels *levels, struct mt_error *err)
{
    show_machine(page, survey);
    mt_page_section(page, "efficiency");
    if (map->nvalid > 0)
        mt_lines_levels(page, survey, map, levels->values, levels->count);
    mt_survey_put(page, survey);
    int status = show_lines(page, survey, err);
    if (status == MT_OK && survey->base > 0) {
        mt_page_section(page, "speedup");
        status = show_speedups(page, survey, err);
    }
    return status;
}

static int make_page(const struct mt_survey *survey, const struct mt_surface_map *map,
                     const struct mt_surface_levels *levels, struct mt_error *err)
{
    char label[MT_SURFACE_LABEL];
    struct mt_page page;
    mt_page_begin(&page, "motley/surface-report", 1);
    int status = MT_OK;
    json_t *about = mt_surface_json(survey->surface);
    mt_need_ok(json_object_update(page.data, about));
    json_decref(about);
    status = show_survey(&page, survey, map, levels, err);
    if (status == MT_OK)
        status =
            mt_page_finish(&page, mt_surface_label(label, survey->surface),
                           mt_surface_options.output, mt_surface_options.force, err);
    mt_page_clear(&page);
    return status;
}

/* The map of what the axes span; it is left empty where one of them is a single number,
   or nothing is valid. */
static int make_map(struct mt_surface_map *map, const struct mt_survey *survey,
                    struct mt_error *err)
{
    struct mt_error why;
    *map = (struct mt_surface_map){.nodes = mt_axis_span(&survey->nodes),
                                   .sizes = mt_axis_span(&survey->sizes),
                                   .columns = LEVEL_CELLS,
                                   .rows = LEVEL_CELLS};
    const int status = mt_surface_map_make(map, survey->surface, &why);
    return status == MT_ENOMEM ? mt_fail(err, status, "%s", why.text) : MT_OK;
}

/* The levels that a page shows where none are asked for: round ones up to the highest
   efficiency of the survey. */
static void find_levels(struct mt_surface_levels *levels,
                        const struct mt_survey *survey)
{
    double highest = 0;
    for (int i = 0; i < survey->nodes.count; i++)
        if (survey->ridge[i].found)
            highest = fmax(highest, survey->ridge[i].point.efficiency);
    const int step = mt_efficiency_step(highest);
    const int count = (int)(100 * highest / step);
    levels->values = mt_calloc(MT_MOST_LEVELS, sizeof *levels->values);
    for (int i = 0; i < count && i < MT_MOST_LEVELS; i++)
        levels->values[levels->count++] =
            step * (1 + mt_axis_pick(i, count, MT_MOST_LEVELS)) / 100.;
}

/* Look at the surface, with levels in any case. */
static int make_survey(struct mt_survey *survey, const struct mt_surface *surface,
                       struct mt_survey_request *request,
                       struct mt_surface_levels *levels, struct mt_error *err)
{
    int status = mt_survey_make(survey, surface, request, err);
    status = mt_surface_need_sizes(status, err);
    if (status != MT_OK || levels->count > 0)
        return status;
    find_levels(levels, survey);
    mt_survey_clear(survey);
    request->levels = levels->values;
    request->nlevels = levels->count;
    return status == MT_OK ? mt_survey_make(survey, surface, request, err) : status;
}

static int report(const struct mt_surface *surface, const struct mt_surface_axes *axes,
                  struct mt_surface_levels *levels, struct mt_error *err)
{
    struct mt_survey_request request = {.nodes = mt_surface_axis(&axes->nodes),
                                        .sizes = mt_surface_axis(&axes->sizes)};
    struct mt_survey survey = {0};
    struct mt_surface_map map = {0};
    int status = mt_surface_base_read(&request.base, err);
    if (status == MT_OK)
        status = mt_surface_levels_read(levels, err);
    if (status != MT_OK)
        return status;
    request.levels = levels->values;
    request.nlevels = levels->count;
    status = make_survey(&survey, surface, &request, levels, err);
    if (status == MT_OK)
        status = make_map(&map, &survey, err);
    if (status == MT_OK)
        status = make_page(&survey, &map, levels, err);
    mt_surface_map_clear(&map);
    mt_survey_clear(&survey);
    return status;
}

static int run_report(const char **arguments, struct mt_error *err)
{
    struct mt_surface_input input = {0};
    struct mt_surface_axes axes = {0};
    struct mt_surface_levels levels = {0};
    int status = mt_page_check_target(mt_surface_options.output, err);
    if (status == MT_OK)
        status = mt_surface_input(&input, arguments[0], err);
    if (status == MT_OK)
        status = mt_surface_axes_read(&axes, err);
    mt_axis_thin(&axes.nodes, MOST_NUMBERS);
    mt_axis_thin(&axes.sizes, MOST_NUMBERS);
    if (status == MT_OK)
        status = report(input.surface, &axes, &levels, err);
    mt_surface_levels_clear(&levels);
    mt_surface_axes_clear(&axes);
    mt_surface_input_clear(&input);
    return mt_exit_status(status);
}

static const char *const report_options[] = {"algorithm", "nodes",      "size",
                                             "base",      "efficiency", "output",
                                             "force",     "json",       NULL};

const struct mt_action mt_surface_report = {
    .name = "report",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "the same as a page to send to somebody",
    .least = 1,
    .most = 1,
    .options = report_options,
    .run = run_report,
};
