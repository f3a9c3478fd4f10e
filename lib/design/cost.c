/* SPDX-License-Identifier: BSD-3-Clause */
#include "cost.h"

#include <math.h>

/* The share of the time of all candidates that a design usually takes. It is less than
   a tenth of the time of those on several nodes, which the papers' models need, and on
   simulated clusters more time made the plans no better. */
static const double usual_share = 0.05;

/* What a run spends beyond the program's seconds: the start, and what the program does
   outside of the part that it times, which grows with that. The line through the runs
   seen, by least squares, that is nowhere below 0. */
static double overhead_of(const struct mt_design *design, double seconds)
{
    const double n = design->succeeded;
    if (n == 0 || design->overhead == 0)
        return 0;
    const double mean = design->overhead / n, mean_seconds = design->seconds / n;
    const double variance = design->seconds_squared / n - mean_seconds * mean_seconds;
    const double covariance = design->seconds_overhead / n - mean_seconds * mean;
    if (covariance <= 0 || variance <= 1e-12 * mean_seconds * mean_seconds)
        return mean;
    const double slope = covariance / variance;
    const double start = mean - slope * mean_seconds;
    return start >= 0 ? start + slope * seconds
                      : design->seconds_overhead / design->seconds_squared * seconds;
}

double mt_design_seconds(const struct mt_design *design, int candidate)
{
    const struct mt_candidate_runs *trial = &design->trials[candidate];
    return exp(trial->runs > 0 ? trial->log_seconds
                               : design->posterior.mean[candidate]);
}

double mt_design_cost(const struct mt_design *design, int candidate)
{
    const double seconds = mt_design_seconds(design, candidate);
    return seconds + overhead_of(design, seconds);
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
