/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank.h"

#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "resource.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(double a, double b)
{
    return a < b ? -1 : a > b;
}

/* How many deviations are added to what did not run: the best of 0, 0.25, 0.5, 0.75, 1
   and 2 on the recorded clusters, and on clusters that nobody looked at. */
static const double caution = 0.5;

double mt_with_caution(double value, double deviation)
{
    return value * exp(caution * deviation);
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

int mt_choice_predict(struct mt_choice *choice, const struct mt_predictor *predictor,
                      const struct mt_question *question, struct mt_error *err)
{
    const struct mt_configuration *configuration = &choice->configuration;
    const int status = mt_predictor_predict(predictor, configuration, question->size,
                                            &choice->prediction, err);
    if (status != MT_OK)
        return status;
    const bool ran =
        mt_measured_at(&predictor->measured, configuration, question->size);
    choice->behind = mt_measured_any(&predictor->measured, question->size) &&
                     (question->ran_first ? !ran : choice->prediction.unseen);
    mt_choice_complete(choice, predictor->problem.cluster);
    return MT_OK;
}

bool mt_choice_allowed(const struct mt_choice *choice, const struct mt_cluster *cluster,
                       const struct mt_question *question)
{
    const double predicted = choice->prediction.seconds;
    const double seconds =
        mt_prediction_seconds_at(&choice->prediction, question->confidence);
    const int64_t price =
        mt_configuration_takes(&choice->configuration, cluster, MT_PRICE);
    return (question->deadline <= 0 || seconds <= question->deadline) &&
           (question->max_nodes <= 0 || choice->nodes <= question->max_nodes) &&
           price <= mt_resource_limit(MT_PRICE, question->budget, seconds) &&
           price <= mt_resource_limit(MT_PRICE, question->cost, predicted) &&
           mt_configuration_takes(&choice->configuration, cluster, MT_POWER) <=
               mt_resource_limit(MT_POWER, question->joules, predicted);
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

int mt_plan_consider(struct mt_plan *plan, const struct mt_problem *problem,
                     const struct mt_question *question, int top,
                     const struct mt_configuration *configuration, struct mt_error *err)
{
    if (!mt_plan_fits(problem->cluster, problem->program, configuration,
                      question->size) ||
        mt_configuration_find_nodes(configuration, problem->cluster, NULL) != MT_OK)
        return MT_OK;
    struct mt_choice choice = {.configuration = *configuration};
    plan->evaluated++;
    const int status = mt_models_predict(problem, configuration, question->size,
                                         &choice.prediction, err);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status != MT_OK)
        return status;
    mt_choice_complete(&choice, problem->cluster);
    if (!mt_choice_allowed(&choice, problem->cluster, question))
        return MT_OK;
    return mt_plan_keep(plan, question->objective, top, &choice, err);
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
