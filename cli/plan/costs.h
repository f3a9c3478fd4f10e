/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - what a choice costs, in money and energy: the columns of a view that plan
 * and its front have in common.
 */
#ifndef MT_CLI_COSTS_H
#define MT_CLI_COSTS_H

#include "cli/common/view.h"
#include "prediction.h"

#include "motley/plan.h"

enum { MT_COSTS_PRICE, MT_COSTS_ENERGY, MT_COSTS_COLUMNS };

#define MT_COSTS_AT(first, column) MT_DESIGNATED((first) + MT_COSTS_##column)
/* These columns, from `first` on. */
/* clang-format off */
#define MT_COSTS_COLUMNS_AT(first) \
    MT_COSTS_AT(first, PRICE) = {"cost", "cost", MT_COLUMN_NUMBER}, \
    MT_COSTS_AT(first, ENERGY) = {"joules", "energy", MT_COLUMN_NUMBER}
/* clang-format on */

/* Set them in the view's last row; what the cluster's file says nothing of is not
   known. */
void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster);
/* Hide the columns of which the cluster's file says nothing. */
void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster);

#endif
