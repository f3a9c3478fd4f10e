/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oversubscribed.h - whether ranks have to share processor cores.
 */
#ifndef MT_CLI_OVERSUBSCRIBED_H
#define MT_CLI_OVERSUBSCRIBED_H

#include "motley/cluster.h"
#include "motley/configuration.h"

#include <stdbool.h>

/*
 * Whether some node of the configuration gets more processes than it has cores. Of a
 * group that does not say how many it has, only a node that is this machine can be
 * known: it has its processors.
 */
bool mt_oversubscribed(const struct mt_cluster *cluster,
                       const struct mt_configuration *configuration);

#endif
