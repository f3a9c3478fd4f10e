/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_file.h"

#include "yaml_value.h"

#include <stdlib.h>
#include <string.h>

static int read_cache(struct mt_cache *cache, const struct file_cache *from,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    if (from->slowdown < 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "slowdown"), err,
                            "'slowdown' must be at least 1, not %g", from->slowdown);
    cache->slowdown = from->slowdown;
    cache->gradual = from->gradual && strcmp(from->gradual, "true") == 0;
    if (from->gradual && !cache->gradual && strcmp(from->gradual, "false") != 0)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "gradual"), err,
                            "'gradual' must be true or false, not '%.60s'",
                            from->gradual);
    return mt_yaml_quantity(&cache->bytes, yaml, map, "size", from->size, MT_BYTES,
                            err);
}

static int read_caches(struct mt_simulated_node *node, const struct file_simulate *from,
                       const struct mt_yaml *yaml, int list, struct mt_error *err)
{
    if (from->ncaches == 0)
        return MT_OK;
    node->caches = calloc(from->ncaches, sizeof *node->caches);
    if (!node->caches)
        return mt_fail(err, MT_ENOMEM, "no memory for a cluster");
    node->ncaches = (int)from->ncaches;
    for (int i = 0; i < node->ncaches; i++) {
        int map = mt_yaml_item(yaml, list, i);
        int status = read_cache(&node->caches[i], &from->caches[i], yaml, map, err);
        if (status)
            return status;
        if (i > 0 && node->caches[i].bytes <= node->caches[i - 1].bytes)
            return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "size"), err,
                                "'caches' must go from the smallest to the largest");
    }
    return MT_OK;
}

static int read_shares(struct mt_simulated_node *node, const struct file_simulate *from,
                       const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int cores = mt_yaml_member(yaml, map, "cores");
    if (cores && from->cores < 1)
        return mt_yaml_fail(yaml, cores, err, "'cores' must be at least 1, not %d",
                            from->cores);
    if (from->oversubscription < 0 || from->oversubscription >= 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "oversubscription"), err,
                            "'oversubscription' must be at least 0 and less than 1, "
                            "not %g",
                            from->oversubscription);
    if (from->noise < 0 || from->noise >= 1)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "noise"), err,
                            "'noise' must be at least 0 and less than 1, not %g",
                            from->noise);
    node->cores = cores ? from->cores : 1;
    node->oversubscription = from->oversubscription;
    node->noise = from->noise;
    return MT_OK;
}

/* What is not given is 1; together they must make a difference. */
static int read_odd(struct mt_odd_node *odd, int nodes, const struct file_odd *from,
                    const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int slowdown = mt_yaml_member(yaml, map, "slowdown");
    const int link_slowdown = mt_yaml_member(yaml, map, "link_slowdown");
    if (!map)
        return MT_OK;
    if (from->node < 1 || from->node > nodes)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "node"), err,
                            "'node' must be the number of a node of the group, 1 to "
                            "%d, not %d",
                            nodes, from->node);
    if (slowdown && from->slowdown < 1)
        return mt_yaml_fail(yaml, slowdown, err,
                            "'slowdown' must be at least 1, not %g", from->slowdown);
    if (link_slowdown && from->link_slowdown < 1)
        return mt_yaml_fail(yaml, link_slowdown, err,
                            "'link_slowdown' must be at least 1, not %g",
                            from->link_slowdown);
    *odd = (struct mt_odd_node){from->node, slowdown ? from->slowdown : 1,
                                link_slowdown ? from->link_slowdown : 1};
    if (odd->slowdown == 1 && odd->link_slowdown == 1)
        return mt_yaml_fail(yaml, map, err,
                            "'odd' needs a 'slowdown' or a 'link_slowdown' above 1");
    return MT_OK;
}

int mt_cluster_read_simulate(struct mt_simulated_node *node, int nodes,
                             const struct file_simulate *from,
                             const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    int loopback = mt_yaml_member(yaml, map, "loopback");
    int status = read_shares(node, from, yaml, map, err);
    if (!status)
        status = mt_yaml_quantity(&node->flops, yaml, map, "flops", from->flops,
                                  MT_FLOPS, err);
    if (!status)
        status =
            mt_yaml_quantity(&node->memory_bandwidth, yaml, map, "memory_bandwidth",
                             from->memory_bandwidth, MT_BANDWIDTH, err);
    if (!status)
        status = mt_yaml_quantity(&node->loopback_latency, yaml, loopback, "latency",
                                  from->loopback.latency, MT_SECONDS, err);
    if (!status)
        status =
            mt_yaml_quantity(&node->loopback_bandwidth, yaml, loopback, "bandwidth",
                             from->loopback.bandwidth, MT_BANDWIDTH, err);
    if (!status)
        status =
            read_caches(node, from, yaml, mt_yaml_member(yaml, map, "caches"), err);
    if (!status)
        status = read_odd(&node->odd, nodes, &from->odd, yaml,
                          mt_yaml_member(yaml, map, "odd"), err);
    return status;
}
