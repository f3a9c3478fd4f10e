/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resource.h - what a configuration takes of: nodes, money and energy. What its nodes
 * take adds up; money and energy go by the time, too.
 */
#ifndef MT_PLAN_RESOURCE_H
#define MT_PLAN_RESOURCE_H

#include "motley/plan.h"

#include <stdint.h>

enum mt_resource {
    MT_NODES,
    MT_PRICE, /* by the hour, in millionths */
    MT_POWER, /* watts, in millionths */
    MT_RESOURCES
};

/* What the objective is to have least of, beside time; MT_NODES: the time alone. */
enum mt_resource mt_objective_resource(enum mt_objective objective);

/* What a node of the group takes, and all of a configuration's. In whole millionths, so
   that sums of equal prices are equal. */
int64_t mt_node_takes(const struct mt_group *group, enum mt_resource resource);
int64_t mt_configuration_takes(const struct mt_configuration *configuration,
                               const struct mt_cluster *cluster,
                               enum mt_resource resource);

/* What these seconds come to on nodes that take so much: a cost, or joules; of nodes:
   the seconds. */
double mt_resource_value(enum mt_resource resource, double seconds, int64_t takes);

/* The most that the nodes may take for a run of these seconds to come to no more than
   `value`; 0: no limit, INT64_MAX. */
int64_t mt_resource_limit(enum mt_resource resource, double value, double seconds);

/* Whether the question limits it; and the most that it then allows the nodes to take, a
   run being so long; INT64_MAX: no limit. */
bool mt_question_limits(const struct mt_question *question, enum mt_resource resource);
int64_t mt_question_allows(const struct mt_question *question,
                           enum mt_resource resource, double seconds);

#endif
