/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_caches.h - the caches of this machine, as hwloc sees them.
 */
#ifndef MT_CLI_MACHINE_CACHES_H
#define MT_CLI_MACHINE_CACHES_H

#include "motley/error.h"

struct mt_machine_cache {
    int level; /* 1, 2, ...: L1, of data, L2, ... */
    double bytes;
    int cores; /* that share it */
};

enum { MT_MAX_MACHINE_CACHES = 5 };

/* The first cache of each level; `*count` is 0 where the machine hides them. */
MT_MUST_CHECK int mt_machine_caches(
    struct mt_machine_cache caches[MT_MAX_MACHINE_CACHES], int *count,
    struct mt_error *err);

#endif
