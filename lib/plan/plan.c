/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/plan.h"

#include "explain.h"
#include "parts.h"
#include "rank.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

static const double most_exhaustive = 1e7;

void mt_plan_clear(struct mt_plan *plan)
{
    free(plan->choices);
    *plan = (struct mt_plan){0};
}

bool mt_plan_fits(const struct mt_cluster *cluster, const struct mt_program *program,
                  const struct mt_configuration *configuration, double size)
{
    const int ranks = mt_configuration_ranks(configuration);
    if (!mt_program_valid(program, size, ranks))
        return false;
    for (int g = 0; g < cluster->ngroups; g++) {
        const double memory = cluster->groups[g].memory;
        const int m = configuration->use[g].processes;
        if (configuration->use[g].nodes > 0 && memory > 0 &&
            m * mt_program_memory(program, size, ranks, m) > memory)
            return false;
    }
    return true;
}

static int top_of(const struct mt_question *question)
{
    return question->top > 0 ? question->top : 1;
}

int mt_plan_consider(struct mt_plan *plan, const struct mt_cluster *cluster,
                     const struct mt_program *program, const struct mt_models *models,
                     const struct mt_question *question, int top,
                     const struct mt_configuration *configuration, struct mt_error *err)
{
    if (!mt_plan_fits(cluster, program, configuration, question->size) ||
        mt_configuration_find_nodes(configuration, cluster, NULL) != MT_OK)
        return MT_OK;
    struct mt_choice choice = {.configuration = *configuration};
    plan->evaluated++;
    const int status = mt_models_predict(models, cluster, program, configuration,
                                         question->size, &choice.prediction, err);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status != MT_OK)
        return status;
    mt_choice_complete(&choice, cluster);
    if (!mt_choice_allowed(&choice, cluster, question))
        return MT_OK;
    return mt_plan_keep(plan, question->objective, top, &choice, err);
}

/* N-T: only configurations that have a model can be planned; not those of nodes that
   the cluster no longer has. */
static int search_models(struct mt_plan *plan, const struct mt_cluster *cluster,
                         const struct mt_program *program,
                         const struct mt_models *models,
                         const struct mt_question *question, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < models->count && status == MT_OK; i++) {
        const char *text = models->models[i].configuration;
        struct mt_configuration configuration;
        if (text &&
            mt_configuration_parse(&configuration, cluster, text, NULL) == MT_OK)
            status = mt_plan_consider(plan, cluster, program, models, question,
                                      top_of(question), &configuration, err);
    }
    plan->configurations = models->count;
    plan->exact = true;
    plan->bound = plan->count == 0 ? INFINITY
                  : question->objective == MT_CHEAPEST
                      ? plan->choices[0].cost
                      : plan->choices[0].prediction.seconds;
    return status;
}

static int search_groups(struct mt_plan *plan, const struct mt_cluster *cluster,
                         const struct mt_program *program,
                         const struct mt_models *models,
                         const struct mt_question *question, struct mt_error *err)
{
    struct mt_space space = {0};
    int status = mt_space_init(&space, cluster, program, models, question, err);
    if (status == MT_OK)
        status = mt_search_space(plan, &space, top_of(question), err);
    for (int i = 0; status == MT_OK && i < plan->count; i++) {
        struct mt_choice *choice = &plan->choices[i];
        status = mt_models_predict(models, cluster, program, &choice->configuration,
                                   question->size, &choice->prediction, err);
        mt_choice_complete(choice, cluster);
    }
    plan->configurations = mt_configuration_count(cluster);
    plan->evaluated = space.evaluated;
    mt_space_clear(&space);
    return status;
}

int mt_plan_find(struct mt_plan *plan, const struct mt_cluster *cluster,
                 const struct mt_program *program, const struct mt_models *models,
                 const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan found = {0};
    const int status =
        models->kind == MT_MODEL_NT
            ? search_models(&found, cluster, program, models, question, err)
            : search_groups(&found, cluster, program, models, question, err);
    if (status == MT_OK)
        *plan = found;
    else
        mt_plan_clear(&found);
    return status;
}

/* Hand over what was found, or say why it is nothing. */
static int finish(struct mt_plan *plan, struct mt_plan *found,
                  const struct mt_cluster *cluster, const struct mt_program *program,
                  const struct mt_models *models, const struct mt_question *question,
                  struct mt_error *err)
{
    if (found->count == 0 && !found->exact)
        return mt_fail(err, MT_EINFEASIBLE,
                       "the search was given up before it found a configuration; fewer "
                       "constraints make it easier");
    if (found->count == 0) {
        mt_plan_clear(found);
        return mt_plan_explain(cluster, program, models, question, err);
    }
    *plan = *found;
    return MT_OK;
}

int mt_plan_search(struct mt_plan *plan, const struct mt_cluster *cluster,
                   const struct mt_program *program, const struct mt_models *models,
                   const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan found = {0};
    const int status = mt_plan_find(&found, cluster, program, models, question, err);
    if (status != MT_OK)
        return status;
    return finish(plan, &found, cluster, program, models, question, err);
}

int mt_plan_exhaustive(struct mt_plan *plan, const struct mt_cluster *cluster,
                       const struct mt_program *program, const struct mt_models *models,
                       const struct mt_question *question, bool all,
                       struct mt_error *err)
{
    const bool cheapest = question->objective == MT_CHEAPEST;
    struct mt_plan found = {.configurations = mt_configuration_count(cluster),
                            .exact = true};
    if (found.configurations > most_exhaustive)
        return mt_fail(err, MT_EINVAL,
                       "too many configurations to try each: %.3g, more than %.0g",
                       found.configurations, most_exhaustive);

    int status = MT_OK;
    struct mt_configuration configuration = {0};
    while (status == MT_OK && mt_configuration_next(&configuration, cluster))
        status = mt_plan_consider(&found, cluster, program, models, question,
                                  all ? 0 : top_of(question), &configuration, err);
    if (status != MT_OK) {
        mt_plan_clear(&found);
        return status;
    }
    if (all)
        mt_plan_sort(&found, question->objective);
    if (found.count > 0)
        found.bound =
            cheapest ? found.choices[0].cost : found.choices[0].prediction.seconds;
    return finish(plan, &found, cluster, program, models, question, err);
}
