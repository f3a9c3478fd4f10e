/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict.h"

#include "cli/common/check_text.h"
#include "cli/common/table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>

/* What fits on a screen; --csv and --json have the rest. */
enum { SHOWN_COLUMNS = 12, SHOWN_ROWS = 32, SHOWN_CLIFFS = 24 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static const struct mt_surface_point *point_at(
    const struct mt_surface_prediction *prediction, int size, int node)
{
    return &prediction
                ->points[(size_t)size * (size_t)prediction->nodes.count + (size_t)node];
}

/* What the marks of cells mean, when there are any. */
struct marks {
    bool too_large, invalid;
};

static void note_marks(struct marks *marks, const struct mt_surface_point *point)
{
    marks->too_large |= point->valid && !point->fits;
    marks->invalid |= !point->valid;
}

static void print_marks(struct marks marks, const struct mt_surface *surface)
{
    char memory[MT_QUANTITY_TEXT];
    if (marks.too_large)
        printf("* does not fit into the memory of a node (%s)\n",
               mt_format_bytes(memory, mt_surface_machine(surface)->memory));
    if (marks.invalid)
        puts("- cannot run there");
}

static void format_cell(char cell[16], const struct mt_surface_point *point)
{
    const double percent = 100 * point->efficiency;
    if (!point->valid)
        snprintf(cell, 16, "- ");
    else if (percent < 0.5)
        snprintf(cell, 16, "<1%s", point->fits ? " " : "*");
    else
        snprintf(cell, 16, "%.0f%s", percent, point->fits ? " " : "*");
}

/* Efficiency over sizes, in rows, and nodes, in columns. */
static int print_grid(const struct mt_surface_prediction *prediction,
                      struct mt_error *err)
{
    const struct mt_axis *sizes = &prediction->sizes, *nodes = &prediction->nodes;
    const int rows = least(sizes->count, SHOWN_ROWS),
              columns = least(nodes->count, SHOWN_COLUMNS);
    char texts[SHOWN_COLUMNS + 1][32];
    const char *cells[SHOWN_COLUMNS + 1];
    struct mt_table table = {.columns = columns + 1};
    struct marks marks = {0};
    for (int i = 0; i <= columns; i++)
        cells[i] = texts[i];
    snprintf(texts[0], sizeof texts[0], ">N");
    for (int i = 0; i < columns; i++)
        snprintf(texts[i + 1], sizeof texts[0], ">%s%.15g ", i == 0 ? "P = " : "",
                 nodes->values[mt_axis_pick(i, nodes->count, SHOWN_COLUMNS)]);
    mt_table_add_row(&table, cells);
    for (int row = 0; row < rows; row++) {
        const int size = mt_axis_pick(row, sizes->count, SHOWN_ROWS);
        snprintf(texts[0], sizeof texts[0], "%.15g", sizes->values[size]);
        for (int i = 0; i < columns; i++) {
            const struct mt_surface_point *point = point_at(
                prediction, size, mt_axis_pick(i, nodes->count, SHOWN_COLUMNS));
            format_cell(texts[i + 1], point);
            note_marks(&marks, point);
        }
        mt_table_add_row(&table, cells);
    }
    puts("efficiency in %, over the size N and the number of nodes P");
    const int status = mt_table_print(&table, stdout, err);
    print_marks(marks, prediction->surface);
    if (rows < sizes->count || columns < nodes->count)
        printf("%d x %d of %d x %d points: --csv and --json print all\n", rows, columns,
               sizes->count, nodes->count);
    return status;
}

static void add_point(struct mt_table *table, double number,
                      const struct mt_surface_point *point)
{
    char first[32], total[32], compute[32], communicate[32], speed[MT_QUANTITY_TEXT],
        efficiency[MT_QUANTITY_TEXT], memory[MT_QUANTITY_TEXT] = "-";
    snprintf(first, sizeof first, "%.15g", number);
    if (!point->valid) {
        mt_table_add(table, first, "-", "-", "-", "-", "- ", "-", NULL);
        return;
    }
    if (point->memory > 0)
        mt_format_bytes(memory, point->memory);
    mt_format_percent(efficiency, point->efficiency);
    char marked[MT_QUANTITY_TEXT + 1];
    snprintf(marked, sizeof marked, "%s%s", efficiency, point->fits ? " " : "*");
    mt_table_add(table, first, mt_format_seconds(total, point->seconds),
                 mt_format_seconds(compute, point->compute),
                 mt_format_seconds(communicate, point->communicate),
                 mt_format_rate(speed, point->speed, "f"), marked, memory, NULL);
}

/* All that is known of each point, where sizes or nodes are a single number. */
static int print_section(const struct mt_surface_prediction *prediction,
                         struct mt_error *err)
{
    const struct mt_axis *sizes = &prediction->sizes, *nodes = &prediction->nodes;
    const bool over_sizes = nodes->count == 1;
    const struct mt_axis *axis = over_sizes ? sizes : nodes;
    struct mt_table table = {0};
    struct marks marks = {0};
    printf(over_sizes ? "on P = %.15g\n" : "at N = %.15g\n",
           over_sizes ? nodes->values[0] : sizes->values[0]);
    mt_table_add(&table, over_sizes ? ">N" : ">P", ">time", ">computing", ">messages",
                 ">speed of a node", ">efficiency ", ">memory of a node", NULL);
    for (int i = 0; i < axis->count; i++) {
        add_point(&table, axis->values[i], &prediction->points[i]);
        note_marks(&marks, &prediction->points[i]);
    }
    const int status = mt_table_print(&table, stdout, err);
    print_marks(marks, prediction->surface);
    return status;
}

/* Why the best size is not larger; or "". */
static const char *held_back(const struct mt_surface_prediction *prediction,
                             const struct mt_ridge_point *best, double nodes)
{
    if (!mt_surface_at(prediction->surface, best->size + 1, nodes).fits)
        return "memory is full";
    if (best->size == prediction->span.high)
        return "the largest looked at";
    return "";
}

static bool any_held_back(const struct mt_surface_prediction *prediction)
{
    for (int i = 0; i < prediction->nodes.count; i++) {
        const struct mt_ridge_point *best = &prediction->ridge[i];
        if (best->found &&
            held_back(prediction, best, prediction->nodes.values[i])[0] != 0)
            return true;
    }
    return false;
}

static int print_ridge(const struct mt_surface_prediction *prediction,
                       struct mt_error *err)
{
    const bool any_held = any_held_back(prediction);
    struct mt_table table = {0};
    puts("\nbest size for each number of nodes");
    mt_table_add(&table, ">P", ">N", ">efficiency", ">time", ">speed of a node",
                 ">of all", any_held ? "" : NULL, NULL);
    for (int i = 0; i < prediction->nodes.count; i++) {
        const struct mt_ridge_point *best = &prediction->ridge[i];
        const double count = prediction->nodes.values[i];
        char nodes[32], size[32], efficiency[MT_QUANTITY_TEXT], time[32],
            speed[MT_QUANTITY_TEXT], all[MT_QUANTITY_TEXT];
        snprintf(nodes, sizeof nodes, "%.15g", count);
        if (!best->found) {
            mt_table_add(&table, nodes, "-", "-", "-", "-", "-", NULL);
            continue;
        }
        snprintf(size, sizeof size, "%.15g", best->size);
        mt_table_add(&table, nodes, size,
                     mt_format_percent(efficiency, best->point.efficiency),
                     mt_format_seconds(time, best->point.seconds),
                     mt_format_rate(speed, best->point.speed, "f"),
                     mt_format_rate(all, count * best->point.speed, "f"),
                     any_held ? held_back(prediction, best, count) : NULL, NULL);
    }
    return mt_table_print(&table, stdout, err);
}

static int print_cliffs(const struct mt_surface_prediction *prediction,
                        struct mt_error *err)
{
    const struct mt_cliffs *cliffs = &prediction->cliffs;
    if (cliffs->count == 0)
        return MT_OK;
    struct mt_table table = {0};
    printf("\ncliffs: a size 10 %% larger, or a node more, loses over %.0f %% of the "
           "efficiency\n",
           100 * MT_CLIFF);
    mt_table_add(&table, "", ">from", ">to", ">efficiency", ">then", NULL);
    for (int i = 0; i < cliffs->count && i < SHOWN_CLIFFS; i++) {
        const struct mt_cliff *cliff = &cliffs->cliffs[i];
        const char letter = cliff->along_nodes ? 'P' : 'N';
        char where[48], from[48], to[32], before[MT_QUANTITY_TEXT],
            after[MT_QUANTITY_TEXT];
        snprintf(where, sizeof where, "%c = %.15g", cliff->along_nodes ? 'N' : 'P',
                 cliff->other);
        snprintf(from, sizeof from, "%c = %.15g", letter, cliff->from);
        snprintf(to, sizeof to, "%.15g", cliff->to);
        mt_table_add(&table, where, from, to, mt_format_percent(before, cliff->before),
                     mt_format_percent(after, cliff->after), NULL);
    }
    const int status = mt_table_print(&table, stdout, err);
    if (cliffs->count > SHOWN_CLIFFS)
        printf("and %d more: --json lists all\n", cliffs->count - SHOWN_CLIFFS);
    return status;
}

static int print_speedups(const struct mt_surface_prediction *prediction,
                          struct mt_error *err)
{
    struct mt_table table = {0};
    if (prediction->base == 0)
        return MT_OK;
    printf("\nspeed-up over one node at N = %.15g, were there memory enough\n",
           prediction->base);
    mt_table_add(&table, ">P", ">fixed size", ">fixed time", ">at N", ">memory bounded",
                 ">at N", NULL);
    for (int i = 0; i < prediction->nodes.count; i++) {
        const struct mt_speedup_row *row = &prediction->speedups[i];
        char cells[MT_NSPEEDUPS][32], sizes[MT_NSPEEDUPS][32], nodes[32];
        snprintf(nodes, sizeof nodes, "%.15g", prediction->nodes.values[i]);
        for (int kind = 0; kind < MT_NSPEEDUPS; kind++) {
            const bool known = !isnan(row->speedups[kind]);
            snprintf(cells[kind], 32, known ? "%.4g" : "-", row->speedups[kind]);
            snprintf(sizes[kind], 32, known ? "%.15g" : "-", row->sizes[kind]);
        }
        mt_table_add(&table, nodes, cells[MT_SPEEDUP_FIXED_SIZE],
                     cells[MT_SPEEDUP_FIXED_TIME], sizes[MT_SPEEDUP_FIXED_TIME],
                     cells[MT_SPEEDUP_MEMORY_BOUNDED], sizes[MT_SPEEDUP_MEMORY_BOUNDED],
                     NULL);
    }
    return mt_table_print(&table, stdout, err);
}

static int print_iso(const struct mt_surface_prediction *prediction, int level,
                     struct mt_error *err)
{
    struct mt_table table = {0};
    char reached[MT_QUANTITY_TEXT], speed[MT_QUANTITY_TEXT];
    const double efficiency = prediction->levels[level];
    printf(
        "\nthe smallest and the largest size with an efficiency of at least %s (%s a "
        "node)\n",
        mt_format_percent(reached, efficiency),
        mt_format_rate(
            speed, efficiency * mt_surface_machine(prediction->surface)->speed, "f"));
    mt_table_add(&table, ">P", ">from N", ">operations", ">to N", ">operations", NULL);
    for (int i = 0; i < prediction->nodes.count; i++) {
        const double count = prediction->nodes.values[i];
        const struct mt_iso_row *row =
            &prediction->isos[level * prediction->nodes.count + i];
        char nodes[32], low[32] = "-", low_work[32] = "-", high[32] = "-",
                        high_work[32] = "-";
        snprintf(nodes, sizeof nodes, "%.15g", count);
        if (row->found) {
            const struct mt_surface *surface = prediction->surface;
            snprintf(low, sizeof low, "%.15g", row->sizes.low);
            snprintf(high, sizeof high, "%.15g", row->sizes.high);
            snprintf(low_work, sizeof low_work, "%.3g",
                     mt_surface_at(surface, row->sizes.low, count).work);
            snprintf(high_work, sizeof high_work, "%.3g",
                     mt_surface_at(surface, row->sizes.high, count).work);
        }
        mt_table_add(&table, nodes, low, low_work, high, high_work, NULL);
    }
    return mt_table_print(&table, stdout, err);
}

int mt_surface_prediction_print(const struct mt_surface_prediction *prediction,
                                struct mt_error *err)
{
    const struct mt_axis *sizes = &prediction->sizes, *nodes = &prediction->nodes;
    const struct mt_surface *surface = prediction->surface;
    char label[MT_SURFACE_LABEL], speed[MT_QUANTITY_TEXT];
    printf("%s: predicted efficiency, of %s a node%s\n",
           mt_surface_label(label, surface),
           mt_format_rate(speed, mt_surface_machine(surface)->speed, "f"),
           mt_surface_simulated(surface));
    mt_surface_print_origin(surface, mt_axis_span(nodes).high);
    puts("");
    int status = sizes->count == 1 || nodes->count == 1 ? print_section(prediction, err)
                                                        : print_grid(prediction, err);
    if (status == MT_OK && sizes->count > 1)
        status = print_ridge(prediction, err);
    if (status == MT_OK)
        status = print_cliffs(prediction, err);
    if (status == MT_OK)
        status = print_speedups(prediction, err);
    for (int i = 0; i < prediction->nlevels && status == MT_OK; i++)
        status = print_iso(prediction, i, err);
    return status;
}
