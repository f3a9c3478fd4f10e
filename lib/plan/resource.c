/* SPDX-License-Identifier: BSD-3-Clause */
#include "resource.h"

#include <math.h>

static const double millionths = 1e6;
static const double seconds_per_hour = 3600;

enum mt_resource mt_objective_resource(enum mt_objective objective)
{
    if (objective == MT_FASTEST)
        return MT_NODES;
    return objective == MT_CHEAPEST ? MT_PRICE : MT_POWER;
}

int64_t mt_node_takes(const struct mt_group *group, struct mt_layout layout,
                      enum mt_resource resource)
{
    if (resource == MT_NODES)
        return 1;
    const double takes =
        resource == MT_PRICE ? group->price : mt_group_watts(group, layout);
    return llround(takes * millionths);
}

int64_t mt_configuration_takes(const struct mt_configuration *configuration,
                               const struct mt_cluster *cluster,
                               enum mt_resource resource)
{
    int64_t takes = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_use *use = &configuration->use[g];
        if (use->nodes > 0)
            takes +=
                use->nodes * mt_node_takes(&cluster->groups[g], use->layout, resource);
    }
    return takes;
}

double mt_billed_seconds(const struct mt_billing *billing, double seconds)
{
    double billed = billing->boot + seconds;
    if (billing->granularity > 0)
        billed = ceil(billed / billing->granularity) * billing->granularity;
    return fmax(billed, billing->minimum);
}

double mt_longest_billed(const struct mt_billing *billing, double billed)
{
    static const double rounding = 1e-12; /* whole units are to stay whole */
    billed *= 1 + rounding;
    if (billed < billing->minimum)
        return 0;
    if (billing->granularity > 0)
        billed = floor(billed / billing->granularity) * billing->granularity;
    return fmax(billed - billing->boot, 0);
}

double mt_resource_over(enum mt_resource resource, double seconds, int64_t takes)
{
    if (resource == MT_NODES)
        return seconds;
    /* equal products of seconds and prices are to be equal costs: multiply first */
    const double unit =
        resource == MT_PRICE ? seconds_per_hour * millionths : millionths;
    return seconds * (double)takes / unit;
}

double mt_resource_value(const struct mt_cluster *cluster, enum mt_resource resource,
                         double seconds, int64_t takes)
{
    if (resource == MT_PRICE)
        seconds = mt_billed_seconds(&cluster->billing, seconds);
    return mt_resource_over(resource, seconds, takes);
}

int64_t mt_resource_limit(const struct mt_cluster *cluster, enum mt_resource resource,
                          double value, double seconds)
{
    if (value <= 0)
        return INT64_MAX;
    const double limit = value / mt_resource_value(cluster, resource, seconds, 1);
    if (limit >= (double)INT64_MAX)
        return INT64_MAX;
    int64_t takes = llround(limit);
    if (mt_resource_value(cluster, resource, seconds, takes) > value)
        takes--;
    return takes;
}

bool mt_question_limits(const struct mt_question *question, enum mt_resource resource)
{
    if (resource == MT_NODES)
        return question->max_nodes > 0;
    return resource == MT_PRICE ? question->budget > 0 || question->cost > 0
                                : question->joules > 0;
}

int64_t mt_question_allows(const struct mt_question *question,
                           const struct mt_cluster *cluster, enum mt_resource resource,
                           double seconds)
{
    if (!mt_question_limits(question, resource))
        return INT64_MAX;
    if (resource == MT_NODES)
        return question->max_nodes;
    if (resource == MT_POWER)
        return mt_resource_limit(cluster, resource, question->joules, seconds);
    const int64_t budget =
        mt_resource_limit(cluster, resource, question->budget, seconds);
    const int64_t cost = mt_resource_limit(cluster, resource, question->cost, seconds);
    return budget < cost ? budget : cost;
}
