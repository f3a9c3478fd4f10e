/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules.h - how people choose without a model: rivals.
 */
#ifndef BLIND_RULES_H
#define BLIND_RULES_H

#include "experiments/common/random.h"

#include "motley/cluster.h"
#include "motley/configuration.h"

/* One process on each core, or the most that there may be, on all nodes. */
struct mt_configuration rule_all_nodes(const struct mt_cluster *cluster);

/* The most processes on all nodes of one group. */
struct mt_configuration rule_group_alone(const struct mt_cluster *cluster, int group);

/*
 * All nodes, with processes in proportion to the speeds of the groups' nodes (any
 * unit): the fastest have as many as they may, the others the number that is nearest to
 * their share; a group whose share is less than half of what it must have is left out.
 */
struct mt_configuration rule_proportional(const struct mt_cluster *cluster,
                                          const double speeds[MT_MAX_GROUPS]);

/* Any nodes of any groups, at least one. */
struct mt_configuration rule_random(const struct mt_cluster *cluster,
                                    struct random *random);

#endif
