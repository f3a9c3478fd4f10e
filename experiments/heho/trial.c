/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include "motley/verify.h"

#include <stdlib.h>

/* Repetitions of replayed runs, so that what judges a prediction is never what it was
   made from: training takes 0, verification those from 1. */
enum { JUDGING_REPETITION = 1000 };

static bool covers(const struct mt_prediction *prediction, const struct replay *replay,
                   int point)
{
    const double seconds = replay_run(replay, point, JUDGING_REPETITION).seconds;
    return prediction->low <= seconds && seconds <= prediction->high;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The largest seconds among the best tenth of the configurations of a size. */
static int top_limit(double *limit, const struct recorded *recorded,
                     struct point_range span, struct mt_error *err)
{
    const int count = span.end - span.first;
    double *seconds = calloc((size_t)count, sizeof *seconds);
    if (!seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d configurations", count);
    for (int i = 0; i < count; i++)
        seconds[i] = recorded->points[span.first + i].seconds;
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    *limit = seconds[(count - 1) / 10];
    free(seconds);
    return MT_OK;
}

/* Ties go to fewer nodes, as in a plan. */
static bool is_better(const struct recorded *recorded, int point, double seconds,
                      const struct verdict *than)
{
    if (than->chosen < 0 || seconds != than->prediction.seconds)
        return than->chosen < 0 || seconds < than->prediction.seconds;
    return mt_configuration_nodes(&recorded->points[point].configuration) <
           mt_configuration_nodes(&recorded->points[than->chosen].configuration);
}

static void choose(struct verdict *verdict, const struct predictor *predictor,
                   struct point_range span, double limit)
{
    const struct replay *replay = predictor->replay;
    const struct recorded *recorded = replay->recorded;
    for (int i = span.first; i < span.end; i++) {
        struct mt_prediction prediction;
        if (recorded->points[i].seconds < recorded->points[verdict->best].seconds)
            verdict->best = i;
        if (predictor_predict(predictor, i, &prediction, NULL) != MT_OK)
            continue;
        verdict->predicted++;
        if (recorded->points[i].seconds <= limit) {
            verdict->top_count++;
            verdict->top_covered += covers(&prediction, replay, i);
        }
        if (!verdict->verified && is_better(recorded, i, prediction.seconds, verdict)) {
            verdict->chosen = i;
            verdict->prediction = prediction;
        }
    }
}

/* All points of a size that can be predicted, among which the best is looked for. */
static int list_candidates(struct mt_plan *plan, const struct predictor *predictor,
                           struct point_range span, struct mt_error *err)
{
    const struct mt_sample *points = predictor->replay->recorded->points;
    plan->choices = calloc((size_t)(span.end - span.first) + 1, sizeof *plan->choices);
    if (!plan->choices)
        return mt_fail(err, MT_ENOMEM, "no memory for the candidates");
    for (int i = span.first; i < span.end; i++) {
        struct mt_choice *choice = &plan->choices[plan->count];
        choice->configuration = points[i].configuration;
        if (predictor_predict(predictor, i, &choice->prediction, NULL) == MT_OK)
            plan->count++;
    }
    return plan->count > 0 ? MT_OK
                           : mt_fail(err, MT_ENOTFOUND, "nothing can be predicted");
}

/* Who makes the runs of a verification, from what is recorded. */
struct verifier {
    const struct replay *replay;
    struct verdict *verdict;
};

/* Numbered through, so that no run is that of the training. */
static int replay_verifying_run(void *context, const struct mt_proposal *proposal,
                                struct mt_observation *observation,
                                struct mt_error *err)
{
    struct verifier *verifier = context;
    const struct replay *replay = verifier->replay;
    (void)err;
    const int point =
        recorded_find(replay->recorded, &proposal->configuration, proposal->size);
    const struct mt_sample run =
        replay_run(replay, point, ++verifier->verdict->verification_runs);
    verifier->verdict->verification_seconds += run.seconds;
    *observation = (struct mt_observation){
        .made = true, .seconds = run.seconds, .spent = run.seconds};
    return MT_OK;
}

/* Take the one that is the best after `runs` runs, as `motley plan --verify` does. */
static int choose_verified(struct verdict *verdict, struct predictor *predictor,
                           struct point_range span, int runs, struct mt_error *err)
{
    const struct recorded *recorded = predictor->replay->recorded;
    struct verifier verifier = {.replay = predictor->replay, .verdict = verdict};
    const struct mt_experimenter experimenter = {.run = replay_verifying_run,
                                                 .context = &verifier};
    struct mt_verify verify = {0};
    struct mt_plan candidates = {0};
    enum mt_end end;
    int status = predictor_calibrate(predictor, err);
    if (status == MT_OK)
        status = list_candidates(&candidates, predictor, span, err);
    if (status == MT_OK)
        status = mt_verify_init(&verify, &predictor->calibration, &candidates,
                                verdict->size, runs, err);
    if (status == MT_OK)
        status = mt_verify_run(&verify, &experimenter, &end, err);
    if (status == MT_OK) {
        verdict->verified = true;
        verdict->chosen =
            recorded_find(recorded, mt_verify_best(&verify), verdict->size);
        status =
            predictor_predict(predictor, verdict->chosen, &verdict->prediction, err);
    }
    mt_verify_clear(&verify);
    mt_plan_clear(&candidates);
    return status;
}

static int judge_size(struct verdict *verdict, struct predictor *predictor,
                      struct point_range span, int runs, struct mt_error *err)
{
    const struct recorded *recorded = predictor->replay->recorded;
    const double size = recorded->points[span.first].size;
    double limit = 0;
    int status = top_limit(&limit, recorded, span, err);
    if (status != MT_OK)
        return status;
    struct verdict made = {.size = size,
                           .measured = span.end - span.first,
                           .chosen = -1,
                           .best = span.first};
    if (runs > 0)
        status = choose_verified(&made, predictor, span, runs, err);
    if (status != MT_OK)
        return status;
    choose(&made, predictor, span, limit);
    if (made.chosen < 0)
        return mt_fail(err, MT_ENOTFOUND, "predicts no configuration at N = %.15g",
                       size);
    made.chosen_seconds = recorded->points[made.chosen].seconds;
    made.best_seconds = recorded->points[made.best].seconds;
    made.covered = covers(&made.prediction, predictor->replay, made.chosen);
    *verdict = made;
    return MT_OK;
}

static int judge(struct trial *trial, struct predictor *predictor, int runs,
                 struct mt_error *err)
{
    const struct recorded *recorded = predictor->replay->recorded;
    const struct mt_program *program = &recorded->inputs.program;
    trial->training_runs = predictor->training.count;
    trial->training_seconds = predictor->training.seconds;
    trial->verdicts = calloc((size_t)program->nplan_sizes + 1, sizeof *trial->verdicts);
    if (!trial->verdicts)
        return mt_fail(err, MT_ENOMEM, "no memory for %d sizes", program->nplan_sizes);
    for (int s = 0; s < program->nplan_sizes; s++) {
        const struct point_range span =
            recorded_truth_at(recorded, program->plan_sizes[s]);
        if (span.first == span.end)
            continue;
        const int status =
            judge_size(&trial->verdicts[trial->count], predictor, span, runs, err);
        if (status != MT_OK)
            return status;
        trial->count++;
    }
    trial->upper = trial->count / 2;
    if (trial->count == 0)
        return mt_fail(err, MT_ENOTFOUND, "no truth at any plan size");
    return MT_OK;
}

int trial_run(struct trial *trial, struct trial *verified, const struct replay *replay,
              const struct trial_options *options, struct mt_error *err)
{
    struct predictor predictor = {0};
    struct trial made = {0}, made_verified = {0};
    int status = predictor_init(&predictor, replay, options, err);
    if (status == MT_OK)
        status = judge(&made, &predictor, 0, err);
    if (status == MT_OK && options->verify > 0)
        status = judge(&made_verified, &predictor, options->verify, err);
    if (status == MT_OK) {
        *trial = made;
        *verified = made_verified;
    } else {
        trial_clear(&made);
        trial_clear(&made_verified);
    }
    predictor_clear(&predictor);
    return status;
}

void trial_clear(struct trial *trial)
{
    free(trial->verdicts);
    *trial = (struct trial){0};
}

double verdict_regret(const struct verdict *verdict)
{
    return verdict->chosen_seconds / verdict->best_seconds - 1;
}

double verdict_error(const struct verdict *verdict)
{
    return verdict->prediction.seconds / verdict->chosen_seconds - 1;
}
