/* SPDX-License-Identifier: BSD-3-Clause */
#include "predictions.h"

#include "lib/math/median.h"
#include <math.h>
#include <stdlib.h>

void mt_predictions_clear(struct mt_predictions *predictions)
{
    for (int i = 0; i < predictions->count; i++)
        free(predictions->all[i].configuration);
    free(predictions->all);
    *predictions = (struct mt_predictions){0};
}

static int no_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for the predictions");
}

/* The median of what was measured there; `seconds` has room for all samples. */
static double measured_median(const struct mt_samples *samples,
                              const struct mt_task *task, double *seconds)
{
    int count = 0;
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *sample = &samples->samples[i];
        if (sample->size == task->size &&
            mt_configuration_equal(&sample->configuration, &task->configuration))
            seconds[count++] = sample->seconds;
    }
    return mt_median(seconds, count);
}

static int predict(struct mt_predicted *predicted, const struct mt_knowledge *knowledge,
                   const struct mt_inputs *inputs, const struct mt_task *task,
                   struct mt_error *err)
{
    predicted->configuration =
        mt_configuration_format(&task->configuration, &inputs->cluster);
    if (!predicted->configuration)
        return no_memory(err);
    predicted->size = task->size;
    const int status = mt_knowledge_predict(knowledge, inputs, &task->configuration,
                                            task->size, &predicted->prediction, err);
    predicted->known = status == MT_OK;
    return status;
}

/* Fill in as many predictions as there are tasks; MT_ENOTFOUND when none is known. */
static int fill_in(struct mt_predictions *predictions,
                   const struct mt_knowledge *knowledge, const struct mt_inputs *inputs,
                   const struct mt_tasks *tasks, double *seconds, struct mt_error *err)
{
    struct mt_error first = {.status = MT_OK};
    bool some_known = false;
    for (int i = 0; i < tasks->count; i++) {
        struct mt_predicted *predicted = &predictions->all[predictions->count++];
        struct mt_error why;
        const int status =
            predict(predicted, knowledge, inputs, &tasks->tasks[i], &why);
        if (status == MT_ENOMEM)
            return no_memory(err);
        if (status != MT_OK && first.status == MT_OK)
            first = why;
        some_known = some_known || predicted->known;
        predicted->measured =
            measured_median(&knowledge->samples, &tasks->tasks[i], seconds);
    }
    return some_known ? MT_OK : mt_fail(err, MT_ENOTFOUND, "%s", first.text);
}

int mt_predictions_make(struct mt_predictions *predictions,
                        const struct mt_knowledge *knowledge,
                        const struct mt_inputs *inputs, const struct mt_tasks *tasks,
                        struct mt_error *err)
{
    struct mt_predictions made = {.kind = knowledge->models.kind,
                                  .corrections = knowledge->corrections};
    double *seconds = calloc((size_t)knowledge->samples.count + 1, sizeof *seconds);
    made.all = calloc((size_t)tasks->count + 1, sizeof *made.all);
    const int status = seconds && made.all
                           ? fill_in(&made, knowledge, inputs, tasks, seconds, err)
                           : no_memory(err);
    free(seconds);
    if (status == MT_OK)
        *predictions = made;
    else
        mt_predictions_clear(&made);
    return status;
}
