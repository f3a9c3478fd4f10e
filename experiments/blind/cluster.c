/* SPDX-License-Identifier: BSD-3-Clause */
#include "cluster.h"

#include "experiments/common/random.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_GROUPS = 6, MOST_NODES = 24, MOST_CORES = 64 };
enum { FEWEST_NODES = 4, FEWEST_RANKS = 16 };

struct node {
    int nodes, cores;
    int processes[8], nprocesses;
    double flops;
};

/* Two digits, as people write. */
static double rounded(double value)
{
    const double unit = pow(10, floor(log10(value)) - 1);
    return round(value / unit) * unit;
}

/* Two or three groups are the rule. */
static int draw_group_count(struct random *random)
{
    static const double shares[MOST_GROUPS] = {0.12, 0.3, 0.26, 0.16, 0.1, 0.06};
    double left = random_between(random, 0, 1);
    int groups = 1;
    while (groups < MOST_GROUPS && (left -= shares[groups - 1]) > 0)
        groups++;
    return groups;
}

static int draw_cores(struct random *random, int most)
{
    static const int cores[] = {1, 2, 4, 6, 8, 12, 16, 24, 32, 48, MOST_CORES};
    int count = 0;
    while (count < (int)(sizeof cores / sizeof *cores) && cores[count] <= most)
        count++;
    return cores[random_integer(random, 0, count - 1)];
}

/* As sites write it: one a core; one and all; the powers of two; some of them; or, on
   old machines with one core, two as well, which share it. */
static void draw_processes(struct random *random, struct node *node)
{
    const int cores = node->cores, style = random_integer(random, 0, 3);
    int count = 0;
    if (cores == 1) {
        node->processes[count++] = 1;
        if (style == 0)
            node->processes[count++] = 2;
    } else if (style == 0) {
        node->processes[count++] = cores;
    } else {
        node->processes[count++] = 1;
        for (int m = 2; m < cores && style > 1 && count < 4; m *= style == 2 ? 2 : 4)
            node->processes[count++] = m;
        if (cores % 2 == 0 && node->processes[count - 1] < cores / 2 && style == 3)
            node->processes[count++] = cores / 2;
        node->processes[count++] = cores;
    }
    node->nprocesses = count;
}

/* `ranks`: no more than so many fit onto it. */
static void draw_node(struct random *random, struct node *node, int ranks)
{
    node->nodes = (int)random_log_between(random, 1, fmin(MOST_NODES, ranks) + 0.99);
    node->cores = draw_cores(random, ranks / node->nodes);
    draw_processes(random, node);
}

static void write_caches(FILE *stream, struct random *random)
{
    double size = rounded(random_log_between(random, 256, 4096));
    const int levels = random_integer(random, 0, 2);
    const bool gradual = random_chance(random, 0.5);
    if (levels == 0)
        return;
    fprintf(stream, "      caches:\n");
    for (int i = 0; i < levels; i++) {
        fprintf(stream, "        - {size: %.15g KiB, slowdown: %.3g%s}\n", size,
                random_between(random, 1.05, i ? 1.8 : 1.4),
                gradual ? ", gradual: true" : "");
        size = rounded(size * random_log_between(random, 4, 32));
    }
}

static void write_odd_node(FILE *stream, struct random *random, int nodes)
{
    fprintf(stream, "      odd: {node: %d, ", random_integer(random, 1, nodes));
    if (random_chance(random, 0.5))
        fprintf(stream, "slowdown: %.3g}\n", random_log_between(random, 1.05, 1.6));
    else
        fprintf(stream, "link_slowdown: %.3g}\n", random_log_between(random, 1.2, 4));
}

static void write_simulated(FILE *stream, struct random *random,
                            const struct node *node)
{
    fprintf(stream, "    simulate:\n      flops: %.15g Mf\n      cores: %d\n",
            rounded(node->flops / 1e6), node->cores);
    write_caches(stream, random);
    /* Half a byte to eight bytes an operation of one core, and less for each of many.
     */
    fprintf(stream, "      memory_bandwidth: %.15g MB/s\n",
            rounded(node->flops / 1e6 * random_log_between(random, 0.5, 4) *
                    pow(node->cores, 0.6)));
    if (node->processes[node->nprocesses - 1] > node->cores)
        fprintf(stream, "      oversubscription: %.2g\n",
                random_between(random, 0.01, 0.2));
    fprintf(stream, "      noise: %.2g\n", random_between(random, 0.001, 0.05));
    fprintf(stream, "      loopback: {latency: %.2g us, bandwidth: %.15g MB/s}\n",
            random_log_between(random, 0.3, 8),
            rounded(random_log_between(random, 300, 10000)));
    if (node->nodes > 1 && random_chance(random, 0.08))
        write_odd_node(stream, random, node->nodes);
}

static void write_group(FILE *stream, struct random *random, const struct node *node,
                        int number, int network_switch, double memory)
{
    fprintf(stream, "  - name: %c\n    nodes: %d\n    processes: [", 'a' + number,
            node->nodes);
    for (int i = 0; i < node->nprocesses; i++)
        fprintf(stream, "%s%d", i ? ", " : "", node->processes[i]);
    fprintf(stream, "]\n    memory: %.15g MiB\n", memory);
    if (network_switch > 0)
        fprintf(stream, "    switch: s%d\n", network_switch);
    write_simulated(stream, random, node);
}

/* The first two groups are on different ones. */
static int draw_switch(struct random *random, int group)
{
    return group < 2 ? group + 1 : random_integer(random, 1, 3);
}

/* From the Ethernet of offices to the networks of machines that are bought for it: slow
   ones are late as well. */
static void write_network(FILE *stream, struct random *random, bool trunk)
{
    const double speed = random_between(random, 0, 1);
    const double bandwidth = rounded(40 * pow(150, speed));
    const double latency =
        rounded(60 * pow(1.0 / 40, speed) * random_log_between(random, 0.6, 1.7));
    fprintf(stream, "network:\n  latency: %.15g us\n  bandwidth: %.15g MB/s\n", latency,
            bandwidth);
    if (random_chance(random, 0.25))
        fprintf(stream, "  protocol: none\n");
    if (random_chance(random, 0.1))
        fprintf(stream, "  duplex: half\n");
    if (trunk)
        fprintf(stream, "  trunk: {latency: %.15g us, bandwidth: %.15g MB/s}\n",
                rounded(latency * random_log_between(random, 0.3, 20)),
                rounded(bandwidth * random_log_between(random, 0.1, 10)));
}

/* Each group takes a random part of what is left of the ranks. Returns their number. */
static int draw_nodes(struct random *random, struct node *nodes, int groups, int most)
{
    int ranks = 0;
    for (int g = 0; g < groups; g++) {
        const int left = most - ranks - (groups - 1 - g);
        const double part = g == groups - 1 ? 1 : random_between(random, 0.2, 0.9);
        nodes[g] = (struct node){0};
        draw_node(random, &nodes[g], (int)fmax(1, left * part));
        ranks += nodes[g].nodes * nodes[g].processes[nodes[g].nprocesses - 1];
    }
    return ranks;
}

static int count_nodes(const struct node *nodes, int groups)
{
    int count = 0;
    for (int g = 0; g < groups; g++)
        count += nodes[g].nodes;
    return count;
}

/* What leaves next to nothing to choose from is no cluster: it is drawn again. */
static int draw_groups(struct random *random, struct node *nodes, int *ranks)
{
    const int groups = draw_group_count(random);
    const int most = (int)random_log_between(random, 24, 160);
    do {
        *ranks = draw_nodes(random, nodes, groups, most);
    } while (*ranks < FEWEST_RANKS || count_nodes(nodes, groups) < FEWEST_NODES);
    return groups;
}

struct drawn_cluster draw_cluster(FILE *stream, uint64_t seed)
{
    struct random random = random_make(seed, "cluster");
    struct drawn_cluster drawn = {.memory = INFINITY};
    struct node nodes[MOST_GROUPS];
    const int groups = draw_groups(&random, nodes, &drawn.ranks);
    const bool several = groups > 1 && random_chance(&random, 0.4);
    const double fastest = random_log_between(&random, 0.5e9, 20e9);
    fprintf(stream,
            "# A random cluster: experiments/blind, seed %llu; simulated.\n"
            "name: blind-%llu\nlauncher: smpi\ngroups:\n",
            (unsigned long long)seed, (unsigned long long)seed);
    for (int g = 0; g < groups; g++) {
        struct node *node = &nodes[g];
        node->flops = fastest / random_log_between(&random, 1, 10);
        /* Enough for most, too little for some. */
        const double memory =
            rounded(512 * node->cores * random_log_between(&random, 0.5, 4));
        write_group(stream, &random, node, g, several ? draw_switch(&random, g) : 0,
                    memory);
        drawn.flops += node->nodes * node->cores * node->flops;
        drawn.memory = fmin(drawn.memory, memory * 1048576);
    }
    write_network(stream, &random, several);
    if (random_chance(&random, 0.15))
        fprintf(stream, "glitches: {count: %d, slowdown: %.2g}\n",
                random_integer(&random, 1, 4), random_between(&random, 1.2, 2.5));
    return drawn;
}
