/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a plan takes: for a cluster of the papers' size against trying every
   configuration, for 100,000 nodes against a scan over all P; the former, and 300
   nodes, also by auto models. */
#include "bench.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"

#include "lib/plan/inner.h"
#include "lib/plan/walk.h"
#include "tests/unit/lib/plan/plan_cases.h"

#include <stdint.h>

enum {
    SMALL_REPETITIONS = 51,
    LARGE_REPETITIONS = 31,
    STRIDE = 1009 /* the scan tries each P that is 1 modulo this, and extrapolates */
};

typedef void make_case(struct plan_case *c, uint64_t number, int nodes, int groups,
                       int choices);

struct context {
    struct plan_case plan_case;
    make_case *make_small;
    uint64_t number; /* of the case */
    bool failed;
};

/* A case for each repetition: ours goes first, the rival gets the same. */
static void next_small(struct context *context)
{
    struct plan_case *c = &context->plan_case;
    plan_case_clear(c);
    context->make_small(c, ++context->number, 12, 3, 2);
    for (int g = 0; g < 3; g++)
        c->cluster.groups[g].nodes = 4;
    c->cluster.groups[2].nlayouts = 1; /* 9 * 9 * 5 - 1 = 404 configurations */
}

static double search(struct context *context, struct mt_plan *plan)
{
    const struct plan_case *c = &context->plan_case;
    const double begin = bench_now_computing();
    const struct mt_problem problem = plan_case_problem(c);
    if (mt_plan_search(plan, &problem, &c->question, NULL) != MT_OK || !plan->exact)
        context->failed = true;
    return bench_now_computing() - begin;
}

static double search_small(void *data)
{
    struct context *context = data;
    struct mt_plan plan = {0};
    next_small(context);
    const double seconds = search(context, &plan);
    mt_plan_clear(&plan);
    return 1e3 * seconds;
}

static double exhaust_small(void *data)
{
    struct context *context = data;
    const struct plan_case *c = &context->plan_case;
    struct mt_plan plan = {0}, found = {0};
    const double begin = bench_now_computing();
    const struct mt_predictor bare = {.problem = plan_case_problem(c)};
    if (mt_plan_exhaustive(&plan, &bare, &c->question, false, NULL) != MT_OK)
        context->failed = true;
    const double seconds = bench_now_computing() - begin;
    search(context, &found);
    for (int i = 0; i < plan.count; i++) {
        if (!mt_configuration_equal(&plan.choices[i].configuration,
                                    &found.choices[i].configuration))
            context->failed = true;
    }
    mt_plan_clear(&plan);
    mt_plan_clear(&found);
    return 1e3 * seconds;
}

static double search_auto(void *data)
{
    struct context *context = data;
    struct plan_case *c = &context->plan_case;
    struct mt_plan plan = {0};
    plan_case_clear(c);
    plan_case_large_auto(c, ++context->number, 300, 3, 8);
    const double seconds = search(context, &plan);
    mt_plan_clear(&plan);
    return 1e3 * seconds;
}

static void next_large(struct context *context)
{
    struct plan_case *c = &context->plan_case;
    plan_case_clear(c);
    plan_case_large(c, ++context->number, 100000, 8, 16);
}

static double search_large(void *data)
{
    struct context *context = data;
    struct mt_plan plan = {0};
    next_large(context);
    const double seconds = search(context, &plan);
    mt_plan_clear(&plan);
    return seconds;
}

/* Likewise with 1, 2, 4 and 8 threads in each of 1 to 16 processes on a node. */
static double search_large_threads(void *data)
{
    struct context *context = data;
    struct mt_plan plan = {0};
    next_large(context);
    plan_case_give_threads(&context->plan_case, 4);
    const double seconds = search(context, &plan);
    mt_plan_clear(&plan);
    return seconds;
}

/* The same case for less money: twice the time of the fastest is allowed. */
static double search_large_cheapest(void *data)
{
    struct context *context = data;
    struct mt_plan plan = {0};
    next_large(context);
    search(context, &plan);
    if (context->failed)
        return NAN;
    context->plan_case.question.objective = MT_CHEAPEST;
    context->plan_case.question.deadline = 2 * plan.choices[0].prediction.seconds;
    mt_plan_clear(&plan);
    const double seconds = search(context, &plan);
    mt_plan_clear(&plan);
    return seconds;
}

/* What there is to choose among between the fastest and the cheapest. */
static double find_front(struct context *context)
{
    struct mt_front front = {0};
    context->plan_case.question.top = 50;
    const double begin = bench_now_computing();
    const struct mt_predictor predictor = {.problem =
                                               plan_case_problem(&context->plan_case)};
    if (mt_plan_front(&front, &predictor, &context->plan_case.question, NULL) !=
            MT_OK ||
        front.count < 2 || !front.exact)
        context->failed = true;
    const double seconds = bench_now_computing() - begin;
    mt_front_clear(&front);
    return seconds;
}

static double find_large_front(void *data)
{
    next_large(data);
    return find_front(data);
}

/* The least seconds that allow `ranks` processes, if they are less than `best`. */
static double fastest_with(struct mt_walk *walk, struct mt_inner *inner, int ranks,
                           double best)
{
    struct mt_choice choice;
    bool proven;
    if (!mt_space_seconds(walk->space, ranks, walk->seconds))
        return best;
    mt_walk_start(walk);
    while (mt_walk_next(walk) && walk->threshold < best) {
        if (mt_walk_promising(walk, ranks) &&
            mt_inner_fewest_nodes(inner, walk, ranks, &choice, &proven))
            return walk->threshold;
    }
    return best;
}

static double scan_large(void *data)
{
    struct context *context = data;
    const struct plan_case *c = &context->plan_case;
    struct mt_space space = {0};
    struct mt_walk walk = {0};
    struct mt_inner inner = {0};
    const double begin = bench_now_computing();
    double best = INFINITY;
    int tried = 0;
    const struct mt_problem problem = plan_case_problem(c);
    if (mt_space_init(&space, &problem, &c->question,
                      (struct mt_region){.island = MT_MAINLAND}, NULL) != MT_OK ||
        mt_walk_init(&walk, &space, NULL) != MT_OK ||
        mt_inner_init(&inner, &space, NULL) != MT_OK)
        exit(EXIT_FAILURE);
    for (int ranks = 1; ranks <= space.most_ranks; ranks += STRIDE, tried++)
        best = fastest_with(&walk, &inner, ranks, best);
    const double seconds = bench_now_computing() - begin;
    if (best == INFINITY)
        context->failed = true;
    const double all = (double)space.most_ranks / tried;
    mt_inner_clear(&inner);
    mt_walk_clear(&walk);
    mt_space_clear(&space);
    return seconds * all;
}

int main(void)
{
    struct context context = {.make_small = plan_case_large};
    const struct bench small = {.name = "plan-404-configurations",
                                .unit = "ms",
                                .rival = "trying every configuration",
                                .target = 1};
    const struct bench small_auto = {.name = "plan-404-configurations-auto",
                                     .unit = "ms",
                                     .rival = "trying every configuration",
                                     .target = 1};
    const struct bench automatic = {
        .name = "plan-300-nodes-auto", .unit = "ms", .target = 10};
    const struct bench large = {.name = "plan-100000-nodes",
                                .unit = "s",
                                .rival = "scan over all P, extrapolated",
                                .target = 1};
    const struct bench cheapest = {
        .name = "plan-100000-nodes-cheapest", .unit = "s", .target = 1};
    bench_run(&small, search_small, exhaust_small, &context, SMALL_REPETITIONS);
    bench_run(&large, search_large, scan_large, &context, LARGE_REPETITIONS);
    const struct bench threads = {
        .name = "plan-100000-nodes-threads", .unit = "s", .target = 2};
    bench_run(&threads, search_large_threads, NULL, &context, LARGE_REPETITIONS);
    bench_run(&cheapest, search_large_cheapest, NULL, &context, LARGE_REPETITIONS);
    const struct bench front = {
        .name = "plan-100000-nodes-front", .unit = "s", .target = 5};
    bench_run(&front, find_large_front, NULL, &context, LARGE_REPETITIONS);
    context.make_small = plan_case_large_auto;
    bench_run(&small_auto, search_small, exhaust_small, &context, SMALL_REPETITIONS);
    bench_run(&automatic, search_auto, NULL, &context, LARGE_REPETITIONS);
    plan_case_clear(&context.plan_case);
    if (context.failed)
        fputs("bench_plan: a plan is missing, not proven, or not the best\n", stderr);
    return context.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
