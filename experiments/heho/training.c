/* SPDX-License-Identifier: BSD-3-Clause */
#include "training.h"
#include "probing.h"

#include "motley/design.h"

#include <stdlib.h>

/* What a designed training may take: of the measuring time of the papers' NP-T, where
   that has many runs, a little less than a tenth, as the last run may take longer than
   expected. Where groups are too small for NP-T, that time says nothing, and the design
   settles when it likes. */
static const double budget_share = 0.09;
enum { MANY_RUNS = 100 };

static void add_run(struct training *training, const struct replay *replay, int point)
{
    const struct mt_sample run = replay_run(replay, point, 0);
    training->runs[training->count++] = run;
    training->seconds += run.seconds;
}

/* N-T has a model for every configuration; the others learn from groups alone, P-T and
   NP-T only from several nodes. */
static bool trains(const struct recorded *recorded, const struct mt_sample *point,
                   enum mt_model_kind kind)
{
    switch (kind) {
    case MT_MODEL_NT:
        return recorded_measured(recorded, point);
    case MT_MODEL_AUTO:
        return recorded_measured(recorded, point) &&
               mt_configuration_only_group(&point->configuration) >= 0;
    default:
        return recorded_trains_papers(recorded, point);
    }
}

static void add_all(struct training *training, const struct replay *replay,
                    enum mt_model_kind kind)
{
    for (int i = 0; i < replay->recorded->count; i++)
        if (trains(replay->recorded, &replay->recorded->points[i], kind))
            add_run(training, replay, i);
}

/* The runs among which the design chooses: `points` gets their indices. */
static int list_candidates(struct mt_candidate *candidates, int *points,
                           const struct recorded *recorded)
{
    int count = 0;
    for (int i = 0; i < recorded->count; i++) {
        const struct mt_sample *point = &recorded->points[i];
        if (!trains(recorded, point, MT_MODEL_AUTO))
            continue;
        candidates[count] = (struct mt_candidate){.configuration = point->configuration,
                                                  .size = point->size};
        points[count++] = i;
    }
    return count;
}

/* A plan cannot be settled before the base is complete, nor has it a part in the choice
   of runs; so that is when reviews begin. They begin earlier in `motley measure`, which
   may therefore stop a few runs earlier. */
static int review(struct mt_design *design, const struct mt_proposal *made,
                  bool *settled, struct mt_error *err)
{
    struct mt_design_state state;
    const int status = mt_design_state(design, &state, err);
    if (status != MT_OK || (made->base && state.base_left > 0))
        return status;
    return mt_design_review(design, settled, err);
}

/* Make the proposed runs, all or those of the base, until the plan is settled or none
   is proposed. */
static int follow(struct training *training, const struct replay *replay,
                  struct mt_design *design, const int *points, bool only_base,
                  bool *settled, struct mt_error *err)
{
    int status = MT_OK;
    while (status == MT_OK && !*settled) {
        struct mt_proposal next;
        status = mt_design_next(design, &next, err);
        if (status != MT_OK || next.index < 0 || (only_base && !next.base))
            break;
        add_run(training, replay, points[next.index]);
        const double seconds = training->runs[training->count - 1].seconds;
        status = mt_design_observe(design, next.index, seconds, seconds, err);
        if (status == MT_OK)
            status = review(design, &next, settled, err);
    }
    return status;
}

static int add_designed(struct training *training, const struct replay *replay,
                        bool only_base, struct mt_error *err)
{
    const struct recorded *recorded = replay->recorded;
    int papers_runs;
    double papers_seconds;
    training_of_papers(recorded, &papers_runs, &papers_seconds);
    const struct mt_design_limits limits = {
        .seconds = papers_runs < MANY_RUNS ? 0 : budget_share * papers_seconds};
    struct mt_design *design = NULL;
    bool settled = false;
    int status = MT_ENOMEM;
    int *points = calloc((size_t)recorded->count + 1, sizeof *points);
    struct mt_candidate *candidates =
        calloc((size_t)recorded->count + 1, sizeof *candidates);
    if (points && candidates)
        status = mt_design_make(
            &design, &recorded->inputs.cluster, &recorded->inputs.program, candidates,
            list_candidates(candidates, points, recorded), &limits, err);
    else
        mt_fail(err, status, "no memory for the training runs");
    if (status == MT_OK)
        status = follow(training, replay, design, points, true, &settled, err);
    if (status == MT_OK)
        status = probing_run(training, replay, design, err);
    if (status == MT_OK && !only_base)
        status = follow(training, replay, design, points, false, &settled, err);
    mt_design_free(design);
    free(candidates);
    free(points);
    return status;
}

enum training_design training_resolve(enum training_design design,
                                      enum mt_model_kind kind)
{
    if (design != TRAINING_OF_KIND)
        return design;
    return kind == MT_MODEL_AUTO ? TRAINING_DESIGNED : TRAINING_ALL;
}

static const char *const names[] = {
    [TRAINING_ALL] = "all", [TRAINING_BASE] = "base", [TRAINING_DESIGNED] = "designed"};

const char *training_name(enum training_design design)
{
    return names[design];
}

int training_make(struct training *training, const struct replay *replay,
                  enum training_design design, enum mt_model_kind kind,
                  struct mt_error *err)
{
    /* twice: probes may be repeated */
    training->runs =
        calloc(2 * (size_t)replay->recorded->count + 1, sizeof *training->runs);
    if (!training->runs)
        return mt_fail(err, MT_ENOMEM, "no memory for the training runs");
    design = training_resolve(design, kind);
    if (design != TRAINING_ALL)
        return add_designed(training, replay, design == TRAINING_BASE, err);
    add_all(training, replay, kind);
    return MT_OK;
}

void training_clear(struct training *training)
{
    free(training->runs);
    *training = (struct training){0};
}

void training_of_papers(const struct recorded *recorded, int *runs, double *seconds)
{
    *runs = 0;
    *seconds = 0;
    for (int i = 0; i < recorded->count; i++)
        if (recorded_trains_papers(recorded, &recorded->points[i])) {
            ++*runs;
            *seconds += recorded->points[i].seconds;
        }
}
