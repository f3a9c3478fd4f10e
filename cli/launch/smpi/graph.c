/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform.h"

#include "node.h"

/* The ring of routers, one for each node: all of them, or from the first node in use to
   the last one. */
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

static void write_node_routes(FILE *stream, int node)
{
    char name[MT_PLATFORM_NAME];
    mt_platform_name(name, 0, node);
    fprintf(stream,
            "<route src=\"%s\" dst=\"router %d\" symmetrical=\"NO\">"
            "<link_ctn id=\"link %s\" direction=\"UP\"/></route>\n"
            "<route src=\"router %d\" dst=\"%s\" symmetrical=\"NO\">"
            "<link_ctn id=\"link %s\" direction=\"DOWN\"/></route>\n",
            name, node, name, node, name, name);
}

static void write_hop_routes(FILE *stream, int from, int to)
{
    fprintf(stream,
            "<route src=\"router %d\" dst=\"router %d\" symmetrical=\"NO\">"
            "<link_ctn id=\"hop %d\" direction=\"UP\"/></route>\n"
            "<route src=\"router %d\" dst=\"router %d\" symmetrical=\"NO\">"
            "<link_ctn id=\"hop %d\" direction=\"DOWN\"/></route>\n",
            from, to, from, to, from, from);
}

void mt_platform_write_torus(FILE *stream, const struct mt_launch *launch)
{
    const struct ring ring = ring_of(launch);
    fputs("<zone id=\"torus\" routing=\"DijkstraCache\">\n", stream);
    mt_platform_write_nodes(stream, launch);
    for (int i = 0; i < ring.nodes; i++)
        fprintf(stream, "<router id=\"router %d\"/>\n", i);
    for (int i = 0; i < ring.hops; i++)
        write_hop_link(stream, &launch->cluster->network, i);
    mt_platform_write_loopbacks(stream, launch);
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

/* From a switch to one of the next stage, or to a node. */
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
    for (int port = 0; port < omega->ports; port++) {
        if (at->first + port * at->each >= omega->used)
            break;
        write_port(stream, omega, at, port);
    }
}

typedef void write_one(FILE *stream, const struct omega *omega,
                       const struct omega_switch *at);

/* All switches that messages between the nodes in use pass. */
static void write_each(FILE *stream, const struct omega *omega, write_one *write)
{
    /* The beginnings of a receiver's number that switches of a stage know, and the ends
       of a sender's. */
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
    char node[MT_PLATFORM_NAME];
    for (int i = 0; i < omega->used; i++) {
        mt_platform_name(node, 0, i);
        fprintf(stream,
                "<route src=\"%s\" dst=\"switch 0.%ld\" symmetrical=\"NO\">"
                "<link_ctn id=\"link %s\" direction=\"UP\"/></route>\n",
                node, i % omega->switches, node);
    }
}

void mt_platform_write_multistage(FILE *stream, const struct mt_launch *launch)
{
    const struct omega omega = omega_of(launch);
    fputs("<zone id=\"multistage\" routing=\"DijkstraCache\">\n", stream);
    mt_platform_write_nodes(stream, launch);
    write_each(stream, &omega, write_omega_switch);
    mt_platform_write_loopbacks(stream, launch);
    write_ways_in(stream, &omega);
    write_each(stream, &omega, write_ports);
    fputs("</zone>\n", stream);
}
