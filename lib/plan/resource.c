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

int64_t mt_node_takes(const struct mt_group *group, enum mt_resource resource)
{
    if (resource == MT_NODES)
        return 1;
    return llround((resource == MT_PRICE ? group->price : group->watts) * millionths);
}

int64_t mt_configuration_takes(const struct mt_configuration *configuration,
                               const struct mt_cluster *cluster,
                               enum mt_resource resource)
{
    int64_t takes = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const int nodes = configuration->use[g].nodes;
        if (nodes > 0)
            takes += nodes * mt_node_takes(&cluster->groups[g], resource);
    }
    return takes;
}

double mt_resource_value(enum mt_resource resource, double seconds, int64_t takes)
{
    if (resource == MT_NODES)
        return seconds;
    /* equal products of seconds and prices are to be equal costs: multiply first */
    const double unit =
        resource == MT_PRICE ? seconds_per_hour * millionths : millionths;
    return seconds * (double)takes / unit;
}

int64_t mt_resource_limit(enum mt_resource resource, double value, double seconds)
{
    if (value <= 0)
        return INT64_MAX;
    const double limit = value / mt_resource_value(resource, seconds, 1);
    if (limit >= (double)INT64_MAX)
        return INT64_MAX;
    int64_t takes = llround(limit);
    if (mt_resource_value(resource, seconds, takes) > value)
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
                           enum mt_resource resource, double seconds)
{
    if (!mt_question_limits(question, resource))
        return INT64_MAX;
    if (resource == MT_NODES)
        return question->max_nodes;
    if (resource == MT_POWER)
        return mt_resource_limit(resource, question->joules, seconds);
    const int64_t budget = mt_resource_limit(resource, question->budget, seconds);
    const int64_t cost = mt_resource_limit(resource, question->cost, seconds);
    return budget < cost ? budget : cost;
}
