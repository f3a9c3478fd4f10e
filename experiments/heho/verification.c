/* SPDX-License-Identifier: BSD-3-Clause */
#include "verification.h"

#include "motley/verify.h"

#include <stdlib.h>

/* All points that can be predicted. */
static int list_candidates(struct mt_plan *plan, const struct predictor *predictor,
                           struct span span, struct mt_error *err)
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

static int follow(struct verification *verification, struct mt_verify *verify,
                  const struct replay *replay, double size, struct mt_error *err)
{
    const struct mt_configuration *next = NULL;
    int status = mt_verify_next(verify, &next, err);
    while (status == MT_OK && next) {
        const int point = recorded_find(replay->recorded, next, size);
        /* Numbered through, so that no run is that of the training. */
        const struct mt_sample run = replay_run(replay, point, ++verification->runs);
        verification->seconds += run.seconds;
        status = mt_verify_observe(verify, run.seconds, err);
        if (status == MT_OK)
            status = mt_verify_next(verify, &next, err);
    }
    return status;
}

int verification_run(struct verification *verification, struct predictor *predictor,
                     struct span span, int runs, struct mt_error *err)
{
    const struct recorded *recorded = predictor->replay->recorded;
    const double size = recorded->points[span.first].size;
    struct verification made = {0};
    struct mt_verify verify = {0};
    struct mt_plan candidates = {0};
    int status = list_candidates(&candidates, predictor, span, err);
    if (status == MT_OK)
        status = mt_verify_init(&verify, &predictor->calibration, &candidates, size,
                                runs, err);
    if (status == MT_OK)
        status = follow(&made, &verify, predictor->replay, size, err);
    if (status == MT_OK) {
        made.best = recorded_find(recorded, mt_verify_best(&verify), size);
        *verification = made;
    }
    mt_verify_clear(&verify);
    mt_plan_clear(&candidates);
    return status;
}
