/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster_file.h"

#include "yaml_value.h"

#include <string.h>

static const char *const topologies[] = {"switches", "bus", "torus", "multistage"};

static int read_name(enum mt_topology *topology, const char *name,
                     const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    if (!name)
        return MT_OK;
    for (int i = MT_TOPOLOGY_SWITCHES; i <= MT_TOPOLOGY_MULTISTAGE; i++)
        if (strcmp(name, topologies[i]) == 0) {
            *topology = (enum mt_topology)i;
            return MT_OK;
        }
    return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "topology"), err,
                        "'topology' must be one of switches, bus, torus, multistage, "
                        "not '%.60s'",
                        name);
}

static int read_protocol(struct mt_network *network, const char *name,
                         const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    network->bare = name && strcmp(name, "none") == 0;
    if (name && !network->bare && strcmp(name, "tcp") != 0)
        return mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "protocol"), err,
                            "'protocol' must be tcp or none, not '%.60s'", name);
    const int dip = mt_yaml_member(yaml, map, "dip");
    if (network->bare && dip)
        return mt_yaml_fail(yaml, dip, err, "'dip' is not for protocol none");
    return MT_OK;
}

static int read_duplex(struct mt_network *network, const char *name,
                       const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int duplex = mt_yaml_member(yaml, map, "duplex");
    network->half_duplex = name && strcmp(name, "half") == 0;
    if (name && !network->half_duplex && strcmp(name, "full") != 0)
        return mt_yaml_fail(yaml, duplex, err,
                            "'duplex' must be full or half, not '%.60s'", name);
    if (network->half_duplex && network->topology != MT_TOPOLOGY_SWITCHES)
        return mt_yaml_fail(yaml, duplex, err, "'duplex: half' is not for topology %s",
                            topologies[network->topology]);
    return MT_OK;
}

/* Whether the key is there if, and only if, the topology has it. */
static int check_key(const char *key, bool wanted, const char *topology,
                     const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    const int member = mt_yaml_member(yaml, map, key);
    if (wanted && !member)
        return mt_yaml_fail(yaml, map, err,
                            "missing key '%s' in 'network': topology %s needs it", key,
                            topology);
    if (!wanted && member)
        return mt_yaml_fail(yaml, member, err, "'%s' is not for topology %s", key,
                            topology);
    return MT_OK;
}

static int check_keys(const struct mt_network *network, const struct mt_yaml *yaml,
                      int map, struct mt_error *err)
{
    const char *name = topologies[network->topology];
    const bool multistage = network->topology == MT_TOPOLOGY_MULTISTAGE;
    int status =
        check_key("hop", network->topology == MT_TOPOLOGY_TORUS, name, yaml, map, err);
    if (!status)
        status = check_key("switch_ports", multistage, name, yaml, map, err);
    if (!status && network->topology != MT_TOPOLOGY_SWITCHES)
        status = check_key("switch_bandwidth", multistage, name, yaml, map, err);
    if (!status && multistage && network->switch_ports < 2)
        status = mt_yaml_fail(yaml, mt_yaml_member(yaml, map, "switch_ports"), err,
                              "'switch_ports' must be at least 2, not %d",
                              network->switch_ports);
    return status;
}

/* A torus or a multistage network is made for the nodes that are numbered through. */
static int check_groups(const struct mt_cluster *cluster, const struct mt_yaml *yaml,
                        int map, struct mt_error *err)
{
    const enum mt_topology topology = cluster->network.topology;
    const int node = mt_yaml_member(yaml, map, "topology");
    if (topology != MT_TOPOLOGY_SWITCHES && cluster->network.switches > 1)
        return mt_yaml_fail(yaml, node, err,
                            "topology %s has no switches for groups to be on, but they "
                            "are on %d",
                            topologies[topology], cluster->network.switches);
    if ((topology == MT_TOPOLOGY_TORUS || topology == MT_TOPOLOGY_MULTISTAGE) &&
        cluster->ngroups > 1)
        return mt_yaml_fail(yaml, node, err,
                            "topology %s is for one group of nodes, not %d",
                            topologies[topology], cluster->ngroups);
    return MT_OK;
}

int mt_cluster_read_topology(struct mt_cluster *cluster,
                             const struct file_network *from,
                             const struct mt_yaml *yaml, int map, struct mt_error *err)
{
    struct mt_network *network = &cluster->network;
    const int hop = mt_yaml_member(yaml, map, "hop");
    network->switch_ports = from->switch_ports;
    int status = read_name(&network->topology, from->topology, yaml, map, err);
    if (!status)
        status = read_protocol(network, from->protocol, yaml, map, err);
    if (!status)
        status = read_duplex(network, from->duplex, yaml, map, err);
    if (!status)
        status = check_groups(cluster, yaml, map, err);
    if (!status)
        status = check_keys(network, yaml, map, err);
    if (!status)
        status = mt_yaml_quantity(&network->hop_latency, yaml, hop, "latency",
                                  from->hop.latency, MT_SECONDS, err);
    if (!status)
        status = mt_yaml_quantity(&network->hop_bandwidth, yaml, hop, "bandwidth",
                                  from->hop.bandwidth, MT_BANDWIDTH, err);
    return status;
}
