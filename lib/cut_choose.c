/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut_parts.h"

int mt_cut_add_block(struct mt_cut *cut, const struct mt_cut_task *task,
                     const struct mt_cut_block *block, int panels, int rank, int turn,
                     struct mt_error *err)
{
    const struct mt_cut_product *product = task->product;
    const double grid = block->grid;
    const struct mt_cut_tile tile = {
        .rank = rank,
        .turn = turn,
        .levels = mt_strassen_best_levels(
            &task->cluster->speeds[rank], product->m / grid, product->n / grid,
            (double)product->k / panels, MT_STRASSEN_MAX_LEVELS, true),
        .top = block->row / grid,
        .left = block->column / grid,
        .bottom = (block->row + 1) / grid,
        .right = (block->column + 1) / grid,
    };
    return mt_cut_add(cut, &tile, err);
}

int mt_cut_choose(struct mt_cut *cut, enum mt_cut_kind kind,
                  const struct mt_cut_product *product,
                  const struct mt_cut_cluster *cluster, int most, struct mt_error *err)
{
    typedef int choose(struct mt_cut * cut, const struct mt_cut_task *task,
                       struct mt_error *err);
    static choose *const choices[MT_CUT_KINDS] = {
        [MT_CUT_EQUAL] = mt_cut_choose_equal,
    };
    if (!choices[kind])
        return mt_fail(err, MT_EINVAL, "the kind '%s' is not there yet",
                       mt_cut_kind_name(kind));
    if (product->m < 0 || product->n < 0 || product->k < 0)
        return mt_fail(err, MT_EINVAL, "a product of sizes %d, %d, %d", product->m,
                       product->n, product->k);
    if (cluster->ranks < 1 || most < 1)
        return mt_fail(err, MT_EINVAL, "no cut for %d ranks with at most %d blocks",
                       cluster->ranks, most);
    const struct mt_cut_task task = {product, cluster, most};
    struct mt_cut chosen = {.kind = kind};
    const int status = choices[kind](&chosen, &task, err);
    if (status)
        mt_cut_clear(&chosen);
    else
        *cut = chosen;
    return status;
}
