/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform.h"

#include "noise.h"

/* Between processes of one node, where the cluster file does not say. */
static const double loopback_latency = 0.5e-6, loopback_bandwidth = 5e9;

void mt_platform_name(char name[MT_PLATFORM_NAME], int group, int node)
{
    snprintf(name, MT_PLATFORM_NAME, "%d.%d", group, node);
}

/* The host has a core for each of its processes: that they share fewer is part of the
   time that apps/work.h charges, as ranks that wait take their share, too. */
static void write_host(FILE *stream, const char *name,
                       const struct mt_simulated_node *node, double speed,
                       int processes)
{
    fprintf(stream, "<host id=\"%s\" speed=\"%.17gf\" core=\"%d\">\n", name,
            node->flops * speed, processes);
    fprintf(stream, "  <prop id=\"processes\" value=\"%d\"/>\n", processes);
    fprintf(stream, "  <prop id=\"cores\" value=\"%d\"/>\n", node->cores);
    fprintf(stream, "  <prop id=\"oversubscription\" value=\"%g\"/>\n",
            node->oversubscription);
    fprintf(stream, "  <prop id=\"memory_bandwidth\" value=\"%.17g\"/>\n",
            node->memory_bandwidth * speed);
    fputs("  <prop id=\"caches\" value=\"", stream);
    for (int i = 0; i < node->ncaches; i++)
        fprintf(stream, "%s%.0f:%g", i ? " " : "", node->caches[i].bytes,
                node->caches[i].slowdown);
    fputs("\"/>\n</host>\n", stream);
}

static void write_link(FILE *stream, const char *prefix, const char *host,
                       double bandwidth, double latency, const char *sharing)
{
    fprintf(stream,
            "<link id=\"%s %s\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
            "sharing_policy=\"%s\"/>\n",
            prefix, host, bandwidth, latency, sharing);
}

static double value_or(double value, double fallback)
{
    return value > 0 ? value : fallback;
}

static void write_links(FILE *stream, const char *host,
                        const struct mt_simulated_node *node, int processes,
                        const struct mt_network *network, double link_slowdown)
{
    /* Messages are the processor's work, too: a process that has half a core sends at
       half the speed. A message passes the links of two nodes. */
    const double share = processes > node->cores ? (double)node->cores / processes : 1;
    write_link(stream, "link", host, network->bandwidth * share / link_slowdown,
               network->latency / 2, "SPLITDUPLEX");
    write_link(stream, "loopback", host,
               value_or(node->loopback_bandwidth, loopback_bandwidth) * share,
               value_or(node->loopback_latency, loopback_latency), "FATPIPE");
    fprintf(stream, "<host_link id=\"%s\" up=\"link %s_UP\" down=\"link %s_DOWN\"/>\n",
            host, host, host);
}

static void write_node(FILE *stream, const struct mt_launch *launch, int group,
                       int index, double speed)
{
    const struct mt_simulated_node *node = &launch->cluster->groups[group].simulate;
    const int processes = launch->configuration->use[group].processes;
    char name[MT_PLATFORM_NAME];
    const bool odd = node->odd.number == index + 1;
    mt_platform_name(name, group, index);
    write_host(stream, name, node, odd ? speed / node->odd.slowdown : speed, processes);
    write_links(stream, name, node, processes, &launch->cluster->network,
                odd ? node->odd.link_slowdown : 1);
}

static void write_loopback_route(FILE *stream, int group, int index)
{
    char name[MT_PLATFORM_NAME];
    mt_platform_name(name, group, index);
    fprintf(stream,
            "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"loopback %s\"/></route>\n",
            name, name, name);
}

/* How many nodes of the group, connected to the switch, the run uses. */
static int nodes_at(const struct mt_launch *launch, int network_switch, int group)
{
    return launch->cluster->groups[group].network_switch == network_switch
               ? launch->configuration->use[group].nodes
               : 0;
}

/* A switch and its nodes; where there are several, its router is the way out. */
static void write_switch(FILE *stream, const struct mt_launch *launch, int index)
{
    const struct mt_cluster *cluster = launch->cluster;
    fprintf(stream, "<zone id=\"zone %d\" routing=\"Cluster\">\n", index);
    for (int g = 0; g < cluster->ngroups; g++) {
        const double speed = mt_noise_speed(launch, g);
        for (int i = 0; i < nodes_at(launch, index, g); i++)
            write_node(stream, launch, g, i, speed);
    }
    if (cluster->network.switches > 1)
        fprintf(stream, "<router id=\"router %d\"/>\n", index);
    if (cluster->network.switch_bandwidth > 0)
        fprintf(stream,
                "<backbone id=\"switch %d\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
                index, cluster->network.switch_bandwidth);
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < nodes_at(launch, index, g); i++)
            write_loopback_route(stream, g, i);
    fputs("</zone>\n", stream);
}

/* All switches are connected to one place, each by a trunk. */
static void write_trunks(FILE *stream, const struct mt_network *network)
{
    for (int i = 0; i < network->switches; i++)
        fprintf(stream,
                "<link id=\"trunk %d\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
                "sharing_policy=\"SPLITDUPLEX\"/>\n",
                i, network->trunk_bandwidth, network->trunk_latency / 2);
    for (int from = 0; from < network->switches; from++)
        for (int to = 0; to < network->switches; to++) {
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

int mt_platform_write(const struct mt_launch *launch, FILE *stream,
                      struct mt_error *err)
{
    const struct mt_network *network = &launch->cluster->network;

    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
          stream);
    if (network->switches > 1) {
        fputs("<zone id=\"cluster\" routing=\"Full\">\n", stream);
        for (int i = 0; i < network->switches; i++)
            write_switch(stream, launch, i);
        write_trunks(stream, network);
        fputs("</zone>\n", stream);
    } else {
        write_switch(stream, launch, 0);
    }
    fputs("</platform>\n", stream);
    if (ferror(stream))
        return mt_fail(err, MT_EIO, "writing the simulated platform failed");
    return MT_OK;
}
