/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quota.h - how much processor time the control groups of this process leave it.
 */
#ifndef MT_BALANCE_QUOTA_H
#define MT_BALANCE_QUOTA_H

#include <stdint.h>

/* A limit on all processes of a control group together. */
struct quota {
    uint64_t group; /* the same for all processes of this node under the limit */
    double cores;   /* seconds of processor time in a second */
};

/*
 * Fill `quotas` with the limits of this process, from its own group upwards, of version
 * 1 or 2; how many there are, at most `max`. `proc` is the folder of the process,
 * /proc/self; what cannot be read is no limit.
 */
int quota_find(struct quota *quotas, int max, const char *proc);

#endif
