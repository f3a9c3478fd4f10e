/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges the runs of one configuration at one size into a cell: their median, their
   scatter, and the noise of each group's runs that follows from it. */
#include "posterior.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/stats/stats.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_runs(const void *left, const void *right)
{
    const struct mt_sample *const *a = left, *const *b = right;
    const int order =
        memcmp(&(*a)->configuration, &(*b)->configuration, sizeof(*a)->configuration);
    return order != 0 ? order : mt_compare_doubles(&(*a)->size, &(*b)->size);
}

/* A cell of `count` runs; their logarithms are sorted in place. */
static struct mt_cell make_cell(const struct mt_sample *first, double *logs, int count)
{
    struct mt_cell cell = {.configuration = first->configuration,
                           .size = first->size,
                           .runs = count,
                           .y = mt_median(logs, count)};
    for (int i = 0; i < count; i++)
        cell.squares += (logs[i] - cell.y) * (logs[i] - cell.y);
    return cell;
}

/* Move `kept` of `count` cells, evenly spread over their order, to `to`, which is not
   behind them. */
static void spread(struct mt_cell *to, const struct mt_cell *cells, int count, int kept)
{
    for (int i = 0; i < kept; i++)
        to[i] = cells[kept > 1 ? (int64_t)i * (count - 1) / (kept - 1) : count - 1];
}

/* The end of the cells with the first one's configuration. */
static int configuration_end(const struct mt_cells *cells, int first)
{
    int end = first + 1;
    while (end < cells->count &&
           mt_configuration_equal(&cells->all[end].configuration,
                                  &cells->all[first].configuration))
        end++;
    return end;
}

/* The number of cells left with at most `most` of each configuration. */
static int count_with(const struct mt_cells *cells, int most)
{
    int count = 0;
    for (int first = 0, end; first < cells->count; first = end) {
        end = configuration_end(cells, first);
        count += end - first < most ? end - first : most;
    }
    return count;
}

/* Keep at most MOST_CELLS of the cells: all cells of configurations with few of them,
   and an equal number of each other one. */
static void thin_out(struct mt_cells *cells)
{
    int most = 1, too_many = MOST_CELLS + 1, kept = 0;
    if (cells->count <= MOST_CELLS)
        return;
    while (too_many - most > 1) {
        const int middle = (most + too_many) / 2;
        *(count_with(cells, middle) > MOST_CELLS ? &too_many : &most) = middle;
    }
    for (int first = 0, end; first < cells->count; first = end) {
        end = configuration_end(cells, first);
        const int count = end - first < most ? end - first : most;
        spread(&cells->all[kept], &cells->all[first], end - first, count);
        kept += count;
    }
    cells->count = kept < MOST_CELLS ? kept : MOST_CELLS;
    spread(cells->all, cells->all, kept, cells->count);
}

int mt_cells_make(struct mt_cells *cells, const struct mt_sample *samples, int count,
                  struct mt_error *err)
{
    const struct mt_sample **order = calloc((size_t)count + 1, sizeof *order);
    double *logs = calloc((size_t)count + 1, sizeof *logs);
    struct mt_cells made = {0};
    int status = MT_OK;
    if (!order || !logs)
        status = mt_fail(err, MT_ENOMEM, "no memory for %d runs", count);
    for (int i = 0; i < count && status == MT_OK; i++)
        order[i] = &samples[i];
    if (status == MT_OK)
        qsort(order, (size_t)count, sizeof(const struct mt_sample *), compare_runs);
    for (int first = 0, end; first < count && status == MT_OK; first = end) {
        for (end = first; end < count && compare_runs(&order[first], &order[end]) == 0;
             end++)
            logs[end] = log(order[end]->seconds);
        status = mt_array_grow(&made.all, made.count, sizeof *made.all, "cells", err);
        if (status == MT_OK)
            made.all[made.count++] = make_cell(order[first], &logs[first], end - first);
    }
    free(order);
    free(logs);
    if (status != MT_OK) {
        mt_cells_clear(&made);
        return status;
    }
    thin_out(&made);
    *cells = made;
    return MT_OK;
}

void mt_cells_clear(struct mt_cells *cells)
{
    free(cells->all);
    *cells = (struct mt_cells){0};
}
