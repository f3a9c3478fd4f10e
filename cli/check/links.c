/* SPDX-License-Identifier: BSD-3-Clause */
#include "links.h"

#include "lib/math/median.h"
#include "motley/store.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Figures while they are made, and room for a number a link. Owned. */
struct summary {
    struct mt_link_figure *figures;
    double *latencies, *bandwidths;
    int count;
};

/* The names stay the cluster's. */
static void sum_up(struct summary *summary, const struct mt_check *check, int g, int h)
{
    const struct mt_cluster *cluster = check->cluster;
    int count = 0;
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_curve *curve = &check->links[i].curve;
        if (!mt_check_joins(check, &check->links[i], g, h) || curve->count == 0)
            continue;
        summary->latencies[count] = mt_curve_latency(curve);
        summary->bandwidths[count] = mt_curve_bandwidth(curve, curve->count - 1);
        count += isfinite(summary->latencies[count]);
    }
    if (count > 0)
        summary->figures[summary->count++] =
            (struct mt_link_figure){.cluster = cluster->name,
                                    .from = cluster->groups[g].name,
                                    .to = cluster->groups[h].name,
                                    .latency = mt_median(summary->latencies, count),
                                    .bandwidth = mt_median(summary->bandwidths, count),
                                    .simulated = mt_cluster_simulated(cluster),
                                    .measured = time(NULL)};
}

static int put(const struct summary *summary, const char *db, struct mt_error *err)
{
    const struct mt_link_figures links = {.all = summary->figures,
                                          .count = summary->count};
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_put_links(store, &links, err);
    mt_store_close(store);
    return status;
}

int mt_check_keep_links(const struct mt_check *check, const char *db,
                        struct mt_error *err)
{
    const int groups = check->cluster->ngroups;
    if (groups < 2 || check->nlinks == 0)
        return MT_OK;
    const size_t pairs = (size_t)groups * (size_t)(groups + 1) / 2;
    const size_t links = (size_t)check->nlinks;
    struct summary summary = {.figures = calloc(pairs, sizeof *summary.figures),
                              .latencies = calloc(links, sizeof(double)),
                              .bandwidths = calloc(links, sizeof(double))};
    int status = MT_OK;
    if (!summary.figures || !summary.latencies || !summary.bandwidths)
        status = mt_fail(err, MT_ENOMEM, "no memory for %d links", check->nlinks);
    for (int g = 0; g < groups && status == MT_OK; g++)
        for (int h = g; h < groups; h++)
            sum_up(&summary, check, g, h);
    if (status == MT_OK && summary.count > 0)
        status = put(&summary, db, err);
    free(summary.figures);
    free(summary.latencies);
    free(summary.bandwidths);
    return status;
}
