/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels in a simulated build: SimGrid is charged for flops, caches and bandwidth. */
#include "work.h"

#include <mpi.h>
#include <simgrid/host.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const bool work_simulated = true;

/* The properties are those that the smpi launcher writes; a host without them has no
   limit but its speed. */
static double property(const char *name, double fallback)
{
    const char *text = sg_host_get_property_value(sg_host_self(), name);
    return text ? strtod(text, NULL) : fallback;
}

/* "BYTES:SLOWDOWN BYTES:SLOWDOWN:g ...": g for gradual. */
static void read_caches(struct work_node *node)
{
    const char *text = sg_host_get_property_value(sg_host_self(), "caches");
    if (!text)
        return;
    while (*text && node->ncaches < WORK_MAX_CACHES) {
        struct work_cache *cache = &node->caches[node->ncaches++];
        char *end;
        cache->bytes = strtod(text, &end);
        cache->slowdown = *end == ':' ? strtod(end + 1, &end) : 1;
        cache->gradual = strncmp(end, ":g", 2) == 0;
        if (cache->gradual)
            end += 2;
        text = end;
    }
}

void work_node_init(struct work_node *node, bool model_only)
{
    const double processes = property("processes", 1);
    const double cores = property("cores", processes);
    const double threads = property("threads", 1), wanted = processes * threads;
    *node = (struct work_node){
        .model_only = model_only,
        .processes = (int)processes,
        .cores = fmin(1, cores / wanted) * threads,
        .flops = sg_host_get_speed(sg_host_self()),
        .memory_bandwidth = property("memory_bandwidth", 0),
    };
    node->flops *= node->cores;
    if (wanted > cores)
        node->flops *= 1 - property("oversubscription", 0);
    read_caches(node);
}

/* The larger solution of m = 1 - exp(-x m), 0 for x <= 1. The difference of both sides
   is convex and grows from there on, so Newton's method converges to it from 1. */
static double miss_share(double x)
{
    if (x <= 1)
        return 0;
    double share = 1, last;
    do {
        last = share;
        share -= (share + expm1(-x * share)) / (1 - x * exp(-x * share));
    } while (share < last);
    return last;
}

/* Slowdown of work that has outgrown the cache or the process's share of it. */
static double slowdown(const struct work_cache *cache, double working_set, double share)
{
    if (!cache->gradual)
        return cache->slowdown;
    return 1 + (cache->slowdown - 1) * miss_share(working_set / (cache->bytes * share));
}

static double seconds(const struct work_node *node, const struct work *work)
{
    const double cache_share = work->alone ? 1 : node->cores;
    const double memory_share = work->alone ? node->cores : 1.0 / node->processes;
    double compute = work->flops / (node->flops * work->efficiency);
    bool cached = false;
    for (int i = 0; i < node->ncaches; i++) {
        cached = work->working_set <= node->caches[i].bytes * cache_share;
        if (!cached)
            compute *= slowdown(&node->caches[i], work->working_set, cache_share);
    }
    if (cached || node->memory_bandwidth <= 0)
        return compute;
    return fmax(compute, work->bytes / (node->memory_bandwidth * memory_share));
}

bool work_run(const struct work_node *node, const struct work *work)
{
    smpi_execute_flops(seconds(node, work) * sg_host_get_speed(sg_host_self()));
    return !node->model_only;
}

void work_incast(double bytes)
{
    /* "BYTES:SECONDS BYTES:SECONDS ...", if the run has enough nodes. */
    const char *text = sg_host_get_property_value(sg_host_self(), "incast");
    double delay = 0;
    while (text && *text) {
        char *end;
        const double from = strtod(text, &end), seconds = strtod(end + 1, &end);
        if (from <= bytes)
            delay = seconds;
        text = end;
    }
    smpi_execute_flops(delay * sg_host_get_speed(sg_host_self()));
}

void *work_array(const struct work_node *node, size_t count, size_t size)
{
    return node->model_only ? NULL : calloc(count, size);
}

void *work_buffer(const struct work_node *node, size_t count, size_t size)
{
    /* SMPI does not copy messages between buffers that are shared. */
    return node->model_only ? SMPI_SHARED_MALLOC(count * size) : calloc(count, size);
}

void work_buffer_free(const struct work_node *node, void *buffer)
{
    if (node->model_only)
        SMPI_SHARED_FREE(buffer);
    else
        free(buffer);
}
