/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores.h - how many processor cores a process has: those of its affinity, or fewer if
 * its control groups grant less time. A node with more processes than that is
 * oversubscribed, for the command and for the preload library alike.
 */
#ifndef MT_CORES_H
#define MT_CORES_H

#include <sched.h>
#include <stdint.h>

/* How many cores the processors are: hardware threads of one core count once. */
int mt_cores_count(const cpu_set_t *processors);

/* A limit on all processes of a control group together. */
struct mt_quota {
    uint64_t group; /* the same for all processes of this node that share the limit */
    double cores;   /* seconds of processor time in a second */
};

/*
 * Fill `quotas` with the limits of this process, from its own group upwards, of version
 * 1 or 2; returns how many, at most `max`. `proc` is the folder of the process,
 * /proc/self; unreadable limits are ignored.
 */
int mt_quota_find(struct mt_quota *quotas, int max, const char *proc);

/* The cores that this process may use in total; not always a whole number. */
double mt_cores_here(void);

#endif
