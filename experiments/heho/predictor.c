/* SPDX-License-Identifier: BSD-3-Clause */
#include "predictor.h"

#include "motley/fit.h"

#include <stdlib.h>

int predictor_init(struct predictor *predictor, const struct replay *replay,
                   const struct trial_options *options, struct mt_error *err)
{
    const struct mt_inputs *inputs = &replay->recorded->inputs;
    const struct mt_fit_options fit_options = {.kind = options->kind};
    struct training *training = &predictor->training;
    predictor->replay = replay;
    predictor->problem =
        (struct mt_problem){&inputs->cluster, &inputs->program, &predictor->models};
    int status = training_make(training, replay, options->design, options->kind,
                               options->runs, err);
    const struct mt_samples samples = {.samples = training->runs,
                                       .count = training->count};
    if (status == MT_OK)
        status = mt_fit(&predictor->models, &inputs->cluster, &inputs->program,
                        &samples, &fit_options, err);
    if (status == MT_OK && options->kind == MT_MODEL_AUTO)
        status = predictor_calibrate(predictor, err);
    return status;
}

void predictor_clear(struct predictor *predictor)
{
    mt_calibration_clear(&predictor->calibration);
    mt_models_clear(&predictor->models);
    training_clear(&predictor->training);
    *predictor = (struct predictor){0};
}

int predictor_calibrate(struct predictor *predictor, struct mt_error *err)
{
    const struct training *training = &predictor->training;
    struct mt_sample *mixed = calloc((size_t)training->count + 1, sizeof *mixed);
    if (!mixed)
        return mt_fail(err, MT_ENOMEM, "no memory for the runs to calibrate by");
    int count = 0;
    for (int i = 0; i < training->count; i++)
        if (mt_configuration_only_group(&training->runs[i].configuration) < 0)
            mixed[count++] = training->runs[i];
    mt_calibration_clear(&predictor->calibration);
    predictor->calibrated = true;
    const int status = mt_calibration_init(&predictor->calibration, &predictor->problem,
                                           mixed, count, err);
    free(mixed);
    return status;
}

int predictor_predict(const struct predictor *predictor, int point,
                      struct mt_prediction *prediction, struct mt_error *err)
{
    const struct mt_sample *at = &predictor->replay->recorded->points[point];
    if (predictor->calibrated)
        return mt_calibration_predict(&predictor->calibration, &at->configuration,
                                      at->size, prediction, NULL, err);
    return mt_models_predict(&predictor->problem, &at->configuration, at->size,
                             prediction, err);
}
