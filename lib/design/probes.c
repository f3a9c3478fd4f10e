/* SPDX-License-Identifier: BSD-3-Clause */
#include "parts.h"

#include <math.h>

enum { MOST_PROBES = 3 };
/* Shares of the limits that are kept for probes while the base is made: they are few,
   but at the largest size. */
static const double kept_runs = 0.125, kept_seconds = 0.25;

static bool can_mix(const struct mt_design *design)
{
    return design->cluster->ngroups > 1;
}

struct mt_design_limits mt_design_base_limits(const struct mt_design *design)
{
    struct mt_design_limits limits = design->limits;
    if (can_mix(design) && design->probes == 0) {
        limits.seconds *= 1 - kept_seconds;
        limits.runs -= (int)fmin(kept_runs * limits.runs, MOST_PROBES);
    }
    return limits;
}

static double largest_size(const struct mt_design *design)
{
    double largest = 0;
    for (int i = 0; i < design->count; i++)
        if (design->trials[i].runs > 0)
            largest = fmax(largest, design->candidates[i].size);
    return largest;
}

/* The best configuration of several groups is hardly slower than the best of one. */
static double least_cost(const struct mt_design *design, double size)
{
    double least = INFINITY;
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size == size)
            least = fmin(least, mt_design_cost(design, i));
    return least;
}

struct mt_design_probes mt_design_probes(const struct mt_design *design)
{
    const struct mt_design_limits *limits = &design->limits;
    struct mt_design_probes probes = {.size = largest_size(design),
                                      .left = MOST_PROBES - design->probes};
    if (!can_mix(design) || probes.size == 0 || probes.left <= 0)
        return (struct mt_design_probes){0};
    probes.expected = least_cost(design, probes.size);
    if (design->probes > 0)
        probes.expected = fmax(probes.expected, design->probes_spent / design->probes);
    if (limits->runs > 0)
        probes.left = (int)fmin(probes.left, fmax(0, limits->runs - design->runs));
    if (limits->seconds > 0)
        probes.left = (int)fmin(
            probes.left, fmax(0, (limits->seconds - design->spent) / probes.expected));
    return probes;
}

void mt_design_probed(struct mt_design *design, double spent)
{
    design->probes++;
    design->probes_spent += spent;
    design->runs++;
    design->spent += spent;
}
