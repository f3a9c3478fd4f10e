/* SPDX-License-Identifier: BSD-3-Clause */
#include "starter.h"

#include <hwloc.h>
#include <hwloc/cpukinds.h>

/* hwloc sorts the kinds of cores by their efficiency: the last one is the fastest. */
static int count_fast_cores(hwloc_topology_t topology)
{
    int kinds = hwloc_cpukinds_get_nr(topology, 0), cores = 0;
    hwloc_bitmap_t fast = hwloc_bitmap_alloc();
    if (fast && kinds > 1 &&
        hwloc_cpukinds_get_info(topology, (unsigned)kinds - 1, fast, NULL, NULL, NULL,
                                0) == 0)
        cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, fast, HWLOC_OBJ_CORE);
    hwloc_bitmap_free(fast);
    return cores;
}

static int read_topology(struct mt_starter *starter, hwloc_topology_t topology,
                         struct mt_error *err)
{
    char host[] = "localhost";
    struct mt_starter_node node = {.host = host};
    if (hwloc_topology_load(topology) < 0)
        return mt_fail(err, MT_EIO, "hwloc cannot tell what this machine is");
    node.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    if (node.cores < 1) /* virtual machines may hide them */
        node.cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
    node.slots = node.cores;
    node.fast_cores = count_fast_cores(topology);
    node.memory = (double)hwloc_get_root_obj(topology)->total_memory;
    return mt_starter_add(starter, &node, err);
}

int mt_starter_from_machine(struct mt_starter *starter, struct mt_error *err)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for hwloc");
    int status = read_topology(starter, topology, err);
    hwloc_topology_destroy(topology);
    starter->launcher = mt_starter_launcher();
    return status;
}
