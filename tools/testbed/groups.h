/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testbed_groups.h - the control groups of testbeds, in version 1 or 2 of the kernel's
 * interface: HIERARCHY/motley-testbed/TESTBED/NODE.
 */
#ifndef MT_CLI_TESTBED_GROUPS_H
#define MT_CLI_TESTBED_GROUPS_H

#include "motley/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define MT_GROUPS_FOLDER "motley-testbed"

/* Where the processor time of groups can be limited. */
struct mt_hierarchy {
    char folder[PATH_MAX];
    bool unified; /* version 2 */
};

/* A node of a testbed; or, where the node is "", the testbed itself. */
struct mt_place {
    char testbed[NAME_MAX + 1], node[NAME_MAX + 1];
};

/* Find the hierarchy; `mountinfo` has the lines of /proc/self/mountinfo. MT_ENOTFOUND:
   there is none. */
MT_MUST_CHECK int mt_hierarchy_read(struct mt_hierarchy *hierarchy, FILE *mountinfo,
                                    struct mt_error *err);
/* The same for this machine. */
MT_MUST_CHECK int mt_hierarchy_find(struct mt_hierarchy *hierarchy,
                                    struct mt_error *err);

/* MT_ENOTFOUND: this process may not change its groups, or it cannot limit them. */
MT_MUST_CHECK int mt_hierarchy_check(const struct mt_hierarchy *hierarchy,
                                     struct mt_error *err);

/* Where a process is; `groups` has the lines of its /proc/PID/cgroup. False: not on a
   node of a testbed. */
bool mt_place_read(struct mt_place *place, FILE *groups);
/* The same for this process. */
bool mt_place_own(struct mt_place *place);
/* MT_EINVAL: a name is too long for a file's. */
MT_MUST_CHECK int mt_place_set(struct mt_place *place, const char *testbed,
                               const char *node, struct mt_error *err);

/* Make the group; that of a testbed comes before those of its nodes. MT_EBUSY: it is
   there. */
MT_MUST_CHECK int mt_group_make(const struct mt_hierarchy *hierarchy,
                                const struct mt_place *place, struct mt_error *err);
bool mt_group_exists(const struct mt_hierarchy *hierarchy,
                     const struct mt_place *place);
/* Give the processes of a node as much time as `cores` processor cores have. */
MT_MUST_CHECK int mt_group_limit(const struct mt_hierarchy *hierarchy,
                                 const struct mt_place *place, double cores,
                                 struct mt_error *err);
/* A descriptor for mt_group_join(), to be closed. */
MT_MUST_CHECK int mt_group_open(int *descriptor, const struct mt_hierarchy *hierarchy,
                                const struct mt_place *place, struct mt_error *err);
/* Move this process into the group. */
MT_MUST_CHECK int mt_group_join(int descriptor, struct mt_error *err);
/* The processes of a node; the caller frees them. None: there is no such group. */
MT_MUST_CHECK int mt_group_list(pid_t **pids, int *count,
                                const struct mt_hierarchy *hierarchy,
                                const struct mt_place *place, struct mt_error *err);
/* Kill the processes of a node, or those of all nodes of a testbed, and remove the
   group with all groups in it. */
MT_MUST_CHECK int mt_group_remove(const struct mt_hierarchy *hierarchy,
                                  const struct mt_place *place, struct mt_error *err);

#endif
