/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * costs.h - what a choice costs in a view, in money, energy and CO2, and whether its
 * nodes stay: the columns that plan and its front have in common.
 */
#ifndef MT_CLI_COSTS_H
#define MT_CLI_COSTS_H

#include "cli/common/view.h"
#include "prediction.h"

#include "motley/plan.h"

#include <stdio.h>

enum {
    MT_COSTS_PRICE,
    MT_COSTS_ENERGY,
    MT_COSTS_CO2,
    MT_COSTS_UNINTERRUPTED,
    MT_COSTS_EXPECTED,
    MT_COSTS_COLUMNS
};

#define MT_COSTS_AT(first, column) MT_DESIGNATED((first) + MT_COSTS_##column)
/* These columns, from `first` on. */
/* clang-format off */
#define MT_COSTS_COLUMNS_AT(first) \
    MT_COSTS_AT(first, PRICE) = {"cost", "cost", MT_COLUMN_NUMBER}, \
    MT_COSTS_AT(first, ENERGY) = {"joules", "energy", MT_COLUMN_NUMBER}, \
    MT_COSTS_AT(first, CO2) = {"co2", "CO2", MT_COLUMN_NUMBER}, \
    MT_COSTS_AT(first, UNINTERRUPTED) = {"uninterrupted", "not interrupted", MT_COLUMN_PERCENT}, \
    MT_COSTS_AT(first, EXPECTED) = {"expected_seconds", "with new starts", MT_COLUMN_SECONDS}
/* clang-format on */

/* Set them in the view's last row; what the cluster's file says nothing of is not
   known. */
void mt_costs_view(struct mt_view *view, int first, const struct mt_choice *choice,
                   const struct mt_cluster *cluster);
/* What is paid beside the time of the run, a line, if anything is. */
void mt_costs_print_billing(const struct mt_cluster *cluster, FILE *stream);
/* Hide the columns of which the cluster's file says nothing. */
void mt_costs_hide(struct mt_view *view, int first, const struct mt_cluster *cluster);

#endif
