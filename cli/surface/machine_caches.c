/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine_caches.h"

#include <hwloc.h>

static int count_sharing_cores(hwloc_topology_t topology, hwloc_obj_t cache)
{
    int cores =
        hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
    return cores > 0 ? cores : 1; /* virtual machines may hide them */
}

int mt_machine_caches(struct mt_machine_cache caches[MT_MAX_MACHINE_CACHES], int *count,
                      struct mt_error *err)
{
    static const hwloc_obj_type_t levels[MT_MAX_MACHINE_CACHES] = {
        HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
        HWLOC_OBJ_L5CACHE};
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for hwloc");
    if (hwloc_topology_load(topology) < 0) {
        hwloc_topology_destroy(topology);
        return mt_fail(err, MT_EIO, "hwloc cannot tell what this machine is");
    }
    *count = 0;
    for (int i = 0; i < MT_MAX_MACHINE_CACHES; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, levels[i], 0);
        if (cache && cache->attr->cache.size > 0)
            caches[(*count)++] = (struct mt_machine_cache){
                .level = i + 1,
                .bytes = (double)cache->attr->cache.size,
                .cores = count_sharing_cores(topology, cache)};
    }
    hwloc_topology_destroy(topology);
    return MT_OK;
}
