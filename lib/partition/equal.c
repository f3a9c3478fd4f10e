/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

#include <stdlib.h>

int mt_partition_choose_equal(struct mt_partition *partition,
                              const struct mt_partition_task *task,
                              struct mt_error *err)
{
    const int ranks = task->cluster->ranks;
    long grid = 1;
    while (grid * grid % ranks != 0)
        grid++;
    int *blocks = calloc((size_t)ranks, sizeof *blocks);
    if (!blocks)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++)
        blocks[rank] = (int)(grid * grid / ranks);
    const struct mt_partition_shares shares = {.grid = (int)grid, .blocks = blocks};
    const int status =
        mt_partition_deal(partition, task, &shares, MT_PARTITION_ROWS, err);
    free(blocks);
    return status;
}
