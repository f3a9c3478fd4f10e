/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow.h"

#include <math.h>
#include <stdlib.h>

/*
 * A node that sends s and receives r bytes a second has
 *
 *     s + (exchange - 1) r <= bandwidth   and   (exchange - 1) s + r <= bandwidth
 *
 * so that both at once take `exchange` times as long as one. Each is a port: the one
 * takes a sent byte whole and a received one at exchange - 1, the other vice versa.
 */
enum side { SENDING, RECEIVING, SIDES };

struct mt_partition_port {
    double free;      /* bandwidth that nobody has yet */
    double wanted;    /* by messages whose speed is not known yet, each counted as what
                         it takes of a byte here */
    int flows[SIDES]; /* the rank's first one as sender, as receiver; -1: none; used of
                         its sending port only */
};

/* What rounding may leave of a flow that has passed. */
static const double nothing = 1e-9;

int mt_partition_flows_init(struct mt_partition_flows *flows, int ranks,
                            const struct mt_partition_network *network,
                            struct mt_error *err)
{
    *flows = (struct mt_partition_flows){.network = network, .ranks = ranks};
    flows->ports = calloc((size_t)ranks * SIDES, sizeof *flows->ports);
    flows->busy = calloc((size_t)ranks * SIDES, sizeof *flows->busy);
    return flows->ports && flows->busy
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
}

void mt_partition_flows_clear(struct mt_partition_flows *flows)
{
    free(flows->flows);
    free(flows->ports);
    free(flows->busy);
    free(flows->next);
    *flows = (struct mt_partition_flows){0};
}

int mt_partition_flows_begin(struct mt_partition_flows *flows,
                             const struct mt_partition_flow *flow, struct mt_error *err)
{
    if (flows->count == flows->room) {
        const size_t room = flows->room > 0 ? 2 * (size_t)flows->room : 64;
        struct mt_partition_flow *more = realloc(flows->flows, room * sizeof *more);
        if (more)
            flows->flows = more;
        int *next = realloc(flows->next, room * SIDES * sizeof *next);
        if (next)
            flows->next = next;
        if (!more || !next)
            return mt_fail(err, MT_ENOMEM, "no memory for %zu messages", room);
        flows->room = (int)room;
    }
    struct mt_partition_flow *begun = &flows->flows[flows->count++];
    *begun = *flow;
    begun->left = begun->bytes;
    flows->changed = true;
    return MT_OK;
}

/* What a flow takes of its sender's or its receiver's port of a side, a byte. */
static double use(const struct mt_partition_flows *flows, enum side role,
                  enum side side)
{
    return role == side ? 1 : flows->network->exchange - 1;
}

static struct mt_partition_port *port_of(const struct mt_partition_flows *flows,
                                         int rank, enum side side)
{
    return &flows->ports[rank * SIDES + (int)side];
}

/* Add to what is wanted, and to what is free, at the four ports of the flow. */
static void change_ports(struct mt_partition_flows *flows,
                         const struct mt_partition_flow *flow, double wanted,
                         double free)
{
    const int ranks[SIDES] = {flow->from, flow->to};
    for (int role = 0; role < SIDES; role++)
        for (int side = 0; side < SIDES; side++) {
            struct mt_partition_port *port =
                port_of(flows, ranks[role], (enum side)side);
            const double part = use(flows, (enum side)role, (enum side)side);
            port->wanted += wanted * part;
            port->free += free * part;
        }
}

static void prepare_ports(struct mt_partition_flows *flows)
{
    /* one after the other: both ports of a node are the same */
    const int step = flows->network->exchange < 2 ? 1 : SIDES;
    flows->nbusy = 0;
    for (int i = 0; i < flows->ranks * SIDES; i++)
        flows->ports[i] = (struct mt_partition_port){.free = flows->network->bandwidth,
                                                     .flows = {-1, -1}};
    for (int i = 0; i < flows->ranks * SIDES; i += step)
        flows->busy[flows->nbusy++] = i;
    for (int i = 0; i < flows->count; i++) {
        struct mt_partition_flow *flow = &flows->flows[i];
        flow->speed = -1; /* not known */
        const int ranks[SIDES] = {flow->from, flow->to};
        for (int role = 0; role < SIDES; role++) {
            int *first = &port_of(flows, ranks[role], SENDING)->flows[role];
            flows->next[i * SIDES + role] = *first;
            *first = i;
        }
        change_ports(flows, flow, flow->messages, 0);
    }
}

/* The port whose messages get least; -1 when all speeds are known. Ports that nobody
   wants any more are forgotten. */
static int find_bottleneck(struct mt_partition_flows *flows, double *share)
{
    int found = -1, kept = 0;
    *share = INFINITY;
    for (int i = 0; i < flows->nbusy; i++) {
        const int busy = flows->busy[i];
        const struct mt_partition_port *port = &flows->ports[busy];
        if (port->wanted <= nothing)
            continue;
        flows->busy[kept++] = busy;
        if (port->free < *share * port->wanted) {
            *share = port->free / port->wanted;
            found = busy;
        }
    }
    flows->nbusy = kept;
    return found;
}

/* Give each message at the rank that has no speed yet the share. */
static void settle(struct mt_partition_flows *flows, int port, double share)
{
    const int rank = port / SIDES;
    const enum side side = (enum side)(port % SIDES);
    for (int role = 0; role < SIDES; role++) {
        if (use(flows, (enum side)role, side) <= 0)
            continue;
        for (int i = port_of(flows, rank, SENDING)->flows[role]; i >= 0;
             i = flows->next[i * SIDES + role]) {
            struct mt_partition_flow *flow = &flows->flows[i];
            if (flow->speed >= 0)
                continue;
            flow->speed = fmax(share, 0) * flow->messages;
            change_ports(flows, flow, -flow->messages, -flow->speed);
        }
    }
    flows->ports[port].wanted = 0;
}

static void find_speeds(struct mt_partition_flows *flows)
{
    double share = 0;
    prepare_ports(flows);
    for (int port; (port = find_bottleneck(flows, &share)) >= 0;)
        settle(flows, port, share);
    flows->changed = false;
}

double mt_partition_flows_next(struct mt_partition_flows *flows)
{
    if (flows->changed)
        find_speeds(flows);
    double next = INFINITY;
    for (int i = 0; i < flows->count; i++)
        next = fmin(next, flows->flows[i].left / flows->flows[i].speed);
    return next;
}

double mt_partition_flows_use(struct mt_partition_flows *flows, int rank)
{
    if (flows->changed)
        find_speeds(flows);
    if (flows->count == 0)
        return 0;
    const double free = fmin(port_of(flows, rank, SENDING)->free,
                             port_of(flows, rank, RECEIVING)->free);
    return 1 - fmax(free, 0) / flows->network->bandwidth;
}

void mt_partition_flows_pass(struct mt_partition_flows *flows, double seconds)
{
    for (int i = 0; i < flows->count; i++)
        flows->flows[i].left -= seconds * flows->flows[i].speed;
}

bool mt_partition_flows_take(struct mt_partition_flows *flows,
                             struct mt_partition_flow *ended)
{
    for (int i = flows->count - 1; i >= 0; i--)
        if (flows->flows[i].left <= nothing * flows->flows[i].bytes) {
            *ended = flows->flows[i];
            flows->flows[i] = flows->flows[--flows->count];
            flows->changed = true;
            return true;
        }
    return false;
}

double mt_partition_barrier_seconds(const struct mt_partition_network *network,
                                    int ranks)
{
    return ceil(log2(ranks)) * network->latency; /* by dissemination */
}
