/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform.h"

#include "lib/stats/random.h"

#include "lib/input/internal.h"

#include <math.h>
#include <stdint.h>

/* `state` with `value` mixed in. */
static uint64_t mix(uint64_t state, uint64_t value)
{
    return mt_random_hash(state ^ value);
}

static uint64_t mix_text(uint64_t state, const char *text)
{
    while (*text)
        state = mix(state, (unsigned char)*text++);
    return mix(state, 0);
}

/* Log-normal with a median of 1 (Box and Muller's method). */
static double noise_factor(const struct mt_launch *launch, double deviation)
{
    uint64_t state = mix(launch->seed, (uint64_t)launch->size);
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_use *use = &launch->configuration->use[g];
        state = mix(mix(state, (uint64_t)use->nodes), (uint64_t)use->layout.processes);
        if (use->layout.threads > 0)
            state = mix(state, (uint64_t)use->layout.threads);
    }
    const double radius = sqrt(-2 * log(mt_random_open(state)));
    return exp(deviation * radius * cos(2 * M_PI * mt_random_open(mix(state, 1))));
}

static int most_ranks(const struct mt_cluster *cluster)
{
    int ranks = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        ranks += group->nodes * group->layouts[group->nlayouts - 1].processes;
    }
    return ranks;
}

static uint64_t lot(uint64_t names, double size, int ranks)
{
    return mix(mix(names, (uint64_t)size), (uint64_t)ranks);
}

/* Whether the launch's (N, P) is a glitch of its program: all pairs that may run, of
   sizes that are measured, draw lots, and the smallest ones are glitches. */
static bool is_glitch(const struct mt_launch *launch)
{
    const struct mt_program *program = launch->program;
    const int most = most_ranks(launch->cluster);
    const uint64_t names = mix_text(mix_text(0, launch->cluster->name), program->name);
    const uint64_t own =
        lot(names, launch->size, mt_configuration_ranks(launch->configuration));

    bool measured = false;
    int smaller = 0;
    for (int i = 0; i < program->nmeasure_sizes; i++) {
        const double size = program->measure_sizes[i];
        measured |= size == launch->size;
        for (int ranks = 1; ranks <= most; ranks++)
            smaller +=
                lot(names, size, ranks) < own && mt_program_valid(program, size, ranks);
    }
    return measured && smaller < launch->cluster->glitches.count;
}

double mt_noise_speed(const struct mt_launch *launch, int group)
{
    const struct mt_cluster *cluster = launch->cluster;
    const double speed = noise_factor(launch, cluster->groups[group].simulate.noise);
    const bool slow = cluster->glitches.count > 0 && is_glitch(launch);
    return slow ? speed / cluster->glitches.slowdown : speed;
}

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
                       struct mt_layout layout)
{
    const int processes = layout.processes;
    fprintf(stream, "<host id=\"%s\" speed=\"%.17gf\" core=\"%d\">\n", name,
            node->flops * speed, processes);
    fprintf(stream, "  <prop id=\"processes\" value=\"%d\"/>\n", processes);
    if (layout.threads > 0)
        fprintf(stream, "  <prop id=\"threads\" value=\"%d\"/>\n", layout.threads);
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
    const struct mt_layout layout = launch->configuration->use[group].layout;
    char name[MT_PLATFORM_NAME];
    const bool odd = node->odd.number == index + 1;
    mt_platform_name(name, group, index);
    write_host(stream, name, node, odd ? speed / node->odd.slowdown : speed, layout);
    write_links(stream, name, node, layout.processes, &launch->cluster->network,
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
