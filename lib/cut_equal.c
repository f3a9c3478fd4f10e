/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut_parts.h"

int mt_cut_choose_equal(struct mt_cut *cut, const struct mt_cut_task *task,
                        struct mt_error *err)
{
    const int ranks = task->cluster->ranks;
    long grid = 1;
    while (grid * grid % ranks != 0)
        grid++;
    cut->ranks = ranks;
    cut->panels = (int)grid;
    const long share = grid * grid / ranks;
    int status = MT_OK;
    for (long i = 0; i < grid * grid && !status; i++) {
        const struct mt_cut_block block = {(int)grid, (int)(i / grid), (int)(i % grid)};
        status =
            mt_cut_add_block(cut, task, &block, cut->panels, (int)(i / share), 0, err);
    }
    return status;
}
