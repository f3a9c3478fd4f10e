/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.h - what the runs of a design take, expected, or as it was. Before the first run
 * only the ratios of costs mean something.
 */
#ifndef MT_DESIGN_COST_H
#define MT_DESIGN_COST_H

#include "state.h"

/* The program's part of what a run of the candidate spends. */
double mt_design_seconds(const struct mt_design *design, int candidate);
/* What a run of the candidate spends. */
double mt_design_cost(const struct mt_design *design, int candidate);
/* The sum over all candidates that have not failed and whose nodes answer. */
double mt_design_cost_of_all(const struct mt_design *design);
/* The share of it that a design takes when there is no other limit. */
double mt_design_usual_cost(const struct mt_design *design);

/* Whether enough nodes answer for a candidate. */
bool mt_design_has_nodes(const struct mt_design *design, int candidate);

#endif
