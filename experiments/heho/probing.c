/* SPDX-License-Identifier: BSD-3-Clause */
#include "probing.h"

#include "motley/fit.h"
#include "motley/plan.h"
#include "motley/verify.h"

#include <stdlib.h>

/* Repetitions of replayed runs; see trial.c. */
enum { PROBING_REPETITION = 500 };

/* The points of the largest size up to `size` that has truth. */
static struct span find_truth(const struct recorded *recorded, double size)
{
    struct span found = {0};
    for (int i = recorded->count - 1; i >= 0 && found.end == 0; i--)
        if (recorded->points[i].size <= size)
            found = recorded_truth_at(recorded, recorded->points[i].size);
    return found;
}

/* The points of several groups that can be predicted. */
static int list_candidates(struct mt_plan *plan, const struct recorded *recorded,
                           const struct mt_problem *problem, struct span span,
                           struct mt_error *err)
{
    plan->choices = calloc((size_t)(span.end - span.first) + 1, sizeof *plan->choices);
    if (!plan->choices)
        return mt_fail(err, MT_ENOMEM, "no memory for the candidates");
    for (int i = span.first; i < span.end; i++) {
        const struct mt_sample *point = &recorded->points[i];
        struct mt_choice *choice = &plan->choices[plan->count];
        choice->configuration = point->configuration;
        if (mt_configuration_only_group(&point->configuration) < 0 &&
            mt_models_predict(problem, &point->configuration, point->size,
                              &choice->prediction, NULL) == MT_OK)
            plan->count++;
    }
    return MT_OK;
}

static int follow(struct training *training, struct mt_verify *verify,
                  const struct replay *replay, struct mt_design *design,
                  struct mt_error *err)
{
    const struct mt_configuration *next = NULL;
    int status = mt_verify_next(verify, &next, err);
    for (int i = 0; status == MT_OK && next && mt_design_probes(design).left > 0; i++) {
        const int point = recorded_find(replay->recorded, next, verify->size);
        const struct mt_sample run = replay_run(replay, point, PROBING_REPETITION + i);
        training->runs[training->count++] = run;
        training->seconds += run.seconds;
        mt_design_probed(design, run.seconds);
        status = mt_verify_observe(verify, run.seconds, err);
        if (status == MT_OK)
            status = mt_verify_next(verify, &next, err);
    }
    return status;
}

static int choose_and_run(struct training *training, const struct replay *replay,
                          const struct mt_models *models, struct span span,
                          struct mt_design *design, struct mt_error *err)
{
    const struct mt_inputs *inputs = &replay->recorded->inputs;
    const double size = replay->recorded->points[span.first].size;
    const struct mt_problem problem = {&inputs->cluster, &inputs->program, models};
    struct mt_calibration calibration = {0};
    struct mt_verify verify = {0};
    struct mt_plan candidates = {0};
    int status = list_candidates(&candidates, replay->recorded, &problem, span, err);
    if (status == MT_OK)
        status = mt_calibration_init(&calibration, &problem, NULL, 0, err);
    if (status == MT_OK)
        status = mt_verify_init(&verify, &calibration, &candidates, size,
                                mt_design_probes(design).left, err);
    if (status == MT_OK)
        status = follow(training, &verify, replay, design, err);
    mt_verify_clear(&verify);
    mt_calibration_clear(&calibration);
    mt_plan_clear(&candidates);
    return status;
}

int probing_run(struct training *training, const struct replay *replay,
                struct mt_design *design, struct mt_error *err)
{
    const struct mt_inputs *inputs = &replay->recorded->inputs;
    const struct mt_design_probes probes = mt_design_probes(design);
    const struct span span = find_truth(replay->recorded, probes.size);
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_models models = {0};
    if (probes.left == 0 || span.end == 0)
        return MT_OK;
    const struct mt_samples samples = {.samples = training->runs,
                                       .count = training->count};
    int status =
        mt_fit(&models, &inputs->cluster, &inputs->program, &samples, &options, err);
    if (status == MT_OK)
        status = choose_and_run(training, replay, &models, span, design, err);
    else if (status == MT_ERANK) /* too few runs */
        status = MT_OK;
    mt_models_clear(&models);
    return status;
}
