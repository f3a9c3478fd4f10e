/* SPDX-License-Identifier: BSD-3-Clause */
#include "predictor.h"

#include "motley/fit.h"

int predictor_init(struct predictor *predictor, const struct replay *replay,
                   const struct trial_options *options, struct mt_error *err)
{
    const struct mt_inputs *inputs = &replay->recorded->inputs;
    const struct mt_fit_options fit_options = {.kind = options->kind};
    struct training *training = &predictor->training;
    predictor->replay = replay;
    int status = training_make(training, replay, options->design, options->kind, err);
    if (status == MT_OK)
        status = mt_fit(&predictor->models, &inputs->cluster, &inputs->program,
                        training->runs, training->count, &fit_options, err);
    return status;
}

void predictor_clear(struct predictor *predictor)
{
    mt_evidence_clear(&predictor->evidence);
    mt_models_clear(&predictor->models);
    training_clear(&predictor->training);
    *predictor = (struct predictor){0};
}

int predictor_correct(struct predictor *predictor, struct mt_error *err)
{
    const struct mt_inputs *inputs = &predictor->replay->recorded->inputs;
    mt_evidence_clear(&predictor->evidence);
    predictor->corrected = true;
    return mt_evidence_init(&predictor->evidence, &predictor->models, &inputs->cluster,
                            &inputs->program, NULL, 0, err);
}

int predictor_predict(const struct predictor *predictor, int point,
                      struct mt_prediction *prediction, struct mt_error *err)
{
    const struct recorded *recorded = predictor->replay->recorded;
    const struct mt_sample *at = &recorded->points[point];
    if (predictor->corrected)
        return mt_evidence_predict(&predictor->evidence, &at->configuration, at->size,
                                   prediction, err);
    return mt_models_predict(&predictor->models, &recorded->inputs.cluster,
                             &recorded->inputs.program, &at->configuration, at->size,
                             prediction, err);
}
