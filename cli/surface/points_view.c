/* SPDX-License-Identifier: BSD-3-Clause */
#include "points_view.h"

#include "cli/common/format.h"
#include "cli/common/view.h"

#include <math.h>
#include <stdio.h>

/* What fits on a screen; --csv and --json have the rest. */
enum { SHOWN_COLUMNS = 12, SHOWN_ROWS = 32 };

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

static int print_grid(const struct mt_survey *survey, struct mt_error *err)
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
    const int status = mt_view_print(&view, stdout, err);
    print_legend(legend, survey->surface);
    if (rows < sizes->count || view.ncolumns - 1 < nodes->count)
        printf("%d x %d of %d x %d points: --csv and --json print all\n", rows,
               view.ncolumns - 1, sizes->count, nodes->count);
    return status;
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
static int print_section(const struct mt_survey *survey, struct mt_error *err)
{
    struct mt_view points = {.columns = columns, .ncolumns = COLUMNS};
    struct legend legend = {0};
    fill_points(&points, &legend, survey);
    if (survey->nodes.count == 1)
        printf("on P = %.15g\n", survey->nodes.values[0]);
    else
        printf("at N = %.15g\n", survey->sizes.values[0]);
    mt_view_hide(&points, survey->nodes.count == 1 ? NODES : SIZE);
    const int status = mt_view_print(&points, stdout, err);
    print_legend(legend, survey->surface);
    return status;
}

int mt_points_print(const struct mt_survey *survey, struct mt_error *err)
{
    if (survey->sizes.count == 1 || survey->nodes.count == 1)
        return print_section(survey, err);
    return print_grid(survey, err);
}

int mt_points_print_csv(const struct mt_survey *survey, struct mt_error *err)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    mt_view_begin_csv(&view, stdout);
    fill_points(&view, &(struct legend){0}, survey);
    return mt_view_end_csv(&view, err);
}

json_t *mt_points_json(const struct mt_survey *survey)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    fill_points(&view, &(struct legend){0}, survey);
    return mt_view_to_json(&view);
}

void mt_points_put(struct mt_page *page, const struct mt_survey *survey)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    struct legend legend = {0};
    char memory[MT_QUANTITY_TEXT];
    fill_points(&view, &legend, survey);
    mt_page_table(page, "points", "The figures of these diagrams", true, &view);
    if (legend.too_large)
        mt_page_say(
            page, "too_large", "* does not fit into the memory of a node (%s).",
            mt_format_bytes(memory, mt_surface_machine(survey->surface)->memory));
}
