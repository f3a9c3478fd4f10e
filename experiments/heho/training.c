/* SPDX-License-Identifier: BSD-3-Clause */
#include "training.h"

#include "motley/design.h"

#include <stdlib.h>

/* What a designed training may take: of the measuring time of the papers' NP-T, where
   that has many runs, a little less than a tenth, as the last run may take longer than
   expected. Where groups are too small for NP-T, that time says nothing, and the design
   settles when it likes. */
static const double budget_share = 0.09;
enum { MANY_RUNS = 100 };

/* Repetitions of replayed runs that are probes; see trial.c. */
enum { PROBING_REPETITION = 500 };

static const struct mt_sample *add_run(struct training *training,
                                       const struct replay *replay, int point,
                                       int repetition)
{
    struct mt_sample *run = &training->runs[training->count++];
    *run = replay_run(replay, point, repetition);
    training->seconds += run->seconds;
    return run;
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
            add_run(training, replay, i, 0);
}

/* The runs among which the design chooses: those that auto may learn from, and, for the
   probes, those of several groups. */
static int list_candidates(struct mt_candidate *candidates,
                           const struct recorded *recorded)
{
    int count = 0;
    for (int i = 0; i < recorded->count; i++) {
        const struct mt_sample *point = &recorded->points[i];
        if (mt_configuration_only_group(&point->configuration) < 0 ||
            trains(recorded, point, MT_MODEL_AUTO))
            candidates[count++] = (struct mt_candidate){
                .configuration = point->configuration, .size = point->size};
    }
    return count;
}

/* Who makes the runs of a design, from what is recorded. */
struct trainer {
    struct training *training;
    const struct replay *replay;
    bool only_base; /* and the probes */
    int probes;     /* made so far */
};

static int replay_training_run(void *context, const struct mt_proposal *proposal,
                               struct mt_observation *observation, struct mt_error *err)
{
    struct trainer *trainer = context;
    (void)err;
    observation->stop = trainer->only_base && proposal->phase == MT_PHASE_FURTHER;
    if (observation->stop)
        return MT_OK;
    const int point = recorded_find(trainer->replay->recorded, &proposal->configuration,
                                    proposal->size);
    const int repetition = proposal->phase == MT_PHASE_PROBES
                               ? PROBING_REPETITION + trainer->probes++
                               : -proposal->repeat;
    const struct mt_sample *run =
        add_run(trainer->training, trainer->replay, point, repetition);
    *observation = (struct mt_observation){
        .made = true, .seconds = run->seconds, .spent = run->seconds};
    return MT_OK;
}

static int add_designed(struct training *training, const struct replay *replay,
                        bool only_base, int runs, struct mt_error *err)
{
    const struct recorded *recorded = replay->recorded;
    struct trainer trainer = {
        .training = training, .replay = replay, .only_base = only_base};
    const struct mt_experimenter experimenter = {.run = replay_training_run,
                                                 .context = &trainer};
    struct mt_design *design = NULL;
    enum mt_end end;
    int papers_runs;
    double papers_seconds;
    training_of_papers(recorded, &papers_runs, &papers_seconds);
    struct mt_candidate *candidates =
        calloc((size_t)recorded->count + 1, sizeof *candidates);
    if (!candidates)
        return mt_fail(err, MT_ENOMEM, "no memory for the training runs");
    const struct mt_design_case of = {
        .cluster = &recorded->inputs.cluster,
        .program = &recorded->inputs.program,
        .candidates = candidates,
        .count = list_candidates(candidates, recorded),
        .limits = {.seconds =
                       papers_runs < MANY_RUNS ? 0 : budget_share * papers_seconds,
                   .runs = runs},
        .exact = replay->noise == 0};
    int status = mt_design_make(&design, &of, err);
    if (status == MT_OK)
        status = mt_design_run(design, &experimenter, &end, err);
    mt_design_free(design);
    free(candidates);
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
                  enum training_design design, enum mt_model_kind kind, int runs,
                  struct mt_error *err)
{
    /* twice: probes may be repeated */
    training->runs =
        calloc(2 * (size_t)replay->recorded->count + 1, sizeof *training->runs);
    if (!training->runs)
        return mt_fail(err, MT_ENOMEM, "no memory for the training runs");
    design = training_resolve(design, kind);
    if (design != TRAINING_ALL)
        return add_designed(training, replay, design == TRAINING_BASE, runs, err);
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
