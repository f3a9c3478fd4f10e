/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform.h"

#include <math.h>
#include <stdint.h>

/* Between processes of one node, where the cluster file does not say. */
static const double loopback_latency = 0.5e-6, loopback_bandwidth = 5e9;

void mt_platform_name(char name[MT_PLATFORM_NAME], int group, int node)
{
    snprintf(name, MT_PLATFORM_NAME, "%d.%d", group, node);
}

/* A step of splitmix64: `state` with `value` mixed in. */
static uint64_t mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    state = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ (state >> 27)) * UINT64_C(0x94d049bb133111eb);
    return state ^ (state >> 31);
}

static double uniform(uint64_t bits)
{
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}

/* What makes this run's noise differ from another's. */
static uint64_t noise_of(const struct mt_launch *launch)
{
    uint64_t state = mix(launch->seed, (uint64_t)launch->size);
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use *use = &launch->configuration->use[g];
        state = mix(mix(state, (uint64_t)use->nodes), (uint64_t)use->processes);
    }
    return state;
}

/* Log-normal with a median of 1 (Box and Muller's method). */
static double noise_factor(uint64_t state, int group, int node, double deviation)
{
    state = mix(mix(state, (uint64_t)group), (uint64_t)node);
    const double radius = sqrt(-2 * log(uniform(state)));
    return exp(deviation * radius * cos(2 * M_PI * uniform(mix(state, 1))));
}

/* The host has a core for each of its processes: that they share fewer is part of the
   time that apps/work.h charges, as ranks that wait take their share, too. */
static void write_host(FILE *stream, const char *name, double flops,
                       const struct mt_simulated_node *node, int processes)
{
    fprintf(stream, "<host id=\"%s\" speed=\"%.17gf\" core=\"%d\">\n", name, flops,
            processes);
    fprintf(stream, "  <prop id=\"processes\" value=\"%d\"/>\n", processes);
    fprintf(stream, "  <prop id=\"cores\" value=\"%d\"/>\n", node->cores);
    fprintf(stream, "  <prop id=\"oversubscription\" value=\"%g\"/>\n",
            node->oversubscription);
    fprintf(stream, "  <prop id=\"memory_bandwidth\" value=\"%g\"/>\n",
            node->memory_bandwidth);
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
                        const struct mt_network *network)
{
    /* Messages are the processor's work, too: a process that has half a core sends at
       half the speed. A message passes the links of two nodes. */
    const double share = processes > node->cores ? (double)node->cores / processes : 1;
    write_link(stream, "link", host, network->bandwidth * share, network->latency / 2,
               "SPLITDUPLEX");
    write_link(stream, "loopback", host,
               value_or(node->loopback_bandwidth, loopback_bandwidth) * share,
               value_or(node->loopback_latency, loopback_latency), "FATPIPE");
    fprintf(stream, "<host_link id=\"%s\" up=\"link %s_UP\" down=\"link %s_DOWN\"/>\n",
            host, host, host);
}

static void write_node(FILE *stream, const struct mt_launch *launch, int group,
                       int index)
{
    const struct mt_simulated_node *node = &launch->cluster->groups[group].simulate;
    const int processes = launch->configuration->use[group].processes;
    char name[MT_PLATFORM_NAME];
    mt_platform_name(name, group, index);
    const double factor = noise_factor(noise_of(launch), group, index, node->noise);
    write_host(stream, name, node->flops * factor, node, processes);
    write_links(stream, name, node, processes, &launch->cluster->network);
}

int mt_platform_write(const struct mt_launch *launch, FILE *stream,
                      struct mt_error *err)
{
    const struct mt_cluster *cluster = launch->cluster;

    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"cluster\" routing=\"Cluster\">\n",
          stream);
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < launch->configuration->use[g].nodes; i++)
            write_node(stream, launch, g, i);
    if (cluster->network.switch_bandwidth > 0)
        fprintf(stream,
                "<backbone id=\"switch\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
                cluster->network.switch_bandwidth);
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < launch->configuration->use[g].nodes; i++) {
            char name[MT_PLATFORM_NAME];
            mt_platform_name(name, g, i);
            fprintf(stream,
                    "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
                    "<link_ctn id=\"loopback %s\"/></route>\n",
                    name, name, name);
        }
    fputs("</zone>\n</platform>\n", stream);
    if (ferror(stream))
        return mt_fail(err, MT_EIO, "writing the simulated platform failed");
    return MT_OK;
}
