/* SPDX-License-Identifier: BSD-3-Clause */
#include "knowledge.h"

#include <stdlib.h>

/* Whether the run is beyond the training, and the models can predict it. */
static bool is_correction(const struct mt_knowledge *knowledge,
                          const struct mt_inputs *inputs,
                          const struct mt_sample *sample)
{
    const struct mt_program *program = &inputs->program;
    bool measured_size = false;
    for (int i = 0; i < program->nmeasure_sizes; i++)
        measured_size |= program->measure_sizes[i] == sample->size;
    if (measured_size && mt_configuration_only_group(&sample->configuration) >= 0)
        return false;
    struct mt_prediction prediction;
    return mt_models_predict(&knowledge->models, &inputs->cluster, program,
                             &sample->configuration, sample->size, &prediction,
                             NULL) == MT_OK;
}

bool mt_knowledge_is_evidence(const struct mt_knowledge *knowledge,
                              const struct mt_inputs *inputs, int i)
{
    const struct mt_sample *samples = knowledge->samples.samples, *run = &samples[i];
    if (is_correction(knowledge, inputs, run))
        return true;
    for (int k = 0; k < knowledge->samples.count; k++) {
        const struct mt_configuration *other = &samples[k].configuration;
        if (k == i || samples[k].size != run->size)
            continue;
        if (mt_configuration_equal(other, &run->configuration) ||
            (k < i && mt_configuration_only_group(other) < 0))
            return true;
    }
    return false;
}

static int take_evidence(struct mt_knowledge *knowledge, const struct mt_inputs *inputs,
                         struct mt_error *err)
{
    const struct mt_samples *all = &knowledge->samples;
    struct mt_sample *evidence = calloc((size_t)all->count + 1, sizeof *evidence);
    if (!evidence)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", all->count);
    int count = 0, corrections = 0;
    for (int i = 0; i < all->count; i++) {
        if (mt_knowledge_is_evidence(knowledge, inputs, i))
            evidence[count++] = all->samples[i];
        corrections += is_correction(knowledge, inputs, &all->samples[i]);
    }
    const int status =
        mt_evidence_init(&knowledge->evidence, &knowledge->models, &inputs->cluster,
                         &inputs->program, evidence, count, err);
    free(evidence);
    if (status == MT_OK)
        knowledge->corrections = corrections;
    return status;
}

int mt_knowledge_ready(struct mt_knowledge *knowledge, const struct mt_inputs *inputs,
                       enum mt_model_kind kind, struct mt_error *err)
{
    int status =
        mt_models_ready(&knowledge->models, &knowledge->samples, inputs, kind, err);
    if (status == MT_OK && kind == MT_MODEL_AUTO)
        status = take_evidence(knowledge, inputs, err);
    if (status != MT_OK)
        mt_knowledge_clear(knowledge);
    return status;
}

void mt_knowledge_clear(struct mt_knowledge *knowledge)
{
    mt_evidence_clear(&knowledge->evidence);
    mt_samples_clear(&knowledge->samples);
    mt_models_clear(&knowledge->models);
    knowledge->corrections = 0;
}

int mt_knowledge_predict(const struct mt_knowledge *knowledge,
                         const struct mt_inputs *inputs,
                         const struct mt_configuration *configuration, double size,
                         struct mt_prediction *prediction, struct mt_error *err)
{
    if (knowledge->corrections > 0)
        return mt_evidence_predict(&knowledge->evidence, configuration, size,
                                   prediction, NULL, err);
    return mt_models_predict(&knowledge->models, &inputs->cluster, &inputs->program,
                             configuration, size, prediction, err);
}

int mt_knowledge_corrections_at(const struct mt_knowledge *knowledge,
                                const struct mt_inputs *inputs, double size)
{
    int count = 0;
    for (int i = 0; knowledge->corrections > 0 && i < knowledge->samples.count; i++)
        count += knowledge->samples.samples[i].size == size &&
                 is_correction(knowledge, inputs, &knowledge->samples.samples[i]);
    return count;
}
