/* SPDX-License-Identifier: BSD-3-Clause */
/* A survey in tables, as CSV and as JSON: its points, best sizes, cliffs, speed-ups and
   sizes of equal efficiency. */
#include "survey_views.h"

#include "cli/common/format.h"
#include "cli/common/json.h"
#include "cli/common/view.h"
#include "lib/surface/internal.h"
#include "surface.h"

#include <math.h>
#include <stdio.h>

/* What fits on a screen; --csv and --json have the rest. */
enum { SHOWN_COLUMNS = 12, SHOWN_ROWS = 32, SHOWN_CLIFFS = 24 };

/* What the marks of points mean, when there are any. */
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

/* "*" for what does not fit, else " ", which keeps the columns aligned. */
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
        printf("%d x %d of %d x %d points: --csv and --json print all\n", rows,
               view.ncolumns - 1, sizes->count, nodes->count);
}

/* All that is known of each point. */
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

void mt_points_print_csv(const struct mt_survey *survey)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    mt_view_begin_csv(&view, stdout);
    fill_points(&view, &(struct legend){0}, survey);
    mt_view_end_csv(&view);
}

json_t *mt_points_json(const struct mt_survey *survey)
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

/* Why the best size is not larger; or "". */
static const char *held_back(const struct mt_survey *survey,
                             const struct mt_ridge_point *best, double nodes)
{
    if (best->found && !mt_surface_at(survey->surface, best->size + 1, nodes).fits)
        return "memory is full";
    return best->found && best->size == survey->span.high ? "the largest looked at"
                                                          : "";
}

static void fill_ridge(struct mt_view *view, const struct mt_survey *survey)
{
    bool any_held_back = false;
    for (int i = 0; i < survey->nodes.count; i++) {
        const struct mt_ridge_point *best = &survey->ridge[i];
        const struct mt_surface_point *point = &best->point;
        const double nodes = survey->nodes.values[i];
        const char *why = held_back(survey, best, nodes);
        mt_view_row(view);
        mt_view_number(view, RIDGE_NODES, nodes);
        mt_view_number(view, RIDGE_SIZE, best->found ? best->size : NAN);
        mt_view_number(view, RIDGE_EFFICIENCY, best->found ? point->efficiency : NAN);
        mt_view_number(view, RIDGE_SECONDS, best->found ? point->seconds : NAN);
        mt_view_number(view, RIDGE_SPEED, best->found ? point->speed : NAN);
        mt_view_number(view, RIDGE_SPEED_OF_ALL,
                       best->found ? nodes * point->speed : NAN);
        if (*why)
            mt_view_text(view, RIDGE_HELD_BACK, why);
        any_held_back |= *why != 0;
    }
    if (!any_held_back)
        mt_view_hide(view, RIDGE_HELD_BACK);
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

static void fill_cliffs(struct mt_view *view, const struct mt_cliffs *cliffs, int most)
{
    for (int i = 0; i < cliffs->count && i < most; i++) {
        const struct mt_cliff *cliff = &cliffs->cliffs[i];
        const bool along_nodes = cliff->along_nodes;
        mt_view_row(view);
        mt_view_text(view, CLIFF_ALONG, along_nodes ? "nodes" : "size");
        mt_view_number(view, along_nodes ? CLIFF_SIZE : CLIFF_NODES, cliff->other);
        mt_view_show(view, CLIFF_WHERE, "%c = %.15g", along_nodes ? 'N' : 'P',
                     cliff->other);
        mt_view_number(view, CLIFF_FROM, cliff->from);
        mt_view_show(view, CLIFF_FROM, "%c = %.15g", along_nodes ? 'P' : 'N',
                     cliff->from);
        mt_view_number(view, CLIFF_TO, cliff->to);
        mt_view_number(view, CLIFF_BEFORE, cliff->before);
        mt_view_number(view, CLIFF_AFTER, cliff->after);
    }
}

static void print_cliffs(struct mt_view *view, const struct mt_survey *survey)
{
    const int count = survey->cliffs.count;
    if (count == 0)
        return;
    printf("\ncliffs: a size 10 %% larger, or a node more, loses over %.0f %% of the "
           "efficiency\n",
           100 * MT_CLIFF);
    mt_view_print(view, stdout);
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

static void fill_speedups(struct mt_view *view, const struct mt_survey *survey)
{
    for (int i = 0; survey->speedups && i < survey->nodes.count; i++) {
        const struct mt_speedup_row *row = &survey->speedups[i];
        mt_view_row(view);
        mt_view_number(view, SPEEDUP_NODES, survey->nodes.values[i]);
        for (int kind = 0; kind < MT_NSPEEDUPS; kind++) {
            const int column = SPEEDUP + 2 * kind;
            const double speedup = row->speedups[kind], size = row->sizes[kind];
            mt_view_json(view, column,
                         json_pack("{s:o, s:o}", "speedup", mt_json_number(speedup),
                                   "size", mt_json_number(size)));
            mt_view_show(view, column, isnan(speedup) ? "-" : "%.4g", speedup);
            mt_view_number(view, column + 1, isnan(speedup) ? NAN : size);
        }
    }
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

static void fill_isos(struct mt_view *view, const struct mt_survey *survey, int begin,
                      int end)
{
    for (int i = begin; i < end; i++) {
        const struct mt_iso_row *row = &survey->isos[i];
        mt_view_row(view);
        mt_view_number(view, ISO_EFFICIENCY, row->efficiency);
        mt_view_number(view, ISO_NODES, row->nodes);
        set_iso_size(view, ISO_SMALLEST, survey, row, row->sizes.low);
        set_iso_size(view, ISO_LARGEST, survey, row, row->sizes.high);
    }
}

/* A table for each efficiency. */
static void print_isos(struct mt_view *view, const struct mt_survey *survey)
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
        fill_isos(view, survey, i, i + nnodes);
        mt_view_hide(view, ISO_EFFICIENCY);
        mt_view_print(view, stdout);
    }
}

/* All that is found at a survey. */
struct views {
    struct mt_view ridge, cliffs, speedups, isos;
};

static void views_init(struct views *views)
{
    *views = (struct views){
        .ridge = {.columns = ridge_columns, .ncolumns = RIDGE_COLUMNS},
        .cliffs = {.columns = cliff_columns, .ncolumns = CLIFF_COLUMNS},
        .speedups = {.columns = speedup_columns, .ncolumns = SPEEDUP_COLUMNS},
        .isos = {.columns = iso_columns, .ncolumns = ISO_COLUMNS},
    };
}

static void views_clear(struct views *views)
{
    mt_view_clear(&views->ridge);
    mt_view_clear(&views->cliffs);
    mt_view_clear(&views->speedups);
    mt_view_clear(&views->isos);
}

static void print_tables(struct views *views, const struct mt_survey *survey)
{
    fill_ridge(&views->ridge, survey);
    fill_cliffs(&views->cliffs, &survey->cliffs, SHOWN_CLIFFS);
    fill_speedups(&views->speedups, survey);
    print_points(survey);
    if (survey->sizes.count > 1) {
        puts("\nbest size for each number of nodes");
        mt_view_print(&views->ridge, stdout);
    }
    print_cliffs(&views->cliffs, survey);
    if (survey->base > 0) {
        printf("\nspeed-up over one node at N = %.15g, were there memory enough\n",
               survey->base);
        mt_view_print(&views->speedups, stdout);
    }
    print_isos(&views->isos, survey);
}

void mt_survey_print(const struct mt_survey *survey)
{
    const struct mt_surface *surface = survey->surface;
    char label[MT_SURFACE_LABEL], speed[MT_QUANTITY_TEXT];
    struct views views;
    printf("%s: predicted efficiency, of %s a node%s\n",
           mt_surface_label(label, surface),
           mt_format_rate(speed, mt_surface_machine(surface)->speed, "f"),
           mt_surface_simulated(surface));
    mt_surface_print_origin(surface, mt_axis_span(&survey->nodes).high, stdout);
    puts("");
    views_init(&views);
    print_tables(&views, survey);
    views_clear(&views);
}

void mt_survey_print_json(const struct mt_survey *survey)
{
    struct views views;
    views_init(&views);
    fill_ridge(&views.ridge, survey);
    fill_cliffs(&views.cliffs, &survey->cliffs, survey->cliffs.count);
    fill_speedups(&views.speedups, survey);
    fill_isos(&views.isos, survey, 0, survey->nisos);
    json_t *found =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "sizes",
                  mt_json_numbers(survey->sizes.values, survey->sizes.count), "nodes",
                  mt_json_numbers(survey->nodes.values, survey->nodes.count), "points",
                  mt_points_json(survey), "ridge", mt_view_to_json(&views.ridge),
                  "cliffs", mt_view_to_json(&views.cliffs));
    if (survey->base > 0)
        json_object_set_new(found, "speedups",
                            json_pack("{s:o, s:o}", "base",
                                      mt_json_number(survey->base), "rows",
                                      mt_view_to_json(&views.speedups)));
    if (survey->nisos > 0)
        json_object_set_new(found, "iso_efficiency", mt_view_to_json(&views.isos));
    views_clear(&views);
    mt_surface_print_json(survey->surface, "motley/surface-predict", 1, found);
}

void mt_survey_put(struct mt_page *page, const struct mt_survey *survey)
{
    const int more = survey->cliffs.count - SHOWN_CLIFFS;
    struct views views;
    views_init(&views);
    fill_isos(&views.isos, survey, 0, survey->nisos);
    mt_page_table(page, "levels", &views.isos);
    fill_ridge(&views.ridge, survey);
    mt_page_table(page, "best", &views.ridge);
    fill_cliffs(&views.cliffs, &survey->cliffs, SHOWN_CLIFFS);
    if (survey->cliffs.count > 0)
        mt_page_table(page, "cliffs", &views.cliffs);
    if (more > 0)
        mt_page_add(page, "cliffs_more", json_integer(more));
    views_clear(&views);
}

void mt_survey_put_speedups(struct mt_page *page, const struct mt_survey *survey)
{
    struct views views;
    views_init(&views);
    fill_speedups(&views.speedups, survey);
    mt_page_table(page, "speedups", &views.speedups);
    views_clear(&views);
}
