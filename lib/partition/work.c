/* SPDX-License-Identifier: BSD-3-Clause */
#include "work.h"

#include "messages.h"
#include "parcels.h"

#include <stdlib.h>

int mt_cut_phases_per_step(const struct mt_cut *cut)
{
    return 1 + cut->subpanels;
}

int mt_cut_turn_of_phase(const struct mt_cut *cut, int phase)
{
    return phase % mt_cut_phases_per_step(cut) > 0 ? 1 : 0;
}

void mt_cut_work_clear(struct mt_cut_work *work)
{
    free(work->seconds);
    free(work->parcels);
    free(work->messages);
    free(work->starts);
    *work = (struct mt_cut_work){0};
}

/* The part of k of the rank's phase, `first` being the panel that it begins with. */
static int find_depth(const struct mt_cut *cut, int first, int phase, int k)
{
    const int step = phase / mt_cut_phases_per_step(cut);
    const int place = phase % mt_cut_phases_per_step(cut);
    const int panel = (int)(((long)first + step) % cut->panels);
    const struct mt_cut_range range =
        place == 0 ? mt_cut_panel_range(cut, panel, k)
                   : mt_cut_subpanel_range(cut, panel, place - 1, k);
    return range.end - range.first;
}

/* Equal tiles of a rank that follow each other. */
struct run {
    const struct mt_cut_tile *tile;
    int rows, columns, count, first_panel;
};

/* What a product of the run takes; for so many sizes in a row it is the same. */
struct memory {
    int depth;
    bool accumulate;
    double seconds;
};

static void add_run(struct mt_cut_work *work, const struct mt_cut *cut,
                    const struct mt_cut_cluster *cluster, const struct run *run, int k)
{
    const struct mt_cut_tile *tile = run->tile;
    struct memory memory = {0};
    bool accumulate = false;
    for (int phase = tile->turn; phase < work->phases; phase++) {
        if (mt_cut_turn_of_phase(cut, phase) != tile->turn)
            continue;
        const int depth = find_depth(cut, run->first_panel, phase, k);
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

static void find_seconds(struct mt_cut_work *work, const struct mt_cut *cut,
                         const struct mt_cut_product *product,
                         const struct mt_cut_cluster *cluster)
{
    struct run run = {0};
    for (int i = 0; i < cut->ntiles; i++) {
        const struct mt_cut_tile *tile = &cut->tiles[i];
        struct run next = {
            .tile = tile,
            .rows = mt_cut_edge(tile->bottom, product->m) -
                    mt_cut_edge(tile->top, product->m),
            .columns = mt_cut_edge(tile->right, product->n) -
                       mt_cut_edge(tile->left, product->n),
            .count = 1,
        };
        if (same_run(&run, &next)) {
            run.count++;
            continue;
        }
        if (run.tile)
            add_run(work, cut, cluster, &run, product->k);
        const bool same_rank = run.tile && run.tile->rank == tile->rank;
        next.first_panel =
            same_rank ? run.first_panel : mt_cut_panel(cut, tile->rank, 0);
        run = next;
    }
    if (run.tile)
        add_run(work, cut, cluster, &run, product->k);
}

int mt_cut_work_init(struct mt_cut_work *work, const struct mt_cut *cut,
                     const struct mt_cut_product *product,
                     const struct mt_cut_cluster *cluster, struct mt_error *err)
{
    struct mt_cut_work made = {
        .ranks = cut->ranks,
        .phases = cut->panels * mt_cut_phases_per_step(cut),
    };
    made.seconds =
        calloc((size_t)made.phases * (size_t)made.ranks, sizeof *made.seconds);
    if (!made.seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d phases of %d ranks",
                       made.phases, made.ranks);
    find_seconds(&made, cut, product, cluster);
    const int status = cut->overlap ? mt_cut_find_parcels(&made, cut, product, err)
                                    : mt_cut_find_messages(&made, cut, product, err);
    if (status)
        mt_cut_work_clear(&made);
    else
        *work = made;
    return status;
}
