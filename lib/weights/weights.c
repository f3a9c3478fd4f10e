/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights for uneven parts: the fastest configurations with weights by the models, and
   their gain over the best plan without. */
#include "weights.h"

#include "balance.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "lib/plan/tuning.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct candidate {
    struct mt_configuration configuration;
    struct mt_balance balance;
    int nodes, ranks;
};

/* Empty if zeroed. */
struct candidates {
    struct candidate best[MOST_CANDIDATES]; /* from the fastest on; ties go to
                                                     fewer nodes, then ranks */
    int count;
    bool exact; /* all configurations were tried */
    /* The reason of the first one that could not be predicted or did not fit. */
    struct mt_error reason;
};

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    if (a->balance.seconds != b->balance.seconds)
        return a->balance.seconds < b->balance.seconds;
    return a->nodes != b->nodes ? a->nodes < b->nodes : a->ranks < b->ranks;
}

static bool is_known(const struct candidates *candidates,
                     const struct candidate *candidate)
{
    for (int i = 0; i < candidates->count; i++)
        if (mt_configuration_equal(&candidates->best[i].configuration,
                                   &candidate->configuration))
            return true;
    return false;
}

static void keep(struct candidates *candidates, const struct candidate *candidate)
{
    const int last = MOST_CANDIDATES - 1;
    if (candidates->count > last && !is_better(candidate, &candidates->best[last]))
        return;
    if (is_known(candidates, candidate))
        return;
    int i = candidates->count > last ? last : candidates->count++;
    for (; i > 0 && is_better(candidate, &candidates->best[i - 1]); i--)
        candidates->best[i] = candidates->best[i - 1];
    candidates->best[i] = *candidate;
}

/* Its seconds with weights; INFINITY if it may not run. */
static int evaluate(struct candidate *candidate, struct candidates *candidates,
                    const struct mt_balancer *balancer,
                    const struct mt_configuration *configuration, struct mt_error *err)
{
    const struct mt_problem *problem = &balancer->problem;
    struct mt_error reason;
    *candidate = (struct candidate){.configuration = *configuration,
                                    .balance.seconds = INFINITY,
                                    .nodes = mt_configuration_nodes(configuration),
                                    .ranks = mt_configuration_ranks(configuration)};
    if (candidate->nodes == 0 ||
        !mt_program_valid(problem->program, balancer->size, candidate->ranks) ||
        mt_configuration_forbidden(configuration, problem->cluster))
        return MT_OK;
    const int status =
        mt_balance_find(&candidate->balance, balancer, configuration, &reason);
    if (status == MT_OK) {
        keep(candidates, candidate);
        return MT_OK;
    }
    if (status != MT_ENOTFOUND && status != MT_EINFEASIBLE)
        return mt_fail(err, status, "%s", reason.text);
    candidate->balance.seconds = INFINITY;
    if (!candidates->reason.text[0])
        candidates->reason = reason;
    return MT_OK;
}

/* Try a configuration; skip one that may not run or cannot be predicted. */
static int try_configuration(struct candidates *candidates,
                             const struct mt_balancer *balancer,
                             const struct mt_configuration *configuration,
                             struct mt_error *err)
{
    struct candidate candidate;
    return evaluate(&candidate, candidates, balancer, configuration, err);
}

/* A climb from one configuration. */
struct climb {
    struct candidates *candidates;
    const struct mt_balancer *balancer;
    struct candidate best;
    int evaluations; /* evaluations left */
};

static int try_use(struct climb *climb, int group, int nodes, struct mt_layout layout,
                   struct mt_error *err)
{
    const int most = climb->balancer->problem.cluster->groups[group].nodes;
    struct mt_configuration configuration = climb->best.configuration;
    struct candidate next;
    if (nodes < 0 || nodes > most || climb->evaluations <= 0)
        return MT_OK;
    configuration.use[group] = mt_use_nodes(nodes, layout);
    if (mt_configuration_equal(&configuration, &climb->best.configuration))
        return MT_OK;
    climb->evaluations--;
    const int status =
        evaluate(&next, climb->candidates, climb->balancer, &configuration, err);
    if (status == MT_OK && is_better(&next, &climb->best))
        climb->best = next;
    return status;
}

/* Give a group all nodes or none, and more or fewer in smaller and smaller steps, with
   each layout. */
static int vary_group(struct climb *climb, int group, struct mt_error *err)
{
    const struct mt_group *g = &climb->balancer->problem.cluster->groups[group];
    int status = try_use(climb, group, 0, (struct mt_layout){0}, err);
    for (int i = 0; i < g->nlayouts; i++)
        for (int step = g->nodes; step >= 1 && status == MT_OK; step /= 2) {
            const int nodes = climb->best.configuration.use[group].nodes;
            status = try_use(climb, group, nodes, g->layouts[i], err);
            if (status == MT_OK)
                status = try_use(climb, group, nodes - step, g->layouts[i], err);
            if (status == MT_OK)
                status = try_use(climb, group, nodes + step, g->layouts[i], err);
        }
    return status;
}

static int climb_from(struct candidates *candidates, const struct mt_balancer *balancer,
                      const struct mt_configuration *start, struct mt_error *err)
{
    struct climb climb = {
        .candidates = candidates, .balancer = balancer, .evaluations = EVALUATIONS};
    struct candidate before;
    int status = evaluate(&climb.best, candidates, balancer, start, err);
    do {
        before = climb.best;
        for (int g = 0; g < balancer->problem.cluster->ngroups && status == MT_OK; g++)
            status = vary_group(&climb, g, err);
    } while (status == MT_OK && climb.evaluations > 0 &&
             is_better(&climb.best, &before));
    return status;
}

/* All nodes of a group, with the most or the fewest processes on each. */
static struct mt_use use_all(const struct mt_group *group, bool most)
{
    return mt_use_nodes(group->nodes, group->layouts[most ? group->nlayouts - 1 : 0]);
}

static int climb_from_scratch(struct candidates *candidates,
                              const struct mt_balancer *balancer, struct mt_error *err)
{
    const struct mt_cluster *cluster = balancer->problem.cluster;
    struct mt_configuration together[2] = {{{{0}}}};
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++) {
        struct mt_configuration alone = {{{0}}};
        alone.use[g] = use_all(&cluster->groups[g], true);
        status = climb_from(candidates, balancer, &alone, err);
        for (int i = 0; i < 2 && !cluster->groups[g].alone; i++)
            together[i].use[g] = use_all(&cluster->groups[g], i == 0);
    }
    for (int i = 0; i < 2 && status == MT_OK; i++)
        status = climb_from(candidates, balancer, &together[i], err);
    return status;
}

/* Find candidates: in small clusters try all; in large ones change one group of good
   ones at a time, beginning with `start` (NULL: none), with each group alone and all
   together. */
static int find_candidates(struct candidates *candidates,
                           const struct mt_balancer *balancer,
                           const struct mt_configuration *start, struct mt_error *err)
{
    const struct mt_cluster *cluster = balancer->problem.cluster;
    struct mt_configuration configuration = {{{0}}};
    int status = MT_OK;
    candidates->exact = mt_configuration_count(cluster) <= mt_plan_most_tried;
    if (candidates->exact) {
        while (status == MT_OK && mt_configuration_next(&configuration, cluster))
            status = try_configuration(candidates, balancer, &configuration, err);
        return status;
    }
    if (start)
        status = climb_from(candidates, balancer, start, err);
    return status == MT_OK ? climb_from_scratch(candidates, balancer, err) : status;
}

/* The question. All borrowed. */
struct question {
    const struct mt_predictor *predictor;
    double size;
    const struct mt_configuration *given; /* or NULL */
};

/* The best plan without weights; finding none is not a failure: smaller parts may fit
   where memory is small. */
static int find_even(struct mt_choice *even, const struct question *question,
                     struct mt_error *err)
{
    const struct mt_question asked = {.size = question->size, .top = 1};
    struct mt_plan plan = {0};
    struct mt_error reason;
    const int status = mt_plan_make(&plan, question->predictor, &asked, false, &reason);
    if (status == MT_OK)
        *even = plan.choices[0];
    mt_plan_clear(&plan);
    return status == MT_OK || status == MT_EINFEASIBLE
               ? MT_OK
               : mt_fail(err, status, "%s", reason.text);
}

/* The prediction of the evenly divided configuration, times the models' effect of the
   shares. */
static int predict(struct mt_prediction *prediction, const struct question *question,
                   const struct candidate *candidate, struct mt_error *err)
{
    struct mt_prediction found;
    const double factor = candidate->balance.seconds / candidate->balance.even;
    const int status = mt_predictor_predict(
        question->predictor, &candidate->configuration, question->size, &found, err);
    if (status != MT_OK)
        return status;
    found.seconds *= factor;
    found.low *= factor;
    found.high *= factor;
    *prediction = found;
    return MT_OK;
}

/* Choose the fastest candidate by the rule of plans. Those whose runs at this size all
   failed are not proposed, unless one is given. */
static int choose(struct mt_weights *weights, const struct candidates *candidates,
                  const struct question *question, struct mt_error *err)
{
    bool found = false;
    int status = MT_OK;
    for (int i = 0; i < candidates->count; i++) {
        const struct candidate *candidate = &candidates->best[i];
        struct mt_prediction prediction;
        if (!question->given &&
            mt_samples_failed(&question->predictor->samples, &candidate->configuration,
                              question->size))
            continue;
        status = predict(&prediction, question, candidate, err);
        if (status != MT_OK)
            return status;
        if (found && prediction.seconds >= weights->prediction.seconds)
            continue;
        found = true;
        weights->configuration = candidate->configuration;
        weights->prediction = prediction;
        memcpy(weights->share, candidate->balance.share, sizeof weights->share);
        memcpy(weights->full, candidate->balance.full, sizeof weights->full);
    }
    if (status != MT_OK || found)
        return status;
    if (candidates->count > 0)
        return mt_fail(err, MT_EINFEASIBLE,
                       "every configuration that is allowed was run at this size, and "
                       "failed");
    if (candidates->reason.text[0])
        return mt_fail(err, candidates->reason.status, "%s", candidates->reason.text);
    return mt_fail(err, MT_EINFEASIBLE,
                   "program '%s' may run on no configuration at N = %.15g: its 'valid' "
                   "excludes them",
                   question->predictor->problem.program->name, question->size);
}

/* Take equal shares of a configuration if they are not slower. */
static void take_even(struct mt_weights *weights, const struct mt_configuration *even,
                      const struct mt_prediction *prediction)
{
    const int ranks = mt_configuration_ranks(even);
    if (prediction->seconds == 0 || ranks == 0 ||
        prediction->seconds > weights->prediction.seconds)
        return;
    weights->configuration = *even;
    weights->prediction = *prediction;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        weights->share[g] = even->use[g].nodes > 0 ? 1.0 / ranks : 0;
        weights->full[g] = false;
    }
}

static int find_even_there(struct mt_weights *weights, const struct question *question,
                           struct mt_error *err)
{
    const struct mt_problem *problem = &question->predictor->problem;
    if (!mt_plan_fits(problem->cluster, problem->program, &weights->configuration,
                      question->size))
        return MT_OK;
    return mt_predictor_predict(question->predictor, &weights->configuration,
                                question->size, &weights->even_there, err);
}

static int find(struct mt_weights *weights, const struct mt_balancer *balancer,
                struct candidates *candidates, const struct question *question,
                struct mt_error *err)
{
    const struct mt_configuration *start =
        weights->even.nodes > 0 ? &weights->even.configuration : NULL;
    int status = MT_OK;
    if (question->given)
        status = try_configuration(candidates, balancer, question->given, err);
    else
        status = find_candidates(candidates, balancer, start, err);
    if (status == MT_OK && !question->given && start)
        status = try_configuration(candidates, balancer, start, err);
    if (status == MT_OK)
        status = choose(weights, candidates, question, err);
    if (status == MT_OK && !question->given && start)
        take_even(weights, start, &weights->even.prediction);
    if (status == MT_OK)
        status = find_even_there(weights, question, err);
    if (status == MT_OK)
        take_even(weights, &weights->configuration, &weights->even_there);
    weights->exact = candidates->exact;
    return status;
}

int mt_weights_find(struct mt_weights *weights, const struct mt_predictor *predictor,
                    double size, const struct mt_configuration *given,
                    struct mt_error *err)
{
    const struct question question = {
        .predictor = predictor, .size = size, .given = given};
    struct mt_weights found = {.configurations =
                                   mt_configuration_count(predictor->problem.cluster)};
    struct mt_balancer balancer = {0};
    if (predictor->models.kind != MT_MODEL_AUTO)
        return mt_fail(err, MT_EINVAL,
                       "weights need auto models: those of kind %s do not tell "
                       "computing from messages",
                       mt_model_kind_name(predictor->models.kind));
    struct candidates *candidates = calloc(1, sizeof *candidates);
    if (!candidates)
        return mt_fail(err, MT_ENOMEM, "no memory for weights");
    int status = mt_balancer_init(&balancer, &predictor->problem, size, err);
    if (status == MT_OK)
        status = find_even(&found.even, &question, err);
    if (status == MT_OK)
        status = find(&found, &balancer, candidates, &question, err);
    if (status == MT_OK)
        *weights = found;
    mt_balancer_clear(&balancer);
    free(candidates);
    return status;
}

int mt_weights_list(double **list, int *ranks, const struct mt_weights *weights,
                    struct mt_error *err)
{
    const int count = mt_configuration_ranks(&weights->configuration);
    double *made = calloc((size_t)count + 1, sizeof *made);
    if (!made)
        return mt_fail(err, MT_ENOMEM, "no memory for %d weights", count);
    int rank = 0;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use *use = &weights->configuration.use[g];
        for (int i = 0; i < use->nodes * use->layout.processes; i++)
            made[rank++] = weights->share[g] * count;
    }
    *list = made;
    *ranks = count;
    return MT_OK;
}
