/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict.h"

#include <math.h>
#include <stdlib.h>

void mt_partition_forecast_clear(struct mt_partition_forecast *forecast)
{
    free(forecast->ranks);
    *forecast = (struct mt_partition_forecast){0};
}

double mt_partition_barrier_seconds(const struct mt_partition_network *network,
                                    int ranks)
{
    return ceil(log2(ranks)) * network->latency; /* by dissemination */
}

static void clear(struct mt_partition_prediction *prediction)
{
    mt_partition_work_clear(&prediction->work);
    mt_partition_flows_clear(&prediction->flows);
    free(prediction->times);
}

static int prepare(struct mt_partition_prediction *prediction,
                   const struct mt_partition *partition,
                   const struct mt_partition_product *product,
                   const struct mt_partition_cluster *cluster, struct mt_error *err)
{
    *prediction = (struct mt_partition_prediction){.partition = partition,
                                                   .network = &cluster->network};
    int status =
        mt_partition_work_init(&prediction->work, partition, product, cluster, err);
    if (!status)
        status = mt_partition_flows_init(&prediction->flows, partition->ranks,
                                         &cluster->network, err);
    if (status)
        return status;
    prediction->times = calloc((size_t)partition->ranks, sizeof *prediction->times);
    return prediction->times
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", partition->ranks);
}

/* See partition.h. */
static double find_least_bytes(const struct mt_partition *partition,
                               const struct mt_partition_product *product,
                               double *shares)
{
    const double m = product->m, n = product->n;
    double lengths = -m - n;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        shares[tile->rank] += (tile->bottom - tile->top) * (tile->right - tile->left);
    }
    for (int rank = 0; rank < partition->ranks; rank++)
        lengths += 2 * sqrt(shares[rank] * m * n);
    return (double)sizeof(double) * product->k * fmax(lengths, 0);
}

static int report(struct mt_partition_forecast *forecast,
                  struct mt_partition_prediction *prediction,
                  const struct mt_partition_product *product, struct mt_error *err)
{
    const struct mt_partition *partition = prediction->partition;
    double *shares = calloc((size_t)partition->ranks, sizeof *shares);
    if (!shares)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", partition->ranks);
    struct mt_partition_forecast made = {
        .seconds = prediction->seconds,
        .ranks = prediction->times,
        .nranks = partition->ranks,
        .bytes = prediction->work.bytes,
        .bound = find_least_bytes(partition, product, shares),
    };
    prediction->times = NULL; /* now the forecast's */
    free(shares);
    *forecast = made;
    return MT_OK;
}

int mt_partition_predict_within(struct mt_partition_forecast *forecast,
                                const struct mt_partition *partition,
                                const struct mt_partition_product *product,
                                const struct mt_partition_cluster *cluster,
                                const struct mt_partition_limit *limit,
                                struct mt_error *err)
{
    if (partition->ranks != cluster->ranks)
        return mt_fail(err, MT_EINVAL,
                       "the partition is for %d ranks, but there are %d",
                       partition->ranks, cluster->ranks);
    struct mt_partition_prediction prediction;
    int status = prepare(&prediction, partition, product, cluster, err);
    prediction.limit = limit;
    if (!status)
        status = partition->overlap ? mt_partition_predict_overlap(&prediction, err)
                                    : mt_partition_predict_steps(&prediction, err);
    if (!status)
        status = report(forecast, &prediction, product, err);
    clear(&prediction);
    return status;
}

int mt_partition_predict(struct mt_partition_forecast *forecast,
                         const struct mt_partition *partition,
                         const struct mt_partition_product *product,
                         const struct mt_partition_cluster *cluster,
                         struct mt_error *err)
{
    return mt_partition_predict_within(forecast, partition, product, cluster, NULL,
                                       err);
}
