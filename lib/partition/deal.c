/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"
#include "predict.h"

#include <stdlib.h>

struct mt_cut_block mt_cut_find_block(int grid, enum mt_cut_order order, int place)
{
    const int line = place / grid, along = place % grid;
    switch (order) {
    case MT_CUT_COLUMNS:
        return (struct mt_cut_block){grid, along, line};
    case MT_CUT_TO_AND_FRO:
        return (struct mt_cut_block){grid, line,
                                     line % 2 == 0 ? along : grid - 1 - along};
    default:
        return (struct mt_cut_block){grid, line, along};
    }
}

/* Add the block as a tile, with the levels that are best for it when k is cut as finely
   as the rows and columns. */
static int add_block(struct mt_cut *cut, const struct mt_cut_task *task,
                     const struct mt_cut_block *block, int rank, int turn,
                     struct mt_error *err)
{
    const struct mt_cut_product *product = task->product;
    const double grid = block->grid;
    const struct mt_cut_tile tile = {
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
    return mt_cut_add(cut, &tile, err);
}

static int deal_pieces(struct mt_cut *cut, const struct mt_cut_task *task,
                       const struct mt_cut_shares *shares, enum mt_cut_order order,
                       int first, struct mt_error *err)
{
    const int parts = shares->parts;
    int status = MT_OK, place = first * parts * parts;
    for (int rank = 0; rank < cut->ranks; rank++)
        for (int i = 0; i < shares->pieces[rank] && !status; i++, place++) {
            const struct mt_cut_block whole =
                mt_cut_find_block(shares->grid, order, place / (parts * parts));
            const int piece = place % (parts * parts);
            const struct mt_cut_block block = {shares->grid * parts,
                                               whole.row * parts + piece / parts,
                                               whole.column * parts + piece % parts};
            status = add_block(cut, task, &block, rank, 1, err);
        }
    return status;
}

int mt_cut_deal(struct mt_cut *cut, const struct mt_cut_task *task,
                const struct mt_cut_shares *shares, enum mt_cut_order order,
                struct mt_error *err)
{
    cut->ranks = task->cluster->ranks;
    cut->panels = shares->grid;
    cut->subpanels = shares->parts;
    int status = MT_OK, place = 0;
    for (int rank = 0; rank < cut->ranks; rank++)
        for (int i = 0; i < shares->blocks[rank] && !status; i++, place++) {
            const struct mt_cut_block block =
                mt_cut_find_block(shares->grid, order, place);
            status = add_block(cut, task, &block, rank, 0, err);
        }
    if (!status && shares->parts > 0)
        status = deal_pieces(cut, task, shares, order, place, err);
    return status;
}

double mt_cut_block_seconds(const struct mt_cut_task *task, int rank, int grid)
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

/* Keep the cut when it is better than the best. */
static int compare(struct mt_cut_search *search, struct mt_cut *cut, const double *rest,
                   struct mt_error *err)
{
    struct mt_cut_forecast forecast = {0};
    const struct mt_cut_limit limit = {search->seconds, rest};
    const int status = mt_cut_predict_within(&forecast, cut, search->task->product,
                                             search->task->cluster, &limit, err);
    if (!status && forecast.seconds < search->seconds) {
        const struct mt_cut worse = search->cut;
        search->seconds = forecast.seconds;
        search->cut = *cut;
        *cut = worse;
    }
    mt_cut_forecast_clear(&forecast);
    return status;
}

static int try_order(struct mt_cut_search *search, enum mt_cut_kind kind,
                     const struct mt_cut_shares *shares, enum mt_cut_order order,
                     double *rest, struct mt_error *err)
{
    struct mt_cut cut = {.kind = kind};
    int status = mt_cut_bound(rest, search->task, shares, order, err);
    if (status || rest[0] >= search->seconds)
        return status;
    status = mt_cut_deal(&cut, search->task, shares, order, err);
    if (!status)
        status = compare(search, &cut, rest, err);
    mt_cut_clear(&cut);
    return status;
}

int mt_cut_try(struct mt_cut_search *search, enum mt_cut_kind kind,
               const struct mt_cut_shares *shares, struct mt_error *err)
{
    double *rest = calloc((size_t)shares->grid + 1, sizeof *rest);
    if (!rest)
        return mt_fail(err, MT_ENOMEM, "no memory for %d steps", shares->grid);
    int status = MT_OK;
    for (int order = 0; order < MT_CUT_ORDERS && !status; order++)
        status = try_order(search, kind, shares, (enum mt_cut_order)order, rest, err);
    free(rest);
    return status;
}
