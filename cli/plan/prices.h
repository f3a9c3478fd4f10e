/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prices.h - what nodes cost by the options --prices and --spot.
 */
#ifndef MT_CLI_PRICES_H
#define MT_CLI_PRICES_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <popt.h>

/* Part of mt_planning_options. */
extern struct poptOption mt_prices_options[];

/* Let the cluster have the prices that the options ask for. MT_EINVAL names the file
   and the line of what is wrong. */
MT_MUST_CHECK int mt_prices_apply(struct mt_cluster *cluster, struct mt_error *err);

#endif
