/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

#include <math.h>
#include <stdlib.h>

void mt_partition_share_out(int *counts, const double *seconds, int ranks, int blocks)
{
    for (int rank = 0; rank < ranks; rank++)
        counts[rank] = 0;
    for (int i = 0; i < blocks; i++) {
        int first = 0;
        for (int rank = 1; rank < ranks; rank++)
            if ((counts[rank] + 1) * seconds[rank] <
                (counts[first] + 1) * seconds[first])
                first = rank;
        counts[first]++;
    }
}

int mt_partition_search_greedy(struct mt_partition_search *search,
                               enum mt_partition_kind kind, struct mt_error *err)
{
    const int ranks = search->task->cluster->ranks;
    double *seconds = calloc((size_t)ranks, sizeof *seconds);
    int *blocks = calloc((size_t)ranks, sizeof *blocks);
    int status = MT_OK;
    if (!seconds || !blocks) {
        status = mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
        goto done;
    }
    for (int grid = 1; grid <= search->task->most && !status; grid++) {
        const struct mt_partition_shares shares = {.grid = grid, .blocks = blocks};
        double slowest = 0;
        for (int rank = 0; rank < ranks; rank++)
            seconds[rank] = mt_partition_block_seconds(search->task, rank, grid);
        mt_partition_share_out(blocks, seconds, ranks, grid * grid);
        for (int rank = 0; rank < ranks; rank++)
            slowest = fmax(slowest, blocks[rank] * seconds[rank]);
        if (slowest < search->seconds) /* which computing alone takes */
            status = mt_partition_try(search, kind, &shares, err);
    }
done:
    free(blocks);
    free(seconds);
    return status;
}

int mt_partition_choose_greedy(struct mt_partition *partition,
                               const struct mt_partition_task *task,
                               struct mt_error *err)
{
    struct mt_partition_search search = {.task = task, .seconds = INFINITY};
    const int status = mt_partition_search_greedy(&search, MT_PARTITION_GREEDY, err);
    if (status)
        mt_partition_clear(&search.partition);
    else
        *partition = search.partition;
    return status;
}
