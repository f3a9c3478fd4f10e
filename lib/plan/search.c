/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the best configurations, exact if the time has bounds or each can be
   tried; and the reason if nothing is allowed. */
#include "search.h"

#include "bounds.h"
#include "climb.h"
#include "internal.h"
#include "lib/expr/internal.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "rank.h"
#include "tuning.h"

#include <math.h>

static int top_of(const struct mt_question *question)
{
    return question->top > 0 ? question->top : 1;
}

static bool is_sure(const struct mt_question *question)
{
    return question->confidence > 0 && mt_question_limits(question);
}

/* Rank every configuration that may run. */
static int rank_all(struct mt_plan *plan, const struct mt_predictor *predictor,
                    const struct mt_question *question, struct mt_error *err)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    struct mt_configuration configuration = {0};
    int status = MT_OK;
    while (status == MT_OK && mt_configuration_next(&configuration, cluster))
        status = mt_plan_consider(plan, predictor, question, 0, &configuration, err);
    mt_plan_sort(plan, question->objective);
    plan->configurations = mt_configuration_count(cluster);
    plan->exact = true;
    return status;
}

/* Whether one of the plan's first `count` choices has this number of ranks. */
static bool has_ranks(const struct mt_plan *plan, int count, int ranks)
{
    for (int i = 0; i < count; i++)
        if (plan->choices[i].ranks == ranks)
            return true;
    return false;
}

/* Keep the ranked choices that are allowed with their intervals: the best of each P,
   and of these the best `top`; 0: all. */
static int complete(struct mt_plan *plan, const struct mt_predictor *predictor,
                    const struct mt_question *question, int top, struct mt_error *err)
{
    int kept = 0, status = MT_OK;
    for (int i = 0; i < plan->count && (top == 0 || kept < top); i++) {
        struct mt_choice choice = plan->choices[i];
        if (top > 0 && has_ranks(plan, kept, choice.ranks))
            continue;
        status = mt_choice_predict(&choice, predictor, question, err);
        if (status != MT_OK)
            return status;
        if (mt_choice_allowed(&choice, predictor, question))
            plan->choices[kept++] = choice;
    }
    plan->count = kept;
    mt_plan_sort(plan, question->objective);
    return MT_OK;
}

static int try_all(struct mt_plan *plan, const struct mt_predictor *predictor,
                   const struct mt_question *question, int top, struct mt_error *err)
{
    int status = rank_all(plan, predictor, question, err);
    if (status == MT_OK)
        status = complete(plan, predictor, question, top, err);
    plan->bound = mt_plan_best_value(plan, question->objective);
    return status;
}

/* N-T: only configurations that have a model can be planned; not those of nodes that
   the cluster no longer has. */
static int search_models(struct mt_plan *plan, const struct mt_predictor *predictor,
                         const struct mt_question *question, struct mt_error *err)
{
    const struct mt_models *models = predictor->problem.models;
    int status = MT_OK;
    for (int i = 0; i < models->count && status == MT_OK; i++) {
        const char *text = models->models[i].configuration;
        struct mt_configuration configuration;
        if (text && mt_configuration_parse(&configuration, predictor->problem.cluster,
                                           text, NULL) == MT_OK)
            status =
                mt_plan_consider(plan, predictor, question, 0, &configuration, err);
    }
    mt_plan_sort(plan, question->objective);
    plan->configurations = models->count;
    plan->exact = true;
    if (status == MT_OK)
        status = complete(plan, predictor, question, top_of(question), err);
    plan->bound = mt_plan_best_value(plan, question->objective);
    return status;
}

static bool any_answers(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++)
        if (cluster->groups[g].nodes > 0)
            return true;
    return false;
}

static int search_groups(struct mt_plan *plan, const struct mt_predictor *predictor,
                         const struct mt_question *question, struct mt_error *err)
{
    const int top = top_of(question);
    int status = predictor->problem.models->kind == MT_MODEL_AUTO
                     ? mt_bounds_search(plan, predictor, question, top, err)
                     : mt_intervals_search(plan, predictor, question, top, err);
    plan->configurations = mt_configuration_count(predictor->problem.cluster);
    for (int i = 0; i < plan->count && status == MT_OK; i++)
        status = mt_choice_predict(&plan->choices[i], predictor, question, err);
    mt_plan_sort(plan, question->objective);
    plan->bound = fmin(plan->bound, mt_plan_best_value(plan, question->objective));
    return status;
}

/* The ratio of the predicted seconds of a plan's first choice to the seconds that must
   keep the limits with the chance. */
static double allowance(const struct mt_plan *plan, const struct mt_question *question)
{
    const struct mt_prediction *first = &plan->choices[0].prediction;
    return first->seconds / mt_prediction_seconds_at(first, question->confidence);
}

static int keep_allowed(struct mt_plan *plan, const struct mt_plan *found,
                        const struct mt_predictor *predictor,
                        const struct mt_question *question, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < found->count && status == MT_OK; i++)
        if (mt_choice_allowed(&found->choices[i], predictor, question))
            status = mt_plan_keep(plan, question->objective, top_of(question),
                                  &found->choices[i], err);
    return status;
}

/* Whether a limit is kept with the wanted chance depends on intervals, which cannot be
   bounded over many configurations. So the search is for configurations whose predicted
   seconds keep the limits, a superset. If it finds none, or the best one keeps the
   limits with the chance, that is the answer. If not, tighter limits and a climb
   follow, which prove nothing. */
static int search_sure(struct mt_plan *plan, const struct mt_predictor *predictor,
                       const struct mt_question *question, struct mt_error *err)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    struct mt_question predicted = *question;
    int status = MT_OK;
    predicted.confidence = 0;
    predicted.top = question->top > SURE_CANDIDATES ? question->top : SURE_CANDIDATES;
    for (int round = 0; round < TIGHTER_ROUNDS && status == MT_OK; round++) {
        struct mt_plan found = {0};
        status = search_groups(&found, predictor, &predicted, err);
        if (status == MT_OK)
            status = keep_allowed(plan, &found, predictor, question, err);
        const bool first_is_allowed =
            found.count > 0 &&
            mt_choice_allowed(&found.choices[0], predictor, question);
        if (status == MT_OK && round == 0) {
            plan->exact = found.exact && (found.count == 0 || first_is_allowed);
            plan->bound = found.bound;
        }
        plan->evaluated += found.evaluated;
        const double share = found.count > 0 ? allowance(&found, question) : 0;
        mt_plan_clear(&found);
        if (share == 0 || first_is_allowed)
            break;
        predicted.deadline *= share;
        predicted.budget *= share;
        predicted.efficiency /= share;
    }
    struct mt_climb climb = {
        .predictor = predictor, .question = question, .evaluations = CLIMB_EVALUATIONS};
    if (status == MT_OK && !plan->exact)
        status = mt_climb_from_scratch(&climb, plan, top_of(question), err);
    plan->configurations = mt_configuration_count(cluster);
    return status;
}

int mt_search_find(struct mt_plan *plan, const struct mt_predictor *predictor,
                   const struct mt_question *question, struct mt_error *err)
{
    const struct mt_cluster *cluster = predictor->problem.cluster;
    const enum mt_model_kind kind = predictor->problem.models->kind;
    const bool few_enough = mt_configuration_count(cluster) <= mt_plan_most_tried;
    struct mt_plan found = {0};
    int status;
    if (!any_answers(cluster))
        return mt_fail(err, MT_EINFEASIBLE, "no node of cluster '%s' answers",
                       cluster->name);
    if (kind == MT_MODEL_NT)
        status = search_models(&found, predictor, question, err);
    else if (few_enough)
        status = try_all(&found, predictor, question, top_of(question), err);
    else if (is_sure(question))
        status = search_sure(&found, predictor, question, err);
    else
        status = search_groups(&found, predictor, question, err);
    if (status == MT_OK)
        *plan = found;
    else
        mt_plan_clear(&found);
    return status;
}

/* A search that found nothing. */
struct unplanned {
    const struct mt_predictor *predictor;
    const struct mt_question *question;
    const char *nothing; /* "no configuration", or "no configuration was found that" */
};

/* The best choice for a question with fewer constraints; on 0 nodes: nothing is
   allowed. */
static int best_without(struct mt_choice *best, const struct unplanned *c,
                        struct mt_question question, struct mt_error *err)
{
    struct mt_plan plan = {0};
    question.top = 1;
    const int status = mt_search_find(&plan, c->predictor, &question, err);
    *best = plan.count > 0 ? plan.choices[0] : (struct mt_choice){0};
    mt_plan_clear(&plan);
    return status;
}

static int most_ranks(const struct mt_cluster *cluster)
{
    double ranks = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        ranks += (double)group->nodes * group->layouts[group->nlayouts - 1].processes;
    }
    return ranks < MOST_RANKS ? (int)ranks : MOST_RANKS;
}

/* Whether a process fits on a node of some group, with `ranks` processes in total. */
static bool fits_somewhere(const struct mt_cluster *cluster,
                           const struct mt_program *program, double size, int ranks)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        for (int i = 0; i < group->nlayouts; i++) {
            const int m = group->layouts[i].processes;
            if (group->memory == 0 ||
                !(m * mt_program_memory(program, size, ranks, m) > group->memory))
                return true;
        }
    }
    return false;
}

/* The only size that all models have runs of; 0: there are others. */
static double only_size(const struct mt_models *models)
{
    const double size = models->count > 0 ? models->models[0].size_low : 0;
    for (int i = 0; i < models->count; i++)
        if (models->models[i].size_low != size || models->models[i].size_high != size)
            return 0;
    return size;
}

/* Whether some configuration was run at that size, and always failed. */
static bool any_failed(const struct mt_samples *samples, double size)
{
    for (int i = 0; i < samples->nfailed; i++)
        if (samples->failed[i].size == size &&
            mt_samples_failed(samples, &samples->failed[i].configuration, size))
            return true;
    return false;
}

/* No constraint of the question is to blame. */
static int explain_program(const struct mt_predictor *predictor, double size,
                           struct mt_error *err)
{
    const struct mt_problem *problem = &predictor->problem;
    const struct mt_program *program = problem->program;
    const int most = most_ranks(problem->cluster);
    bool valid = false, fits = false;
    for (int ranks = 1; ranks <= most && !fits; ranks++) {
        if (!mt_program_valid(program, size, ranks))
            continue;
        valid = true;
        fits = fits_somewhere(problem->cluster, program, size, ranks);
    }
    if (!valid)
        return mt_fail(err, MT_EINFEASIBLE,
                       "no number of processes up to %d is valid at N = %g: '%s'", most,
                       size, mt_expr_text(program->valid));
    if (!fits)
        return mt_fail(err, MT_EINFEASIBLE,
                       "no node has the memory for a process at N = %g: '%s'", size,
                       mt_expr_text(program->memory));
    if (any_failed(&predictor->samples, size))
        return mt_fail(err, MT_EINFEASIBLE,
                       "every configuration that the %s models predict was run at N = "
                       "%g, and failed",
                       mt_model_kind_name(problem->models->kind), size);
    const double known = only_size(problem->models);
    if (known > 0 && known != size)
        return mt_fail(err, MT_EINFEASIBLE,
                       "the %s models know N = %g alone, not N = %g: measure at least "
                       "another size",
                       mt_model_kind_name(problem->models->kind), known, size);
    return mt_fail(err, MT_EINFEASIBLE,
                   "the %s models predict no configuration that fits at N = %g",
                   mt_model_kind_name(problem->models->kind), size);
}

/* These return MT_OK when the constraint is not there, or not alone to blame. */
static int blame_limit(const struct unplanned *c, enum mt_objective of,
                       struct mt_error *err)
{
    struct mt_question relaxed = *c->question;
    double *limit = of == MT_FASTEST ? &relaxed.deadline : &relaxed.budget;
    if (*limit <= 0)
        return MT_OK;
    *limit = 0;
    relaxed.objective = of;
    struct mt_choice best;
    const int status = best_without(&best, c, relaxed, err);
    if (status != MT_OK || best.nodes == 0)
        return status;
    return mt_question_fail(c->question, c->predictor->problem.cluster, c->nothing, of,
                            &best, err);
}

static int blame_efficiency(const struct unplanned *c, struct mt_error *err)
{
    const struct mt_question *question = c->question;
    struct mt_question relaxed = *question;
    relaxed.efficiency = 0;
    if (question->efficiency <= 0)
        return MT_OK;
    struct mt_choice best;
    const int status = best_without(&best, c, relaxed, err);
    if (status != MT_OK || best.nodes == 0)
        return status;
    const double has = mt_plan_efficiency(c->predictor, &best, question->size);
    if (isnan(has))
        return mt_fail(err, MT_EINFEASIBLE,
                       "no efficiency is known: a group of '%s' did not run alone%s",
                       c->predictor->problem.cluster->name,
                       c->predictor->problem.program->work ? " on one node"
                                                           : " at this size");
    return mt_fail(
        err, MT_EINFEASIBLE,
        "%s has an efficiency of %.4g %%%s: the best without that has %.4g %%",
        c->nothing, 100 * question->efficiency,
        question->confidence > 0 ? " with the wanted chance" : "", 100 * has);
}

static int blame_max_nodes(const struct unplanned *c, struct mt_error *err)
{
    struct mt_question relaxed = *c->question;
    relaxed.max_nodes = 0;
    if (c->question->max_nodes <= 0)
        return MT_OK;
    struct mt_choice best;
    const int status = best_without(&best, c, relaxed, err);
    if (status != MT_OK || best.nodes == 0)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   "%s gets by with %d nodes; one with %d would do", c->nothing,
                   c->question->max_nodes, best.nodes);
}

static int blame_all_together(const struct unplanned *c, struct mt_error *err)
{
    const struct mt_question relaxed = {.size = c->question->size,
                                        .objective = c->question->objective};
    struct mt_choice best;
    const int status = best_without(&best, c, relaxed, err);
    if (status != MT_OK || best.nodes == 0)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   "%s keeps deadline, budget, efficiency and number of nodes "
                   "together; without them %.4g s on %d nodes would do",
                   c->nothing, best.prediction.seconds, best.nodes);
}

int mt_search_explain(const struct mt_predictor *predictor,
                      const struct mt_question *question, bool proven,
                      struct mt_error *err)
{
    const struct unplanned c = {predictor, question,
                                proven ? "no configuration"
                                       : "no configuration was found that"};
    int status = MT_OK;
    if (!proven && !is_sure(question))
        return mt_fail(err, MT_EINFEASIBLE,
                       "the search was given up before it found a configuration; fewer "
                       "constraints make it easier");
    status = blame_limit(&c, MT_FASTEST, err);
    if (status == MT_OK)
        status = blame_limit(&c, MT_CHEAPEST, err);
    if (status == MT_OK)
        status = blame_efficiency(&c, err);
    if (status == MT_OK)
        status = blame_max_nodes(&c, err);
    if (status == MT_OK)
        status = blame_all_together(&c, err);
    if (status == MT_OK)
        status = explain_program(predictor, question->size, err);
    return status;
}

int mt_plan_search(struct mt_plan *plan, const struct mt_problem *problem,
                   const struct mt_question *question, struct mt_error *err)
{
    const struct mt_predictor bare = {.problem = *problem};
    return mt_plan_make(plan, &bare, question, false, err);
}

int mt_plan_exhaustive(struct mt_plan *plan, const struct mt_predictor *predictor,
                       const struct mt_question *question, bool all,
                       struct mt_error *err)
{
    const double count = mt_configuration_count(predictor->problem.cluster);
    struct mt_plan found = {0};
    if (count > most_exhaustive)
        return mt_fail(err, MT_EINVAL,
                       "too many configurations to try each: %.3g, more than %.0g",
                       count, most_exhaustive);
    const int status =
        try_all(&found, predictor, question, all ? 0 : top_of(question), err);
    if (status == MT_OK)
        *plan = found;
    else
        mt_plan_clear(&found);
    return status;
}

int mt_plan_candidates(struct mt_plan *plan, const struct mt_predictor *predictor,
                       const struct mt_question *question, struct mt_error *err)
{
    const struct mt_samples *samples = &predictor->samples;
    struct mt_question wide = *question;
    struct mt_plan found = {0};
    int status;
    wide.top = LISTED_CANDIDATES;
    if (mt_configuration_count(predictor->problem.cluster) <= mt_plan_most_tried)
        status = rank_all(&found, predictor, question, err);
    else
        status = mt_search_find(&found, predictor, &wide, err);
    for (int i = 0; i < samples->count && status == MT_OK && !found.exact; i++) {
        const struct mt_sample *run = &samples->samples[i];
        if (run->size == question->size && !mt_plan_has(&found, &run->configuration))
            status = mt_plan_consider(&found, predictor, question, 0,
                                      &run->configuration, err);
    }
    if (status == MT_OK && found.count == 0)
        status = mt_search_explain(predictor, question, found.exact, err);
    if (status != MT_OK) {
        mt_plan_clear(&found);
        return status;
    }
    mt_plan_sort(&found, question->objective);
    *plan = found;
    return MT_OK;
}
