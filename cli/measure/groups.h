/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups.h - measure some groups of a cluster only, as those that were added to it.
 */
#ifndef MT_CLI_GROUPS_H
#define MT_CLI_GROUPS_H

#include "motley/cluster.h"
#include "motley/design.h"
#include "motley/error.h"

/* Keep the tasks that use nodes of the groups of a list alone, as "old,older".
   MT_EINVAL: there is no such group, or nothing is left. */
MT_MUST_CHECK int mt_groups_keep(struct mt_tasks *tasks, const char *list,
                                 const struct mt_cluster *cluster,
                                 struct mt_error *err);

#endif
