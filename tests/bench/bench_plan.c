/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a plan by auto models takes: against trying every configuration where they
   are just too many for the search to do so, and for 300 and 100,000 nodes. */
#include "bench.h"
#include "lib/input/internal.h"
#include "lib/plan/internal.h"

#include "tests/unit/lib/plan/plan_cases.h"

#include <stdint.h>

enum { SMALL_REPETITIONS = 5, LARGE_REPETITIONS = 31 };

struct context {
    struct plan_case plan_case;
    uint64_t number; /* of the case */
    bool failed;
};

/* A case for each repetition: ours goes first, the rival gets the same. */
static void next_small(struct context *context)
{
    struct plan_case *c = &context->plan_case;
    plan_case_clear(c);
    plan_case_large(c, ++context->number, 60, 3, 2);
    for (int g = 0; g < 3; g++)
        c->cluster.groups[g].nodes = 20; /* 41^3 - 1 configurations */
    plan_case_make_auto(c);
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

static double search_medium(void *data)
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
    plan_case_large_auto(c, ++context->number, 100000, 8, 16);
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
    struct plan_case *c = &context->plan_case;
    struct mt_plan plan = {0};
    plan_case_clear(c);
    plan_case_large(c, ++context->number, 100000, 8, 16);
    plan_case_give_threads(c, 4);
    plan_case_make_auto(c);
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

int main(void)
{
    struct context context = {0};
    const struct bench small = {.name = "plan-68920-configurations",
                                .unit = "ms",
                                .rival = "trying every configuration",
                                .target = 10};
    const struct bench medium = {.name = "plan-300-nodes", .unit = "ms", .target = 10};
    const struct bench large = {.name = "plan-100000-nodes", .unit = "s", .target = 1};
    const struct bench threads = {
        .name = "plan-100000-nodes-threads", .unit = "s", .target = 2};
    const struct bench cheapest = {
        .name = "plan-100000-nodes-cheapest", .unit = "s", .target = 1};
    const struct bench front = {
        .name = "plan-100000-nodes-front", .unit = "s", .target = 5};
    bench_run(&small, search_small, exhaust_small, &context, SMALL_REPETITIONS);
    bench_run(&medium, search_medium, NULL, &context, LARGE_REPETITIONS);
    bench_run(&large, search_large, NULL, &context, LARGE_REPETITIONS);
    bench_run(&threads, search_large_threads, NULL, &context, LARGE_REPETITIONS);
    bench_run(&cheapest, search_large_cheapest, NULL, &context, LARGE_REPETITIONS);
    bench_run(&front, find_large_front, NULL, &context, LARGE_REPETITIONS);
    plan_case_clear(&context.plan_case);
    if (context.failed)
        fputs("bench_plan: a plan is missing, not proven, or not the best\n", stderr);
    return context.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
