/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a question: models propose, the calibration re-ranks, failed configurations
   are left out. */
#include "climb.h"
#include "internal.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "rank.h"

#include <math.h>

/* Clusters with no more configurations have each of them corrected; in others as many
   P are looked at. */
static const double most_corrected = 60000;
enum { MOST_RANKS = 50 };

/* There the corrected times are climbed, too: from so many candidates, with so many
   evaluations for each of these, and in all from scratch. */
enum { MOST_CLIMBS = 4, EVALUATIONS = 2000 };

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

/* The choices that take the least seconds and cost, if limits are to be kept with a
   chance, of those that were predicted anew. */
struct least {
    struct mt_choice fastest, cheapest;
    double seconds, cost;
};

static void note_least(struct least *least, const struct mt_choice *choice,
                       const struct mt_cluster *cluster, double confidence)
{
    const double seconds = mt_prediction_seconds_at(&choice->prediction, confidence);
    const double cost = mt_choice_cost_at(choice, cluster, seconds);
    if (seconds < least->seconds) {
        least->seconds = seconds;
        least->fastest = *choice;
    }
    if (cost < least->cost) {
        least->cost = cost;
        least->cheapest = *choice;
    }
}

/* Nothing is left: say what is to blame. */
static int explain(const struct mt_question *question, const struct mt_cluster *cluster,
                   const struct least *least, const char *nothing, struct mt_error *err)
{
    if (question->deadline > 0 && least->seconds > question->deadline)
        return mt_question_fail(question, cluster, nothing, MT_FASTEST, &least->fastest,
                                err);
    if (question->budget > 0 && least->cost > question->budget)
        return mt_question_fail(question, cluster, nothing, MT_CHEAPEST,
                                &least->cheapest, err);
    return mt_fail(err, MT_EINFEASIBLE,
                   "%s keeps deadline, budget and number of nodes together", nothing);
}

/* Nothing is left to try after those before it. */
static void set_bound(struct mt_plan *plan, enum mt_objective objective)
{
    plan->bound = plan->exact ? mt_plan_best_value(plan, objective) : 0;
}

int mt_plan_calibrate(struct mt_plan *plan, const struct mt_predictor *predictor,
                      const struct mt_question *question, struct mt_error *err)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    int kept = 0;
    struct least least = {.seconds = INFINITY, .cost = INFINITY};
    for (int i = 0; i < plan->count; i++) {
        struct mt_choice choice = plan->choices[i];
        const int status = mt_choice_predict(&choice, predictor, question, err);
        if (status != MT_OK)
            return status;
        note_least(&least, &choice, cluster, question->confidence);
        if (mt_choice_allowed(&choice, cluster, question))
            plan->choices[kept++] = choice;
    }
    if (kept == 0)
        return explain(
            question, cluster, &least,
            plan->exact ? "no configuration" : "no configuration was found that", err);
    plan->count = kept;
    mt_plan_sort(plan, question->objective);
    plan->corrected = true;
    set_bound(plan, question->objective);
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

/* What keeps a deadline by the models, but is not among the best without one. */
static int propose_within(struct mt_plan *plan, const struct mt_predictor *predictor,
                          const struct mt_question *question, struct mt_error *err)
{
    struct mt_plan found = {0};
    int status = MT_OK;
    if (question->deadline > 0 || question->budget > 0)
        status = mt_plan_search(&found, &predictor->problem, question, err);
    for (int i = 0; i < found.count && status == MT_OK; i++)
        if (!contains(plan, &found.choices[i].configuration))
            status = mt_plan_keep(plan, question->objective, 0, &found.choices[i], err);
    mt_plan_clear(&found);
    return status == MT_EINFEASIBLE ? MT_OK : status;
}

/* Merge what is found by climbing corrected times from the best candidates, and from
   scratch, into the plan. */
static int climb_corrected(struct mt_plan *plan, const struct mt_predictor *predictor,
                           const struct mt_question *question, struct mt_error *err)
{
    struct mt_climb climb = {.problem = &predictor->problem,
                             .question = question,
                             .predictor = predictor,
                             .evaluations = EVALUATIONS};
    struct mt_plan found = {0};
    int status = mt_climb_from_scratch(&climb, &found, MOST_RANKS, err);
    for (int i = 0; i < plan->count && i < MOST_CLIMBS && status == MT_OK; i++) {
        struct mt_choice choice;
        bool any;
        climb.evaluations = EVALUATIONS;
        status = mt_climb(&climb, &plan->choices[i].configuration, &choice, &any, err);
        if (status == MT_OK && any)
            status =
                mt_plan_keep(&found, question->objective, MOST_RANKS, &choice, err);
    }
    for (int i = 0; i < found.count && status == MT_OK; i++)
        if (!contains(plan, &found.choices[i].configuration))
            status = mt_plan_keep(plan, question->objective, 0, &found.choices[i], err);
    mt_plan_clear(&found);
    return status;
}

/* Predict the candidates anew. Where they are not all there is, those that keep a
   deadline or budget may not be among them: look for these. */
static int correct(struct mt_plan *plan, const struct mt_predictor *predictor,
                   const struct mt_question *question, struct mt_error *err)
{
    struct mt_error reason = {0};
    if (plan->exact)
        return mt_plan_calibrate(plan, predictor, question, err);
    int status = propose_within(plan, predictor, question, err);
    if (status != MT_OK)
        return status;
    const int kept = mt_plan_calibrate(plan, predictor, question, &reason);
    if (kept == MT_EINFEASIBLE)
        plan->count = 0;
    else if (kept != MT_OK)
        return mt_fail(err, kept, "%s", reason.text);
    status = climb_corrected(plan, predictor, question, err);
    if (status == MT_OK && plan->count == 0)
        return mt_fail(err, kept, "%s", reason.text);
    mt_plan_sort(plan, question->objective);
    plan->corrected = true;
    plan->exact = false;
    return status;
}

int mt_plan_candidates(struct mt_plan *plan, const struct mt_predictor *predictor,
                       const struct mt_question *question, struct mt_error *err)
{
    const struct mt_samples *samples = &predictor->samples;
    struct mt_plan found = {0};
    int status = mt_plan_propose(&found, &predictor->problem, samples, question, err);
    if (status == MT_OK)
        status = correct(&found, predictor, question, err);
    if (status == MT_OK)
        status = leave_out_failed(&found, samples, question->size, err);
    if (status != MT_OK) {
        mt_plan_clear(&found);
        return status;
    }
    set_bound(&found, question->objective);
    *plan = found;
    return MT_OK;
}

int mt_plan_make(struct mt_plan *plan, const struct mt_predictor *predictor,
                 const struct mt_question *question, bool all, struct mt_error *err)
{
    int status = mt_question_check(question, predictor->problem.cluster, err);
    if (status != MT_OK)
        return status;
    if (mt_predictor_knows(predictor, question->size)) {
        status = mt_plan_candidates(plan, predictor, question, err);
        if (status == MT_OK && !all)
            mt_plan_keep_top(plan, question->top > 0 ? question->top : 1);
        return status;
    }
    status = all ? mt_plan_exhaustive(plan, &predictor->problem, question, true, err)
                 : mt_plan_search(plan, &predictor->problem, question, err);
    for (int i = 0; i < plan->count && status == MT_OK; i++)
        plan->choices[i].prediction.unseen |=
            mt_predictor_guesses(predictor, &plan->choices[i].configuration);
    return status;
}

double mt_plan_chance(const struct mt_choice *choice,
                      const struct mt_question *question)
{
    double limit = question->deadline > 0 ? question->deadline : INFINITY;
    if (question->budget > 0 && choice->cost > 0)
        limit =
            fmin(limit, question->budget / choice->cost * choice->prediction.seconds);
    return isinf(limit) ? 1 : mt_prediction_chance(&choice->prediction, limit);
}

double mt_plan_speed(const struct mt_predictor *predictor,
                     const struct mt_choice *choice, double size)
{
    const double work =
        mt_program_work(predictor->problem.program, size, choice->ranks);
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
