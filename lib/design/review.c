/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether the plan has stopped changing. */
#include "review.h"

#include "choice.h"
#include "ladders.h"
#include "motley/plan.h"
#include "repeats.h"
#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Choices at each size whose P the design aims at; the fewest runs after which a plan
   can be called settled. */
enum { AIMS_OF_SIZE = 3, FEWEST_UNCHANGED = 4 };
/* A plan has changed when it is so much slower than the best, or its time is expected
   to be so much different. */
static const double slower = 1.03, different = 1.05;
/* Intervals of what is planned should be no wider than this to either side. They narrow
   when they do by this ratio in so many times the runs that a plan has to stay the
   same; a run that takes less than this share of the posterior's variance promises
   nothing. */
static const double wide = 0.15, narrower = 0.8, least_promise = 0.01;
enum { PATIENCE = 2 };
/* A fit takes longer the more runs there are, and one more run changes less. */
enum { RUNS_OF_REVIEW = 12 };

/* What was measured: of a candidate the median of its runs; of what is none all runs.
 */
static int list_samples(struct mt_samples *samples, const struct mt_design *design,
                        struct mt_error *err)
{
    const size_t room = (size_t)design->count + (size_t)design->npast;
    struct mt_sample *list = calloc(room, sizeof *list);
    if (!list)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", design->count);
    int count = 0;
    for (int i = 0; i < design->count; i++)
        if (design->trials[i].runs > 0)
            list[count++] =
                (struct mt_sample){.configuration = design->candidates[i].configuration,
                                   .size = design->candidates[i].size,
                                   .seconds = exp(design->trials[i].log_seconds)};
    const bool any = count > 0;
    for (int i = 0; i < design->npast && any; i++) {
        const struct mt_past_run *run = &design->past[i];
        if (!isnan(run->seconds) &&
            mt_design_find(design, &run->configuration, run->size) < 0)
            list[count++] =
                (struct mt_sample){run->configuration, run->size, run->seconds};
    }
    samples->samples = list;
    samples->count = count;
    return any ? MT_OK : mt_fail(err, MT_ERANK, "there are no runs");
}

static int fit_models(struct mt_predictor *predictor, const struct mt_design *design,
                      struct mt_error *err)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_samples samples = {0};
    int status = list_samples(&samples, design, err);
    if (status == MT_OK)
        status = mt_predictor_fit(predictor, design->cluster, design->program, &samples,
                                  &options, err);
    mt_samples_clear(&samples);
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
    design->unchanged =
        changed ? 0 : design->unchanged + design->succeeded - design->reviewed_at;
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

/* Half of the widest interval of what is planned, as a share of the time. */
static double widest_of(const struct mt_design *design,
                        const struct mt_predictor *predictor)
{
    double widest = 0;
    for (int i = 0; i < design->nsizes; i++) {
        struct mt_prediction prediction;
        if (design->plan[i].nodes == 0 ||
            mt_predictor_predict(predictor, &design->plan[i].configuration,
                                 design->sizes[i], &prediction, NULL) != MT_OK)
            continue;
        widest =
            fmax(widest, (prediction.high - prediction.low) / (2 * prediction.seconds));
    }
    return widest;
}

/* Remember when the intervals last became narrower by so much that more runs may be
   expected to help, too. */
static void watch_width(struct mt_design *design, const struct mt_predictor *predictor)
{
    const double width = widest_of(design, predictor);
    if (design->width == 0 || width < narrower * design->width) {
        design->width = width;
        design->narrowed_at = design->succeeded;
    }
}

/* Whether more runs may make the intervals of what is planned as narrow as they should
   be: there is money left, they have become narrower of late, and there is a run that
   promises to make them so. */
static bool may_narrow(const struct mt_design *design)
{
    const bool limited = design->limits.seconds > 0 || design->limits.runs > 0;
    return limited && design->width > wide &&
           design->succeeded - design->narrowed_at <
               PATIENCE * mt_design_enough(design) &&
           mt_design_promise(design) > least_promise;
}

int mt_design_enough(const struct mt_design *design)
{
    return design->nplanned > FEWEST_UNCHANGED ? design->nplanned : FEWEST_UNCHANGED;
}

static int see_whether_settled(struct mt_design *design, struct mt_error *err)
{
    struct mt_base base;
    const int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    free(base.wanted);
    design->settled = base.left == 0 && mt_design_uncovered(design) == 0 &&
                      design->unchanged >= mt_design_enough(design) &&
                      !may_narrow(design);
    return MT_OK;
}

static int plan_and_look(struct mt_design *design, const struct mt_predictor *predictor,
                         struct mt_error *err)
{
    int status = plan_all(design, &predictor->models, err);
    if (status == MT_OK && !design->rehearsal)
        status =
            mt_design_suspect(design, &predictor->models, &predictor->samples, err);
    watch_width(design, predictor);
    return status;
}

int mt_design_review(struct mt_design *design, struct mt_error *err)
{
    struct mt_predictor predictor = {0};
    struct mt_error reason;
    int status = make_room(design, err);
    if (status != MT_OK)
        return status;
    status = fit_models(&predictor, design, &reason);
    if (status == MT_OK)
        status = plan_and_look(design, &predictor, &reason);
    mt_predictor_clear(&predictor);
    if (status != MT_OK && status != MT_ERANK) /* which is too early */
        return mt_fail(err, status, "%s", reason.text);
    design->unreviewed = 0;
    design->reviewed_at = design->succeeded;
    return see_whether_settled(design, err);
}

bool mt_design_review_due(const struct mt_design *design)
{
    return design->unreviewed > design->runs / RUNS_OF_REVIEW;
}

int mt_design_history(const struct mt_design *design)
{
    return PATIENCE * mt_design_enough(design) + 1;
}
