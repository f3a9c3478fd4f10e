/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchy.h - the place of this machine's control groups, in version 1 or 2 of the
 * kernel's interface.
 */
#ifndef MT_TESTBED_HIERARCHY_H
#define MT_TESTBED_HIERARCHY_H

#include "motley/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* The hierarchy in which the processor time of groups can be limited. */
struct mt_hierarchy {
    char folder[PATH_MAX];
    bool unified; /* version 2 */
};

/* Find the hierarchy; `mountinfo` has the lines of /proc/self/mountinfo. MT_ENOTFOUND
   if none exists. */
MT_MUST_CHECK int mt_hierarchy_read(struct mt_hierarchy *hierarchy, FILE *mountinfo,
                                    struct mt_error *err);
/* The same for this machine. */
MT_MUST_CHECK int mt_hierarchy_find(struct mt_hierarchy *hierarchy,
                                    struct mt_error *err);

/* Check that this process may change and limit groups; MT_ENOTFOUND. */
MT_MUST_CHECK int mt_hierarchy_check(const struct mt_hierarchy *hierarchy,
                                     struct mt_error *err);

/* Whether a list, of controllers with commas or blanks between them, has that one. */
bool mt_hierarchy_has(const char *list, const char *controller);

#endif
