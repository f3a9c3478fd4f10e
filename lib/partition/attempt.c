/* SPDX-License-Identifier: BSD-3-Clause */
#include "attempt.h"

#include "internal.h"

#include <math.h>
#include <stdlib.h>

enum { HALVES = 3 /* that count: panels are not cut deeper very often */ };

/* How often all of the panels can be halved; -1: they are not equally wide. */
static int find_halves(int k, int panels)
{
    if (k % panels != 0)
        return -1;
    int halves = 0;
    for (int width = k / panels; width % 2 == 0 && halves < HALVES; width /= 2)
        halves++;
    return halves;
}

int mt_partition_list_panels(int counts[MT_PARTITION_PANEL_COUNTS], int least, int k)
{
    int n = 0;
    counts[n++] = least <= k ? least : 1;
    for (;;) {
        const int last = counts[n - 1];
        int best = (5 * last + 3) / 4;
        for (int next = best + 1; next <= 2 * last; next++)
            if (find_halves(k, next) > find_halves(k, best))
                best = next;
        if (best > k || best > MT_PARTITION_MOST_PANELS)
            return n;
        counts[n++] = best;
    }
}

void mt_partition_attempt_clear(struct mt_partition_attempt *attempt)
{
    mt_partition_layout_clear(&attempt->layout);
    mt_partition_clear(&attempt->partition);
    free(attempt->busy);
    *attempt = (struct mt_partition_attempt){0};
}

/* An attempt without tiles. */
static int begin(struct mt_partition_attempt *attempt,
                 const struct mt_partition_task *task, struct mt_partition_steps steps,
                 struct mt_error *err)
{
    const int ranks = task->cluster->ranks;
    *attempt = (struct mt_partition_attempt){
        .partition = {.kind = MT_PARTITION_AUTO,
                      .ranks = ranks,
                      .panels = steps.panels,
                      .overlap = steps.overlap,
                      .rolled = steps.overlap},
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

/* The ranks that have an area, and their shares of the whole. How many they are. */
static int find_shares(double *shares, int *ranks, const double *areas, int most)
{
    double total = 0;
    int count = 0;
    for (int rank = 0; rank < most; rank++)
        total += areas[rank];
    for (int rank = 0; rank < most; rank++)
        if (areas[rank] > 0) {
            shares[count] = areas[rank] / total;
            ranks[count++] = rank;
        }
    return count;
}

static int add_rectangles(struct mt_partition_attempt *attempt,
                          const struct mt_partition_task *task,
                          const struct mt_partition_layout *layout, const double *areas,
                          struct mt_error *err)
{
    const size_t most = (size_t)task->cluster->ranks;
    struct mt_partition_tile *tiles = calloc(most, sizeof *tiles);
    double *shares = calloc(most, sizeof *shares);
    int *ranks = calloc(most, sizeof *ranks), count = 0;
    int status = MT_OK;
    if (tiles && shares && ranks)
        count = find_shares(shares, ranks, areas, task->cluster->ranks);
    else
        status = mt_fail(err, MT_ENOMEM, "no memory for %zu tiles", most);
    if (status == MT_OK && !layout)
        status = mt_partition_layout_init(&attempt->layout, shares, count,
                                          fmax(task->product->m, 1),
                                          fmax(task->product->n, 1), err);
    if (status == MT_OK)
        mt_partition_layout_place(layout ? layout : &attempt->layout, shares, tiles);
    for (int i = 0; i < count && status == MT_OK; i++) {
        tiles[i].rank = ranks[tiles[i].rank];
        status = add_tile(attempt, task, tiles[i], err);
    }
    free(ranks);
    free(shares);
    free(tiles);
    return status;
}

int mt_partition_attempt_init(struct mt_partition_attempt *attempt,
                              const struct mt_partition_task *task,
                              const struct mt_partition_layout *layout,
                              const double *areas, struct mt_partition_steps steps,
                              struct mt_error *err)
{
    int status = begin(attempt, task, steps, err);
    if (status == MT_OK)
        status = add_rectangles(attempt, task, layout, areas, err);
    if (status != MT_OK)
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
    const struct mt_partition_steps steps = {attempt->partition.panels,
                                             attempt->partition.overlap};
    int status = begin(snapped, task, steps, err);
    for (int i = 0; i < attempt->partition.ntiles && status == MT_OK && !vanished;
         i++) {
        struct mt_partition_tile tile = attempt->partition.tiles[i];
        tile.top = snap(tile.top, m, unit);
        tile.left = snap(tile.left, n, unit);
        tile.bottom = snap(tile.bottom, m, unit);
        tile.right = snap(tile.right, n, unit);
        vanished = tile.top >= tile.bottom || tile.left >= tile.right;
        if (!vanished)
            status = add_tile(snapped, task, tile, err);
    }
    if (status != MT_OK || vanished)
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
    if (status != MT_OK)
        return status;
    attempt->seconds = forecast.seconds;
    for (int i = 0; i < forecast.nranks; i++)
        attempt->busy[i] = forecast.ranks[i].compute + forecast.ranks[i].communication;
    mt_partition_forecast_clear(&forecast);
    return MT_OK;
}

/* What a rank does in the whole product. */
struct tile_load {
    double compute; /* seconds, of all steps */
    double received, sent;
    int messages; /* that it receives in a step */
};

static double common_length(double first, double end, double other_first,
                            double other_end)
{
    return fmax(fmin(end, other_end) - fmax(first, other_first), 0);
}

/* Rows that two tiles have in common are A's parts that their ranks send each other,
   columns are B's: each wants the other's share of k. */
static void add_messages(struct tile_load *load, const struct mt_partition_tile *tile,
                         const struct mt_partition_tile *other,
                         const struct mt_partition_product *product)
{
    const double bytes = (double)sizeof(double) * product->k;
    const double rows =
        product->m * common_length(tile->top, tile->bottom, other->top, other->bottom);
    const double columns =
        product->n * common_length(tile->left, tile->right, other->left, other->right);
    load->received += bytes * rows * (other->right - other->left) +
                      bytes * columns * (other->bottom - other->top);
    load->sent += bytes * rows * (tile->right - tile->left) +
                  bytes * columns * (tile->bottom - tile->top);
    load->messages += (rows > 0) + (columns > 0);
}

static struct tile_load find_load(const struct mt_partition *partition, int index,
                                  const struct mt_partition_task *task)
{
    const struct mt_partition_tile *tile = &partition->tiles[index];
    const struct mt_partition_product *product = task->product;
    struct tile_load load = {
        .compute = partition->panels *
                   mt_strassen_seconds(&task->cluster->speeds[tile->rank],
                                       (tile->bottom - tile->top) * product->m,
                                       (tile->right - tile->left) * product->n,
                                       (double)product->k / partition->panels,
                                       tile->levels, partition->panels > 1)};
    for (int i = 0; i < partition->ntiles; i++)
        if (i != index)
            add_messages(&load, tile, &partition->tiles[i], product);
    return load;
}

/* What the steps but the first take less than their messages and products one after the
   other. */
static double find_saved(const struct mt_partition *partition,
                         const struct mt_partition_network *network, double exchange,
                         double product)
{
    return partition->overlap ? (partition->panels - 1) *
                                    fmin(fmax(network->overlap, 0) * exchange, product)
                              : 0;
}

void mt_partition_attempt_estimate(struct mt_partition_attempt *attempt,
                                   const struct mt_partition_task *task)
{
    const struct mt_partition *partition = &attempt->partition;
    const struct mt_partition_network *network = &task->cluster->network;
    attempt->seconds = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct tile_load load = find_load(partition, i, task);
        const double bytes = fmax(load.received, load.sent) +
                             (network->exchange - 1) * fmin(load.received, load.sent);
        const double exchange = bytes / network->bandwidth / partition->panels +
                                load.messages * network->latency;
        const double product = load.compute / partition->panels;
        const double busy = partition->panels * (exchange + product) -
                            find_saved(partition, network, exchange, product);
        attempt->busy[partition->tiles[i].rank] = busy;
        attempt->seconds = fmax(attempt->seconds, busy);
    }
}
