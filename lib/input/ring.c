/* SPDX-License-Identifier: BSD-3-Clause */
#include "ring.h"

#include <math.h>
#include <stdbool.h>

/* So many are followed; more of either differ by a few percent, and take longer. */
enum { MOST_RANKS = 64, MOST_TURNS = 64, MOST_EVENTS = 2 * MOST_RANKS };
/* Up to this length, of many MPIs and of SimGrid's, senders do not wait until a message
   is on its way, bytes. */
static const double eager = 65536;

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
    double room;
    double step;                /* seconds of a row with a row */
    bool waits;                 /* senders do, until a message has arrived */
    bool is_longer[MOST_RANKS]; /* part */
    int turn[MOST_RANKS];       /* in which a rank sends and receives, or did */
    int left[MOST_RANKS];       /* messages that it waits for */
    double way[MOST_RANKS];     /* what is left of that of a rank's message, seconds; 0:
                                   none is on its way */
    int faster[MOST_RANKS];     /* so many times that message is */
    int under_way;
    double speed; /* of each message, of what it would be alone, but for that */
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
        all->way[event.rank] = all->is_longer[part] ? ring->longer : ring->shorter;
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

/* The message that arrives next, and when; -1: none is on its way. */
static int find_next_arrival(struct followed *all, double *at)
{
    int next = -1;
    double least = INFINITY;
    for (int i = 0; i < all->ranks && all->under_way > 0; i++) {
        if (all->way[i] == 0)
            continue;
        all->faster[i] = all->ring->half_duplex && is_alone(all, i) ? 2 : 1;
        const double left = all->faster[i] == 2 ? all->way[i] / 2 : all->way[i];
        if (left < least) {
            least = left;
            next = i;
        }
    }
    *at = all->now + least / all->speed;
    return next;
}

static void go_on(struct followed *all, double until)
{
    static const double rest = 1e-300; /* not 0: it has not arrived */
    const double passed = all->speed * (until - all->now);
    for (int i = 0; i < all->ranks && all->under_way > 0; i++)
        if (all->way[i] > 0) {
            const double left = all->way[i] - all->faster[i] * passed;
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
        all->speed = all->under_way > 0 ? fmin(1, all->room / all->under_way) : 1;
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

double mt_ring_seconds(const struct mt_ring *ring)
{
    struct followed all = {.ring = ring, .waits = ring->bytes > eager};
    all.ranks = (int)fmin(round(ring->ranks), MOST_RANKS);
    all.turns = (int)fmin(round(ring->ranks) - 1, MOST_TURNS);
    all.room = ring->room * all.ranks / ring->ranks;
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
