/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans and questions: their defaults, checks and clean-up. */
#include "motley/plan.h"

#include "internal.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const objective_names[MT_NOBJECTIVES] = {
    [MT_FASTEST] = "time",
    [MT_CHEAPEST] = "price",
    [MT_LEAST_ENERGY] = "energy",
};

const char *mt_objective_name(enum mt_objective objective)
{
    return objective_names[objective];
}

int mt_objective_parse(enum mt_objective *objective, const char *name,
                       struct mt_error *err)
{
    for (int i = 0; i < MT_NOBJECTIVES; i++) {
        if (strcmp(name, objective_names[i]) == 0) {
            *objective = (enum mt_objective)i;
            return MT_OK;
        }
    }
    return mt_fail(err, MT_EINVAL, "'%s' is not time, price or energy", name);
}

bool mt_cluster_has_prices(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++)
        if (cluster->groups[g].price > 0)
            return true;
    return false;
}

bool mt_cluster_has_watts(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++)
        if (cluster->groups[g].watts > 0)
            return true;
    return false;
}

bool mt_question_limits(const struct mt_question *question)
{
    return question->deadline > 0 || question->budget > 0 || question->efficiency > 0;
}

int mt_question_check(const struct mt_question *question,
                      const struct mt_cluster *cluster, struct mt_error *err)
{
    const enum mt_objective objective = question->objective;
    if ((objective == MT_CHEAPEST || question->budget > 0) &&
        !mt_cluster_has_prices(cluster))
        return mt_fail(
            err, MT_EINVAL,
            "no group of cluster '%s' has a price: nothing is known about cost",
            cluster->name);
    if (objective == MT_LEAST_ENERGY && !mt_cluster_has_watts(cluster))
        return mt_fail(err, MT_EINVAL,
                       "no group of cluster '%s' has watts: nothing is known about "
                       "energy; give the groups 'watts: 350' or so",
                       cluster->name);
    return MT_OK;
}

bool mt_plan_fits(const struct mt_cluster *cluster, const struct mt_program *program,
                  const struct mt_configuration *configuration, double size)
{
    const int ranks = mt_configuration_ranks(configuration);
    if (!mt_program_valid(program, size, ranks) ||
        mt_configuration_forbidden(configuration, cluster))
        return false;
    for (int g = 0; g < cluster->ngroups; g++) {
        const double memory = cluster->groups[g].memory;
        const int m = configuration->use[g].layout.processes;
        if (configuration->use[g].nodes > 0 && memory > 0 &&
            m * mt_program_memory(program, size, ranks, m) > memory)
            return false;
    }
    return true;
}

void mt_plan_clear(struct mt_plan *plan)
{
    free(plan->choices);
    *plan = (struct mt_plan){0};
}

double mt_plan_best_value(const struct mt_plan *plan, enum mt_objective objective)
{
    if (plan->count == 0)
        return INFINITY;
    return mt_choice_value(&plan->choices[0], objective);
}

double mt_plan_gap(const struct mt_plan *plan, enum mt_objective objective)
{
    const double best = mt_plan_best_value(plan, objective);
    return plan->exact || best == 0 ? 0 : fmax(0, 1 - plan->bound / best);
}

double mt_choice_value(const struct mt_choice *choice, enum mt_objective objective)
{
    if (objective == MT_FASTEST)
        return choice->prediction.seconds;
    return objective == MT_CHEAPEST ? choice->cost : choice->joules;
}
