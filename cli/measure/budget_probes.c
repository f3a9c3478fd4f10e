/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"

#include "single.h"

#include "motley/planner.h"
#include "motley/verify.h"

#include <stdlib.h>

struct mt_design_probes mt_budget_probes_left(const struct mt_budget *budget)
{
    if (budget->settled && budget->probes > 0)
        return (struct mt_design_probes){0};
    return mt_design_probes(budget->design);
}

/* Keep configurations of several groups that have not failed. */
static void keep_mixed(struct mt_plan *plan, const struct mt_samples *samples,
                       double size)
{
    int kept = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct mt_configuration *configuration = &plan->choices[i].configuration;
        if (mt_configuration_only_group(configuration) < 0 &&
            !mt_samples_failed(samples, configuration, size))
            plan->choices[kept++] = plan->choices[i];
    }
    plan->count = kept;
}

/* Begin to look among the configurations of several groups. */
static int begin(struct mt_verify *verify, struct mt_predictor *predictor,
                 const struct mt_design_probes *probes, struct mt_error *err)
{
    const struct mt_samples *samples = &predictor->samples;
    const struct mt_question question = {.size = probes->size};
    struct mt_plan candidates = {0};
    int status =
        mt_plan_propose(&candidates, &predictor->problem, samples, &question, err);
    if (status != MT_OK)
        return status;
    keep_mixed(&candidates, samples, probes->size);
    status = mt_verify_init(verify, &predictor->calibration, &candidates, probes->size,
                            probes->left, err);
    for (int i = 0; status == MT_OK && i < samples->count; i++)
        mt_verify_seen(verify, &samples->samples[i]);
    mt_plan_clear(&candidates);
    return status;
}

static int make_probe(struct mt_budget *budget, const struct mt_campaign *campaign,
                      struct mt_verify *verify, const struct mt_configuration *next,
                      struct mt_campaign_result *result, struct mt_error *err)
{
    struct mt_task task = {.configuration = *next, .size = verify->size};
    struct mt_run run = {0};
    int status = mt_single_run(campaign, &task, &run, &result->interrupted, err);
    if (status != MT_OK || result->interrupted)
        return status;
    mt_budget_probed(budget, &run);
    if (run.outcome == MT_RUN_OK) {
        result->done++;
        status = mt_verify_observe(verify, run.seconds, err);
    } else {
        result->failed++;
        mt_verify_failed(verify);
    }
    mt_run_clear(&run);
    return status;
}

static int make_probes(struct mt_budget *budget, struct mt_verify *verify,
                       struct mt_progress *progress, struct mt_campaign_result *result,
                       struct mt_error *err)
{
    struct mt_campaign campaign = *budget->campaign;
    campaign.quiet = true; /* the progress is that of all runs */
    campaign.whole = progress;
    const struct mt_configuration *next = NULL;
    int status = mt_verify_next(verify, &next, err);
    while (status == MT_OK && next && mt_budget_probes_left(budget).left > 0) {
        status = make_probe(budget, &campaign, verify, next, result, err);
        if (status != MT_OK || result->interrupted)
            return status;
        status = mt_verify_next(verify, &next, err);
    }
    return status;
}

int mt_budget_probe(struct mt_budget *budget, struct mt_progress *progress,
                    struct mt_campaign_result *result, struct mt_error *err)
{
    const struct mt_campaign *campaign = budget->campaign;
    const struct mt_design_probes probes = mt_budget_probes_left(budget);
    struct mt_predictor predictor = {0};
    struct mt_verify verify = {0};
    struct mt_error reason;
    if (probes.left == 0)
        return MT_OK;
    int status = mt_predictor_load(&predictor, campaign->store, campaign->cluster,
                                   campaign->program, MT_MODEL_AUTO, &reason);
    if (status == MT_OK)
        status = begin(&verify, &predictor, &probes, &reason);
    if (status == MT_OK)
        status = make_probes(budget, &verify, progress, result, &reason);
    if (status == MT_ERANK || status == MT_EINFEASIBLE) /* nothing can be proposed */
        status = MT_OK;
    else if (status != MT_OK)
        mt_fail(err, status, "%s", reason.text);
    mt_verify_clear(&verify);
    mt_predictor_clear(&predictor);
    return status;
}
