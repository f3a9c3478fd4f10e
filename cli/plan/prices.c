/* SPDX-License-Identifier: BSD-3-Clause */
#include "prices.h"

/* What the options say; popt writes here. */
static struct {
    const char *file;
    int spot;
} wanted;

struct poptOption mt_prices_options[] = {
    {"prices", 0, POPT_ARG_STRING, &wanted.file, 0,
     "what nodes cost: a CSV file with the columns group and price", "FILE"},
    {"spot", 0, POPT_ARG_NONE, &wanted.spot, 0,
     "rent nodes that may be taken away, where groups have a spot price", NULL},
    POPT_TABLEEND,
};

int mt_prices_apply(struct mt_cluster *cluster, struct mt_error *err)
{
    int status =
        wanted.file ? mt_cluster_load_prices(cluster, wanted.file, err) : MT_OK;
    if (status == MT_ENOTFOUND || status == MT_EIO)
        return mt_fail(err, status, "--prices: %s", err->text);
    if (status == MT_OK && wanted.spot)
        status = mt_cluster_use_spot(cluster, err);
    return status;
}
