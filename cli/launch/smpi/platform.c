/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform.h"

#include "node.h"

/* A node whose link leads to the switch of its zone. */
static void write_wired_node(FILE *stream, const struct mt_launch *launch, int group,
                             int index, double speed)
{
    const bool half = launch->cluster->network.half_duplex;
    char name[MT_PLATFORM_NAME];
    mt_platform_write_node(stream, launch, group, index, speed);
    mt_platform_name(name, group, index);
    fprintf(stream, "<host_link id=\"%s\" up=\"link %s%s\" down=\"link %s%s\"/>\n",
            name, name, half ? "" : "_UP", name, half ? "" : "_DOWN");
}

/* What passes a switch as a whole, or the bus; 0: never the limit. */
static double shared_bandwidth(const struct mt_network *network)
{
    return network->topology == MT_TOPOLOGY_BUS ? network->bandwidth
                                                : network->switch_bandwidth;
}

/* The switches that the run uses: of the groups, or of so many nodes each. */
static int count_switches(const struct mt_launch *launch)
{
    const int ports = launch->cluster->network.switch_ports;
    if (ports > 0)
        return (launch->configuration->use[0].nodes + ports - 1) / ports;
    return launch->cluster->network.switches;
}

/* Nodes of a group: from the first one to before the end. */
struct span {
    int first, end;
};

/* Those connected to the switch that the run uses. */
static struct span nodes_at(const struct mt_launch *launch, int network_switch,
                            int group)
{
    const int ports = launch->cluster->network.switch_ports;
    const int nodes = launch->configuration->use[group].nodes;
    if (ports > 0) {
        const int end = (network_switch + 1) * ports;
        return (struct span){network_switch * ports, end < nodes ? end : nodes};
    }
    const bool here = launch->cluster->groups[group].network_switch == network_switch;
    return (struct span){0, here ? nodes : 0};
}

/* A switch and its nodes; where there are several, its router is the way out. */
static void write_switch(FILE *stream, const struct mt_launch *launch, int index)
{
    const struct mt_cluster *cluster = launch->cluster;
    fprintf(stream, "<zone id=\"zone %d\" routing=\"Cluster\">\n", index);
    for (int g = 0; g < cluster->ngroups; g++) {
        const double speed = mt_noise_speed(launch, g);
        const struct span nodes = nodes_at(launch, index, g);
        for (int i = nodes.first; i < nodes.end; i++)
            write_wired_node(stream, launch, g, i, speed);
    }
    if (count_switches(launch) > 1)
        fprintf(stream, "<router id=\"router %d\"/>\n", index);
    if (shared_bandwidth(&cluster->network) > 0)
        fprintf(stream,
                "<backbone id=\"switch %d\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
                index, shared_bandwidth(&cluster->network));
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct span nodes = nodes_at(launch, index, g);
        for (int i = nodes.first; i < nodes.end; i++)
            mt_platform_write_loopback(stream, g, i);
    }
    fputs("</zone>\n", stream);
}

/* All switches are connected to one place, each by a trunk. */
static void write_trunks(FILE *stream, const struct mt_network *network, int switches)
{
    for (int i = 0; i < switches; i++)
        fprintf(stream,
                "<link id=\"trunk %d\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
                "sharing_policy=\"SPLITDUPLEX\"/>\n",
                i, network->trunk_bandwidth, network->trunk_latency / 2);
    for (int from = 0; from < switches; from++)
        for (int to = 0; to < switches; to++) {
            if (from == to)
                continue;
            fprintf(stream,
                    "<zoneRoute src=\"zone %d\" dst=\"zone %d\" "
                    "gw_src=\"router %d\" gw_dst=\"router %d\" symmetrical=\"NO\">"
                    "<link_ctn id=\"trunk %d\" direction=\"UP\"/>"
                    "<link_ctn id=\"trunk %d\" direction=\"DOWN\"/></zoneRoute>\n",
                    from, to, from, to, from, to);
        }
}

/* Switches or a bus. */
static void write_switches(FILE *stream, const struct mt_launch *launch)
{
    const int switches = count_switches(launch);
    if (switches <= 1) {
        write_switch(stream, launch, 0);
        return;
    }
    fputs("<zone id=\"cluster\" routing=\"Full\">\n", stream);
    for (int i = 0; i < switches; i++)
        write_switch(stream, launch, i);
    write_trunks(stream, &launch->cluster->network, switches);
    fputs("</zone>\n", stream);
}

int mt_platform_write(const struct mt_launch *launch, FILE *stream,
                      struct mt_error *err)
{
    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
          stream);
    switch (launch->cluster->network.topology) {
    case MT_TOPOLOGY_SWITCHES:
    case MT_TOPOLOGY_BUS:
        write_switches(stream, launch);
        break;
    case MT_TOPOLOGY_TORUS:
        mt_platform_write_torus(stream, launch);
        break;
    case MT_TOPOLOGY_MULTISTAGE:
        mt_platform_write_multistage(stream, launch);
        break;
    }
    fputs("</platform>\n", stream);
    if (ferror(stream))
        return mt_fail(err, MT_EIO, "writing the simulated platform failed");
    return MT_OK;
}
