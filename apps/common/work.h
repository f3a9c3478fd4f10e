/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work.h - the compute kernels of a measured program, as far as their time is
 * concerned.
 *
 * In a real build (work.c) a kernel is just its code. In a simulated build
 * (work_simulated.c) each call charges the time that the kernel would take on the
 * simulated node, whatever this machine needs for it; and with `model_only` the
 * arithmetic is left out. So a kernel is called as
 *
 *     if (work_run(node, &(struct work){.flops = 2.0 * m * n * k, .efficiency = 1}))
 *         cblas_dgemm(...);
 *
 * It charges operations at the core's speed times the kernel's efficiency, slowed by
 * the cache steps of the node that the working set exceeds, or, if that takes longer,
 * the bytes to and from memory. The model assumes that a node's processes run the same
 * kernel at the same time and share the memory's bandwidth, unless they do the work one
 * after the other. More processes than cores share cores and caches all the time, since
 * waiting ranks poll in MPI, and lose the node's `oversubscription` share of the speed.
 * Threads of a process share its kernels evenly, at no cost.
 *
 * A gradual cache slows down the share m of accesses that miss it. Let work go through
 * a working set of x times the cache again and again, and let misses replace random
 * lines. Between two accesses to a line, the rest of the working set is accessed, and
 * the share m of it misses. The line survives this with probability exp(-x m), so that
 *
 *     m = 1 - exp(-x m)
 *
 * For x <= 1, the only solution is 0: all that fits stays. Beyond that, m is the larger
 * solution: 0.58 for x = 1.5, 0.80 for 2, 0.94 for 3. The slowdown is
 * 1 + (slowdown - 1) m.
 */
#ifndef MT_APPS_WORK_H
#define MT_APPS_WORK_H

#include <stdbool.h>
#include <stddef.h>

enum { WORK_MAX_CACHES = 8 };

/* One call of a kernel. */
struct work {
    double flops;       /* operations */
    double efficiency;  /* share of the core's best speed that the kernel reaches with
                           cached data; in (0, 1] */
    double working_set; /* bytes that it goes through again and again; 0: always fits */
    double bytes;       /* between processor and memory, once the working set is larger
                           than every cache; without caches, always */
    bool alone;         /* the node's other processes wait meanwhile: it has the
                           memory's bandwidth and the caches to itself */
};

/* The node of a process; a placeholder in a real build. */
struct work_node {
    bool model_only;         /* no arithmetic, no big arrays */
    int processes;           /* of the node */
    double cores;            /* of a process: one for each of its threads, or less when
                                they share cores */
    double flops;            /* of a process, per second */
    double memory_bandwidth; /* of the node, bytes per second; 0: never the limit */
    int ncaches;
    struct work_cache {
        double bytes, slowdown;
        bool gradual;
    } caches[WORK_MAX_CACHES]; /* of a core, from the smallest to the largest */
};

/* Whether this is a simulated build; only there can model_only be asked for. */
extern const bool work_simulated;

/* Find the node of the calling process; after MPI_Init. */
void work_node_init(struct work_node *node, bool model_only);
/* Charge the kernel's time; returns whether to run its code. */
bool work_run(const struct work_node *node, const struct work *work);
/* Charge the time that an all-to-all of messages of this length loses because the
   simulated switch drops packets: `incast` in motley-cluster(5). */
void work_incast(double bytes);
/* Memory that a model-only run does not need: NULL there, and when memory is short;
   released by free(). */
void *work_array(const struct work_node *node, size_t count, size_t size);
/* Memory for messages; almost free in a model-only run, which sends it but never reads
   it. NULL: memory is short. */
void *work_buffer(const struct work_node *node, size_t count, size_t size);
void work_buffer_free(const struct work_node *node, void *buffer);

#endif
