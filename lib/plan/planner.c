/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/plan.h"

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
static int add_runs(struct mt_plan *plan, const struct mt_problem *problem,
                    const struct mt_samples *samples,
                    const struct mt_question *question, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < samples->count && status == MT_OK; i++) {
        const struct mt_sample *run = &samples->samples[i];
        const double ratio = run->size / question->size;
        if (ratio <= near_sizes && ratio >= 1 / near_sizes &&
            !contains(plan, &run->configuration))
            status =
                mt_plan_consider(plan, problem, question, 0, &run->configuration, err);
    }
    return status;
}

int mt_plan_propose(struct mt_plan *plan, const struct mt_problem *problem,
                    const struct mt_samples *samples,
                    const struct mt_question *question, struct mt_error *err)
{
    struct mt_question wide = *question;
    wide.deadline = 0;
    wide.budget = 0;
    wide.top = MOST_RANKS;
    if (mt_configuration_count(problem->cluster) <= most_corrected)
        return mt_plan_exhaustive(plan, problem, &wide, true, err);

    struct mt_plan found = {0};
    int status = mt_plan_search(&found, problem, &wide, err);
    if (status == MT_OK)
        status = add_runs(&found, problem, samples, &wide, err);
    if (status != MT_OK) {
        mt_plan_clear(&found);
        return status;
    }
    mt_plan_sort(&found, question->objective);
    found.exact = false;
    *plan = found;
    return MT_OK;
}

static int calibrate_choice(struct mt_choice *choice,
                            const struct mt_calibration *calibration, double size,
                            struct mt_error *err)
{
    const int status =
        mt_calibration_predict(calibration, &choice->configuration, size,
                               &choice->prediction, &choice->deviation, err);
    if (status == MT_OK)
        mt_choice_complete(choice, calibration->problem.cluster);
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

int mt_plan_calibrate(struct mt_plan *plan, const struct mt_calibration *calibration,
                      const struct mt_question *question, struct mt_error *err)
{
    int kept = 0;
    double least_seconds = INFINITY, least_cost = INFINITY;
    for (int i = 0; i < plan->count; i++) {
        struct mt_choice choice = plan->choices[i];
        const int status = calibrate_choice(&choice, calibration, question->size, err);
        if (status != MT_OK)
            return status;
        least_seconds = fmin(least_seconds, choice.prediction.seconds);
        least_cost = fmin(least_cost, choice.cost);
        if (mt_choice_allowed(&choice, calibration->problem.cluster, question))
            plan->choices[kept++] = choice;
    }
    if (kept == 0)
        return explain(question, least_seconds, least_cost, err);
    plan->count = kept;
    mt_plan_sort(plan, question->objective);
    plan->corrected = true;
    plan->bound = plan->exact ? mt_plan_best_value(plan, question->objective) : 0;
    return MT_OK;
}

/* What was run at this size and always failed is not proposed again. */
static int leave_out_failed(struct mt_plan *plan, const struct mt_samples *samples,
                            double size, struct mt_error *err)
{
    int kept = 0;
    for (int i = 0; i < plan->count; i++)
        if (!mt_samples_failed(samples, &plan->choices[i].configuration, size))
            plan->choices[kept++] = plan->choices[i];
    plan->failed = plan->count - kept;
    plan->count = kept;
    return kept > 0 ? MT_OK
                    : mt_fail(err, MT_EINFEASIBLE,
                              "every configuration that is allowed was run at this "
                              "size, and failed");
}

int mt_plan_candidates(struct mt_plan *plan, const struct mt_predictor *predictor,
                       const struct mt_question *question, struct mt_error *err)
{
    const struct mt_samples *samples = &predictor->samples;
    struct mt_plan found = {0};
    int status = mt_plan_propose(&found, &predictor->problem, samples, question, err);
    if (status == MT_OK)
        status = mt_plan_calibrate(&found, &predictor->calibration, question, err);
    if (status == MT_OK)
        status = leave_out_failed(&found, samples, question->size, err);
    if (status == MT_OK)
        *plan = found;
    else
        mt_plan_clear(&found);
    return status;
}

int mt_plan_make(struct mt_plan *plan, const struct mt_predictor *predictor,
                 const struct mt_question *question, bool all, struct mt_error *err)
{
    int status = mt_question_check(question, predictor->problem.cluster, err);
    if (status != MT_OK)
        return status;
    if (predictor->corrections > 0) {
        status = mt_plan_candidates(plan, predictor, question, err);
        if (status == MT_OK && !all)
            mt_plan_keep_top(plan, question->top > 0 ? question->top : 1);
        return status;
    }
    return all ? mt_plan_exhaustive(plan, &predictor->problem, question, true, err)
               : mt_plan_search(plan, &predictor->problem, question, err);
}

double mt_plan_speed(const struct mt_predictor *predictor,
                     const struct mt_choice *choice, double size)
{
    const double work = mt_program_work(predictor->problem.program, size);
    return work > 0 ? work / choice->prediction.seconds : NAN;
}

double mt_plan_efficiency(const struct mt_predictor *predictor,
                          const struct mt_choice *choice, double size)
{
    double ideal = 0;
    for (int g = 0; g < predictor->problem.cluster->ngroups; g++) {
        const int nodes = choice->configuration.use[g].nodes;
        if (nodes > 0 && predictor->speed_alone[g] == 0)
            return NAN;
        ideal += nodes * predictor->speed_alone[g];
    }
    return mt_plan_speed(predictor, choice, size) / ideal;
}
