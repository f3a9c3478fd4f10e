/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"
#include "predict.h"

#include <stdlib.h>

struct mt_partition_block mt_partition_find_block(int grid,
                                                  enum mt_partition_order order,
                                                  int place)
{
    const int line = place / grid, along = place % grid;
    switch (order) {
    case MT_PARTITION_COLUMNS:
        return (struct mt_partition_block){grid, along, line};
    case MT_PARTITION_TO_AND_FRO:
        return (struct mt_partition_block){grid, line,
                                           line % 2 == 0 ? along : grid - 1 - along};
    default:
        return (struct mt_partition_block){grid, line, along};
    }
}

/* Add the block as a tile, with the levels that are best for it when k is cut as finely
   as the rows and columns. */
static int add_block(struct mt_partition *partition,
                     const struct mt_partition_task *task,
                     const struct mt_partition_block *block, int rank, int turn,
                     struct mt_error *err)
{
    const struct mt_partition_product *product = task->product;
    const double grid = block->grid;
    const struct mt_partition_tile tile = {
        .rank = rank,
        .turn = turn,
        .levels = mt_strassen_best_levels(
            &task->cluster->speeds[rank], product->m / grid, product->n / grid,
            product->k / grid, MT_STRASSEN_MAX_LEVELS, true),
        .top = block->row / grid,
        .left = block->column / grid,
        .bottom = (block->row + 1) / grid,
        .right = (block->column + 1) / grid,
    };
    return mt_partition_add(partition, &tile, err);
}

static int deal_pieces(struct mt_partition *partition,
                       const struct mt_partition_task *task,
                       const struct mt_partition_shares *shares,
                       enum mt_partition_order order, int first, struct mt_error *err)
{
    const int parts = shares->parts;
    int status = MT_OK, place = first * parts * parts;
    for (int rank = 0; rank < partition->ranks; rank++)
        for (int i = 0; i < shares->pieces[rank] && !status; i++, place++) {
            const struct mt_partition_block whole =
                mt_partition_find_block(shares->grid, order, place / (parts * parts));
            const int piece = place % (parts * parts);
            const struct mt_partition_block block = {
                shares->grid * parts, whole.row * parts + piece / parts,
                whole.column * parts + piece % parts};
            status = add_block(partition, task, &block, rank, 1, err);
        }
    return status;
}

int mt_partition_deal(struct mt_partition *partition,
                      const struct mt_partition_task *task,
                      const struct mt_partition_shares *shares,
                      enum mt_partition_order order, struct mt_error *err)
{
    partition->ranks = task->cluster->ranks;
    partition->panels = shares->grid;
    partition->subpanels = shares->parts;
    int status = MT_OK, place = 0;
    for (int rank = 0; rank < partition->ranks; rank++)
        for (int i = 0; i < shares->blocks[rank] && !status; i++, place++) {
            const struct mt_partition_block block =
                mt_partition_find_block(shares->grid, order, place);
            status = add_block(partition, task, &block, rank, 0, err);
        }
    if (!status && shares->parts > 0)
        status = deal_pieces(partition, task, shares, order, place, err);
    return status;
}

double mt_partition_block_seconds(const struct mt_partition_task *task, int rank,
                                  int grid)
{
    const struct mt_strassen_speed *speed = &task->cluster->speeds[rank];
    const double m = (double)task->product->m / grid;
    const double n = (double)task->product->n / grid;
    const double k = (double)task->product->k / grid;
    const int levels =
        mt_strassen_best_levels(speed, m, n, k, MT_STRASSEN_MAX_LEVELS, true);
    return mt_strassen_seconds(speed, m, n, k, levels, false) +
           (grid - 1) * mt_strassen_seconds(speed, m, n, k, levels, true);
}

/* Keep the partition when it is better than the best. */
static int compare(struct mt_partition_search *search, struct mt_partition *partition,
                   const double *rest, struct mt_error *err)
{
    struct mt_partition_forecast forecast = {0};
    const struct mt_partition_limit limit = {search->seconds, rest};
    const int status =
        mt_partition_predict_within(&forecast, partition, search->task->product,
                                    search->task->cluster, &limit, err);
    if (!status && forecast.seconds < search->seconds) {
        const struct mt_partition worse = search->partition;
        search->seconds = forecast.seconds;
        search->partition = *partition;
        *partition = worse;
    }
    mt_partition_forecast_clear(&forecast);
    return status;
}

static int try_order(struct mt_partition_search *search, enum mt_partition_kind kind,
                     const struct mt_partition_shares *shares,
                     enum mt_partition_order order, double *rest, struct mt_error *err)
{
    struct mt_partition partition = {.kind = kind};
    int status = mt_partition_bound(rest, search->task, shares, order, err);
    if (status || rest[0] >= search->seconds)
        return status;
    status = mt_partition_deal(&partition, search->task, shares, order, err);
    if (!status)
        status = compare(search, &partition, rest, err);
    mt_partition_clear(&partition);
    return status;
}

int mt_partition_try(struct mt_partition_search *search, enum mt_partition_kind kind,
                     const struct mt_partition_shares *shares, struct mt_error *err)
{
    double *rest = calloc((size_t)shares->grid + 1, sizeof *rest);
    if (!rest)
        return mt_fail(err, MT_ENOMEM, "no memory for %d steps", shares->grid);
    int status = MT_OK;
    for (int order = 0; order < MT_PARTITION_ORDERS && !status; order++)
        status =
            try_order(search, kind, shares, (enum mt_partition_order)order, rest, err);
    free(rest);
    return status;
}
