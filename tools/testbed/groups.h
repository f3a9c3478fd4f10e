/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * groups.h - make, limit, enter and remove the control groups of testbeds.
 */
#ifndef MT_TESTBED_GROUPS_H
#define MT_TESTBED_GROUPS_H

#include "motley/error.h"
#include "tools/testbed/places/place.h"

#include <stdbool.h>

/* Make the group; a testbed's group before those of its nodes. MT_EBUSY: it exists. */
MT_MUST_CHECK int mt_group_make(const struct mt_hierarchy *hierarchy,
                                const struct mt_testbed_place *place,
                                struct mt_error *err);
bool mt_group_exists(const struct mt_hierarchy *hierarchy,
                     const struct mt_testbed_place *place);
/* Give the processes of a node as much time as `cores` processor cores have. */
MT_MUST_CHECK int mt_group_limit(const struct mt_hierarchy *hierarchy,
                                 const struct mt_testbed_place *place, double cores,
                                 struct mt_error *err);
/* A descriptor for mt_group_join(), which the caller closes. */
MT_MUST_CHECK int mt_group_open(int *descriptor, const struct mt_hierarchy *hierarchy,
                                const struct mt_testbed_place *place,
                                struct mt_error *err);
/* Move this process into the group. */
MT_MUST_CHECK int mt_group_join(int descriptor, struct mt_error *err);
/* Kill the processes of a node, or those of all nodes of a testbed, and remove the
   group with all groups in it. */
MT_MUST_CHECK int mt_group_remove(const struct mt_hierarchy *hierarchy,
                                  const struct mt_testbed_place *place,
                                  struct mt_error *err);

#endif
