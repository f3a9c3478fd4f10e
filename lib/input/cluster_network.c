/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_file.h"

#include "yaml_value.h"

#include <string.h>

/* Number the switches in the order in which the groups name them. */
static int read_switch(struct mt_cluster *cluster, const struct file_cluster *from,
                       int group, const struct mt_yaml *yaml, struct mt_error *err)
{
    const int groups = mt_yaml_member(yaml, mt_yaml_root(yaml), "groups");
    const int map = mt_yaml_item(yaml, groups, group);
    const char *name = from->groups[group].network_switch;
    const char *first = from->groups[0].network_switch;
    if (name && !mt_cluster_simulated(cluster))
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "switch"), err,
                            "'switch' in group '%s' is for launcher smpi only",
                            cluster->groups[group].name);
    if (!name != !first)
        return mt_yaml_fail(yaml, map, err,
                            "'switch' must be in all groups or in none; group '%s' "
                            "has %s",
                            cluster->groups[group].name, name ? "one" : "none");
    for (int i = 0; i < group; i++)
        if (!name || strcmp(name, from->groups[i].network_switch) == 0) {
            cluster->groups[group].network_switch = cluster->groups[i].network_switch;
            return MT_OK;
        }
    cluster->groups[group].network_switch = cluster->network.switches++;
    return MT_OK;
}

static int read_trunk(struct mt_network *network, const struct file_link *from,
                      const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int trunk = mt_yaml_member(yaml, map, "trunk");
    if (network->switches > 1 && !trunk)
        return mt_yaml_fail(yaml, map, err,
                            "missing key 'trunk' in 'network': the groups are on %d "
                            "switches",
                            network->switches);
    if (network->switches == 1 && trunk)
        return mt_yaml_fail(yaml, trunk, err,
                            "'trunk' is for groups on several switches only");
    int status = mt_yaml_quantity(&network->trunk_latency, yaml, trunk, "latency",
                                  from->latency, MT_SECONDS, err);
    if (!status)
        status = mt_yaml_quantity(&network->trunk_bandwidth, yaml, trunk, "bandwidth",
                                  from->bandwidth, MT_BANDWIDTH, err);
    return status;
}

static int read_dip(struct mt_dip *dip, const struct file_dip *from,
                    const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    if (!map)
        return MT_OK;
    int status =
        mt_yaml_quantity(&dip->from, yaml, map, "from", from->from, MT_BYTES, err);
    if (!status)
        status = mt_yaml_quantity(&dip->to, yaml, map, "to", from->to, MT_BYTES, err);
    if (!status && dip->to <= dip->from)
        status = mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "to"), err,
                              "'to' must be more than 'from'");
    if (!status && from->slowdown <= 1)
        status = mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "slowdown"), err,
                              "'slowdown' must be more than 1, not %g", from->slowdown);
    dip->slowdown = from->slowdown;
    return status;
}

int mt_cluster_read_network(struct mt_cluster *cluster, const struct file_cluster *from,
                            const struct mt_yaml *yaml, struct mt_error *err)
{
    int root = mt_yaml_root(yaml), map = mt_yaml_member(yaml, root, "network");
    struct mt_network *network = &cluster->network;
    if (mt_cluster_simulated(cluster) && !map)
        return mt_yaml_fail(yaml, root, err,
                            "missing key 'network': launcher smpi needs it");
    if (!mt_cluster_simulated(cluster) && map)
        return mt_yaml_fail(yaml, map, err, "'network' is for launcher smpi only");

    int status = MT_OK;
    for (int i = 0; i < cluster->ngroups && !status; i++)
        status = read_switch(cluster, from, i, yaml, err);
    if (!status)
        status = mt_yaml_quantity(&network->latency, yaml, map, "latency",
                                  from->network.latency, MT_SECONDS, err);
    if (!status)
        status = mt_yaml_quantity(&network->bandwidth, yaml, map, "bandwidth",
                                  from->network.bandwidth, MT_BANDWIDTH, err);
    if (!status)
        status =
            mt_yaml_quantity(&network->switch_bandwidth, yaml, map, "switch_bandwidth",
                             from->network.switch_bandwidth, MT_BANDWIDTH, err);
    if (!status && map)
        status = read_trunk(network, &from->network.trunk, yaml, map, err);
    if (!status && map)
        status = mt_cluster_read_topology(cluster, &from->network, yaml, map, err);
    if (!status)
        status = read_dip(&network->dip, &from->network.dip, yaml,
                          mt_yaml_member(yaml, map, "dip"), err);
    return status;
}
