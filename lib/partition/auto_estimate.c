/* SPDX-License-Identifier: BSD-3-Clause */
#include "auto.h"

#include <math.h>

/* What a rank does in the whole product. */
struct load {
    double compute; /* seconds, of all steps */
    double received, sent;
    int messages; /* that it receives in a step */
};

static double common(double first, double end, double other_first, double other_end)
{
    return fmax(fmin(end, other_end) - fmax(first, other_first), 0);
}

/* Rows that two tiles have in common are A's parts that their ranks send each other,
   columns are B's: each wants the other's share of k. */
static void add_messages(struct load *load, const struct mt_partition_tile *tile,
                         const struct mt_partition_tile *other,
                         const struct mt_partition_product *product)
{
    const double bytes = (double)sizeof(double) * product->k;
    const double rows =
        product->m * common(tile->top, tile->bottom, other->top, other->bottom);
    const double columns =
        product->n * common(tile->left, tile->right, other->left, other->right);
    load->received += bytes * rows * (other->right - other->left) +
                      bytes * columns * (other->bottom - other->top);
    load->sent += bytes * rows * (tile->right - tile->left) +
                  bytes * columns * (tile->bottom - tile->top);
    load->messages += (rows > 0) + (columns > 0);
}

static struct load find_load(const struct mt_partition *partition, int index,
                             const struct mt_partition_task *task)
{
    const struct mt_partition_tile *tile = &partition->tiles[index];
    const struct mt_partition_product *product = task->product;
    struct load load = {.compute =
                            partition->panels *
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

void mt_partition_attempt_estimate(struct mt_partition_attempt *attempt,
                                   const struct mt_partition_task *task)
{
    const struct mt_partition *partition = &attempt->partition;
    const struct mt_partition_network *network = &task->cluster->network;
    attempt->seconds = 0;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct load load = find_load(partition, i, task);
        const double bytes = fmax(load.received, load.sent) +
                             (network->exchange - 1) * fmin(load.received, load.sent);
        const double exchange = bytes / network->bandwidth / partition->panels +
                                load.messages * network->latency;
        const double product = load.compute / partition->panels;
        const double busy =
            exchange + (partition->panels - 1) * fmax(exchange, product) + product;
        attempt->busy[partition->tiles[i].rank] = busy;
        attempt->seconds = fmax(attempt->seconds, busy);
    }
}
