/* SPDX-License-Identifier: BSD-3-Clause */
#include "ring.h"

#include "meeting.h"

#include <math.h>
#include <stdbool.h>

/* So many are followed; more of either differ by a few percent, and take longer. */
enum { MOST_RANKS = MT_MOST_IN_STAGES, MOST_TURNS = 64, MOST_EVENTS = 2 * MOST_RANKS };
enum { MOST_STAGES = 12 };
/* Up to this length, of many MPIs and of SimGrid's, senders do not wait until a message
   is on its way, bytes. */
static const double eager = 65536;
/* Of a message whose time is over: it has not arrived, seconds. */
static const double rest = 1e-300;

/* What happens at a time: a rank has computed, or its message is on its way. */
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

struct followed {
    const struct mt_ring *ring;
    int ranks;
    double shares[MOST_RANKS + 1]; /* [k]: the speed of each of k that share the room */
    double step;                   /* seconds of a row with a row */
    bool waits;                    /* senders do, until a message has arrived */
    bool is_longer[MOST_RANKS];    /* part */
    int turn[MOST_RANKS];          /* in which a rank sends and receives, or did */
    int left[MOST_RANKS];          /* messages that it waits for */
    double way[MOST_RANKS];   /* what is left of that of a rank's message, seconds; 0:
                                 none is on its way */
    double speed[MOST_RANKS]; /* of that message, of what it would be alone */
    int under_way;
    int nstages, first[MOST_STAGES][MOST_RANKS]; /* that passes the same switch */
    struct heap events;
    double now;
    int turns;
    double halfway; /* when all have come through half of the turns */
};

/* The part that a rank gets in a turn; that of the next turn is sent on. */
static int part_of(const struct followed *all, int rank, int turn)
{
    return (rank + all->ranks - turn % all->ranks) % all->ranks;
}

static void compute(struct followed *all, int rank, int turn)
{
    const double rows = floor(all->ring->rows);
    const double own = rows + all->is_longer[rank],
                 part = rows + all->is_longer[part_of(all, rank, turn)];
    push(&all->events,
         (struct event){all->now + all->step * own * part, rank, turn, false});
}

static void start_message(struct followed *all, int sender, int turn)
{
    push(&all->events,
         (struct event){all->now + all->ring->latency, sender, turn, true});
}

/* A message is on its way once both have come to that turn. */
static void begin_turn(struct followed *all, int rank, int turn)
{
    const int next = (rank + 1) % all->ranks,
              previous = (rank + all->ranks - 1) % all->ranks;
    all->turn[rank] = turn;
    all->left[rank] = all->waits ? 2 : 1;
    if (all->turn[next] >= turn)
        start_message(all, rank, turn);
    if (all->turn[previous] >= turn)
        start_message(all, previous, turn);
}

static void end_message(struct followed *all, int rank)
{
    if (--all->left[rank] == 0)
        compute(all, rank, all->turn[rank]);
}

static void happen(struct followed *all, struct event event)
{
    const struct mt_ring *ring = all->ring;
    if (event.sends) {
        const int part = part_of(all, event.rank, event.turn - 1);
        const double way = all->is_longer[part] ? ring->longer : ring->shorter;
        all->way[event.rank] = fmax(way, rest); /* a part may have no rows */
        all->under_way++;
        return;
    }
    if (event.turn == all->turns / 2)
        all->halfway = all->now;
    if (event.turn < all->turns)
        begin_turn(all, event.rank, event.turn + 1);
}

static void arrive(struct followed *all, int sender)
{
    all->way[sender] = 0;
    all->under_way--;
    end_message(all, (sender + 1) % all->ranks);
    if (all->waits)
        end_message(all, sender);
}

/* Half duplex, a message is twice as fast while its sender receives nothing and its
   receiver sends nothing. */
static bool is_alone(const struct followed *all, int sender)
{
    const int next = sender + 1 < all->ranks ? sender + 1 : 0,
              previous = (sender > 0 ? sender : all->ranks) - 1;
    return all->way[next] == 0 && all->way[previous] == 0;
}

/* Where messages share what each of the switches on their ways passes. */
static void find_speeds_in_stages(struct followed *all)
{
    for (int i = 0; i < all->ranks; i++)
        all->speed[i] = 1;
    for (int stage = 0; stage < all->nstages; stage++) {
        const int *first = all->first[stage];
        int here[MOST_RANKS] = {0};
        for (int i = 0; i < all->ranks; i++)
            here[first[i]] += all->way[i] > 0;
        for (int i = 0; i < all->ranks; i++)
            if (all->shares[here[first[i]]] < all->speed[i])
                all->speed[i] = all->shares[here[first[i]]];
    }
}

static void find_speeds(struct followed *all)
{
    if (all->nstages > 0) {
        find_speeds_in_stages(all);
        return;
    }
    const double share = all->shares[all->under_way];
    for (int i = 0; i < all->ranks; i++)
        all->speed[i] = all->ring->half_duplex && is_alone(all, i) ? 2 * share : share;
}

/* The message that arrives next, and when; -1: none is on its way. */
static int find_next_arrival(struct followed *all, double *at)
{
    int next = -1;
    double least = INFINITY;
    for (int i = 0; i < all->ranks && all->under_way > 0; i++) {
        if (all->way[i] == 0)
            continue;
        const double left = all->way[i] / all->speed[i];
        if (left < least) {
            least = left;
            next = i;
        }
    }
    *at = all->now + least;
    return next;
}

static void go_on(struct followed *all, double until)
{
    const double time = until - all->now;
    for (int i = 0; i < all->ranks && all->under_way > 0; i++)
        if (all->way[i] > 0) {
            const double left = all->way[i] - all->speed[i] * time;
            all->way[i] = left > rest ? left : rest;
        }
    all->now = until;
}

static void follow(struct followed *all)
{
    for (int i = 0; i < all->ranks; i++)
        compute(all, i, 0);
    while (all->events.count + all->under_way > 0) {
        double at;
        find_speeds(all);
        const int arrives = find_next_arrival(all, &at);
        if (all->events.count > 0 && all->events.events[0].at <= at) {
            const struct event event = pop(&all->events);
            go_on(all, event.at);
            happen(all, event);
        } else {
            go_on(all, at);
            arrive(all, arrives);
        }
    }
}

/* For each message the first that passes the same switch, stage by stage. */
static void find_switches(struct followed *all, const struct mt_wiring *wiring)
{
    int block = 1;
    while (block < wiring->nodes || block < all->ranks)
        block *= wiring->ports;
    for (int heads = 1; block > 1; block /= wiring->ports, heads *= wiring->ports) {
        int *first = all->first[all->nstages++], switches[MOST_RANKS];
        for (int i = 0; i < all->ranks; i++) {
            switches[i] = mt_switch_of(i, (i + 1) % all->ranks, block / wiring->ports,
                                       block, heads);
            first[i] = 0;
            while (switches[first[i]] != switches[i])
                first[i]++;
        }
    }
}

double mt_ring_seconds(const struct mt_ring *ring)
{
    struct followed all = {.ring = ring, .waits = ring->bytes > eager};
    all.ranks = (int)fmin(round(ring->ranks), MOST_RANKS);
    all.turns = (int)fmin(round(ring->ranks) - 1, MOST_TURNS);
    all.shares[0] = 1;
    for (int i = 1; i <= all.ranks; i++)
        all.shares[i] = fmin(1, ring->room * all.ranks / ring->ranks / i);
    if (ring->stages)
        find_switches(&all, ring->stages);
    double size = round(ring->rows * all.ranks); /* N, and not a whole number of rows */
    if (fmod(size, all.ranks) == 0)
        size += size > ring->rows * all.ranks ? -1 : 1;
    all.step = ring->compute / (ceil(ring->rows) * ring->rows * ring->ranks);
    for (int i = 0; i < all.ranks; i++)
        all.is_longer[i] =
            floor(size * (i + 1) / all.ranks) - floor(size * i / all.ranks) >
            floor(ring->rows);
    follow(&all);
    /* further turns take as long as those of the second half */
    return all.now + (ring->ranks - 1 - all.turns) * (all.now - all.halfway) /
                         (all.turns - all.turns / 2);
}
