/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform_parts.h"

/*
 * An omega network of n stages for up to ports^n nodes, whose numbers are written with
 * n digits of base `ports`. A message passes one switch of each stage; with each it
 * replaces the highest digit of its sender that is left by the next one of its receiver
 * (destination-tag routing). So the switch of stage k, from 0, is known by the n-1-k
 * lowest digits of the sender, followed by the k highest ones of the receiver.
 */
struct omega {
    int ports, stages;
    int used;      /* nodes 0 .. used-1 send and receive */
    long switches; /* of a stage: ports^(stages-1) */
    double bandwidth;
};

static struct omega omega_of(const struct mt_launch *launch)
{
    const struct mt_group *group = &launch->cluster->groups[0];
    const struct mt_network *network = &launch->cluster->network;
    struct omega omega = {.ports = network->switch_ports,
                          .stages = 1,
                          .used = launch->configuration->use[0].nodes,
                          .switches = 1,
                          .bandwidth = network->switch_bandwidth};
    while (omega.switches * omega.ports < group->nodes + group->absent) {
        omega.switches *= omega.ports;
        omega.stages++;
    }
    return omega;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

static void write_route(FILE *stream, int stage, long from, long to)
{
    fprintf(stream,
            "<route src=\"switch %d.%ld\" dst=\"switch %d.%ld\" symmetrical=\"NO\">"
            "<link_ctn id=\"throughput %d.%ld\"/></route>\n",
            stage, from, stage + 1, to, stage, from);
}

/* Where the switch leads to: to the nodes behind the last stage, else to those switches
   of the next one that nodes in use are behind. `receivers` are as many as share the
   digits of the receiver that the switch's number ends with. */
static void write_ways_out(FILE *stream, const struct omega *omega, int stage,
                           long number, long receivers, long first)
{
    char name[MT_PLATFORM_NAME];
    for (int port = 0; port < omega->ports; port++) {
        const long receiver = first + port * (receivers / omega->ports);
        if (receiver >= omega->used)
            break;
        mt_platform_name(name, 0, (int)receiver);
        if (stage == omega->stages - 1)
            fprintf(stream,
                    "<route src=\"switch %d.%ld\" dst=\"%s\" symmetrical=\"NO\">"
                    "<link_ctn id=\"throughput %d.%ld\"/>"
                    "<link_ctn id=\"link %s\" direction=\"DOWN\"/></route>\n",
                    stage, number, name, stage, number, name);
        else
            write_route(stream, stage, number,
                        number % (omega->switches / omega->ports) * omega->ports +
                            port);
    }
}

/* The switches of a stage that messages between the nodes in use pass. */
static void write_stage(FILE *stream, const struct omega *omega, int stage,
                        void (*write)(FILE *, const struct omega *, int stage,
                                      long number, long receivers, long first))
{
    long heads = 1; /* ports^stage: how many beginnings of a receiver's number */
    for (int i = 0; i < stage; i++)
        heads *= omega->ports;
    const long tails = omega->switches / heads; /* ends of a sender's */
    const long receivers = tails * omega->ports;
    for (long tail = 0; tail < least(tails, omega->used); tail++)
        for (long head = 0; head * receivers < omega->used; head++)
            write(stream, omega, stage, tail * heads + head, receivers,
                  head * receivers);
}

static void write_switch(FILE *stream, const struct omega *omega, int stage,
                         long number, long receivers, long first)
{
    (void)receivers;
    (void)first;
    fprintf(stream,
            "<router id=\"switch %d.%ld\"/>\n"
            "<link id=\"throughput %d.%ld\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
            stage, number, stage, number, omega->bandwidth);
}

static void write_ways_in(FILE *stream, const struct omega *omega)
{
    char name[MT_PLATFORM_NAME];
    for (int i = 0; i < omega->used; i++) {
        mt_platform_name(name, 0, i);
        fprintf(stream,
                "<route src=\"%s\" dst=\"switch 0.%ld\" symmetrical=\"NO\">"
                "<link_ctn id=\"link %s\" direction=\"UP\"/></route>\n",
                name, i % omega->switches, name);
    }
}

void mt_platform_write_multistage(FILE *stream, const struct mt_launch *launch)
{
    const struct omega omega = omega_of(launch);
    fputs("<zone id=\"multistage\" routing=\"DijkstraCache\">\n", stream);
    mt_platform_write_nodes(stream, launch);
    for (int stage = 0; stage < omega.stages; stage++)
        write_stage(stream, &omega, stage, write_switch);
    mt_platform_write_loopbacks(stream, launch);
    write_ways_in(stream, &omega);
    for (int stage = 0; stage < omega.stages; stage++)
        write_stage(stream, &omega, stage, write_ways_out);
    fputs("</zone>\n", stream);
}
