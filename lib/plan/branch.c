/* SPDX-License-Identifier: BSD-3-Clause */
/* Best-first branch and bound over the total number of processes. */
#include "search.h"

#include "inner.h"
#include "rank.h"
#include "walk.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Ranges of P of this width are tried P by P: that costs no more than to bound them. */
enum { NARROW = 4 };

/* A range of P, and what no configuration in it is better than. */
struct interval {
    int low, high;
    double value; /* of the objective */
    int64_t nodes;
};

struct branch_search {
    struct mt_space *space;
    struct mt_walk walk;
    struct mt_inner inner;
    struct mt_plan plan; /* owned; what the space has: of equals of other regions the
                            plan keeps the better one, once ties are settled here */
    int top;
    const struct mt_choice *limit; /* what other regions have is no worse; NULL: it is
                                      not known */
    double unproven_bound; /* bound of what had to be given up unsolved; INFINITY:
                              nothing */
    struct interval *heap;
    int count, allocated;
};

static bool is_before(const struct interval *a, const struct interval *b)
{
    if (a->value != b->value)
        return a->value < b->value;
    return a->nodes != b->nodes ? a->nodes < b->nodes : a->low < b->low;
}

static int push(struct branch_search *search, struct interval interval,
                struct mt_error *err)
{
    if (search->count == search->allocated) {
        const int wanted = search->allocated > 0 ? 2 * search->allocated : 64;
        struct interval *heap =
            realloc(search->heap, (size_t)wanted * sizeof *search->heap);
        if (!heap)
            return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d intervals",
                           wanted);
        search->heap = heap;
        search->allocated = wanted;
    }
    int i = search->count++;
    for (; i > 0 && is_before(&interval, &search->heap[(i - 1) / 2]); i = (i - 1) / 2)
        search->heap[i] = search->heap[(i - 1) / 2];
    search->heap[i] = interval;
    return MT_OK;
}

static struct interval pop(struct branch_search *search)
{
    struct interval *heap = search->heap;
    const struct interval first = heap[0], last = heap[--search->count];
    int i = 0;
    for (int child = 1; child < search->count; child = 2 * i + 1) {
        if (child + 1 < search->count && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

static enum mt_objective objective_of(const struct branch_search *search)
{
    return search->space->question->objective;
}

/* What a choice must at least equal to be kept; NULL: any is. */
static const struct mt_choice *worst_kept(const struct branch_search *search)
{
    const struct mt_plan *plan = &search->plan;
    const struct mt_choice *limit = search->limit;
    if (plan->count < search->top)
        return limit;
    const struct mt_choice *worst = &plan->choices[search->top - 1];
    const enum mt_objective objective = objective_of(search);
    return limit &&
                   mt_choice_value(limit, objective) < mt_choice_value(worst, objective)
               ? limit
               : worst;
}

/* Whether nothing of these bounds can be kept. */
static bool is_worse(const struct branch_search *search, double value, int64_t nodes)
{
    const struct mt_choice *worst = worst_kept(search);
    if (!worst)
        return false;
    const double kept = mt_choice_value(worst, objective_of(search));
    return value > kept || (objective_of(search) == MT_FASTEST && value == kept &&
                            nodes > worst->nodes);
}

/* What no configuration of at least `ranks` processes, and a group at the walk's
   threshold, is better than. */
static double least_value(const struct branch_search *search, int ranks)
{
    const struct mt_walk *walk = &search->walk;
    const enum mt_resource least = search->space->least;
    return objective_of(search) == MT_FASTEST
               ? walk->threshold
               : mt_resource_value(least, walk->threshold,
                                   mt_walk_takes(walk, least, ranks));
}

/* Whether this threshold, and so all that follow, is slower than what is wanted, `most`
   seconds or what is kept. */
static bool is_beyond(const struct branch_search *search, double most)
{
    const double threshold = search->walk.threshold;
    return objective_of(search) == MT_FASTEST &&
           (threshold > most || is_worse(search, threshold, 0));
}

/* Bound what configurations of at least `interval->low` processes can reach with the
   seconds in `walk`; false when there are none. */
static bool bound(struct branch_search *search, struct interval *interval)
{
    struct mt_walk *walk = &search->walk;
    const int low = interval->low;
    interval->value = INFINITY;
    interval->nodes = INT64_MAX;
    mt_walk_start(walk);
    while (mt_walk_next(walk)) {
        if (is_beyond(search, interval->value))
            break;
        if (walk->capacity < low || !mt_walk_promising(walk, low))
            continue;
        const int64_t nodes = mt_walk_takes(walk, MT_NODES, low);
        interval->value = fmin(interval->value, least_value(search, low));
        if (nodes < interval->nodes)
            interval->nodes = nodes;
    }
    return interval->value < INFINITY;
}

/* Find the fastest choice with `ranks` processes, at the first threshold that allows
   one, with the fewest nodes. */
static int try_fastest(struct branch_search *search, int ranks, struct mt_error *err)
{
    struct mt_walk *walk = &search->walk;
    while (mt_walk_next(walk)) {
        if (walk->capacity < ranks)
            continue;
        if (is_worse(search, walk->threshold, mt_walk_takes(walk, MT_NODES, ranks)))
            return MT_OK;
        if (!mt_walk_promising(walk, ranks))
            continue;
        struct mt_choice choice;
        bool proven;
        const bool found =
            mt_inner_fewest_nodes(&search->inner, walk, ranks, &choice, &proven);
        if (!proven)
            search->unproven_bound = fmin(search->unproven_bound, walk->threshold);
        if (found)
            return mt_plan_keep(&search->plan, MT_FASTEST, search->top, &choice, err);
    }
    return MT_OK;
}

/* Find the choice with `ranks` processes of the least cost, or energy: at any
   threshold, as a higher one may allow nodes that take so much less. */
static int try_least(struct branch_search *search, int ranks, struct mt_error *err)
{
    struct mt_walk *walk = &search->walk;
    const enum mt_objective objective = objective_of(search);
    double most = INFINITY; /* what is above it is not kept */
    int status = MT_OK;
    while (status == MT_OK && mt_walk_next(walk)) {
        if (!mt_walk_promising(walk, ranks))
            continue;
        const struct mt_choice *worst = worst_kept(search);
        if (worst)
            most = fmin(most, mt_choice_value(worst, objective));
        const double least = least_value(search, ranks);
        if (least > most)
            continue;
        struct mt_choice choice;
        bool proven;
        const bool found =
            mt_inner_least_value(&search->inner, walk, ranks, most, &choice, &proven);
        if (!proven)
            search->unproven_bound = fmin(search->unproven_bound, least);
        if (!found)
            continue;
        most = fmin(most, mt_choice_value(&choice, objective));
        status = mt_plan_keep(&search->plan, objective, search->top, &choice, err);
    }
    return status;
}

static int try_ranks(struct branch_search *search, int ranks, struct mt_error *err)
{
    if (!mt_space_seconds(search->space, ranks, search->walk.seconds))
        return MT_OK;
    mt_walk_start(&search->walk);
    return objective_of(search) == MT_FASTEST ? try_fastest(search, ranks, err)
                                              : try_least(search, ranks, err);
}

/* Put a part of a range on the heap, unless nothing in it can be kept. */
static int add_interval(struct branch_search *search, int low, int high,
                        struct mt_error *err)
{
    struct interval interval = {.low = low, .high = high};
    if (!mt_space_least_seconds(search->space, low, high, search->walk.seconds) ||
        !bound(search, &interval) || is_worse(search, interval.value, interval.nodes))
        return MT_OK;
    return push(search, interval, err);
}

static int try_interval(struct branch_search *search, struct interval interval,
                        struct mt_error *err)
{
    const int low = interval.low, high = interval.high;
    if (high - low < NARROW) {
        int status = MT_OK;
        for (int ranks = low; ranks <= high && status == MT_OK; ranks++)
            status = try_ranks(search, ranks, err);
        return status;
    }
    /* Terms such as 1/P change by ratios of P, so that is how to halve. */
    int middle = (int)sqrt((double)low * high);
    if (middle >= high)
        middle = high - 1;
    const int status = add_interval(search, low, middle, err);
    return status != MT_OK ? status : add_interval(search, middle + 1, high, err);
}

/* The worst choice of a full plan, so that a choice which is as good is kept whatever
   else there is to say of it; NULL: it is not full. */
static const struct mt_choice *limit_of(const struct mt_plan *plan, int top,
                                        enum mt_objective objective,
                                        struct mt_choice *limit)
{
    if (plan->count < top)
        return NULL;
    *limit = plan->choices[top - 1];
    limit->nodes = limit->ranks = INT_MAX;
    if (objective != MT_FASTEST)
        limit->prediction.seconds = INFINITY;
    return limit;
}

static int search_space(struct branch_search *search, struct mt_error *err)
{
    int status = add_interval(search, 1, search->space->most_ranks, err);
    while (status == MT_OK && search->count > 0) {
        const struct interval next = pop(search);
        if (is_worse(search, next.value, next.nodes))
            break;
        if (search->inner.visits < 0) { /* its allowance of work is used up */
            search->unproven_bound = fmin(search->unproven_bound, next.value);
            break;
        }
        status = try_interval(search, next, err);
    }
    return status;
}

/* Merge what the space has into the plan. */
static int merge(struct mt_plan *plan, struct branch_search *search,
                 struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < search->plan.count; i++) {
        mt_inner_settle_ties(&search->inner, &search->walk, &search->plan.choices[i]);
        status = mt_plan_keep(plan, objective_of(search), search->top,
                              &search->plan.choices[i], err);
    }
    plan->bound = fmin(plan->bound, search->unproven_bound);
    return status;
}

int mt_branch_and_bound(struct mt_plan *plan, struct mt_space *space, int top,
                        struct mt_error *err)
{
    struct mt_choice limit;
    struct branch_search search = {
        .space = space,
        .top = top,
        .limit = limit_of(plan, top, space->question->objective, &limit),
        .unproven_bound = INFINITY};
    int status = mt_walk_init(&search.walk, space, err);
    if (status == MT_OK)
        status = mt_inner_init(&search.inner, space, err);
    if (status == MT_OK)
        status = search_space(&search, err);
    if (status == MT_OK)
        status = merge(plan, &search, err);
    free(search.heap);
    mt_plan_clear(&search.plan);
    mt_inner_clear(&search.inner);
    mt_walk_clear(&search.walk);
    return status;
}
