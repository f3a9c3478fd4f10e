/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates ranks in a ring or grid that pass blocks on, message by message. */
#include "relay.h"

#include "tuning.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_EVENTS = 2 * MT_MOST_IN_TRANSIT };

/* An event: a rank has computed, or its message is on its way. */
struct event {
    double at;
    int rank, turn;
    bool sends;
};

/* The next event first. */
struct heap {
    struct event events[MOST_EVENTS];
    int count;
};

/* What a process of a grid does in a step, one after the other. */
enum doing {
    READY,
    GET_PART,
    PASS_PART,
    COMPUTE,
    GET_RESULT,
    ADD_RESULT,
    PASS_RESULT,
    DONE
};

struct followed {
    const struct mt_relay *relay;
    int ranks;
    int edge;       /* of a grid; 0: they are a ring */
    double compute; /* of a row with a row, seconds */
    bool waits;     /* the sender waits until a message has arrived */
    bool is_longer[MT_MOST_IN_TRANSIT];   /* part */
    int turn[MT_MOST_IN_TRANSIT];         /* in which a rank sends and receives, or did
                                             last */
    int left[MT_MOST_IN_TRANSIT];         /* ring: messages that it waits for */
    enum doing doing[MT_MOST_IN_TRANSIT]; /* grid */
    struct mt_transit transit;            /* of the message of each rank */
    struct heap events;
    int turns;
    double halfway; /* when all have come through half of the turns */
};

static void push(struct heap *heap, struct event event)
{
    int i = heap->count++;
    for (; i > 0 && heap->events[(i - 1) / 2].at > event.at; i = (i - 1) / 2)
        heap->events[i] = heap->events[(i - 1) / 2];
    heap->events[i] = event;
}

static struct event pop(struct heap *heap)
{
    const struct event first = heap->events[0], last = heap->events[--heap->count];
    int i = 0;
    for (int next = 1; next < heap->count; next = 2 * i + 1) {
        if (next + 1 < heap->count && heap->events[next + 1].at < heap->events[next].at)
            next++;
        if (heap->events[next].at >= last.at)
            break;
        heap->events[i] = heap->events[next];
        i = next;
    }
    heap->events[i] = last;
    return first;
}

static double rows_of(const struct followed *all, int part)
{
    return floor(all->relay->rows) + all->is_longer[part];
}

static void compute(struct followed *all, int rank, int turn, double seconds)
{
    push(&all->events, (struct event){all->transit.now + seconds, rank, turn, false});
}

/* Seconds to combine the rows of one part with those of another. */
static double product(const struct followed *all, int part, int other)
{
    return all->compute * rows_of(all, part) * rows_of(all, other);
}

static void start_message(struct followed *all, int sender, int receiver, int turn)
{
    const struct mt_relay *relay = all->relay;
    const double latency =
        relay->latency + relay->hop * mt_hops(relay->wiring, sender, receiver);
    push(&all->events, (struct event){all->transit.now + latency, sender, turn, true});
}

/* In a ring: */

static int next_of(const struct followed *all, int rank)
{
    return (rank + 1) % all->ranks;
}

/* The part that a rank receives in a turn, and sends on in the next. */
static int part_of(const struct followed *all, int rank, int turn)
{
    return (rank + all->ranks - turn % all->ranks) % all->ranks;
}

/* Start a message once its sender and receiver have reached the turn. */
static void begin_turn(struct followed *all, int rank, int turn)
{
    const int next = next_of(all, rank),
              previous = (rank + all->ranks - 1) % all->ranks;
    all->turn[rank] = turn;
    all->left[rank] = all->waits ? 2 : 1;
    if (all->turn[next] >= turn)
        start_message(all, rank, next, turn);
    if (all->turn[previous] >= turn)
        start_message(all, previous, rank, turn);
}

static void end_message(struct followed *all, int rank)
{
    if (--all->left[rank] == 0)
        compute(all, rank, all->turn[rank],
                product(all, rank, part_of(all, rank, all->turn[rank])));
}

/* In a grid, as in apps/matmul/grid.c: */

/* How many processes get the part of the current step before this one. */
static int before(const struct followed *all, int rank)
{
    const int row = rank / all->edge, column = rank % all->edge,
              step = all->turn[rank] % all->edge;
    return (row - column - step + 2 * all->edge) % all->edge;
}

static int neighbour(const struct followed *all, int rank, int rows, int columns)
{
    const int edge = all->edge;
    return (rank / edge + rows + edge) % edge * edge +
           (rank % edge + columns + edge) % edge;
}

/* The process that a process passes parts to, or receives them from. */
static int peer_of(const struct followed *all, int rank)
{
    switch (all->doing[rank]) {
    case GET_PART:
        return neighbour(all, rank, -1, 0);
    case PASS_PART:
        return neighbour(all, rank, 1, 0);
    case GET_RESULT:
        return neighbour(all, rank, 0, -1);
    case PASS_RESULT:
        return neighbour(all, rank, 0, 1);
    default:
        return -1;
    }
}

/* Whether a process has something to do. */
static bool has_to(const struct followed *all, int rank, enum doing doing)
{
    const int others = all->edge - 1, had = before(all, rank);
    switch (doing) {
    case GET_PART:
        return had > 0;
    case PASS_PART:
        return had < others;
    case GET_RESULT: /* the part's owner starts the sum, the last to get it goes on */
    case ADD_RESULT:
        return had > 0;
    case PASS_RESULT:
        return had != 1;
    default:
        return true;
    }
}

/* Let a process take its next action; a message starts once both ends are ready. */
static void go_on(struct followed *all, int rank)
{
    do {
        if (++all->doing[rank] < DONE)
            continue;
        if (++all->turn[rank] == all->turns / 2)
            all->halfway = all->transit.now;
        if (all->turn[rank] == all->turns)
            return;
        all->doing[rank] = GET_PART;
    } while (!has_to(all, rank, all->doing[rank]));
    const enum doing doing = all->doing[rank];
    const int row = rank / all->edge, turn = all->turn[rank];
    const double columns = rows_of(all, turn % all->edge) / all->relay->rows;
    if (doing == COMPUTE)
        compute(all, rank, turn, columns * product(all, row, rank % all->edge));
    if (doing == ADD_RESULT)
        compute(all, rank, turn,
                columns * all->relay->add * rows_of(all, row) / ceil(all->relay->rows));
    if (doing == COMPUTE || doing == ADD_RESULT)
        return;
    const int peer = peer_of(all, rank);
    if (peer_of(all, peer) != rank)
        return;
    if (doing == GET_PART || doing == GET_RESULT)
        start_message(all, peer, rank, turn);
    else
        start_message(all, rank, peer, turn);
}

static void happen(struct followed *all, struct event event)
{
    const int rank = event.rank;
    if (event.sends && all->edge > 0) {
        const bool is_part = all->doing[rank] == PASS_PART;
        const int longer =
            all->is_longer[event.turn % all->edge] +
            all->is_longer[is_part ? rank % all->edge : rank / all->edge];
        mt_transit_begin(&all->transit, rank, all->relay->way[longer], rank,
                         peer_of(all, rank));
    } else if (event.sends) {
        const int longer = all->is_longer[part_of(all, rank, event.turn - 1)];
        mt_transit_begin(&all->transit, rank, all->relay->way[longer], rank,
                         next_of(all, rank));
    } else if (all->edge > 0) {
        go_on(all, rank);
    } else {
        if (event.turn == all->turns / 2)
            all->halfway = all->transit.now;
        if (event.turn < all->turns)
            begin_turn(all, rank, event.turn + 1);
    }
}

static void arrive(struct followed *all, int sender)
{
    mt_transit_end(&all->transit, sender);
    if (all->edge > 0) {
        const int receiver = peer_of(all, sender);
        go_on(all, receiver);
        go_on(all, sender);
        return;
    }
    end_message(all, next_of(all, sender));
    if (all->waits)
        end_message(all, sender);
}

static void follow(struct followed *all)
{
    struct mt_transit *transit = &all->transit;
    for (int i = 0; i < all->ranks; i++)
        if (all->edge > 0)
            go_on(all, i);
        else
            compute(all, i, 0, product(all, i, i));
    while (all->events.count + transit->under_way > 0) {
        const double arrival = mt_transit_arrival(transit);
        /* also where a time is NaN, so that the loop ends */
        if (all->events.count > 0 && !(all->events.events[0].at > arrival)) {
            const struct event event = pop(&all->events);
            mt_transit_go_on(transit, event.at);
            happen(all, event);
        } else {
            mt_transit_go_on(transit, arrival);
            arrive(all, mt_transit_next(transit));
        }
    }
}

/* Find which of `parts` have one row more than the others. */
static void find_longer(struct followed *all, int parts)
{
    const double rows = all->relay->rows;
    double size = round(rows * parts); /* N; `rows` may be fractional */
    if (fmod(size, parts) == 0 && rows > floor(rows))
        size += size > rows * parts ? -1 : 1;
    for (int i = 0; i < parts; i++)
        all->is_longer[i] =
            floor(size * (i + 1) / parts) - floor(size * i / parts) > floor(rows);
}

double mt_relay_seconds(const struct mt_relay *relay)
{
    struct followed all = {.relay = relay, .waits = relay->bytes > eager};
    all.edge = (int)relay->edge;
    all.ranks = (int)fmin(round(relay->ranks), MT_MOST_IN_TRANSIT);
    const double others = relay->edge - 1;
    const double turns =
        all.edge > 0 ? relay->messages / (2 * others) : relay->messages;
    const int most = all.edge > 0 ? MOST_STEPS : MOST_MESSAGES / all.ranks;
    all.turns = (int)fmin(round(turns), most);
    all.transit.count = all.ranks;
    all.transit.room = relay->room * all.ranks / relay->ranks;
    all.transit.half_duplex =
        relay->wiring->half_duplex && all.edge == 0 && !relay->counted;
    if (relay->counted)
        mt_transit_count(&all.transit, relay->wiring);
    find_longer(&all, all.edge > 0 ? all.edge : all.ranks);
    const double adds = all.edge > 0 ? turns * others * relay->add : 0,
                 parts = all.edge > 0 ? turns : relay->ranks;
    const double rest = relay->compute - adds;
    all.compute = (rest < 0 ? 0 : rest) / (ceil(relay->rows) * relay->rows * parts);
    follow(&all);
    /* further turns take as long as those of the second half */
    return all.transit.now + (round(turns) - all.turns) *
                                 (all.transit.now - all.halfway) /
                                 (all.turns - all.turns / 2);
}
