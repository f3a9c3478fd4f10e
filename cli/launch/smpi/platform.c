/* SPDX-License-Identifier: BSD-3-Clause */
/* SimGrid's platform: nodes with their links and noise, and the zones, links and routes
   between them. */
#include "platform.h"

#include "lib/input/internal.h"
#include "lib/stats/random.h"

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

static uint64_t lot(uint64_t names, double size, int ranks)
{
    return mix(mix(names, (uint64_t)size), (uint64_t)ranks);
}

/* Whether the launch's (N, P) is a glitch of its program: all possible pairs of
   measured sizes get random numbers, and those with the smallest ones are glitches. */
static bool is_glitch(const struct mt_launch *launch)
{
    const struct mt_program *program = launch->program;
    const uint64_t names = mix_text(mix_text(0, launch->cluster->name), program->name);
    const uint64_t own =
        lot(names, launch->size, mt_configuration_ranks(launch->configuration));

    bool measured = false;
    int smaller = 0, most = 0;
    for (int g = 0; g < launch->cluster->ngroups; g++) {
        const struct mt_group *group = &launch->cluster->groups[g];
        most += group->nodes * group->layouts[group->nlayouts - 1].processes;
    }
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

/* Defaults between processes of one node. */
static const double loopback_latency = 0.5e-6, loopback_bandwidth = 5e9;

void mt_platform_name(char name[MT_PLATFORM_NAME], int group, int node)
{
    snprintf(name, MT_PLATFORM_NAME, "%d.%d", group, node);
}

/* The host has a core for each of its processes: sharing fewer cores is part of the
   time that apps/common/work.h charges, as waiting ranks take their share, too. */
static void write_host(FILE *stream, const char *name, const struct mt_launch *launch,
                       int group, double speed)
{
    const struct mt_simulated_node *node = &launch->cluster->groups[group].simulate;
    const struct mt_layout layout = launch->configuration->use[group].layout;
    const struct mt_incast *incast = &launch->cluster->network.incast;
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
    fputs("\"/>\n", stream);
    if (incast->nsteps > 0 &&
        mt_configuration_nodes(launch->configuration) >= incast->nodes) {
        fputs("  <prop id=\"incast\" value=\"", stream);
        for (int i = 0; i < incast->nsteps; i++)
            fprintf(stream, "%s%.0f:%g", i ? " " : "", incast->steps[i].from,
                    incast->steps[i].delay);
        fputs("\"/>\n", stream);
    }
    fputs("</host>\n", stream);
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
    /* Messages also take processor time, unless the network says otherwise: a process
       with half a core sends at half the speed. A message passes the links of two
       nodes. */
    const double share = processes > node->cores ? (double)node->cores / processes : 1;
    const double sent = network->offload ? 1 : share;
    write_link(stream, "link", host, network->bandwidth * sent / link_slowdown,
               network->latency / 2, network->half_duplex ? "SHARED" : "SPLITDUPLEX");
    write_link(stream, "loopback", host,
               value_or(node->loopback_bandwidth, loopback_bandwidth) * share,
               value_or(node->loopback_latency, loopback_latency), "FATPIPE");
}

static void write_node(FILE *stream, const struct mt_launch *launch, int group,
                       int index, double speed)
{
    const struct mt_simulated_node *node = &launch->cluster->groups[group].simulate;
    const struct mt_layout layout = launch->configuration->use[group].layout;
    char name[MT_PLATFORM_NAME];
    const bool odd = node->odd.number == index + 1;
    mt_platform_name(name, group, index);
    write_host(stream, name, launch, group, odd ? speed / node->odd.slowdown : speed);
    write_links(stream, name, node, layout.processes, &launch->cluster->network,
                odd ? node->odd.link_slowdown : 1);
}

static void write_loopback(FILE *stream, int group, int index)
{
    char name[MT_PLATFORM_NAME];
    mt_platform_name(name, group, index);
    fprintf(stream,
            "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"loopback %s\"/></route>\n",
            name, name, name);
}

static void write_nodes(FILE *stream, const struct mt_launch *launch)
{
    const double speed = mt_noise_speed(launch, 0);
    for (int i = 0; i < launch->configuration->use[0].nodes; i++)
        write_node(stream, launch, 0, i, speed);
}

static void write_loopbacks(FILE *stream, const struct mt_launch *launch)
{
    for (int i = 0; i < launch->configuration->use[0].nodes; i++)
        write_loopback(stream, 0, i);
}

/* A node whose link leads to the switch of its zone. */
static void write_wired_node(FILE *stream, const struct mt_launch *launch, int group,
                             int index, double speed)
{
    const bool half = launch->cluster->network.half_duplex;
    char name[MT_PLATFORM_NAME];
    write_node(stream, launch, group, index, speed);
    mt_platform_name(name, group, index);
    fprintf(stream, "<host_link id=\"%s\" up=\"link %s%s\" down=\"link %s%s\"/>\n",
            name, name, half ? "" : "_UP", name, half ? "" : "_DOWN");
}

/* The bandwidth of a switch as a whole, or of the bus; 0: never the limit. */
static double shared_bandwidth(const struct mt_network *network)
{
    return network->topology == MT_TOPOLOGY_BUS ? network->bandwidth
                                                : network->switch_bandwidth;
}

/* The number of switches that the run uses: those of the groups, or one per
   `switch_ports` nodes. */
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

/* The used nodes connected to the switch. */
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
            write_loopback(stream, g, i);
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

/*
 * Networks in which messages pass several switches: zones of the first group's nodes,
 * whose routers and links form a graph. SimGrid computes the shortest paths from a node
 * when it sends its first message, which is far less work than reading a route for each
 * pair.
 */

/* The ring of routers, one for each node: all, or those from the first node in use to
   the last. */
struct ring {
    int nodes, hops; /* hop i is from node i to the next one */
};

static struct ring ring_of(const struct mt_launch *launch)
{
    const struct mt_group *group = &launch->cluster->groups[0];
    const int all = group->nodes + group->down;
    const int used = launch->configuration->use[0].nodes;
    /* Within one half of the ring no message goes the other way round. */
    if (2 * (used - 1) <= all)
        return (struct ring){.nodes = used, .hops = used - 1};
    return (struct ring){.nodes = all, .hops = all};
}

static void write_hop_link(FILE *stream, const struct mt_network *network, int hop)
{
    fprintf(stream,
            "<link id=\"hop %d\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" "
            "sharing_policy=\"SPLITDUPLEX\"/>\n",
            hop, network->hop_bandwidth, network->hop_latency);
}

/* The way from a point to the next one, by a link in a direction. */
static void write_route(FILE *stream, const char *from, const char *to,
                        const char *link, const char *direction)
{
    fprintf(stream,
            "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"%s\" direction=\"%s\"/></route>\n",
            from, to, link, direction);
}

static void write_node_routes(FILE *stream, int node)
{
    char name[MT_PLATFORM_NAME], router[32], link[64];
    mt_platform_name(name, 0, node);
    snprintf(router, sizeof router, "router %d", node);
    snprintf(link, sizeof link, "link %s", name);
    write_route(stream, name, router, link, "UP");
    write_route(stream, router, name, link, "DOWN");
}

static void write_hop_routes(FILE *stream, int from, int to)
{
    char first[32], second[32], link[32];
    snprintf(first, sizeof first, "router %d", from);
    snprintf(second, sizeof second, "router %d", to);
    snprintf(link, sizeof link, "hop %d", from);
    write_route(stream, first, second, link, "UP");
    write_route(stream, second, first, link, "DOWN");
}

static void write_torus(FILE *stream, const struct mt_launch *launch)
{
    const struct ring ring = ring_of(launch);
    fputs("<zone id=\"torus\" routing=\"DijkstraCache\">\n", stream);
    write_nodes(stream, launch);
    for (int i = 0; i < ring.nodes; i++)
        fprintf(stream, "<router id=\"router %d\"/>\n", i);
    for (int i = 0; i < ring.hops; i++)
        write_hop_link(stream, &launch->cluster->network, i);
    write_loopbacks(stream, launch);
    for (int i = 0; i < launch->configuration->use[0].nodes; i++)
        write_node_routes(stream, i);
    for (int i = 0; i < ring.hops; i++)
        write_hop_routes(stream, i, (i + 1) % ring.nodes);
    fputs("</zone>\n", stream);
}

/*
 * An omega network of n stages for up to ports^n nodes, whose numbers are written with
 * n digits of base `ports`. A message passes one switch of each stage, which replaces
 * the highest digit of the sender that is left by the next one of the receiver
 * (destination-tag routing). So the switch of stage k, from 0, is known by the n-1-k
 * lowest digits of the sender, followed by the k highest ones of the receiver.
 */
struct omega {
    int ports, stages;
    int used;        /* nodes 0 .. used-1 send and receive */
    long switches;   /* of a stage: ports^(stages-1) */
    double capacity; /* of a switch, bytes per second */
};

struct omega_switch {
    int stage;
    long number;      /* within the stage */
    long first, each; /* port i leads to `each` receivers from first + i * each on */
};

static struct omega omega_of(const struct mt_launch *launch)
{
    const struct mt_group *group = &launch->cluster->groups[0];
    const struct mt_network *network = &launch->cluster->network;
    struct omega omega = {.ports = network->switch_ports,
                          .stages = 1,
                          .used = launch->configuration->use[0].nodes,
                          .switches = 1,
                          .capacity = network->switch_bandwidth};
    while (omega.switches * omega.ports < group->nodes + group->down) {
        omega.switches *= omega.ports;
        omega.stages++;
    }
    return omega;
}

static void write_omega_switch(FILE *stream, const struct omega *omega,
                               const struct omega_switch *at)
{
    fprintf(stream,
            "<router id=\"switch %d.%ld\"/>\n"
            "<link id=\"capacity %d.%ld\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
            at->stage, at->number, at->stage, at->number, omega->capacity);
}

/* A route from a switch to one of the next stage, or to a node. */
static void write_port(FILE *stream, const struct omega *omega,
                       const struct omega_switch *at, int port)
{
    fprintf(stream, "<route src=\"switch %d.%ld\" ", at->stage, at->number);
    if (at->stage < omega->stages - 1) {
        const long others = at->number % (omega->switches / omega->ports);
        fprintf(stream,
                "dst=\"switch %d.%ld\" symmetrical=\"NO\">"
                "<link_ctn id=\"capacity %d.%ld\"/></route>\n",
                at->stage + 1, others * omega->ports + port, at->stage, at->number);
    } else {
        char node[MT_PLATFORM_NAME];
        mt_platform_name(node, 0, (int)at->first + port);
        fprintf(stream,
                "dst=\"%s\" symmetrical=\"NO\"><link_ctn id=\"capacity %d.%ld\"/>"
                "<link_ctn id=\"link %s\" direction=\"DOWN\"/></route>\n",
                node, at->stage, at->number, node);
    }
}

/* The ways to nodes in use. */
static void write_ports(FILE *stream, const struct omega *omega,
                        const struct omega_switch *at)
{
    for (int port = 0; port < omega->ports && at->first + port * at->each < omega->used;
         port++)
        write_port(stream, omega, at, port);
}

typedef void write_one(FILE *stream, const struct omega *omega,
                       const struct omega_switch *at);

/* All switches that messages between the nodes in use pass. */
static void write_each(FILE *stream, const struct omega *omega, write_one *write)
{
    /* The digits that number the switches of a stage: leading ones of a receiver,
       trailing ones of a sender. */
    long heads = 1, tails = omega->switches;
    for (int stage = 0; stage < omega->stages; stage++) {
        for (long tail = 0; tail < tails && tail < omega->used; tail++)
            for (long head = 0; head * tails * omega->ports < omega->used; head++)
                write(stream, omega,
                      &(struct omega_switch){stage, tail * heads + head,
                                             head * tails * omega->ports, tails});
        heads *= omega->ports;
        tails /= omega->ports;
    }
}

static void write_ways_in(FILE *stream, const struct omega *omega)
{
    char node[MT_PLATFORM_NAME], first[64], link[64];
    for (int i = 0; i < omega->used; i++) {
        mt_platform_name(node, 0, i);
        snprintf(first, sizeof first, "switch 0.%ld", i % omega->switches);
        snprintf(link, sizeof link, "link %s", node);
        write_route(stream, node, first, link, "UP");
    }
}

static void write_multistage(FILE *stream, const struct mt_launch *launch)
{
    const struct omega omega = omega_of(launch);
    fputs("<zone id=\"multistage\" routing=\"DijkstraCache\">\n", stream);
    write_nodes(stream, launch);
    write_each(stream, &omega, write_omega_switch);
    write_loopbacks(stream, launch);
    write_ways_in(stream, &omega);
    write_each(stream, &omega, write_ports);
    fputs("</zone>\n", stream);
}

void mt_platform_write(const struct mt_launch *launch, FILE *stream)
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
        write_torus(stream, launch);
        break;
    case MT_TOPOLOGY_MULTISTAGE:
        write_multistage(stream, launch);
        break;
    }
    fputs("</platform>\n", stream);
}
