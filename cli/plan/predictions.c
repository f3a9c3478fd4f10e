/* SPDX-License-Identifier: BSD-3-Clause */
#include "predictions.h"

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

static int predict(struct mt_predicted *predicted, const struct mt_predictor *predictor,
                   const struct mt_task *task, struct mt_error *err)
{
    const struct mt_measured *measured =
        mt_measured_at(&predictor->measured, &task->configuration, task->size);
    predicted->configuration =
        mt_configuration_format(&task->configuration, predictor->problem.cluster);
    if (!predicted->configuration)
        return no_memory(err);
    predicted->size = task->size;
    predicted->measured = measured ? measured->seconds : NAN;
    const int status = mt_predictor_predict(predictor, &task->configuration, task->size,
                                            &predicted->prediction, err);
    predicted->known = status == MT_OK;
    return status;
}

/* Fill in as many predictions as there are tasks; MT_ENOTFOUND when none is known. */
static int fill_in(struct mt_predictions *predictions,
                   const struct mt_predictor *predictor, const struct mt_tasks *tasks,
                   struct mt_error *err)
{
    struct mt_error first = {.status = MT_OK};
    bool some_known = false;
    for (int i = 0; i < tasks->count; i++) {
        struct mt_predicted *predicted = &predictions->all[predictions->count++];
        struct mt_error why;
        const int status = predict(predicted, predictor, &tasks->tasks[i], &why);
        if (status == MT_ENOMEM)
            return no_memory(err);
        if (status != MT_OK && first.status == MT_OK)
            first = why;
        some_known = some_known || predicted->known;
    }
    return some_known ? MT_OK : mt_fail(err, MT_ENOTFOUND, "%s", first.text);
}

int mt_predictions_make(struct mt_predictions *predictions,
                        const struct mt_predictor *predictor,
                        const struct mt_tasks *tasks, struct mt_error *err)
{
    struct mt_predictions made = {.kind = predictor->models.kind,
                                  .corrections = predictor->corrections};
    made.all = calloc((size_t)tasks->count + 1, sizeof *made.all);
    const int status =
        made.all ? fill_in(&made, predictor, tasks, err) : no_memory(err);
    if (status == MT_OK)
        *predictions = made;
    else
        mt_predictions_clear(&made);
    return status;
}
