/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include "preload/bcast/tree/best.h"

#include <stdlib.h>
#include <string.h>

/*
 * The constants of the adaptation. What comparisons with the MPI's broadcast cost is
 * bounded by look_later().
 */
enum {
    SHORTEST_INTERVAL = 2, /* calls between plans; the first of them does not count */
    TRY_CALLS = 3,
    FIRST_LOOK = 64,
    LAST_LOOK = 100000,
    LONGEST_INTERVAL = 64, /* calls between plans; eight times that without trees */
    MOST_TRIES = 4,        /* plans that our trees may take to settle during a try */
    SETTLED = 2,           /* plans without a change */
    LEAST_GAIN = 10,       /* per cent that new trees must promise */
    MOST_FUTILE = 5,       /* after as many new trees that were no better */
    LEAST_ADVANTAGE = 3, /* per cent by which our trees must beat the MPI's broadcast */
};

/* ns a rank and call that new trees must promise, too. */
static const int64_t least_gain = 300;

void plan_init(struct plan *plan)
{
    *plan = (struct plan){.interval = SHORTEST_INTERVAL, .on = 1};
}

int plan_class(size_t bytes)
{
    int size_class = 0;
    while (size_class < PLAN_CLASSES - 1 && plan_class_bytes(size_class) < bytes)
        size_class++;
    return size_class;
}

size_t plan_class_bytes(int size_class)
{
    return (size_t)1 << size_class;
}

/* A size that was never compared is treated as the nearest one that was. */
static enum plan_mode mode_of(const struct plan *plan, int size_class)
{
    for (int distance = 0; distance < PLAN_CLASSES; distance++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int other = size_class + sign * distance;
            if (other < 0 || other >= PLAN_CLASSES)
                continue;
            const enum plan_mode mode = (enum plan_mode)plan->classes[other].mode;
            if (distance == 0 && mode != PLAN_NEW)
                return mode;
            if (mode == PLAN_OWN || mode == PLAN_NATIVE)
                return mode;
        }
    return PLAN_NEW;
}

bool plan_uses_own(const struct plan *plan, int size_class)
{
    const enum plan_mode mode = mode_of(plan, size_class);
    return plan->on && mode != PLAN_NATIVE && mode != PLAN_TRY_NATIVE;
}

/* What the rank reported of the calls since the last plan; NULL: nothing yet. A
   report that arrives too late may be about another class. */
static const struct rank_report *report_of(const struct plan *plan,
                                           const struct plan_basis *basis, int rank)
{
    const struct rank_report *report = &basis->reports[rank];
    const bool fresh = report->version == plan->version &&
                       report->class == basis->class && report->calls > 0;
    return fresh ? report : NULL;
}

/* Its wait, or ARRIVAL_UNKNOWN. */
static int64_t wait_of(const struct plan *plan, const struct plan_basis *basis,
                       int rank)
{
    const struct rank_report *report = report_of(plan, basis, rank);
    return report && report->waits > 0 ? report->waited : ARRIVAL_UNKNOWN;
}

/* What all reports together say. A leader that no call holds back is far ahead of
   the other ranks, and the reports of the slow ones reach it last: those of the fast
   ones alone would mislead. */
struct outcome {
    int64_t in_call; /* ns, mean; 0: too few were heard of */
    bool in_touch; /* of this very plan's calls, so that a try can be judged at once */
};

static struct outcome outcome_of(const struct plan *plan,
                                 const struct plan_basis *basis)
{
    const int size = basis->network->size, enough = size - size / 16;
    int64_t sum = 0;
    int reported = 0, in_touch = 0;
    for (int rank = 0; rank < size; rank++) {
        const struct rank_report *report = report_of(plan, basis, rank);
        if (!report)
            continue;
        sum += report->in_call;
        reported++;
        in_touch += report->plan == plan->call;
    }
    const bool told = reported > 0 && reported >= enough;
    return (struct outcome){.in_call = told ? sum / reported + 1 : 0,
                            .in_touch = in_touch >= enough};
}

bool plan_waits_for_late(const struct plan *plan, int size_class)
{
    return plan->classes[size_class].waits;
}

/*
 * Whether a rank that comes late waits longer than all ranks that come in time. Then
 * its copy of the message is stuck: a network that does not move messages by itself
 * sends it only at the sender's next call of the MPI.
 */
static bool copies_stuck(const struct plan *plan, const struct plan_basis *basis)
{
    int64_t in_time = 0, late = 0;
    for (int rank = 0; rank < basis->network->size; rank++) {
        const int64_t waited = wait_of(plan, basis, rank);
        int64_t *longest = basis->tree->late[rank] ? &late : &in_time;
        if (waited > *longest)
            *longest = waited;
    }
    const struct line *hop = &basis->network->far.hop;
    return late > 2 * in_time + 4 * line_at(hop, plan_class_bytes(basis->class));
}

/*
 * The arrivals that the reported waits imply. Each time in a row that new trees were no
 * better, we go a smaller part of the way from the last arrivals to these. The last
 * ones may count from another leader; the new ones count from this one. NULL: no
 * memory.
 */
static int64_t *estimate(const struct plan *plan, const int64_t *ready,
                         const struct plan_basis *basis)
{
    const int size = basis->network->size;
    const int64_t leader = ready[basis->leader];
    int64_t *arrivals = malloc((size_t)size * sizeof *arrivals);
    int64_t *waited = malloc((size_t)size * sizeof *waited);
    int status = arrivals && waited ? 0 : -1;
    for (int i = 0; i < size && status == 0; i++) {
        waited[i] = wait_of(plan, basis, i);
        arrivals[i] = ready[i] - leader;
    }
    if (status == 0)
        status = arrival_estimate(arrivals, waited, basis->tree, basis->network,
                                  basis->leader, plan_class_bytes(basis->class));
    free(waited);
    for (int i = 0; i < size && status == 0; i++) {
        const int64_t last = ready[i] - leader;
        arrivals[i] = last + (arrivals[i] - last) / (1 + plan->futile);
    }
    if (status == 0)
        return arrivals;
    free(arrivals);
    return NULL;
}

/*
 * Take other trees when the arrivals promise enough. Each time that new trees were no
 * better than the ones before, the next must promise more.
 */
static int replan(struct plan *plan, int64_t *ready, const struct plan_basis *basis)
{
    const size_t bytes = plan_class_bytes(basis->class);
    const int size = basis->network->size;
    int64_t *arrivals = estimate(plan, ready, basis);
    if (!arrivals)
        return -1;
    struct tree best;
    int changed = tree_best(&best, basis->network, basis->leader, bytes, arrivals);
    if (changed == 0) {
        const int64_t cost =
            tree_cost(basis->tree, basis->network, basis->leader, bytes, arrivals);
        const int64_t gain = cost - best.cost;
        const int64_t wanted = cost / 100 * LEAST_GAIN * (1 + plan->futile);
        changed = cost == INT64_MAX ? -1 : gain > wanted && gain > least_gain * size;
        tree_free(&best);
    }
    if (changed > 0)
        memcpy(ready, arrivals, (size_t)size * sizeof *ready);
    free(arrivals);
    return changed;
}

/* Whether the model thinks the MPI's broadcast much slower than what was measured: then
   there is no hurry to try it. */
static bool native_hopeless(const struct plan_basis *basis, const int64_t *ready,
                            int64_t own)
{
    struct tree native;
    if (tree_binomial(&native, basis->network->size, basis->leader, NULL))
        return false;
    const int64_t cost = tree_cost(&native, basis->network, basis->leader,
                                   plan_class_bytes(basis->class), ready);
    tree_free(&native);
    return cost < INT64_MAX && cost / basis->network->size > 2 * own;
}

/* After how many calls a try has cost no more than 1 in 300 of the time. A plan
   costs at least about a quarter of a call. */
static int64_t affordable(int64_t tried_calls, int64_t chosen, int64_t other)
{
    const int64_t dearer = other - chosen > chosen / 4 ? other - chosen : chosen / 4;
    return chosen ? 300 * tried_calls * dearer / chosen : 0;
}

/* Set when the way that was not chosen is tried again: soon after the first
   comparison, which may have been bad luck, and then less and less often. */
static void look_later(struct plan_class *size_class, int64_t call)
{
    const bool own = size_class->mode == PLAN_OWN;
    const int64_t chosen = own ? size_class->own : size_class->native;
    const int64_t other = own ? size_class->native : size_class->own;
    const int64_t tried = own ? TRY_CALLS : (MOST_TRIES + 1) * TRY_CALLS;
    const int64_t paid = size_class->looks ? affordable(tried, chosen, other) : 0;
    int64_t calls = (int64_t)FIRST_LOOK
                    << (size_class->looks < 6 ? size_class->looks : 6);
    if (!other) /* it is only known to be hopeless */
        calls *= 4;
    if (calls < paid)
        calls = paid < LAST_LOOK ? paid : LAST_LOOK;
    size_class->look = call + calls;
    size_class->looks++;
}

/* Too few ranks were heard of to judge a try. */
static void give_up(struct plan_class *size_class, enum plan_mode before, int64_t call)
{
    size_class->mode = before;
    look_later(size_class, call);
}

static void settle(struct plan_class *size_class, int64_t call)
{
    const int64_t wanted =
        size_class->native - size_class->native * LEAST_ADVANTAGE / 100;
    size_class->mode = size_class->own < wanted ? PLAN_OWN : PLAN_NATIVE;
    look_later(size_class, call);
}

/* After the try late ranks get copies again: what looked like a stuck copy may have
   been a rank that was no longer late. */
static void try_native(struct plan_class *size_class)
{
    size_class->mode = PLAN_TRY_NATIVE;
    size_class->waits = 0;
}

/* What the class does until the next plan. `slower`: what it does now has become slow.
 */
static void change_mode(struct plan *plan, const struct plan_basis *basis,
                        const int64_t *ready, struct outcome outcome, bool slower)
{
    struct plan_class *size_class = &plan->classes[basis->class];
    const bool settled = plan->steps >= SETTLED || plan->tries >= MOST_TRIES;
    const bool due = basis->call >= size_class->look;
    switch ((enum plan_mode)size_class->mode) {
    case PLAN_NEW:
        if (!outcome.in_touch || (plan->steps == 0 && plan->tries < MOST_TRIES))
            break;
        if (native_hopeless(basis, ready, size_class->own)) {
            size_class->mode = PLAN_OWN;
            look_later(size_class, basis->call);
        } else {
            try_native(size_class);
        }
        break;
    case PLAN_OWN:
        if (outcome.in_touch && (due || (slower && plan->steps >= SETTLED)))
            try_native(size_class);
        break;
    case PLAN_NATIVE:
        if (outcome.in_touch && (due || slower))
            size_class->mode = PLAN_TRY_OWN;
        break;
    case PLAN_TRY_NATIVE:
        if (outcome.in_call)
            settle(size_class, basis->call);
        else
            give_up(size_class, PLAN_OWN, basis->call);
        break;
    case PLAN_TRY_OWN:
        if (outcome.in_call && settled)
            settle(size_class, basis->call);
        else if (!outcome.in_call)
            give_up(size_class, PLAN_NATIVE, basis->call);
        break;
    }
}

static int32_t smaller(int64_t a, int32_t b)
{
    return a < b ? (int32_t)a : b;
}

static int32_t interval_of(const struct plan *plan, const struct plan_basis *basis,
                           bool changed)
{
    const struct plan_class *size_class = &plan->classes[basis->class];
    const int32_t size = basis->network->size;
    const int32_t round = size + 2; /* then a root that goes round comes by again */
    const int32_t often = round > LONGEST_INTERVAL ? round : LONGEST_INTERVAL;
    const int32_t seldom = 8 * often;
    if (size_class->mode == PLAN_TRY_NATIVE || size_class->mode == PLAN_TRY_OWN)
        return TRY_CALLS;
    if (changed) /* the more trees were no better, the more calls must speak for others
                  */
        return SHORTEST_INTERVAL << plan->futile;
    if (plan->on && size_class->mode == PLAN_NATIVE) {
        const int64_t left = size_class->look - basis->call;
        return left < SHORTEST_INTERVAL ? SHORTEST_INTERVAL : smaller(left, seldom);
    }
    /* One more than twice as many: a program that alternates between two messages is
       looked at in both of them. */
    return smaller(2 * plan->interval + 1, plan->on ? often : seldom);
}

/* Take in what our trees cost since the last plan. */
static void learn_own(struct plan *plan, struct plan_class *size_class, int64_t in_call)
{
    const bool better = in_call < size_class->own - size_class->own / 10;
    if (plan->replanned && size_class->own)
        plan->futile += better ? -(plan->futile > 0) : plan->futile < MOST_FUTILE;
    /* With new trees, or times that have changed, the old times no longer count. */
    const bool same = plan->steps > 0 && in_call < 2 * size_class->own;
    size_class->own = same ? (size_class->own + in_call) / 2 : in_call;
}

int plan_next(struct plan *plan, int64_t *ready, const struct plan_basis *basis)
{
    struct plan_class *size_class = &plan->classes[basis->class];
    const struct outcome outcome = outcome_of(plan, basis);
    const bool was_own = plan_uses_own(plan, basis->class);
    bool slower = false;
    int replanned = 0;
    plan->call = basis->call;
    if (outcome.in_call && was_own) {
        learn_own(plan, size_class, outcome.in_call);
        slower = size_class->native && size_class->own > size_class->native;
        if (!size_class->waits && copies_stuck(plan, basis))
            size_class->waits = replanned = 1;
        else
            replanned = replan(plan, ready, basis);
    } else if (outcome.in_call) {
        slower = size_class->native && outcome.in_call > 2 * size_class->native;
        size_class->native = outcome.in_call;
    }
    plan->replanned = replanned > 0;
    plan->steps = replanned > 0 ? 0 : plan->steps + (outcome.in_call > 0);
    plan->tries += outcome.in_call > 0;
    change_mode(plan, basis, ready, outcome, slower);
    plan->on = basis->on;
    const bool switched = was_own != plan_uses_own(plan, basis->class);
    if (switched)
        plan->tries = plan->steps = 0;
    plan->interval = interval_of(plan, basis, replanned > 0 || switched);
    if (replanned > 0 || switched)
        plan->version++;
    return replanned;
}
