/* SPDX-License-Identifier: BSD-3-Clause */
#include "costs.h"

#include "cli/common/format.h"

#include <math.h>

void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster)
{
    const bool prices = mt_cluster_has_prices(cluster);
    const int price = first + MT_COSTS_PRICE, energy = first + MT_COSTS_ENERGY;
    const int co2 = first + MT_COSTS_CO2;
    mt_view_number(view, price, prices ? choice->cost : NAN);
    if (prices && cluster->currency)
        mt_view_show(view, price, "%.4g %s", choice->cost, cluster->currency);
    mt_view_number(view, energy, mt_cluster_has_watts(cluster) ? choice->joules : NAN);
    mt_view_show(view, energy, "%.4g kJ", choice->joules / 1000);
    mt_view_number(view, co2, mt_cluster_has_co2(cluster) ? choice->co2 : NAN);
    mt_view_show(view, co2, "%.4g g", choice->co2);
    if (!mt_cluster_has_interruptions(cluster))
        return;
    mt_view_number(view, first + MT_COSTS_UNINTERRUPTED,
                   mt_plan_uninterrupted(choice, cluster));
    mt_view_number(view, first + MT_COSTS_EXPECTED,
                   mt_plan_expected_seconds(choice, cluster));
}

void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster)
{
    if (!mt_cluster_has_prices(cluster))
        mt_view_hide(view, first + MT_COSTS_PRICE);
    if (!mt_cluster_has_watts(cluster))
        mt_view_hide(view, first + MT_COSTS_ENERGY);
    if (!mt_cluster_has_co2(cluster))
        mt_view_hide(view, first + MT_COSTS_CO2);
    if (mt_cluster_has_interruptions(cluster))
        return;
    mt_view_hide(view, first + MT_COSTS_UNINTERRUPTED);
    mt_view_hide(view, first + MT_COSTS_EXPECTED);
}

void mt_costs_print_billing(const struct mt_cluster *cluster, FILE *stream)
{
    const struct mt_billing *billing = &cluster->billing;
    const char *comma = "";
    char seconds[MT_QUANTITY_TEXT];
    if (!mt_cluster_has_prices(cluster) ||
        (billing->boot == 0 && billing->granularity == 0 && billing->minimum == 0))
        return;
    fputs("costs: ", stream);
    if (billing->boot > 0) {
        fprintf(stream, "%s of booting is paid, too",
                mt_format_seconds(seconds, billing->boot));
        comma = ", ";
    }
    if (billing->granularity > 0) {
        fprintf(stream, "%swhole multiples of %s", comma,
                mt_format_seconds(seconds, billing->granularity));
        comma = ", ";
    }
    if (billing->minimum > 0)
        fprintf(stream, "%s%s at least", comma,
                mt_format_seconds(seconds, billing->minimum));
    fputc('\n', stream);
}
