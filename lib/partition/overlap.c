/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts a product whose ranks advance independently; concurrent messages share
   bandwidth by max-min fairness. */
#include "overlap.h"

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
    double free;      /* unallocated bandwidth */
    double wanted;    /* by messages without a speed yet, weighted by their use of this
                         port per byte */
    int flows[SIDES]; /* the rank's first flow as sender, as receiver; -1: none; only
                         its sending port has them */
};

/* The part of a finished flow that rounding may leave. */
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

/* The use, per byte, of its sender's or its receiver's port of a side by a flow. */
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

/* Add to `wanted` and `free` of the four ports of the flow. */
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
    /* exchange 2: both ports of a node are the same */
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

/* The port whose messages get the least; -1 when all speeds are known. Ports without
   waiting messages are dropped. */
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

/* Give the share to each message at the rank that has no speed yet. */
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

/* A rank multiplies in a phase while its parts for the next one are on their way, more
   slowly as far as messages need its processor. */
struct racing_rank {
    int phase;      /* the current one; -1: before the first */
    double left;    /* work left in it, in seconds of a rank without messages */
    double idle_at; /* when its work ends, or ended, with the current messages */
    double ask_at;  /* when the messages for the next phase begin; infinite: they have
                       begun */
    int expected;   /* outstanding messages for the next phase */
    double sent_at; /* when the last of its own messages had left */
};

struct race {
    struct mt_partition_prediction *prediction;
    struct racing_rank *runners;
    double now;
};

static const int *find_parcels(const struct mt_partition_work *work, int rank,
                               int phase)
{
    return work->starts + (size_t)phase * (size_t)work->ranks + (size_t)rank;
}

/* Request the parts for the phase after the one that the rank begins. */
static void ask(struct race *race, int rank)
{
    const struct mt_partition_work *work = &race->prediction->work;
    struct racing_rank *runner = &race->runners[rank];
    if (runner->phase + 1 == work->phases)
        return;
    const int *parcels = find_parcels(work, rank, runner->phase + 1);
    runner->expected = parcels[1] - parcels[0];
    if (runner->expected > 0)
        runner->ask_at = race->now + race->prediction->network->latency;
}

/* Begin phases as long as all their parts have arrived. */
static void go_on(struct race *race, int rank)
{
    const struct mt_partition_work *work = &race->prediction->work;
    struct racing_rank *runner = &race->runners[rank];
    while (runner->expected == 0 && runner->idle_at <= race->now &&
           runner->phase + 1 < work->phases) {
        runner->phase++;
        const int place = runner->phase * work->ranks + rank;
        race->prediction->times[rank].compute += work->seconds[place];
        runner->left = work->seconds[place] + work->fresh[place];
        runner->idle_at = race->now + runner->left;
        ask(race, rank);
    }
}

static int begin_flows(struct race *race, int rank, struct mt_error *err)
{
    const struct mt_partition_work *work = &race->prediction->work;
    struct racing_rank *runner = &race->runners[rank];
    const int *parcels = find_parcels(work, rank, runner->phase + 1);
    int status = MT_OK;
    for (int i = parcels[0]; i < parcels[1] && status == MT_OK; i++) {
        const struct mt_partition_parcel *parcel = &work->parcels[i];
        const struct mt_partition_flow flow = {parcel->from, rank, parcel->messages,
                                               .bytes = parcel->bytes};
        status = mt_partition_flows_begin(&race->prediction->flows, &flow, err);
    }
    runner->ask_at = INFINITY;
    return status;
}

/* The time of the next event; infinite: all ranks have ended. */
static double find_next(const struct race *race)
{
    double next = race->now + mt_partition_flows_next(&race->prediction->flows);
    for (int rank = 0; rank < race->prediction->work.ranks; rank++) {
        const struct racing_rank *runner = &race->runners[rank];
        next = fmin(next, runner->ask_at);
        if (runner->idle_at > race->now)
            next = fmin(next, runner->idle_at);
    }
    return next;
}

/* The rank's speed of computing during its messages. */
static double find_pace(struct race *race, int rank)
{
    struct mt_partition_prediction *prediction = race->prediction;
    const double overlap = fmax(prediction->network->overlap, 0); /* NaN becomes 0 */
    return overlap >= 1
               ? 1
               : 1 - (1 - overlap) * mt_partition_flows_use(&prediction->flows, rank);
}

/* Compute until the next event, at the pace that the current messages set. */
static void compute(struct race *race, double next)
{
    for (int rank = 0; rank < race->prediction->work.ranks; rank++) {
        struct racing_rank *runner = &race->runners[rank];
        if (runner->idle_at > next)
            runner->left -= (next - race->now) * find_pace(race, rank);
        else
            runner->left = 0;
    }
}

/* Messages have begun or ended: ranks that compute get faster or slower. */
static void set_pace(struct race *race)
{
    for (int rank = 0; rank < race->prediction->work.ranks; rank++) {
        struct racing_rank *runner = &race->runners[rank];
        if (runner->left > 0)
            runner->idle_at = race->now + runner->left / find_pace(race, rank);
    }
}

static int happen(struct race *race, double next, struct mt_error *err)
{
    struct mt_partition_flows *flows = &race->prediction->flows;
    struct mt_partition_flow ended;
    compute(race, next);
    mt_partition_flows_pass(flows, next - race->now);
    race->now = next;
    while (mt_partition_flows_take(flows, &ended)) {
        race->runners[ended.to].expected--;
        race->runners[ended.from].sent_at = next;
    }
    int status = MT_OK;
    for (int rank = 0; rank < race->prediction->work.ranks && status == MT_OK; rank++) {
        if (race->runners[rank].ask_at <= next)
            status = begin_flows(race, rank, err);
        go_on(race, rank);
    }
    set_pace(race);
    return status;
}

/* The rank ends when it has computed and sent everything. */
static double find_end(const struct racing_rank *runner)
{
    return fmax(runner->idle_at, runner->sent_at);
}

static void finish(struct race *race)
{
    struct mt_partition_prediction *prediction = race->prediction;
    const int ranks = prediction->work.ranks;
    for (int rank = 0; rank < ranks; rank++)
        prediction->seconds = fmax(prediction->seconds, find_end(&race->runners[rank]));
    prediction->seconds += mt_partition_barrier_seconds(prediction->network, ranks);
    for (int rank = 0; rank < ranks; rank++) {
        struct mt_partition_times *times = &prediction->times[rank];
        const double end = find_end(&race->runners[rank]);
        times->communication = end - times->compute;
        times->waiting = prediction->seconds - end;
    }
}

int mt_partition_predict_overlap(struct mt_partition_prediction *prediction,
                                 struct mt_error *err)
{
    const int ranks = prediction->work.ranks;
    struct race race = {.prediction = prediction};
    race.runners = calloc((size_t)ranks, sizeof *race.runners);
    if (!race.runners)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++) {
        race.runners[rank] = (struct racing_rank){.phase = -1, .ask_at = INFINITY};
        ask(&race, rank);
        go_on(&race, rank);
    }
    int status = MT_OK;
    for (double next; status == MT_OK && isfinite(next = find_next(&race));)
        status = happen(&race, next, err);
    finish(&race);
    free(race.runners);
    return status;
}
