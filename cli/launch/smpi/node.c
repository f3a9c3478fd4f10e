/* SPDX-License-Identifier: BSD-3-Clause */
#include "node.h"

#include "noise.h"

/* Between processes of one node, where the cluster file does not say. */
static const double loopback_latency = 0.5e-6, loopback_bandwidth = 5e9;

void mt_platform_name(char name[MT_PLATFORM_NAME], int group, int node)
{
    snprintf(name, MT_PLATFORM_NAME, "%d.%d", group, node);
}

/* The host has a core for each of its processes: that they share fewer is part of the
   time that apps/common/work.h charges, as ranks that wait take their share, too. */
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
        fprintf(stream, "%s%.0f:%g%s", i ? " " : "", node->caches[i].bytes,
                node->caches[i].slowdown, node->caches[i].gradual ? ":g" : "");
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
               network->latency / 2, network->half_duplex ? "SHARED" : "SPLITDUPLEX");
    write_link(stream, "loopback", host,
               value_or(node->loopback_bandwidth, loopback_bandwidth) * share,
               value_or(node->loopback_latency, loopback_latency), "FATPIPE");
}

void mt_platform_write_node(FILE *stream, const struct mt_launch *launch, int group,
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

void mt_platform_write_loopback(FILE *stream, int group, int index)
{
    char name[MT_PLATFORM_NAME];
    mt_platform_name(name, group, index);
    fprintf(stream,
            "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"loopback %s\"/></route>\n",
            name, name, name);
}

void mt_platform_write_nodes(FILE *stream, const struct mt_launch *launch)
{
    const double speed = mt_noise_speed(launch, 0);
    for (int i = 0; i < launch->configuration->use[0].nodes; i++)
        mt_platform_write_node(stream, launch, 0, i, speed);
}

void mt_platform_write_loopbacks(FILE *stream, const struct mt_launch *launch)
{
    for (int i = 0; i < launch->configuration->use[0].nodes; i++)
        mt_platform_write_loopback(stream, 0, i);
}
