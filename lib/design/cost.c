/* SPDX-License-Identifier: BSD-3-Clause */
/* The expected cost of a run in a design. */
#include "cost.h"

#include "lib/input/internal.h"

#include <math.h>

/* The share of the time of all candidates that a design usually takes. It is less than
   a tenth of the time of those on several nodes, which the papers' models need, and on
   simulated clusters more time made the plans no better. */
static const double usual_share = 0.05;

double mt_design_seconds(const struct mt_design *design, int candidate)
{
    const struct mt_candidate_runs *trial = &design->trials[candidate];
    return exp(trial->runs > 0 ? trial->log_seconds
                               : design->posterior.mean[candidate]);
}

double mt_design_cost(const struct mt_design *design, int candidate)
{
    const double seconds = mt_design_seconds(design, candidate);
    return seconds + (design->succeeded > 0
                          ? mt_estimate_seconds(&design->overhead, seconds)
                          : 0);
}

bool mt_design_has_nodes(const struct mt_design *design, int candidate)
{
    return mt_configuration_find_nodes(&design->candidates[candidate].configuration,
                                       design->cluster, NULL) == MT_OK;
}

double mt_design_cost_of_all(const struct mt_design *design)
{
    double cost = 0;
    for (int i = 0; i < design->count; i++)
        if (!design->trials[i].failed && mt_design_has_nodes(design, i))
            cost += mt_design_cost(design, i);
    return cost;
}

double mt_design_usual_cost(const struct mt_design *design)
{
    return usual_share * mt_design_cost_of_all(design);
}
