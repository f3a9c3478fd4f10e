/* SPDX-License-Identifier: BSD-3-Clause */
#include "work.h"

#include "messages.h"
#include "parcels.h"

#include <stdlib.h>

int mt_partition_phases_per_step(const struct mt_partition *partition)
{
    return 1 + partition->subpanels;
}

int mt_partition_turn_of_phase(const struct mt_partition *partition, int phase)
{
    return phase % mt_partition_phases_per_step(partition) > 0 ? 1 : 0;
}

void mt_partition_work_clear(struct mt_partition_work *work)
{
    free(work->seconds);
    free(work->parcels);
    free(work->messages);
    free(work->starts);
    *work = (struct mt_partition_work){0};
}

/* The part of k of the rank's phase, `first` being the panel that it begins with. */
static int find_depth(const struct mt_partition *partition, int first, int phase, int k)
{
    const int step = phase / mt_partition_phases_per_step(partition);
    const int place = phase % mt_partition_phases_per_step(partition);
    const int panel = (int)(((long)first + step) % partition->panels);
    const struct mt_partition_range range =
        place == 0 ? mt_partition_panel_range(partition, panel, k)
                   : mt_partition_subpanel_range(partition, panel, place - 1, k);
    return range.end - range.first;
}

/* Equal tiles of a rank that follow each other. */
struct run {
    const struct mt_partition_tile *tile;
    int rows, columns, count, first_panel;
};

/* What a product of the run takes; for so many sizes in a row it is the same. */
struct memory {
    int depth;
    bool accumulate;
    double seconds;
};

static void add_run(struct mt_partition_work *work,
                    const struct mt_partition *partition,
                    const struct mt_partition_cluster *cluster, const struct run *run,
                    int k)
{
    const struct mt_partition_tile *tile = run->tile;
    struct memory memory = {0};
    bool accumulate = false;
    for (int phase = tile->turn; phase < work->phases; phase++) {
        if (mt_partition_turn_of_phase(partition, phase) != tile->turn)
            continue;
        const int depth = find_depth(partition, run->first_panel, phase, k);
        if (depth == 0)
            continue;
        if (depth != memory.depth || accumulate != memory.accumulate) {
            memory = (struct memory){depth, accumulate, 0};
            memory.seconds =
                mt_strassen_seconds(&cluster->speeds[tile->rank], run->rows,
                                    run->columns, depth, tile->levels, accumulate);
        }
        work->seconds[(size_t)phase * (size_t)work->ranks + (size_t)tile->rank] +=
            run->count * memory.seconds;
        accumulate = true;
    }
}

static bool same_run(const struct run *a, const struct run *b)
{
    return a->tile && a->tile->rank == b->tile->rank &&
           a->tile->turn == b->tile->turn && a->tile->levels == b->tile->levels &&
           a->rows == b->rows && a->columns == b->columns;
}

static void find_seconds(struct mt_partition_work *work,
                         const struct mt_partition *partition,
                         const struct mt_partition_product *product,
                         const struct mt_partition_cluster *cluster)
{
    struct run run = {0};
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        struct run next = {
            .tile = tile,
            .rows = mt_partition_edge(tile->bottom, product->m) -
                    mt_partition_edge(tile->top, product->m),
            .columns = mt_partition_edge(tile->right, product->n) -
                       mt_partition_edge(tile->left, product->n),
            .count = 1,
        };
        if (same_run(&run, &next)) {
            run.count++;
            continue;
        }
        if (run.tile)
            add_run(work, partition, cluster, &run, product->k);
        const bool same_rank = run.tile && run.tile->rank == tile->rank;
        next.first_panel =
            same_rank ? run.first_panel : mt_partition_panel(partition, tile->rank, 0);
        run = next;
    }
    if (run.tile)
        add_run(work, partition, cluster, &run, product->k);
}

int mt_partition_work_init(struct mt_partition_work *work,
                           const struct mt_partition *partition,
                           const struct mt_partition_product *product,
                           const struct mt_partition_cluster *cluster,
                           struct mt_error *err)
{
    struct mt_partition_work made = {
        .ranks = partition->ranks,
        .phases = partition->panels * mt_partition_phases_per_step(partition),
    };
    made.seconds =
        calloc((size_t)made.phases * (size_t)made.ranks, sizeof *made.seconds);
    if (!made.seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d phases of %d ranks",
                       made.phases, made.ranks);
    find_seconds(&made, partition, product, cluster);
    const int status = partition->overlap
                           ? mt_partition_find_parcels(&made, partition, product, err)
                           : mt_partition_find_messages(&made, partition, product, err);
    if (status)
        mt_partition_work_clear(&made);
    else
        *work = made;
    return status;
}
