/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes, money and energy of choices, and which of two is better. */
#include "rank.h"

#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double millionths = 1e6;
static const double seconds_per_hour = 3600;

enum mt_resource mt_objective_resource(enum mt_objective objective)
{
    if (objective == MT_FASTEST)
        return MT_NODES;
    return objective == MT_CHEAPEST ? MT_PRICE : MT_POWER;
}

int64_t mt_node_takes(const struct mt_group *group, enum mt_resource resource)
{
    if (resource == MT_NODES)
        return 1;
    return llround((resource == MT_PRICE ? group->price : group->watts) * millionths);
}

int64_t mt_configuration_takes(const struct mt_configuration *configuration,
                               const struct mt_cluster *cluster,
                               enum mt_resource resource)
{
    int64_t takes = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const int nodes = configuration->use[g].nodes;
        if (nodes > 0)
            takes += nodes * mt_node_takes(&cluster->groups[g], resource);
    }
    return takes;
}

double mt_resource_value(enum mt_resource resource, double seconds, int64_t takes)
{
    if (resource == MT_NODES)
        return seconds;
    /* multiply first, so that equal products of seconds and prices are equal costs */
    const double unit =
        resource == MT_PRICE ? seconds_per_hour * millionths : millionths;
    return seconds * (double)takes / unit;
}

int64_t mt_resource_limit(enum mt_resource resource, double value, double seconds)
{
    if (value <= 0)
        return INT64_MAX;
    const double limit = value / mt_resource_value(resource, seconds, 1);
    if (limit >= (double)INT64_MAX)
        return INT64_MAX;
    int64_t takes = llround(limit);
    if (mt_resource_value(resource, seconds, takes) > value)
        takes--;
    return takes;
}

/* Whether a question limits the nodes' use of a resource. */
static bool is_limited(const struct mt_question *question, enum mt_resource resource)
{
    if (resource == MT_NODES)
        return question->max_nodes > 0;
    return resource == MT_PRICE ? question->budget > 0 || question->cost > 0
                                : question->joules > 0;
}

int64_t mt_question_allows(const struct mt_question *question,
                           enum mt_resource resource, double seconds)
{
    if (!is_limited(question, resource))
        return INT64_MAX;
    if (resource == MT_NODES)
        return question->max_nodes;
    if (resource == MT_POWER)
        return mt_resource_limit(resource, question->joules, seconds);
    const int64_t budget = mt_resource_limit(resource, question->budget, seconds);
    const int64_t cost = mt_resource_limit(resource, question->cost, seconds);
    return budget < cost ? budget : cost;
}

static int compare_numbers(double a, double b)
{
    return a < b ? -1 : a > b;
}

int mt_choice_compare(enum mt_objective objective, const struct mt_choice *a,
                      const struct mt_choice *b)
{
    int order = (a->behind > b->behind) - (a->behind < b->behind);
    if (order == 0)
        order = compare_numbers(mt_choice_value(a, objective),
                                mt_choice_value(b, objective));
    if (order == 0)
        order = compare_numbers(a->prediction.seconds, b->prediction.seconds);
    if (order == 0)
        order = compare_numbers(a->nodes, b->nodes);
    if (order == 0)
        order = compare_numbers(a->ranks, b->ranks);
    for (int g = 0; g < MT_MAX_GROUPS && order == 0; g++) {
        const struct mt_use *p = &a->configuration.use[g];
        const struct mt_use *q = &b->configuration.use[g];
        order = compare_numbers(q->nodes, p->nodes);
        if (order == 0)
            order = mt_layout_compare(q->layout, p->layout);
    }
    return order;
}

double mt_choice_cost_at(const struct mt_choice *choice,
                         const struct mt_cluster *cluster, double seconds)
{
    return mt_resource_value(
        MT_PRICE, seconds,
        mt_configuration_takes(&choice->configuration, cluster, MT_PRICE));
}

void mt_choice_complete(struct mt_choice *choice, const struct mt_cluster *cluster)
{
    const struct mt_configuration *configuration = &choice->configuration;
    const double seconds = choice->prediction.seconds;
    choice->ranks = mt_configuration_ranks(configuration);
    choice->nodes = mt_configuration_nodes(configuration);
    choice->cost = mt_choice_cost_at(choice, cluster, seconds);
    choice->joules = mt_resource_value(
        MT_POWER, seconds, mt_configuration_takes(configuration, cluster, MT_POWER));
}

static bool is_behind(const struct mt_choice *choice,
                      const struct mt_predictor *predictor,
                      const struct mt_question *question)
{
    const bool ran =
        mt_measured_at(&predictor->measured, &choice->configuration, question->size);
    return mt_measured_any(&predictor->measured, question->size) && !ran &&
           (question->ran_first ||
            mt_predictor_guesses(predictor, &choice->configuration));
}

int mt_choice_predict(struct mt_choice *choice, const struct mt_predictor *predictor,
                      const struct mt_question *question, struct mt_error *err)
{
    const int status = mt_predictor_predict(predictor, &choice->configuration,
                                            question->size, &choice->prediction, err);
    if (status != MT_OK)
        return status;
    choice->behind = is_behind(choice, predictor, question);
    mt_choice_complete(choice, predictor->problem.cluster);
    return MT_OK;
}

int mt_choice_rank(struct mt_choice *choice, const struct mt_predictor *predictor,
                   const struct mt_question *question, struct mt_error *err)
{
    const struct mt_configuration *configuration = &choice->configuration;
    double seconds;
    const int status =
        mt_predictor_seconds(predictor, configuration, question->size, &seconds, err);
    if (status != MT_OK)
        return status;
    choice->prediction = (struct mt_prediction){.seconds = seconds};
    choice->behind = is_behind(choice, predictor, question);
    mt_choice_complete(choice, predictor->problem.cluster);
    return MT_OK;
}

bool mt_choice_allowed(const struct mt_choice *choice,
                       const struct mt_predictor *predictor,
                       const struct mt_question *question)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    const double predicted = choice->prediction.seconds;
    const double seconds =
        mt_prediction_seconds_at(&choice->prediction, question->confidence);
    const int64_t price =
        mt_configuration_takes(&choice->configuration, cluster, MT_PRICE);
    return (question->deadline <= 0 || seconds <= question->deadline) &&
           (question->efficiency <= 0 ||
            mt_plan_worth(predictor, &choice->configuration, question->size) >=
                question->efficiency * seconds) &&
           (question->max_nodes <= 0 || choice->nodes <= question->max_nodes) &&
           price <= mt_resource_limit(MT_PRICE, question->budget, seconds) &&
           price <= mt_resource_limit(MT_PRICE, question->cost, predicted) &&
           mt_configuration_takes(&choice->configuration, cluster, MT_POWER) <=
               mt_resource_limit(MT_POWER, question->joules, predicted);
}

int mt_question_fail(const struct mt_question *question,
                     const struct mt_cluster *cluster, const char *nothing,
                     enum mt_objective of, const struct mt_choice *best,
                     struct mt_error *err)
{
    const bool fastest = of == MT_FASTEST;
    const double confidence = question->confidence;
    const double seconds = best->prediction.seconds;
    const double most = mt_prediction_seconds_at(&best->prediction, confidence);
    const char *unit = fastest ? " s" : "";
    char chance[48] = "", with_that[64] = "";
    if (confidence > 0) {
        snprintf(chance, sizeof chance, " with a chance of %.3g %%", 100 * confidence);
        snprintf(with_that, sizeof with_that, ", and up to %.4g%s with that",
                 fastest ? most : mt_choice_cost_at(best, cluster, most), unit);
    }
    return mt_fail(err, MT_EINFEASIBLE, "%s %s %g%s%s: the %s %.4g%s%s", nothing,
                   fastest ? "meets the deadline of" : "stays within the budget of",
                   fastest ? question->deadline : question->budget, unit, chance,
                   fastest ? "fastest takes" : "cheapest costs",
                   fastest ? seconds : best->cost, unit, with_that);
}

static void remove_choice(struct mt_plan *plan, int i)
{
    plan->count--;
    memmove(&plan->choices[i], &plan->choices[i + 1],
            (size_t)(plan->count - i) * sizeof *plan->choices);
}

static void insert_choice(struct mt_plan *plan, int i, const struct mt_choice *choice)
{
    memmove(&plan->choices[i + 1], &plan->choices[i],
            (size_t)(plan->count - i) * sizeof *plan->choices);
    plan->choices[i] = *choice;
    plan->count++;
}

int mt_plan_keep(struct mt_plan *plan, enum mt_objective objective, int top,
                 const struct mt_choice *choice, struct mt_error *err)
{
    int place = 0;
    if (top == 0) {
        place = plan->count;
    } else {
        for (int i = 0; i < plan->count; i++) {
            if (plan->choices[i].ranks != choice->ranks)
                continue;
            if (mt_choice_compare(objective, &plan->choices[i], choice) <= 0)
                return MT_OK;
            remove_choice(plan, i);
            break;
        }
        while (place < plan->count &&
               mt_choice_compare(objective, &plan->choices[place], choice) < 0)
            place++;
        if (place == top)
            return MT_OK;
    }
    const int status = mt_array_grow(&plan->choices, plan->count, sizeof *plan->choices,
                                     "choices of a plan", err);
    if (status != MT_OK)
        return status;
    insert_choice(plan, place, choice);
    if (top > 0 && plan->count > top)
        plan->count--;
    return MT_OK;
}

int mt_plan_consider(struct mt_plan *plan, const struct mt_predictor *predictor,
                     const struct mt_question *question, int top,
                     const struct mt_configuration *configuration, struct mt_error *err)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    if (!mt_plan_fits(cluster, predictor->problem.program, configuration,
                      question->size) ||
        mt_configuration_find_nodes(configuration, cluster, NULL) != MT_OK)
        return MT_OK;
    if (mt_samples_failed(&predictor->samples, configuration, question->size)) {
        plan->failed++;
        return MT_OK;
    }
    struct mt_choice choice = {.configuration = *configuration};
    struct mt_error reason; /* a missing prediction is not a failure */
    plan->evaluated++;
    const int status = mt_choice_rank(&choice, predictor, question, &reason);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    return mt_choice_allowed(&choice, predictor, question)
               ? mt_plan_keep(plan, question->objective, top, &choice, err)
               : MT_OK;
}

static int compare_fastest(const void *a, const void *b)
{
    return mt_choice_compare(MT_FASTEST, a, b);
}

static int compare_cheapest(const void *a, const void *b)
{
    return mt_choice_compare(MT_CHEAPEST, a, b);
}

static int compare_energy(const void *a, const void *b)
{
    return mt_choice_compare(MT_LEAST_ENERGY, a, b);
}

void mt_plan_sort(struct mt_plan *plan, enum mt_objective objective)
{
    static int (*const compare[])(const void *, const void *) = {
        [MT_FASTEST] = compare_fastest,
        [MT_CHEAPEST] = compare_cheapest,
        [MT_LEAST_ENERGY] = compare_energy,
    };
    if (plan->count > 0)
        qsort(plan->choices, (size_t)plan->count, sizeof *plan->choices,
              compare[objective]);
}

bool mt_plan_has(const struct mt_plan *plan,
                 const struct mt_configuration *configuration)
{
    for (int i = 0; i < plan->count; i++)
        if (mt_configuration_equal(&plan->choices[i].configuration, configuration))
            return true;
    return false;
}
