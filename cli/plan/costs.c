/* SPDX-License-Identifier: BSD-3-Clause */
#include "costs.h"

#include "cli/common/format.h"

#include <math.h>

void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster)
{
    const bool prices = mt_cluster_has_prices(cluster);
    const int price = first + MT_COSTS_PRICE, energy = first + MT_COSTS_ENERGY;
    mt_view_number(view, price, prices ? choice->cost : NAN);
    if (prices && cluster->currency)
        mt_view_show(view, price, "%.4g %s", choice->cost, cluster->currency);
    mt_view_number(view, energy, mt_cluster_has_watts(cluster) ? choice->joules : NAN);
    mt_view_show(view, energy, "%.4g kJ", choice->joules / 1000);
}

void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster)
{
    if (!mt_cluster_has_prices(cluster))
        mt_view_hide(view, first + MT_COSTS_PRICE);
    if (!mt_cluster_has_watts(cluster))
        mt_view_hide(view, first + MT_COSTS_ENERGY);
}
