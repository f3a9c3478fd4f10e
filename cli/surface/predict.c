/* SPDX-License-Identifier: BSD-3-Clause */
/* motley surface predict, and report: a survey of a surface in tables, as JSON, as a
   map and as a page: its points, best sizes, cliffs, speed-ups and sizes of equal
   efficiency. */
#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "cli/page/page.h"
#include "lib/surface/internal.h"
#include "lib/surface/tuning.h"
#include "surface.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

/* The limit of a screen; --json has everything. */
enum { SHOWN_COLUMNS = 12, SHOWN_ROWS = 32, SHOWN_CLIFFS = 24 };

/* Explain the marks of points, if there are any. */
struct legend {
    bool too_large, invalid;
};

static void print_legend(struct legend legend, const struct mt_surface *surface)
{
    char memory[MT_QUANTITY_TEXT];
    if (legend.too_large)
        printf("* does not fit into the memory of a node (%s)\n",
               mt_format_bytes(memory, mt_surface_machine(surface)->memory));
    if (legend.invalid)
        puts("- cannot run there");
}

/* "*" if it does not fit, else " ", which keeps the columns aligned. */
static const char *mark_point(struct legend *legend,
                              const struct mt_surface_point *point)
{
    legend->too_large |= point->valid && !point->fits;
    legend->invalid |= !point->valid;
    return point->valid && !point->fits ? "*" : " ";
}

/* Efficiency over sizes, in rows, and nodes, in columns. */
static void fill_grid(struct mt_view *view, struct legend *legend,
                      const struct mt_survey *survey)
{
    const struct mt_axis *sizes = &survey->sizes, *nodes = &survey->nodes;
    for (int row = 0; row < sizes->count && row < SHOWN_ROWS; row++) {
        const int size = mt_axis_pick(row, sizes->count, SHOWN_ROWS);
        mt_view_row(view);
        mt_view_number(view, 0, sizes->values[size]);
        for (int i = 1; i < view->ncolumns; i++) {
            const int node = mt_axis_pick(i - 1, nodes->count, SHOWN_COLUMNS);
            const struct mt_surface_point *point =
                &survey->points[size * nodes->count + node];
            const char *mark = mark_point(legend, point);
            const double percent = 100 * point->efficiency;
            if (!point->valid)
                mt_view_show(view, i, "-%s", mark);
            else if (percent < 0.5)
                mt_view_show(view, i, "<1%s", mark);
            else
                mt_view_show(view, i, "%.0f%s", percent, mark);
        }
    }
}

static void print_grid(const struct mt_survey *survey)
{
    const struct mt_axis *sizes = &survey->sizes, *nodes = &survey->nodes;
    struct mt_column titled[SHOWN_COLUMNS + 1] = {{NULL, "N", MT_COLUMN_COUNT}};
    char titles[SHOWN_COLUMNS][32];
    struct mt_view view = {.columns = titled, .ncolumns = 1};
    struct legend legend = {0};
    for (int i = 0; i < nodes->count && i < SHOWN_COLUMNS; i++) {
        snprintf(titles[i], sizeof titles[i], "%s%.15g ", i == 0 ? "P = " : "",
                 nodes->values[mt_axis_pick(i, nodes->count, SHOWN_COLUMNS)]);
        titled[view.ncolumns++] =
            (struct mt_column){NULL, titles[i], MT_COLUMN_PERCENT};
    }
    fill_grid(&view, &legend, survey);
    puts("efficiency in %, over the size N and the number of nodes P");
    const int rows = view.rows;
    mt_view_print(&view, stdout);
    print_legend(legend, survey->surface);
    if (rows < sizes->count || view.ncolumns - 1 < nodes->count)
        printf("%d x %d of %d x %d points: --json prints all\n", rows,
               view.ncolumns - 1, sizes->count, nodes->count);
}

/* All values of each point. */
enum {
    SIZE,
    NODES,
    SECONDS,
    COMPUTE,
    COMMUNICATE,
    SPEED,
    EFFICIENCY,
    MEMORY,
    FITS,
    VALID,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [NODES] = {"nodes", "P", MT_COLUMN_COUNT},
    [SECONDS] = {"seconds", "time", MT_COLUMN_SECONDS},
    [COMPUTE] = {"compute", "computing", MT_COLUMN_SECONDS},
    [COMMUNICATE] = {"communicate", "messages", MT_COLUMN_SECONDS},
    [SPEED] = {"speed", "speed of a node", MT_COLUMN_FLOPS},
    [EFFICIENCY] = {"efficiency", "efficiency ", MT_COLUMN_PERCENT},
    [MEMORY] = {"memory", "memory of a node", MT_COLUMN_BYTES},
    [FITS] = {"fits", NULL, MT_COLUMN_FLAG},
    [VALID] = {"valid", NULL, MT_COLUMN_FLAG},
};

static void fill_points(struct mt_view *view, struct legend *legend,
                        const struct mt_survey *survey)
{
    const int nnodes = survey->nodes.count;
    for (int i = 0; i < survey->sizes.count * nnodes; i++) {
        const struct mt_surface_point *point = &survey->points[i];
        char efficiency[MT_QUANTITY_TEXT];
        mt_view_row(view);
        mt_view_number(view, SIZE, survey->sizes.values[i / nnodes]);
        mt_view_number(view, NODES, survey->nodes.values[i % nnodes]);
        mt_view_number(view, SECONDS, point->seconds);
        mt_view_number(view, COMPUTE, point->compute);
        mt_view_number(view, COMMUNICATE, point->communicate);
        mt_view_number(view, SPEED, point->speed);
        mt_view_number(view, EFFICIENCY, point->efficiency);
        mt_view_show(view, EFFICIENCY, "%s%s",
                     mt_format_percent(efficiency, point->efficiency),
                     mark_point(legend, point));
        mt_view_number(view, MEMORY, point->memory > 0 ? point->memory : NAN);
        mt_view_flag(view, FITS, point->fits);
        mt_view_flag(view, VALID, point->valid);
    }
}

/* The points, where sizes or nodes are a single number. */
static void print_section(const struct mt_survey *survey)
{
    struct mt_view points = {.columns = columns, .ncolumns = COLUMNS};
    struct legend legend = {0};
    fill_points(&points, &legend, survey);
    if (survey->nodes.count == 1)
        printf("on P = %.15g\n", survey->nodes.values[0]);
    else
        printf("at N = %.15g\n", survey->sizes.values[0]);
    mt_view_hide(&points, survey->nodes.count == 1 ? NODES : SIZE);
    mt_view_print(&points, stdout);
    print_legend(legend, survey->surface);
}

static void print_points(const struct mt_survey *survey)
{
    if (survey->sizes.count == 1 || survey->nodes.count == 1)
        print_section(survey);
    else
        print_grid(survey);
}

static json_t *points_json(const struct mt_survey *survey)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    fill_points(&view, &(struct legend){0}, survey);
    return mt_view_to_json(&view);
}

/* The best size for each number of nodes. */
enum {
    RIDGE_NODES,
    RIDGE_SIZE,
    RIDGE_EFFICIENCY,
    RIDGE_SECONDS,
    RIDGE_SPEED,
    RIDGE_SPEED_OF_ALL,
    RIDGE_HELD_BACK,
    RIDGE_COLUMNS
};
static const struct mt_column ridge_columns[RIDGE_COLUMNS] = {
    [RIDGE_NODES] = {"nodes", "P", MT_COLUMN_COUNT},
    [RIDGE_SIZE] = {"size", "N", MT_COLUMN_COUNT},
    [RIDGE_EFFICIENCY] = {"efficiency", "efficiency", MT_COLUMN_PERCENT},
    [RIDGE_SECONDS] = {"seconds", "time", MT_COLUMN_SECONDS},
    [RIDGE_SPEED] = {"speed", "speed of a node", MT_COLUMN_FLOPS},
    [RIDGE_SPEED_OF_ALL] = {"speed_of_all", "of all", MT_COLUMN_FLOPS},
    [RIDGE_HELD_BACK] = {"held_back", "why no larger", MT_COLUMN_TEXT},
};

/* The reason why the best size is not larger; or "". */
static const char *held_back(const struct mt_survey *survey,
                             const struct mt_ridge_point *best, double nodes)
{
    if (best->found && !mt_surface_at(survey->surface, best->size + 1, nodes).fits)
        return "memory is full";
    return best->found && best->size == survey->span.high ? "the largest looked at"
                                                          : "";
}

static struct mt_view view_ridge(const struct mt_survey *survey)
{
    struct mt_view view = {.columns = ridge_columns, .ncolumns = RIDGE_COLUMNS};
    bool any_held_back = false;
    for (int i = 0; i < survey->nodes.count; i++) {
        const struct mt_ridge_point *best = &survey->ridge[i];
        const struct mt_surface_point *point = &best->point;
        const double nodes = survey->nodes.values[i];
        const char *why = held_back(survey, best, nodes);
        mt_view_row(&view);
        mt_view_number(&view, RIDGE_NODES, nodes);
        mt_view_number(&view, RIDGE_SIZE, best->found ? best->size : NAN);
        mt_view_number(&view, RIDGE_EFFICIENCY, best->found ? point->efficiency : NAN);
        mt_view_number(&view, RIDGE_SECONDS, best->found ? point->seconds : NAN);
        mt_view_number(&view, RIDGE_SPEED, best->found ? point->speed : NAN);
        mt_view_number(&view, RIDGE_SPEED_OF_ALL,
                       best->found ? nodes * point->speed : NAN);
        if (*why)
            mt_view_text(&view, RIDGE_HELD_BACK, why);
        any_held_back |= *why != 0;
    }
    if (!any_held_back)
        mt_view_hide(&view, RIDGE_HELD_BACK);
    return view;
}

enum {
    CLIFF_ALONG,
    CLIFF_NODES,
    CLIFF_SIZE,
    CLIFF_WHERE,
    CLIFF_FROM,
    CLIFF_TO,
    CLIFF_BEFORE,
    CLIFF_AFTER,
    CLIFF_COLUMNS
};
static const struct mt_column cliff_columns[CLIFF_COLUMNS] = {
    [CLIFF_ALONG] = {"along", NULL, MT_COLUMN_TEXT},
    [CLIFF_NODES] = {"nodes", NULL, MT_COLUMN_COUNT},
    [CLIFF_SIZE] = {"size", NULL, MT_COLUMN_COUNT},
    [CLIFF_WHERE] = {NULL, "at", MT_COLUMN_TEXT},
    [CLIFF_FROM] = {"from", "from", MT_COLUMN_COUNT},
    [CLIFF_TO] = {"to", "to", MT_COLUMN_COUNT},
    [CLIFF_BEFORE] = {"before", "efficiency", MT_COLUMN_PERCENT},
    [CLIFF_AFTER] = {"after", "then", MT_COLUMN_PERCENT},
};

static struct mt_view view_cliffs(const struct mt_cliffs *cliffs, int most)
{
    struct mt_view view = {.columns = cliff_columns, .ncolumns = CLIFF_COLUMNS};
    for (int i = 0; i < cliffs->count && i < most; i++) {
        const struct mt_cliff *cliff = &cliffs->cliffs[i];
        const bool along_nodes = cliff->along_nodes;
        mt_view_row(&view);
        mt_view_text(&view, CLIFF_ALONG, along_nodes ? "nodes" : "size");
        mt_view_number(&view, along_nodes ? CLIFF_SIZE : CLIFF_NODES, cliff->other);
        mt_view_show(&view, CLIFF_WHERE, "%c = %.15g", along_nodes ? 'N' : 'P',
                     cliff->other);
        mt_view_number(&view, CLIFF_FROM, cliff->from);
        mt_view_show(&view, CLIFF_FROM, "%c = %.15g", along_nodes ? 'P' : 'N',
                     cliff->from);
        mt_view_number(&view, CLIFF_TO, cliff->to);
        mt_view_number(&view, CLIFF_BEFORE, cliff->before);
        mt_view_number(&view, CLIFF_AFTER, cliff->after);
    }
    return view;
}

static void print_cliffs(const struct mt_survey *survey)
{
    const int count = survey->cliffs.count;
    if (count == 0)
        return;
    struct mt_view view = view_cliffs(&survey->cliffs, SHOWN_CLIFFS);
    printf("\ncliffs: a size 10 %% larger, or a node more, loses over %.0f %% of the "
           "efficiency\n",
           100 * MT_CLIFF);
    mt_view_print(&view, stdout);
    if (count > SHOWN_CLIFFS)
        printf("and %d more: --json lists all\n", count - SHOWN_CLIFFS);
}

/* The nodes, then for each kind of speed-up a column and one for its size. */
enum { SPEEDUP_NODES, SPEEDUP, SPEEDUP_SIZE, SPEEDUP_COLUMNS = 1 + 2 * MT_NSPEEDUPS };
static const struct mt_column speedup_columns[SPEEDUP_COLUMNS] = {
    {"nodes", "P", MT_COLUMN_COUNT},
    {"fixed_size", "fixed size", MT_COLUMN_NUMBER},
    {NULL, NULL, MT_COLUMN_COUNT},
    {"fixed_time", "fixed time", MT_COLUMN_NUMBER},
    {NULL, "at N", MT_COLUMN_COUNT},
    {"memory_bounded", "memory bounded", MT_COLUMN_NUMBER},
    {NULL, "at N", MT_COLUMN_COUNT},
};

static struct mt_view view_speedups(const struct mt_survey *survey)
{
    struct mt_view view = {.columns = speedup_columns, .ncolumns = SPEEDUP_COLUMNS};
    for (int i = 0; i < survey->nodes.count; i++) {
        const struct mt_speedup_row *row = &survey->speedups[i];
        mt_view_row(&view);
        mt_view_number(&view, SPEEDUP_NODES, survey->nodes.values[i]);
        for (int kind = 0; kind < MT_NSPEEDUPS; kind++) {
            const int column = SPEEDUP + 2 * kind;
            const double speedup = row->speedups[kind], size = row->sizes[kind];
            mt_view_json(&view, column,
                         json_pack("{s:o, s:o}", "speedup", mt_json_number(speedup),
                                   "size", mt_json_number(size)));
            mt_view_show(&view, column, isnan(speedup) ? "-" : "%.4g", speedup);
            mt_view_number(&view, column + 1, isnan(speedup) ? NAN : size);
        }
    }
    return view;
}

/* The sizes that reach an efficiency. */
enum {
    ISO_EFFICIENCY,
    ISO_NODES,
    ISO_SMALLEST,
    ISO_SMALLEST_WORK,
    ISO_LARGEST,
    ISO_LARGEST_WORK,
    ISO_COLUMNS
};
static const struct mt_column iso_columns[ISO_COLUMNS] = {
    [ISO_EFFICIENCY] = {"efficiency", "efficiency", MT_COLUMN_PERCENT},
    [ISO_NODES] = {"nodes", "P", MT_COLUMN_COUNT},
    [ISO_SMALLEST] = {"smallest", "from N", MT_COLUMN_COUNT},
    [ISO_SMALLEST_WORK] = {"smallest_work", "operations", MT_COLUMN_NUMBER},
    [ISO_LARGEST] = {"largest", "to N", MT_COLUMN_COUNT},
    [ISO_LARGEST_WORK] = {"largest_work", "operations", MT_COLUMN_NUMBER},
};

static void set_iso_size(struct mt_view *view, int column,
                         const struct mt_survey *survey, const struct mt_iso_row *row,
                         double size)
{
    const double work = mt_surface_at(survey->surface, size, row->nodes).work;
    mt_view_number(view, column, row->found ? size : NAN);
    mt_view_number(view, column + 1, row->found ? work : NAN);
    if (row->found)
        mt_view_show(view, column + 1, "%.3g", work);
}

static struct mt_view view_isos(const struct mt_survey *survey, int begin, int end)
{
    struct mt_view view = {.columns = iso_columns, .ncolumns = ISO_COLUMNS};
    for (int i = begin; i < end; i++) {
        const struct mt_iso_row *row = &survey->isos[i];
        mt_view_row(&view);
        mt_view_number(&view, ISO_EFFICIENCY, row->efficiency);
        mt_view_number(&view, ISO_NODES, row->nodes);
        set_iso_size(&view, ISO_SMALLEST, survey, row, row->sizes.low);
        set_iso_size(&view, ISO_LARGEST, survey, row, row->sizes.high);
    }
    return view;
}

/* A table for each efficiency. */
static void print_isos(const struct mt_survey *survey)
{
    const double best = mt_surface_machine(survey->surface)->speed;
    const int nnodes = survey->nodes.count;
    for (int i = 0; i < survey->nisos; i += nnodes) {
        const double efficiency = survey->isos[i].efficiency;
        char reached[MT_QUANTITY_TEXT], speed[MT_QUANTITY_TEXT];
        printf("\nthe smallest and the largest size with an efficiency of at least %s "
               "(%s a node)\n",
               mt_format_percent(reached, efficiency),
               mt_format_rate(speed, efficiency * best, "f"));
        struct mt_view view = view_isos(survey, i, i + nnodes);
        mt_view_hide(&view, ISO_EFFICIENCY);
        mt_view_print(&view, stdout);
    }
}

static void print_survey(const struct mt_survey *survey)
{
    const struct mt_surface *surface = survey->surface;
    char label[MT_SURFACE_LABEL], speed[MT_QUANTITY_TEXT];
    printf("%s: predicted efficiency, of %s a node%s\n",
           mt_surface_label(label, surface),
           mt_format_rate(speed, mt_surface_machine(surface)->speed, "f"),
           mt_surface_machine(surface)->simulated ? " (simulated)" : "");
    mt_surface_print_origin(surface, mt_axis_span(&survey->nodes).high, stdout);
    puts("");
    print_points(survey);
    if (survey->sizes.count > 1) {
        struct mt_view ridge = view_ridge(survey);
        puts("\nbest size for each number of nodes");
        mt_view_print(&ridge, stdout);
    }
    print_cliffs(survey);
    if (survey->base > 0) {
        struct mt_view speedups = view_speedups(survey);
        printf("\nspeed-up over one node at N = %.15g, were there memory enough\n",
               survey->base);
        mt_view_print(&speedups, stdout);
    }
    print_isos(survey);
}

/* All of it, as an object. */
static json_t *survey_json(const struct mt_survey *survey)
{
    struct mt_view ridge = view_ridge(survey);
    struct mt_view cliffs = view_cliffs(&survey->cliffs, survey->cliffs.count);
    json_t *object = mt_surface_json(survey->surface);
    json_t *found =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "sizes",
                  mt_json_numbers(survey->sizes.values, survey->sizes.count), "nodes",
                  mt_json_numbers(survey->nodes.values, survey->nodes.count), "points",
                  points_json(survey), "ridge", mt_view_to_json(&ridge), "cliffs",
                  mt_view_to_json(&cliffs));
    mt_json_merge(object, found);
    if (survey->base > 0) {
        struct mt_view speedups = view_speedups(survey);
        json_object_set_new(object, "speedups",
                            json_pack("{s:o, s:o}", "base",
                                      mt_json_number(survey->base), "rows",
                                      mt_view_to_json(&speedups)));
    }
    if (survey->nisos > 0) {
        struct mt_view isos = view_isos(survey, 0, survey->nisos);
        json_object_set_new(object, "iso_efficiency", mt_view_to_json(&isos));
    }
    return object;
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

static int show(const struct mt_survey *survey, struct mt_error *err)
{
    if (mt_common.json)
        mt_document_print("motley/surface-predict", 1, survey_json(survey), stdout);
    else
        print_survey(survey);
    return draw(survey, err);
}

static int write_page(const struct mt_survey *survey, struct mt_error *err)
{
    char label[MT_SURFACE_LABEL];
    json_t *data = json_pack("{s:o}", "prediction", survey_json(survey));
    const int status = mt_page_write(
        &(struct mt_page_file){.layout = "surface-report",
                               .title = mt_surface_label(label, survey->surface),
                               .path = mt_surface_options.output,
                               .force = mt_surface_options.force != 0},
        data, err);
    json_decref(data);
    return status;
}

/* Survey the surface of the machine by the options, and pass it to `use`. Longer axes
   are thinned to at most `numbers` numbers. */
static int survey(const char *name, int numbers,
                  int (*use)(const struct mt_survey *, struct mt_error *),
                  struct mt_error *err)
{
    struct mt_surface_input input = {0};
    struct mt_surface_axes axes = {0};
    struct mt_surface_levels levels = {0};
    struct mt_survey_request request = {0};
    struct mt_survey survey = {0};
    int status = mt_surface_input(&input, name, err);
    if (status == MT_OK)
        status = mt_surface_axes_read(&axes, err);
    if (status == MT_OK)
        status = mt_surface_base_read(&request.base, err);
    if (status == MT_OK)
        status = mt_surface_levels_read(&levels, err);
    if (status == MT_OK) {
        mt_axis_thin(&axes.nodes, numbers);
        mt_axis_thin(&axes.sizes, numbers);
        request.nodes = mt_surface_axis(&axes.nodes);
        request.sizes = mt_surface_axis(&axes.sizes);
        request.levels = levels.values;
        request.nlevels = levels.count;
        status = mt_survey_make(&survey, input.surface, &request, err);
        status = mt_surface_need_sizes(status, err);
    }
    if (status == MT_OK)
        status = use(&survey, err);
    mt_survey_clear(&survey);
    mt_surface_levels_clear(&levels);
    mt_surface_axes_clear(&axes);
    mt_surface_input_clear(&input);
    return status;
}

static int run_predict(const char **arguments, struct mt_error *err)
{
    int status = mt_surface_check_plot(err);
    if (status == MT_OK)
        status = survey(arguments[0], INT_MAX, show, err);
    return mt_exit_status(status);
}

static const char *const predict_options[] = {"algorithm",  "nodes", "size", "base",
                                              "efficiency", "plot",  "json", NULL};

const struct mt_action mt_surface_predict = {
    .name = "predict",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "efficiency, speed and time over sizes and nodes",
    .least = 1,
    .most = 1,
    .options = predict_options,
    .run = run_predict,
};

static int run_report(const char **arguments, struct mt_error *err)
{
    enum { MOST_NUMBERS = 24 }; /* of an axis, on a page */
    if (!mt_surface_options.efficiency)
        mt_surface_options.efficiency = "0.05,0.1,0.2,0.5,0.8";
    int status = mt_page_check_path(mt_surface_options.output, err);
    if (status == MT_OK)
        status = survey(arguments[0], MOST_NUMBERS, write_page, err);
    return mt_exit_status(status);
}

static const char *const report_options[] = {"algorithm",  "nodes",  "size",  "base",
                                             "efficiency", "output", "force", NULL};

const struct mt_action mt_surface_report = {
    .name = "report",
    .arguments = "MACHINE[:ALGORITHM]",
    .summary = "the same as a page to send to others",
    .least = 1,
    .most = 1,
    .options = report_options,
    .run = run_report,
};
