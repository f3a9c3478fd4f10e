/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/correct.h"

#include "parts.h"
#include "rank.h"

#include <math.h>

/* Clusters with no more configurations have each of them corrected; in others as many
   P are looked at. */
static const double most_corrected = 20000;
enum { MOST_RANKS = 200 };

/* The ratio of two sizes that are near each other. */
static const double near_sizes = 1.5;

static bool contains(const struct mt_plan *plan,
                     const struct mt_configuration *configuration)
{
    for (int i = 0; i < plan->count; i++)
        if (mt_configuration_equal(&plan->choices[i].configuration, configuration))
            return true;
    return false;
}

/* Add what was run at sizes near that of the question. */
static int add_run(struct mt_plan *plan, const struct mt_cluster *cluster,
                   const struct mt_program *program, const struct mt_models *models,
                   const struct mt_question *question, const struct mt_sample *samples,
                   int nsamples, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < nsamples && status == MT_OK; i++) {
        const double ratio = samples[i].size / question->size;
        if (ratio <= near_sizes && ratio >= 1 / near_sizes &&
            !contains(plan, &samples[i].configuration))
            status = mt_plan_consider(plan, cluster, program, models, question, 0,
                                      &samples[i].configuration, err);
    }
    return status;
}

int mt_plan_candidates(struct mt_plan *plan, const struct mt_cluster *cluster,
                       const struct mt_program *program, const struct mt_models *models,
                       const struct mt_question *question,
                       const struct mt_sample *samples, int nsamples,
                       struct mt_error *err)
{
    struct mt_question wide = *question;
    wide.deadline = 0;
    wide.budget = 0;
    wide.top = MOST_RANKS;
    if (mt_configuration_count(cluster) <= most_corrected)
        return mt_plan_exhaustive(plan, cluster, program, models, &wide, true, err);

    struct mt_plan found = {0};
    int status = mt_plan_search(&found, cluster, program, models, &wide, err);
    if (status == MT_OK)
        status =
            add_run(&found, cluster, program, models, &wide, samples, nsamples, err);
    if (status != MT_OK) {
        mt_plan_clear(&found);
        return status;
    }
    mt_plan_sort(&found, question->objective);
    found.exact = false;
    *plan = found;
    return MT_OK;
}

static int correct_choice(struct mt_choice *choice, const struct mt_cluster *cluster,
                          const struct mt_evidence *evidence, double size,
                          struct mt_error *err)
{
    const int status =
        mt_evidence_predict(evidence, &choice->configuration, size, &choice->prediction,
                            &choice->deviation, err);
    if (status == MT_OK)
        mt_choice_complete(choice, cluster);
    return status;
}

/* Nothing is left: say what is to blame. */
static int explain(const struct mt_question *question, double least_seconds,
                   double least_cost, struct mt_error *err)
{
    if (question->deadline > 0 && least_seconds > question->deadline)
        return mt_fail(err, MT_EINFEASIBLE,
                       "no configuration meets the deadline of %g s: the fastest is "
                       "expected to take %.4g s",
                       question->deadline, least_seconds);
    if (question->budget > 0 && least_cost > question->budget)
        return mt_fail(err, MT_EINFEASIBLE,
                       "no configuration stays within the budget of %g: the cheapest "
                       "is expected to cost %.4g",
                       question->budget, least_cost);
    return mt_fail(err, MT_EINFEASIBLE,
                   "deadline, budget and number of nodes cannot be kept together");
}

int mt_plan_correct(struct mt_plan *plan, const struct mt_cluster *cluster,
                    const struct mt_evidence *evidence,
                    const struct mt_question *question, struct mt_error *err)
{
    int kept = 0;
    double least_seconds = INFINITY, least_cost = INFINITY;
    for (int i = 0; i < plan->count; i++) {
        struct mt_choice choice = plan->choices[i];
        const int status =
            correct_choice(&choice, cluster, evidence, question->size, err);
        if (status != MT_OK)
            return status;
        least_seconds = fmin(least_seconds, choice.prediction.seconds);
        least_cost = fmin(least_cost, choice.cost);
        if (mt_choice_allowed(&choice, cluster, question))
            plan->choices[kept++] = choice;
    }
    if (kept == 0)
        return explain(question, least_seconds, least_cost, err);
    plan->count = kept;
    mt_plan_sort(plan, question->objective);
    const struct mt_choice *best = &plan->choices[0];
    plan->corrected = true;
    plan->bound = !plan->exact                         ? 0
                  : question->objective == MT_CHEAPEST ? best->cost
                                                       : best->prediction.seconds;
    return MT_OK;
}

void mt_plan_keep_top(struct mt_plan *plan, int top)
{
    int kept = 0;
    for (int i = 0; i < plan->count && kept < top; i++) {
        int same = 0;
        while (same < kept && plan->choices[same].ranks != plan->choices[i].ranks)
            same++;
        if (same == kept)
            plan->choices[kept++] = plan->choices[i];
    }
    plan->count = kept;
}
