/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * holder.h - the process that keeps the namespaces of a node, and how others enter
 * them.
 */
#ifndef MT_TESTBED_HOLDER_H
#define MT_TESTBED_HOLDER_H

#include "motley/error.h"
#include "tools/testbed/places/place.h"

#include <sys/types.h>

/* A holder under construction. */
struct mt_holder {
    pid_t pid;
    int socket; /* the holder ends when this is closed, unless it was released */
};

/*
 * Fork a holder: it enters the group of its place, makes namespaces, makes the node's
 * own mounts, with `hosts` as its /etc/hosts, and reports to mt_holder_ready().
 */
MT_MUST_CHECK int mt_holder_start(struct mt_holder *holder,
                                  const struct mt_hierarchy *hierarchy,
                                  const struct mt_testbed_place *place,
                                  const char *hosts, struct mt_error *err);
/* Wait until it has its namespaces. */
MT_MUST_CHECK int mt_holder_ready(struct mt_holder *holder, struct mt_error *err);
/* The node is complete: from now on the holder can be found, and runs on its own. */
MT_MUST_CHECK int mt_holder_release(struct mt_holder *holder, struct mt_error *err);

/* Enter that namespace of a process, as "net". */
MT_MUST_CHECK int mt_namespace_enter(pid_t pid, const char *kind, struct mt_error *err);
/* Let this process enter a node: its control group and its namespaces. The current
   folder stays. */
MT_MUST_CHECK int mt_testbed_join(const struct mt_testbed_place *place,
                                  struct mt_error *err);

#endif
