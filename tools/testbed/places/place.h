/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - the control groups of testbeds, HIERARCHY/motley-testbed/TESTBED/NODE, and
 * the processes in them.
 */
#ifndef MT_TESTBED_PLACE_H
#define MT_TESTBED_PLACE_H

#include "hierarchy.h"
#include "motley/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define MT_GROUPS_FOLDER "motley-testbed"

/* A node of a testbed; or, where the node is "", the testbed itself. */
struct mt_testbed_place {
    char testbed[NAME_MAX + 1], node[NAME_MAX + 1];
};

/* Read the place of a process; `groups` has the lines of its /proc/PID/cgroup. False:
   not on a node of a testbed. */
bool mt_place_read(struct mt_testbed_place *place, FILE *groups);
/* The same for this process. */
bool mt_place_own(struct mt_testbed_place *place);
/* MT_EINVAL: a name is too long for a file's. */
MT_MUST_CHECK int mt_place_set(struct mt_testbed_place *place, const char *testbed,
                               const char *node, struct mt_error *err);

enum { MT_PLACE_PATH = PATH_MAX + 2 * NAME_MAX + 64 };
/* The path of a group's file; with "" for `file` that of its folder. */
void mt_place_path(char path[MT_PLACE_PATH], const struct mt_hierarchy *hierarchy,
                   const struct mt_testbed_place *place, const char *file);

/* The processes of a node, none if it has no such group; the caller frees them. */
MT_MUST_CHECK int mt_place_processes(pid_t **pids, int *count,
                                     const struct mt_hierarchy *hierarchy,
                                     const struct mt_testbed_place *place,
                                     struct mt_error *err);
/* The same for the group in this folder. */
MT_MUST_CHECK int mt_group_processes(pid_t **pids, int *count, const char *folder,
                                     struct mt_error *err);

/* The process name of a complete node's holder, unlike any program's. */
extern const char mt_holder_name[];
/* The process that keeps the namespaces of a complete node; MT_ENOTFOUND: the node is
   not up. */
MT_MUST_CHECK int mt_place_holder(pid_t *pid, const struct mt_hierarchy *hierarchy,
                                  const struct mt_testbed_place *place,
                                  struct mt_error *err);

#endif
