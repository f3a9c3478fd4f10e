/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"

#include "motley/planner.h"

#include <stdlib.h>

/* The best choice of each size, which stays empty where nothing can be planned. */
static int plan_all(struct mt_choice *choices, const struct mt_design_plan *plan,
                    const struct mt_predictor *predictor, struct mt_error *err)
{
    for (int i = 0; i < plan->count; i++) {
        const struct mt_question question = {.size = plan->sizes[i], .top = 1};
        struct mt_plan found = {0};
        struct mt_error reason;
        const int status = mt_plan_make(&found, predictor, &question, false, &reason);
        if (status == MT_ENOMEM)
            return mt_fail(err, status, "%s", reason.text);
        if (status == MT_OK)
            choices[i] = found.choices[0];
        mt_plan_clear(&found);
    }
    return MT_OK;
}

int mt_budget_plan(struct mt_budget *budget, struct mt_error *err)
{
    const struct mt_campaign *campaign = budget->campaign;
    const struct mt_design_plan plan = mt_design_plan(budget->design);
    struct mt_predictor predictor = {0};
    if (budget->probes == 0 || plan.count == 0)
        return MT_OK;
    struct mt_choice *choices = calloc((size_t)plan.count, sizeof *choices);
    if (!choices)
        return mt_fail(err, MT_ENOMEM, "no memory for plans");
    int status = mt_predictor_load(&predictor, campaign->store, campaign->cluster,
                                   campaign->program, MT_MODEL_AUTO, err);
    if (status == MT_OK)
        status = plan_all(choices, &plan, &predictor, err);
    mt_predictor_clear(&predictor);
    if (status != MT_OK) {
        free(choices);
        return status;
    }
    free(budget->corrected);
    budget->corrected = choices;
    return MT_OK;
}
