/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict.h"

#include <math.h>
#include <stdlib.h>

void mt_cut_forecast_clear(struct mt_cut_forecast *forecast)
{
    free(forecast->ranks);
    *forecast = (struct mt_cut_forecast){0};
}

double mt_cut_barrier_seconds(const struct mt_cut_network *network, int ranks)
{
    return ceil(log2(ranks)) * network->latency; /* by dissemination */
}

static void clear(struct mt_cut_prediction *prediction)
{
    mt_cut_work_clear(&prediction->work);
    mt_cut_flows_clear(&prediction->flows);
    free(prediction->times);
}

static int prepare(struct mt_cut_prediction *prediction, const struct mt_cut *cut,
                   const struct mt_cut_product *product,
                   const struct mt_cut_cluster *cluster, struct mt_error *err)
{
    *prediction = (struct mt_cut_prediction){.cut = cut, .network = &cluster->network};
    int status = mt_cut_work_init(&prediction->work, cut, product, cluster, err);
    if (!status)
        status =
            mt_cut_flows_init(&prediction->flows, cut->ranks, &cluster->network, err);
    if (status)
        return status;
    prediction->times = calloc((size_t)cut->ranks, sizeof *prediction->times);
    return prediction->times
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", cut->ranks);
}

/* See cut.h. */
static double find_least_bytes(const struct mt_cut *cut,
                               const struct mt_cut_product *product, double *shares)
{
    const double m = product->m, n = product->n;
    double lengths = -m - n;
    for (int i = 0; i < cut->ntiles; i++) {
        const struct mt_cut_tile *tile = &cut->tiles[i];
        shares[tile->rank] += (tile->bottom - tile->top) * (tile->right - tile->left);
    }
    for (int rank = 0; rank < cut->ranks; rank++)
        lengths += 2 * sqrt(shares[rank] * m * n);
    return (double)sizeof(double) * product->k * fmax(lengths, 0);
}

static int report(struct mt_cut_forecast *forecast,
                  struct mt_cut_prediction *prediction,
                  const struct mt_cut_product *product, struct mt_error *err)
{
    const struct mt_cut *cut = prediction->cut;
    double *shares = calloc((size_t)cut->ranks, sizeof *shares);
    if (!shares)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", cut->ranks);
    struct mt_cut_forecast made = {
        .seconds = prediction->seconds,
        .ranks = prediction->times,
        .nranks = cut->ranks,
        .bytes = prediction->work.bytes,
        .bound = find_least_bytes(cut, product, shares),
    };
    prediction->times = NULL; /* now the forecast's */
    free(shares);
    *forecast = made;
    return MT_OK;
}

int mt_cut_predict_within(struct mt_cut_forecast *forecast, const struct mt_cut *cut,
                          const struct mt_cut_product *product,
                          const struct mt_cut_cluster *cluster,
                          const struct mt_cut_limit *limit, struct mt_error *err)
{
    if (cut->ranks != cluster->ranks)
        return mt_fail(err, MT_EINVAL, "the cut is for %d ranks, but there are %d",
                       cut->ranks, cluster->ranks);
    struct mt_cut_prediction prediction;
    int status = prepare(&prediction, cut, product, cluster, err);
    prediction.limit = limit;
    if (!status)
        status = cut->overlap ? mt_cut_predict_overlap(&prediction, err)
                              : mt_cut_predict_steps(&prediction, err);
    if (!status)
        status = report(forecast, &prediction, product, err);
    clear(&prediction);
    return status;
}

int mt_cut_predict(struct mt_cut_forecast *forecast, const struct mt_cut *cut,
                   const struct mt_cut_product *product,
                   const struct mt_cut_cluster *cluster, struct mt_error *err)
{
    return mt_cut_predict_within(forecast, cut, product, cluster, NULL, err);
}
