/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a predicted time, and of what a choice costs. */
#include "prediction.h"

#include "cli/common/format.h"

#include <math.h>
#include <stdio.h>

void mt_prediction_show(struct mt_view *view, int first,
                        const struct mt_prediction *prediction)
{
    char seconds[MT_QUANTITY_TEXT], low[MT_QUANTITY_TEXT], high[MT_QUANTITY_TEXT];
    mt_view_show(view, first + MT_PREDICTION_SECONDS, "%s",
                 mt_format_seconds(seconds, prediction->seconds));
    mt_view_show(view, first + MT_PREDICTION_INTERVAL, "%s - %s%s",
                 mt_format_seconds(low, prediction->low),
                 mt_format_seconds(high, prediction->high),
                 prediction->unseen         ? " ?"
                 : prediction->extrapolated ? " *"
                                            : "  ");
}

void mt_prediction_view(struct mt_view *view, int first,
                        const struct mt_prediction *prediction)
{
    if (!prediction) {
        mt_view_show(view, first + MT_PREDICTION_SECONDS, "-");
        mt_view_show(view, first + MT_PREDICTION_INTERVAL, "-");
        return;
    }
    mt_view_number(view, first + MT_PREDICTION_SECONDS, prediction->seconds);
    mt_view_number(view, first + MT_PREDICTION_LOW, prediction->low);
    mt_view_number(view, first + MT_PREDICTION_HIGH, prediction->high);
    mt_view_flag(view, first + MT_PREDICTION_EXTRAPOLATED, prediction->extrapolated);
    mt_view_flag(view, first + MT_PREDICTION_UNSEEN, prediction->unseen);
    mt_prediction_show(view, first, prediction);
}

void mt_prediction_marks_take(struct mt_prediction_marks *marks,
                              const struct mt_prediction *prediction)
{
    marks->extrapolated |= prediction->extrapolated && !prediction->unseen;
    marks->unseen |= prediction->unseen;
}

void mt_prediction_marks_print(const struct mt_prediction_marks *marks, FILE *stream)
{
    if (marks->extrapolated)
        fputs("* extrapolated: N or P lies outside the runs behind the model\n",
              stream);
    if (marks->unseen)
        fputs("? a guess: nothing like it was run (on several nodes, with several "
              "processes\n  on a node, with so many, or these groups together)\n",
              stream);
}

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
