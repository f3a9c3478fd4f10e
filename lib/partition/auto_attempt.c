/* SPDX-License-Identifier: BSD-3-Clause */
#include "auto.h"

#include <math.h>
#include <stdlib.h>

void mt_partition_attempt_clear(struct mt_partition_attempt *attempt)
{
    mt_partition_layout_clear(&attempt->layout);
    mt_partition_clear(&attempt->partition);
    free(attempt->busy);
    *attempt = (struct mt_partition_attempt){0};
}

/* An attempt without tiles. */
static int begin(struct mt_partition_attempt *attempt,
                 const struct mt_partition_task *task, int panels, struct mt_error *err)
{
    const int ranks = task->cluster->ranks;
    *attempt = (struct mt_partition_attempt){
        .partition = {.kind = MT_PARTITION_AUTO,
                      .ranks = ranks,
                      .panels = panels,
                      .overlap = true,
                      .rolled = true},
        .busy = calloc((size_t)ranks, sizeof *attempt->busy),
    };
    return attempt->busy ? MT_OK
                         : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
}

static int add_tile(struct mt_partition_attempt *attempt,
                    const struct mt_partition_task *task, struct mt_partition_tile tile,
                    struct mt_error *err)
{
    const struct mt_partition_product *product = task->product;
    tile.levels = mt_strassen_best_levels(
        &task->cluster->speeds[tile.rank], (tile.bottom - tile.top) * product->m,
        (tile.right - tile.left) * product->n,
        (double)product->k / attempt->partition.panels, MT_STRASSEN_MAX_LEVELS, true);
    return mt_partition_add(&attempt->partition, &tile, err);
}

static int add_rectangles(struct mt_partition_attempt *attempt,
                          const struct mt_partition_task *task,
                          const struct mt_partition_layout *layout, const double *areas,
                          struct mt_error *err)
{
    const size_t most = (size_t)task->cluster->ranks;
    struct mt_partition_tile *tiles = calloc(most, sizeof *tiles);
    double *shares = calloc(most, sizeof *shares), total = 0;
    int *ranks = calloc(most, sizeof *ranks), count = 0, status = MT_OK;
    if (!tiles || !shares || !ranks) {
        status = mt_fail(err, MT_ENOMEM, "no memory for %zu tiles", most);
        goto done;
    }
    for (int rank = 0; rank < task->cluster->ranks; rank++)
        total += areas[rank];
    for (int rank = 0; rank < task->cluster->ranks; rank++)
        if (areas[rank] > 0) {
            shares[count] = areas[rank] / total;
            ranks[count++] = rank;
        }
    if (!layout) {
        layout = &attempt->layout;
        status = mt_partition_layout_init(&attempt->layout, shares, count,
                                          fmax(task->product->m, 1),
                                          fmax(task->product->n, 1), err);
        if (status)
            goto done;
    }
    mt_partition_layout_place(layout, shares, tiles);
    for (int i = 0; i < count && !status; i++) {
        tiles[i].rank = ranks[tiles[i].rank];
        status = add_tile(attempt, task, tiles[i], err);
    }
done:
    free(ranks);
    free(shares);
    free(tiles);
    return status;
}

int mt_partition_attempt_init(struct mt_partition_attempt *attempt,
                              const struct mt_partition_task *task,
                              const struct mt_partition_layout *layout,
                              const double *areas, int panels, struct mt_error *err)
{
    int status = begin(attempt, task, panels, err);
    if (!status)
        status = add_rectangles(attempt, task, layout, areas, err);
    if (status)
        mt_partition_attempt_clear(attempt);
    return status;
}

static double snap(double share, int size, int unit)
{
    if (share >= 1 || size == 0)
        return share;
    return fmin(round(share * size / unit) * unit / size, 1);
}

int mt_partition_attempt_snap(struct mt_partition_attempt *snapped,
                              const struct mt_partition_attempt *attempt,
                              const struct mt_partition_task *task, int unit,
                              struct mt_error *err)
{
    const int m = task->product->m, n = task->product->n;
    bool vanished = false;
    int status = begin(snapped, task, attempt->partition.panels, err);
    for (int i = 0; i < attempt->partition.ntiles && !status && !vanished; i++) {
        struct mt_partition_tile tile = attempt->partition.tiles[i];
        tile.top = snap(tile.top, m, unit);
        tile.left = snap(tile.left, n, unit);
        tile.bottom = snap(tile.bottom, m, unit);
        tile.right = snap(tile.right, n, unit);
        vanished = tile.top >= tile.bottom || tile.left >= tile.right;
        if (!vanished)
            status = add_tile(snapped, task, tile, err);
    }
    if (status || vanished)
        mt_partition_attempt_clear(snapped);
    return status;
}

int mt_partition_attempt_predict(struct mt_partition_attempt *attempt,
                                 const struct mt_partition_task *task,
                                 struct mt_error *err)
{
    struct mt_partition_forecast forecast = {0};
    int status = mt_partition_predict(&forecast, &attempt->partition, task->product,
                                      task->cluster, err);
    if (status)
        return status;
    attempt->seconds = forecast.seconds;
    for (int i = 0; i < forecast.nranks; i++)
        attempt->busy[i] = forecast.ranks[i].compute + forecast.ranks[i].communication;
    mt_partition_forecast_clear(&forecast);
    return MT_OK;
}
