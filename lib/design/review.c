/* SPDX-License-Identifier: BSD-3-Clause */
#include "review.h"

#include "choice.h"
#include "ladders.h"

#include "motley/fit.h"
#include "motley/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Choices at each size whose P the design aims at; the fewest runs after which a plan
   can be called settled. */
enum { AIMS_OF_SIZE = 3, FEWEST_UNCHANGED = 4 };
/* A plan has changed when it is so much slower than the best, or its time is expected
   to be so much different. */
static const double slower = 1.03, different = 1.05;

static int fit_models(struct mt_models *models, const struct mt_design *design,
                      struct mt_error *err)
{
    struct mt_sample *samples = calloc((size_t)design->count, sizeof *samples);
    if (!samples)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", design->count);
    int count = 0;
    for (int i = 0; i < design->count; i++)
        if (design->trials[i].runs > 0)
            samples[count++] =
                (struct mt_sample){.configuration = design->candidates[i].configuration,
                                   .size = design->candidates[i].size,
                                   .seconds = exp(design->trials[i].log_seconds)};
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    const int status =
        count > 0 ? mt_fit(models, design->cluster, design->program,
                           &(struct mt_samples){.samples = samples, .count = count},
                           &options, err)
                  : mt_fail(err, MT_ERANK, "there are no runs");
    free(samples);
    return status;
}

/* Plan at size i; what can be planned is also aimed at. */
static int plan_size(struct mt_design *design, const struct mt_models *models, int i,
                     struct mt_aim *aims, int *naims, struct mt_error *err)
{
    const double size = design->sizes[i];
    const struct mt_question question = {.size = size, .top = AIMS_OF_SIZE};
    struct mt_plan plan = {0};
    struct mt_error reason;
    const struct mt_problem problem = {design->cluster, design->program, models};
    const int status = mt_plan_search(&plan, &problem, &question, &reason);
    design->plan[i] = (struct mt_choice){0};
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "%s", reason.text);
    if (status != MT_OK) /* nothing can be planned at this size */
        return MT_OK;
    design->plan[i] = plan.choices[0];
    for (int k = 0; k < plan.count; k++)
        aims[(*naims)++] =
            (struct mt_aim){.size = size, .ranks = plan.choices[k].ranks};
    mt_plan_clear(&plan);
    return MT_OK;
}

/* Whether the choice at one size is not what `reference` proposed there. */
static bool has_changed(const struct mt_design *design, const struct mt_models *models,
                        const struct mt_choice *choice,
                        const struct mt_choice *reference, double size)
{
    if (choice->nodes == 0 || reference->nodes == 0)
        return choice->nodes != reference->nodes;
    const double best = choice->prediction.seconds;
    const struct mt_problem problem = {design->cluster, design->program, models};
    struct mt_prediction now;
    if (mt_models_predict(&problem, &reference->configuration, size, &now, NULL) !=
        MT_OK)
        return true;
    return now.seconds > slower * best ||
           fabs(log(now.seconds / reference->prediction.seconds)) > log(different);
}

static void compare_with_reference(struct mt_design *design,
                                   const struct mt_models *models)
{
    const int nsizes = design->nsizes;
    bool changed = !design->planned;
    for (int i = 0; i < nsizes && !changed; i++)
        changed = has_changed(design, models, &design->plan[i], &design->reference[i],
                              design->sizes[i]);
    design->unchanged = changed ? 0 : design->unchanged + 1;
    if (changed)
        memcpy(design->reference, design->plan,
               (size_t)nsizes * sizeof *design->reference);
    design->planned = true;
}

static int make_room(struct mt_design *design, struct mt_error *err)
{
    const size_t nsizes = (size_t)design->nsizes;
    if (!design->plan)
        design->plan = calloc(nsizes + 1, sizeof *design->plan);
    if (!design->reference)
        design->reference = calloc(nsizes + 1, sizeof *design->reference);
    return design->plan && design->reference
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for plans");
}

static int plan_all(struct mt_design *design, const struct mt_models *models,
                    struct mt_error *err)
{
    const int nsizes = design->nsizes;
    struct mt_aim *aims = calloc((size_t)nsizes * AIMS_OF_SIZE + 1, sizeof *aims);
    if (!aims)
        return mt_fail(err, MT_ENOMEM, "no memory for plans");
    int naims = 0, status = MT_OK;
    for (int i = 0; i < nsizes && status == MT_OK; i++)
        status = plan_size(design, models, i, aims, &naims, err);
    if (status == MT_OK) {
        compare_with_reference(design, models);
        status = mt_design_aim(design, aims, naims, err);
    }
    free(aims);
    return status;
}

int mt_design_enough(const struct mt_design *design)
{
    return design->nclasses > FEWEST_UNCHANGED ? design->nclasses : FEWEST_UNCHANGED;
}

static int see_whether_settled(struct mt_design *design, struct mt_error *err)
{
    struct mt_base base;
    const int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    free(base.wanted);
    design->settled = base.left == 0 && mt_design_uncovered(design) == 0 &&
                      design->unchanged >= mt_design_enough(design);
    return MT_OK;
}

int mt_design_review(struct mt_design *design, struct mt_error *err)
{
    struct mt_models models = {0};
    struct mt_error reason;
    int status = make_room(design, err);
    if (status != MT_OK)
        return status;
    status = fit_models(&models, design, &reason);
    if (status == MT_OK)
        status = plan_all(design, &models, &reason);
    mt_models_clear(&models);
    if (status != MT_OK && status != MT_ERANK) /* which is too early */
        return mt_fail(err, status, "%s", reason.text);
    design->reviewed = true;
    return see_whether_settled(design, err);
}
