/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides for each message size between our tree and the MPI's own broadcast. */
#include "plan.h"

#include "preload/bcast/tree/search.h"
#include "preload/tuning.h"

#include <stdlib.h>
#include <string.h>

void plan_init(struct plan *plan)
{
    *plan = (struct plan){.interval = TRY_NATIVE_CALLS, .on = 1};
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

static bool takes_trees(const struct plan_class *size_class)
{
    return size_class->mode == PLAN_OWN || size_class->mode == PLAN_TRY_OWN;
}

bool plan_uses_own(const struct plan *plan, int size_class)
{
    return plan->on && takes_trees(&plan->classes[size_class]);
}

/* The rank's report on the calls since the last plan; NULL: none yet. A report that
   arrives too late may be about another class. */
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

/* Summary of all reports. A leader that no call holds back runs far ahead of the other
   ranks, and reports of slow ranks reach it last: those of the fast ones alone would
   mislead. */
struct outcome {
    int64_t in_call; /* ns, mean; 0: too few reports */
    int64_t spread;  /* ns, mean, between the calls of a rank */
    bool repeated;   /* enough ranks reported more than one call */
    bool in_touch;   /* of calls under this very plan, so that a try can be judged at
                        once */
};

static struct outcome outcome_of(const struct plan *plan,
                                 const struct plan_basis *basis)
{
    const int size = basis->network->size, enough = size - size / 16;
    int64_t sum = 0, spread = 0;
    int reported = 0, repeated = 0, in_touch = 0;
    for (int rank = 0; rank < size; rank++) {
        const struct rank_report *report = report_of(plan, basis, rank);
        if (!report)
            continue;
        sum += report->in_call;
        spread += report->spread;
        reported++;
        repeated += report->calls > 1;
        in_touch += report->plan == plan->call;
    }
    const bool told = reported > 0 && reported >= enough;
    return (struct outcome){.in_call = told ? sum / reported + 1 : 0,
                            .spread = told ? spread / reported : 0,
                            .repeated = repeated >= enough,
                            .in_touch = in_touch >= enough};
}

/* Clear the reports, so that none counts twice. */
static void forget_reports(const struct plan_basis *basis)
{
    for (int rank = 0; rank < basis->network->size; rank++)
        basis->reports[rank].calls = 0;
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
 * The arrivals that the reported waits imply. After each consecutive failure of new
 * trees, we move less far from the last arrivals towards these. The last ones may be
 * relative to another leader; the new ones are relative to this one.
 */
static void estimate(const struct plan *plan, const int64_t *ready,
                     const struct plan_basis *basis)
{
    const int size = basis->network->size;
    const int64_t leader = ready[basis->leader];
    struct planner *planner = basis->planner;
    int64_t *arrivals = planner->arrivals;
    for (int i = 0; i < size; i++) {
        planner->waited[i] = wait_of(plan, basis, i);
        arrivals[i] = ready[i] - leader;
    }
    arrival_estimate(arrivals, planner->waited, basis->tree, planner, basis->leader,
                     plan_class_bytes(basis->class));
    for (int i = 0; i < size; i++) {
        const int64_t last = ready[i] - leader;
        arrivals[i] = last + (arrivals[i] - last) / (1 + plan->futile);
    }
}

/*
 * Switch trees when the arrivals promise enough gain. After each failure of new trees,
 * the next must promise more.
 */
static bool replan(struct plan *plan, int64_t *ready, const struct plan_basis *basis)
{
    const size_t bytes = plan_class_bytes(basis->class);
    const int size = basis->network->size;
    struct planner *planner = basis->planner;
    estimate(plan, ready, basis);
    tree_best(&planner->best, &planner->search, basis->leader, bytes,
              planner->arrivals);
    const int64_t cost = tree_cost(basis->tree, &planner->search, basis->leader, bytes,
                                   planner->arrivals);
    const int64_t gain = cost - planner->best.cost;
    const int64_t wanted = cost / 100 * LEAST_GAIN * (1 + plan->futile);
    if (gain <= wanted || gain <= least_gain * size)
        return false;
    memcpy(ready, planner->arrivals, (size_t)size * sizeof *ready);
    return true;
}

/* Record the cost of one way since the last plan. `same`: nothing has changed.
   Differences between calls are noise, too, until there is more evidence. */
static void learn_time(struct measured *time, const struct outcome *outcome, bool same)
{
    const bool fresh = !same || time->told == 0;
    measured_learn(time, outcome->in_call, same);
    if (!outcome->repeated)
        return;
    time->told++;
    if (fresh && time->noise < outcome->spread)
        time->noise = outcome->spread;
}

/* The number of calls after which a try has cost no more than 1/300 of the time. A plan
   costs at least about a quarter of a call. */
static int64_t affordable(int64_t tried_calls, int64_t chosen, int64_t other)
{
    const int64_t dearer = other - chosen > chosen / 4 ? other - chosen : chosen / 4;
    return chosen ? 300 * tried_calls * dearer / chosen : 0;
}

/* Set when to try the rejected way again: soon after the first comparison, which may
   have been bad luck, and then less and less often. */
static void look_later(struct plan_class *size_class, int64_t call, int64_t tried)
{
    const bool own = size_class->mode == PLAN_OWN;
    const int64_t chosen = own ? size_class->own.mean : size_class->native.mean;
    const int64_t other = own ? size_class->native.mean : size_class->own.mean;
    const int64_t paid = size_class->looks ? affordable(tried, chosen, other) : 0;
    int64_t calls = (int64_t)FIRST_LOOK
                    << (size_class->looks < 6 ? size_class->looks : 6);
    if (calls < paid)
        calls = paid < LAST_LOOK ? paid : LAST_LOOK;
    size_class->look = call + calls;
    size_class->looks++;
}

static void settle(struct plan *plan, struct plan_class *size_class)
{
    size_class->mode = measured_is_less(&size_class->own, &size_class->native)
                           ? PLAN_OWN
                           : PLAN_NATIVE;
    look_later(size_class, plan->call, plan->call - size_class->began);
}

static void try_own(struct plan_class *size_class)
{
    size_class->mode = PLAN_TRY_OWN;
    size_class->own = (struct measured){0};
}

/* After the try, late ranks get copies again: an apparently stuck copy may have been a
   rank that was no longer late. */
static void try_native(struct plan_class *size_class)
{
    size_class->mode = PLAN_TRY_NATIVE;
    size_class->native = (struct measured){0};
    size_class->waits = 0;
}

/* Choose the class's mode until the next plan. `slower`: its current mode has become
   slow. */
static void change_mode(struct plan *plan, struct plan_class *size_class, bool in_touch,
                        bool slower)
{
    const bool due = plan->call >= size_class->look;
    switch ((enum plan_mode)size_class->mode) {
    case PLAN_TRY_NATIVE:
        if (measured_is_known(&size_class->native) &&
            measured_is_known(&size_class->own))
            settle(plan, size_class);
        else if (measured_is_known(&size_class->native))
            try_own(size_class);
        break;
    case PLAN_NATIVE:
        if (in_touch && (due || slower))
            try_own(size_class);
        break;
    case PLAN_TRY_OWN:
        if ((plan->steps > 0 && measured_is_known(&size_class->own)) ||
            size_class->tries >= MOST_PLAN_TRIES)
            settle(plan, size_class);
        break;
    case PLAN_OWN:
        if (in_touch && (due || (slower && plan->steps >= SETTLED)))
            try_native(size_class);
        break;
    }
}

static int32_t smaller(int64_t a, int32_t b)
{
    return a < b ? (int32_t)a : b;
}

static int32_t interval_of(const struct plan *plan, const struct plan_basis *basis,
                           bool told, bool changed)
{
    const struct plan_class *size_class = &plan->classes[basis->class];
    const int32_t size = basis->network->size;
    const int32_t round = size + 2; /* by then a rotating root has come round again */
    const int32_t often = round > LONGEST_INTERVAL ? round : LONGEST_INTERVAL;
    const int32_t seldom = 8 * often;
    if (size_class->mode == PLAN_TRY_NATIVE && (told || changed))
        return TRY_NATIVE_CALLS;
    /* The first trees assume that no rank is late: one call shows it. */
    if (size_class->mode == PLAN_TRY_OWN && (told || changed))
        return size_class->looks || size_class->tries ? TRY_OWN_CALLS
                                                      : SHORTEST_INTERVAL;
    if (changed) /* the more trees failed, the more calls must justify new ones */
        return SHORTEST_INTERVAL << plan->futile;
    if (plan->on && size_class->mode == PLAN_NATIVE) {
        const int64_t left = size_class->look - basis->call;
        return left < SHORTEST_INTERVAL ? SHORTEST_INTERVAL : smaller(left, seldom);
    }
    /* One more than twice as many, so that a program that alternates between two
       messages is sampled at both. */
    return smaller(2 * plan->interval + 1, plan->on ? often : seldom);
}

/* Record the cost of our trees since the last plan. */
static void learn_own(struct plan *plan, struct plan_class *size_class,
                      const struct outcome *outcome)
{
    const int64_t last = size_class->own.mean, in_call = outcome->in_call;
    const bool better = in_call < last - last / 10;
    if (plan->replanned && last)
        plan->futile += better ? -(plan->futile > 0) : plan->futile < MOST_FUTILE;
    /* After new trees, or a change of times, the old times no longer count. */
    const bool same = plan->steps > 0 && in_call < 2 * last;
    if (plan->replanned)
        size_class->own.told = 0;
    learn_time(&size_class->own, outcome, same);
}

/* Record the reports on our trees; returns whether there will be new trees, as
   plan_next(). */
static bool take_own(struct plan *plan, int64_t *ready, const struct plan_basis *basis,
                     const struct outcome *outcome)
{
    struct plan_class *size_class = &plan->classes[basis->class];
    learn_own(plan, size_class, outcome);
    if (size_class->waits || !copies_stuck(plan, basis))
        return replan(plan, ready, basis);
    size_class->waits = 1;
    return true;
}

bool plan_next(struct plan *plan, int64_t *ready, const struct plan_basis *basis)
{
    struct plan_class *size_class = &plan->classes[basis->class];
    const struct measured *own = &size_class->own, *native = &size_class->native;
    const struct outcome outcome = outcome_of(plan, basis);
    const bool was_own = plan_uses_own(plan, basis->class), told = outcome.in_call > 0;
    bool slower = false;
    bool replanned = false;
    plan->call = basis->call;
    if (told && was_own) {
        replanned = take_own(plan, ready, basis, &outcome);
        slower = native->mean && own->mean > native->mean;
    } else if (told) {
        slower = native->mean && outcome.in_call > 2 * native->mean;
        learn_time(&size_class->native, &outcome, !slower);
    }
    if (told)
        forget_reports(basis);
    plan->replanned = replanned;
    plan->steps = replanned ? 0 : plan->steps + told;
    size_class->tries++;
    change_mode(plan, size_class, outcome.in_touch, slower);
    plan->on = basis->on;
    const bool switched = was_own != plan_uses_own(plan, basis->class);
    if (switched) {
        plan->steps = size_class->tries = 0;
        size_class->began = plan->call;
    }
    plan->interval = interval_of(plan, basis, told, replanned || switched);
    if (replanned || switched)
        plan->version++;
    return replanned;
}
