/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include "best.h"
#include "lib/base/array.h"
#include "rivals.h"

#include "motley/design.h"
#include "motley/plan.h"
#include "motley/predictor.h"
#include "motley/tasks.h"
#include "motley/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the runs of a point: those of the training are counted from 0 on, those that
   verify and the one that judges from these, so that no two are the same. */
enum { VERIFYING_REPETITION = 500, JUDGING_REPETITION = 1000 };

const char *const verification_names[VERIFICATIONS] = {
    [VERIFY_NOT] = "none", [VERIFY_RUNS] = "runs", [VERIFY_KNOWN] = "auto"};

struct session {
    struct truth *truth;
    const struct trial_options *options;
    struct mt_samples training;
    struct mt_predictor predictor;
    struct rivals rivals;
    struct trial *trial;
    struct verdict *verdict; /* that is being verified */
};

/* How often the point was run in the training. */
static int count_runs(const struct mt_samples *samples,
                      const struct mt_configuration *configuration, double size)
{
    int runs = 0;
    for (int i = 0; i < samples->count; i++)
        runs +=
            samples->samples[i].size == size &&
            mt_configuration_equal(&samples->samples[i].configuration, configuration);
    return runs;
}

static int train(void *context, const struct mt_proposal *proposal,
                 struct mt_observation *observation, struct mt_error *err)
{
    struct session *s = context;
    struct mt_samples *training = &s->training;
    struct mt_sample run = {.configuration = proposal->configuration,
                            .size = proposal->size};
    int status = truth_run(s->truth, &run.configuration, run.size,
                           count_runs(training, &run.configuration, run.size),
                           &run.seconds, err);
    if (status == MT_OK)
        status = mt_array_grow(&training->samples, training->count, sizeof run,
                               "training runs", err);
    if (status != MT_OK)
        return status;
    s->trial->runs++;
    if (!isnan(run.seconds)) {
        training->samples[training->count++] = run;
        s->trial->seconds += run.seconds;
    }
    *observation =
        (struct mt_observation){.made = true,
                                .seconds = run.seconds,
                                .spent = isnan(run.seconds) ? 0 : run.seconds};
    return MT_OK;
}

/* As `motley measure --runs` does. */
static int measure(struct session *s, struct mt_error *err)
{
    const struct mt_program *program = &s->truth->program;
    const struct mt_experimenter experimenter = {.run = train, .context = s};
    const struct mt_measurement measurement = {.cluster = &s->truth->cluster,
                                               .program = program,
                                               .configurations = "homogeneous",
                                               .sizes = program->measure_sizes,
                                               .nsizes = program->nmeasure_sizes,
                                               .repeat = 1};
    struct mt_tasks tasks = {0};
    struct mt_design *design = NULL;
    enum mt_end end;
    int status = mt_tasks_plan(&tasks, &measurement, err);
    if (status != MT_OK)
        return status;
    struct mt_candidate *candidates =
        calloc((size_t)tasks.count + 1, sizeof *candidates);
    if (!candidates)
        status = mt_fail(err, MT_ENOMEM, "no memory for %d runs", tasks.count);
    for (int i = 0; i < tasks.count && candidates; i++)
        candidates[i] =
            (struct mt_candidate){tasks.tasks[i].configuration, tasks.tasks[i].size};
    const struct mt_design_case of = {.cluster = &s->truth->cluster,
                                      .program = program,
                                      .candidates = candidates,
                                      .count = tasks.count,
                                      .limits = {.runs = s->options->runs}};
    if (status == MT_OK)
        status = mt_design_make(&design, &of, err);
    if (status == MT_OK)
        status = mt_design_run(design, &experimenter, &end, err);
    mt_design_free(design);
    free(candidates);
    mt_tasks_clear(&tasks);
    return status;
}

static int copy_samples(struct mt_samples *copy, const struct mt_samples *samples,
                        struct mt_error *err)
{
    copy->samples = calloc((size_t)samples->count + 1, sizeof *copy->samples);
    if (!copy->samples)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
    memcpy(copy->samples, samples->samples,
           (size_t)samples->count * sizeof *copy->samples);
    copy->count = samples->count;
    return MT_OK;
}

/* A fresh predictor, as verification at one size changes it. */
static int fit(struct session *s, struct mt_error *err)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_samples samples = {0};
    mt_predictor_clear(&s->predictor);
    const int status = copy_samples(&samples, &s->training, err);
    return status == MT_OK
               ? mt_predictor_fit(&s->predictor, &s->truth->cluster, &s->truth->program,
                                  &samples, &options, err)
               : status;
}

static int plan(struct session *s, struct verdict *verdict, struct mt_error *err)
{
    const struct mt_question question = {.size = verdict->size, .top = 1};
    struct mt_plan made = {0};
    int status = mt_plan_make(&made, &s->predictor, &question, false, err);
    if (status == MT_OK) {
        verdict->chosen = made.choices[0].configuration;
        verdict->prediction = made.choices[0].prediction;
    }
    mt_plan_clear(&made);
    return status;
}

static int verify_run(void *context, const struct mt_proposal *proposal,
                      struct mt_observation *observation, struct mt_error *err)
{
    struct session *s = context;
    double seconds;
    const int status =
        truth_run(s->truth, &proposal->configuration, proposal->size,
                  VERIFYING_REPETITION + s->verdict->runs++, &seconds, err);
    if (status == MT_OK)
        *observation = (struct mt_observation){
            .made = true, .seconds = seconds, .spent = isnan(seconds) ? 0 : seconds};
    return status;
}

/* As `motley plan --verify` does. */
static int plan_verified(struct session *s, struct verdict *verdict,
                         struct mt_error *err)
{
    const struct mt_question question = {.size = verdict->size, .top = 1};
    const struct mt_experimenter experimenter = {.run = verify_run, .context = s};
    struct mt_plan candidates = {0};
    struct mt_verify verify = {0};
    const bool known = verdict->verification == VERIFY_KNOWN;
    enum mt_end end;
    s->verdict = verdict;
    int status = mt_plan_candidates(&candidates, &s->predictor, &question, err);
    if (status == MT_OK)
        status = mt_verify_init(&verify, &s->predictor.calibration, &candidates,
                                verdict->size,
                                known ? MT_VERIFY_MOST : s->options->verify, err);
    if (status == MT_OK && known)
        mt_verify_until(&verify, mt_verify_goal);
    if (status == MT_OK)
        status = mt_verify_recall(&verify, &s->predictor, err);
    if (status == MT_OK)
        status = mt_verify_run(&verify, &experimenter, &end, err);
    const struct mt_configuration *best =
        status == MT_OK ? mt_verify_best(&verify) : NULL;
    if (status == MT_OK && !best)
        status =
            mt_fail(err, MT_ENOTFOUND, "all runs failed at N = %.15g", verdict->size);
    if (status == MT_OK) {
        verdict->chosen = *best;
        status = mt_calibration_predict(&s->predictor.calibration, best, verdict->size,
                                        &verdict->prediction, NULL, err);
    }
    mt_verify_clear(&verify);
    mt_plan_clear(&candidates);
    return status;
}

static int judge(struct session *s, struct verdict *verdict, struct mt_error *err)
{
    double again = 0;
    int status = truth_seconds(s->truth, &verdict->chosen, verdict->size,
                               &verdict->seconds, err);
    if (status == MT_OK)
        status = truth_run(s->truth, &verdict->chosen, verdict->size,
                           JUDGING_REPETITION, &again, err);
    verdict->covered =
        verdict->prediction.low <= again && again <= verdict->prediction.high;
    return status;
}

/* The next way to put processes on all nodes of some groups: as in counting, `at` being
   the digits, 0: the group is not used. False: there is none. */
static bool next_digits(int at[MT_MAX_GROUPS], const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        if (at[g]++ < cluster->groups[g].nlayouts)
            return true;
        at[g] = 0;
    }
    return false;
}

/* Whether all nodes of some groups can hold it: others need more memory a process. */
static bool is_possible(const struct truth *truth, double size)
{
    const struct mt_cluster *cluster = &truth->cluster;
    int at[MT_MAX_GROUPS] = {0};
    bool possible = false;
    while (!possible && next_digits(at, cluster)) {
        struct mt_configuration some = {0};
        for (int g = 0; g < cluster->ngroups; g++)
            if (at[g] > 0)
                some.use[g] = (struct mt_use){
                    .nodes = cluster->groups[g].nodes,
                    .layout.processes =
                        cluster->groups[g].layouts[at[g] - 1].processes};
        possible = truth_allows(truth, &some, size);
    }
    return possible;
}

/* Sizes that are judged: the upper half, and the smallest. */
static bool is_judged(const struct truth *truth, int i)
{
    const struct mt_program *program = &truth->program;
    return (i == 0 || i >= program->nplan_sizes / 2) &&
           is_possible(truth, program->plan_sizes[i]);
}

static struct verdict *add_verdict(struct session *s, int i, const char *model)
{
    const struct mt_program *program = &s->truth->program;
    struct verdict *verdict = &s->trial->verdicts[s->trial->count++];
    *verdict = (struct verdict){.size = program->plan_sizes[i],
                                .upper = i >= program->nplan_sizes / 2,
                                .model = model,
                                .planned = true};
    return verdict;
}

static int plan_all(struct session *s, enum verification verification,
                    struct mt_error *err)
{
    const struct mt_program *program = &s->truth->program;
    int status = MT_OK;
    for (int i = 0; i < program->nplan_sizes && status == MT_OK; i++) {
        if (!is_judged(s->truth, i))
            continue;
        struct verdict *verdict = add_verdict(s, i, "auto");
        verdict->verification = verification;
        status = fit(s, err);
        if (status == MT_OK)
            status = verification == VERIFY_NOT ? plan(s, verdict, err)
                                                : plan_verified(s, verdict, err);
        if (status == MT_OK)
            status = judge(s, verdict, err);
    }
    return status;
}

static int choose_rival(struct session *s, enum rival rival, int i,
                        struct mt_error *err)
{
    struct mt_choice choice;
    struct verdict *verdict = add_verdict(s, i, rival_names[rival]);
    int status = rivals_choose(&s->rivals, rival, verdict->size, &choice,
                               &verdict->planned, err);
    verdict->chosen = choice.configuration;
    verdict->prediction = choice.prediction;
    return status == MT_OK ? judge(s, verdict, err) : status;
}

static int choose_rivals(struct session *s, struct mt_error *err)
{
    const struct mt_program *program = &s->truth->program;
    int status = rivals_train(&s->rivals, s->truth, &s->training, err);
    for (int i = 0; i < program->nplan_sizes; i++)
        for (int rival = 0; rival < RIVALS && status == MT_OK && is_judged(s->truth, i);
             rival++)
            status = choose_rival(s, (enum rival)rival, i, err);
    s->trial->papers_runs = s->rivals.papers_runs;
    s->trial->papers_seconds = s->rivals.papers_seconds;
    rivals_clear(&s->rivals);
    return status;
}

/* When all that was chosen is known. */
static int find_best(struct session *s, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < s->trial->count && status == MT_OK; i++)
        status = best_find(s->truth, s->trial->verdicts[i].size,
                           &s->trial->verdicts[i].best, err);
    return status;
}

int trial_run(struct trial *trial, struct truth *truth,
              const struct trial_options *options, struct mt_error *err)
{
    struct session s = {.truth = truth, .options = options, .trial = trial};
    trial->verdicts =
        calloc((VERIFICATIONS + RIVALS) * (size_t)truth->program.nplan_sizes + 1,
               sizeof *trial->verdicts);
    if (!trial->verdicts)
        return mt_fail(err, MT_ENOMEM, "no memory for the verdicts");
    int status = measure(&s, err);
    if (status == MT_OK)
        status = plan_all(&s, VERIFY_NOT, err);
    if (status == MT_OK && options->verify > 0)
        status = plan_all(&s, VERIFY_RUNS, err);
    if (status == MT_OK && options->known)
        status = plan_all(&s, VERIFY_KNOWN, err);
    if (status == MT_OK && options->rivals)
        status = choose_rivals(&s, err);
    if (status == MT_OK)
        status = find_best(&s, err);
    mt_predictor_clear(&s.predictor);
    mt_samples_clear(&s.training);
    if (status != MT_OK)
        trial_clear(trial);
    return status;
}

void trial_clear(struct trial *trial)
{
    free(trial->verdicts);
    *trial = (struct trial){0};
}
