/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * namespaces.h - enter namespaces of other processes, and nodes.
 */
#ifndef MT_TESTBED_NAMESPACES_H
#define MT_TESTBED_NAMESPACES_H

#include "motley/error.h"
#include "tools/testbed/places/place.h"

#include <sys/types.h>

/* Enter that namespace of a process, as "net". */
MT_MUST_CHECK int mt_namespace_enter(pid_t pid, const char *kind, struct mt_error *err);
/* Let this process enter a node: its control group and its namespaces. The current
   folder stays. */
MT_MUST_CHECK int mt_testbed_join(const struct mt_testbed_place *place,
                                  struct mt_error *err);

#endif
