/* SPDX-License-Identifier: BSD-3-Clause */
#include "weights.h"

#include "candidates.h"
#include "lib/input/internal.h"
#include "lib/plan/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is asked. All borrowed. */
struct question {
    const struct mt_predictor *predictor;
    double size;
    const struct mt_configuration *given; /* or NULL */
};

/* The best plan without weights; none is no failure: parts that are smaller where
   memory is may fit. */
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

/* The prediction of the configuration evenly divided, times what the models expect
   the shares to make of it. */
static int predict(struct mt_prediction *prediction, const struct question *question,
                   const struct mt_candidate *candidate, struct mt_error *err)
{
    const struct mt_predictor *predictor = question->predictor;
    struct mt_prediction corrected, by_models;
    double deviation;
    int status = mt_models_predict(&predictor->problem, &candidate->configuration,
                                   question->size, &by_models, err);
    if (status == MT_OK)
        status = mt_predictor_correct(predictor, &candidate->configuration,
                                      question->size, &corrected, &deviation, err);
    if (status != MT_OK)
        return status;
    const double factor = candidate->balance.seconds / by_models.seconds;
    corrected.seconds = mt_with_caution(corrected.seconds, deviation) * factor;
    corrected.low *= factor;
    corrected.high *= factor;
    *prediction = corrected;
    return MT_OK;
}

/* Of the candidates, the fastest by the rule of plans; those of which all runs at this
   size failed are not proposed, unless one is given. */
static int choose(struct mt_weights *weights, const struct mt_candidates *candidates,
                  const struct question *question, struct mt_error *err)
{
    bool found = false;
    int status = MT_OK;
    for (int i = 0; i < candidates->count; i++) {
        const struct mt_candidate *candidate = &candidates->best[i];
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

/* Equal shares of a configuration, where they are no slower. */
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

static int find(struct mt_weights *weights, struct mt_curves *curves,
                struct mt_candidates *candidates, const struct question *question,
                struct mt_error *err)
{
    const struct mt_configuration *start =
        weights->even.nodes > 0 ? &weights->even.configuration : NULL;
    int status = MT_OK;
    if (question->given)
        status = mt_candidates_try(candidates, curves, question->given, err);
    else
        status = mt_candidates_find(candidates, curves, start, err);
    if (status == MT_OK && !question->given && start)
        status = mt_candidates_try(candidates, curves, start, err);
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
    struct mt_curves curves;
    if (predictor->models.kind != MT_MODEL_AUTO)
        return mt_fail(err, MT_EINVAL,
                       "weights need auto models: those of kind %s do not tell "
                       "computing from messages",
                       mt_model_kind_name(predictor->models.kind));
    struct mt_candidates *candidates = calloc(1, sizeof *candidates);
    if (!candidates)
        return mt_fail(err, MT_ENOMEM, "no memory for weights");
    mt_curves_init(&curves, &predictor->problem, size);
    int status = find_even(&found.even, &question, err);
    if (status == MT_OK)
        status = find(&found, &curves, candidates, &question, err);
    if (status == MT_OK)
        *weights = found;
    mt_curves_clear(&curves);
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
