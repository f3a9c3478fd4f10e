/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a design: candidates, runs made, and their costs. */
#include "motley/design.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/posterior.h"
#include "lib/plan/internal.h"
#include "lib/stats/stats.h"
#include "state.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

/*
 * The candidates.
 */

static int check(const struct mt_design_case *of, struct mt_error *err)
{
    int of_one_group = 0;
    if (!(of->limits.seconds >= 0) || of->limits.runs < 0)
        return mt_fail(err, MT_EINVAL, "limits of a design cannot be below 0");
    for (int i = 0; i < of->count; i++) {
        const struct mt_candidate *candidate = &of->candidates[i];
        of_one_group += mt_configuration_only_group(&candidate->configuration) >= 0;
        if (!(candidate->size > 0) ||
            mt_configuration_nodes(&candidate->configuration) == 0)
            return mt_fail(err, MT_EINVAL,
                           "possible runs must be of some nodes, and of a size above "
                           "0");
    }
    if (of_one_group == 0)
        return mt_fail(err, MT_EINVAL, "no possible run is of one group");
    return MT_OK;
}

static int take_candidates(struct mt_design *design, const struct mt_design_case *of,
                           struct mt_error *err)
{
    const size_t count = (size_t)of->count;
    design->candidates = calloc(count, sizeof *design->candidates);
    design->mixed = calloc(count, sizeof *design->mixed);
    design->trials = calloc(count, sizeof *design->trials);
    if (!design->candidates || !design->mixed || !design->trials)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs", of->count);
    for (int i = 0; i < of->count; i++)
        if (mt_configuration_only_group(&of->candidates[i].configuration) >= 0)
            design->candidates[design->count++] = of->candidates[i];
        else
            design->mixed[design->nmixed++] = of->candidates[i];
    return MT_OK;
}

/* The place in a list; -1: it is not there. */
static int find(const struct mt_candidate *list, int count,
                const struct mt_configuration *configuration, double size)
{
    for (int i = 0; i < count; i++)
        if (list[i].size == size &&
            mt_configuration_equal(&list[i].configuration, configuration))
            return i;
    return -1;
}

int mt_design_find(const struct mt_design *design,
                   const struct mt_configuration *configuration, double size)
{
    return find(design->candidates, design->count, configuration, size);
}

bool mt_design_is_open(const struct mt_design *design, int candidate)
{
    return !design->trials[candidate].failed &&
           mt_configuration_find_nodes(&design->candidates[candidate].configuration,
                                       design->cluster, NULL) == MT_OK;
}

/* Whether some candidate is of that size. */
static bool is_measured(const struct mt_design *design, double size)
{
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size == size)
            return true;
    return false;
}

/* Whether a configuration that is not a candidate may be run at that size. Unless the
   mixed configurations are listed, any may: at the sizes of candidates, and at planned
   sizes if the largest size that the program measures is a candidate's. */
static bool may_probe(const struct mt_design *design,
                      const struct mt_configuration *configuration, double size)
{
    const struct mt_program *program = design->program;
    const int sizes = program->nmeasure_sizes;
    if (design->nmixed > 0 || is_measured(design, size))
        return design->nmixed == 0 ||
               find(design->mixed, design->nmixed, configuration, size) >= 0;
    return mt_sizes_contain(design->sizes, design->nsizes, size) && sizes > 0 &&
           is_measured(design, program->measure_sizes[sizes - 1]);
}

bool mt_design_may_run(const struct mt_design *design,
                       const struct mt_configuration *configuration, double size)
{
    const int candidate = mt_design_find(design, configuration, size);
    if (candidate >= 0)
        return mt_design_is_open(design, candidate);
    for (int i = 0; i < design->npast; i++)
        if (design->past[i].size == size && isnan(design->past[i].seconds) &&
            mt_configuration_equal(&design->past[i].configuration, configuration))
            return false;
    return !design->no_probes &&
           mt_configuration_find_nodes(configuration, design->cluster, NULL) == MT_OK &&
           may_probe(design, configuration, size);
}

int mt_design_count_probes(const struct mt_design *design)
{
    const int runs = design->limits.runs;
    if (design->cluster->ngroups < 2 || design->no_probes)
        return 0;
    if (runs == 0)
        return FEWEST_PROBES;
    const int share = (int)(share_of_probes * runs);
    return share < MOST_PROBES ? share : MOST_PROBES;
}

/*
 * What is known.
 */

/* Work over processes: the time of a run up to a factor, before any run. */
static double relative_seconds(const struct mt_design *design, int i)
{
    const struct mt_candidate *candidate = &design->candidates[i];
    return mt_estimate_work(design->program, candidate->size) /
           mt_configuration_ranks(&candidate->configuration);
}

/* Set the expected time of each candidate: the measured time, the predicted one, or
   that of others for the same work. */
static int expect(struct mt_design *design, struct mt_error *err)
{
    struct mt_error reason; /* a candidate without a time is not a failure */
    double sum = 0;
    int known = 0;
    for (int i = 0; i < design->count; i++)
        if (design->trials[i].runs > 0) {
            sum += log(design->trials[i].seconds / relative_seconds(design, i));
            known++;
        }
    for (int i = 0; i < design->count; i++) {
        struct mt_candidate_runs *trial = &design->trials[i];
        const struct mt_candidate *candidate = &design->candidates[i];
        if (trial->runs > 0 && design->fitted == 0)
            continue;
        trial->seconds = relative_seconds(design, i) * exp(known > 0 ? sum / known : 0);
        const int status =
            design->fitted > 0
                ? mt_predictor_seconds(&design->predictor, &candidate->configuration,
                                       candidate->size, &trial->seconds, &reason)
                : MT_OK;
        if (status != MT_OK && status != MT_ENOTFOUND)
            return mt_fail(err, status, "%s", reason.text);
    }
    return MT_OK;
}

double mt_design_cost(const struct mt_design *design, double seconds)
{
    return seconds + (design->succeeded > 0
                          ? mt_estimate_seconds(&design->overhead, seconds)
                          : 0);
}

double mt_design_most_cost(const struct mt_design *design, double rest)
{
    const double start = mt_design_cost(design, 0);
    return start + most_of_rest * (rest - start);
}

static double cost_of_all(const struct mt_design *design)
{
    double cost = 0;
    for (int i = 0; i < design->count; i++)
        if (mt_design_is_open(design, i))
            cost += mt_design_cost(design, design->trials[i].seconds);
    return cost;
}

double mt_design_usual_cost(const struct mt_design *design)
{
    const double share = (double)design->limits.runs / design->count;
    return fmin(fmax(usual_share, share), 1) * cost_of_all(design);
}

int mt_design_fit(struct mt_design *design, struct mt_error *err)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    const size_t room = (size_t)design->npast + 1;
    struct mt_samples samples = {.samples = calloc(room, sizeof(struct mt_sample)),
                                 .failed = calloc(room, sizeof(struct mt_sample))};
    if (!samples.samples || !samples.failed) {
        mt_samples_clear(&samples);
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", design->npast);
    }
    for (int i = 0; i < design->npast; i++) {
        const struct mt_past_run *run = &design->past[i];
        const struct mt_sample sample = {run->configuration, run->size, run->seconds};
        if (isnan(run->seconds))
            samples.failed[samples.nfailed++] = sample;
        else
            samples.samples[samples.count++] = sample;
    }
    mt_predictor_clear(&design->predictor);
    design->fitted = 0;
    const int count = samples.count;
    const int status = count > 0
                           ? mt_predictor_fit(&design->predictor, design->cluster,
                                              design->program, &samples, &options, err)
                           : MT_OK;
    mt_samples_clear(&samples);
    if (status == MT_OK)
        design->fitted = count;
    return status == MT_OK ? expect(design, err) : status;
}

/* Keep a run, and count it unless it failed before this design (`spent` NaN). */
static int remember(struct mt_design *design, const struct mt_past_run *run,
                    struct mt_error *err)
{
    const int candidate = mt_design_find(design, &run->configuration, run->size);
    const bool failed = isnan(run->seconds);
    const int status =
        mt_array_grow(&design->past, design->npast, sizeof *design->past, "runs", err);
    if (status != MT_OK)
        return status;
    design->past[design->npast++] = *run;
    if (isnan(run->spent))
        return MT_OK;
    design->runs++;
    design->probes += candidate < 0;
    design->spent += run->spent;
    if (candidate >= 0 && failed)
        design->trials[candidate].failed = true;
    if (failed)
        return MT_OK;
    design->succeeded++;
    mt_estimate_add(&design->overhead, run->seconds,
                    fmax(run->spent - run->seconds, 0));
    if (candidate >= 0) {
        design->trials[candidate].runs++;
        design->trials[candidate].seconds = run->seconds;
    }
    return MT_OK;
}

int mt_design_make(struct mt_design **design, const struct mt_design_case *of,
                   struct mt_error *err)
{
    const struct mt_program *program = of->program;
    struct mt_design *made = calloc(1, sizeof *made);
    if (!made)
        return mt_fail(err, MT_ENOMEM, "no memory for a design");
    *made = (struct mt_design){.cluster = of->cluster,
                               .program = program,
                               .limits = of->limits,
                               .exact = of->exact,
                               .no_probes = of->no_probes,
                               .gain = NAN};
    made->sizes =
        program->nplan_sizes > 0 ? program->plan_sizes : program->measure_sizes;
    made->nsizes =
        program->nplan_sizes > 0 ? program->nplan_sizes : program->nmeasure_sizes;
    int status = check(of, err);
    if (status == MT_OK)
        status = take_candidates(made, of, err);
    if (status == MT_OK)
        status = mt_design_sort(made, err);
    if (status == MT_OK)
        status = expect(made, err);
    if (status == MT_OK)
        *design = made;
    else
        mt_design_free(made);
    return status;
}

void mt_design_limit_seconds(struct mt_design *design, double seconds)
{
    design->limits.seconds = seconds;
}

void mt_design_free(struct mt_design *design)
{
    if (!design)
        return;
    mt_predictor_clear(&design->predictor);
    free(design->candidates);
    free(design->mixed);
    free(design->trials);
    free(design->ladders);
    free(design->classes);
    free(design->past);
    free(design->plan);
    free(design);
}

int mt_design_recall(struct mt_design *design, const struct mt_past_run *runs,
                     int count, struct mt_error *err)
{
    struct mt_proposal next;
    enum mt_end end;
    int status = MT_OK;
    for (int i = 0; i < count && status == MT_OK; i++) {
        struct mt_past_run run = runs[i];
        if (isnan(run.seconds) ||
            !mt_design_may_run(design, &run.configuration, run.size))
            run.spent = NAN; /* failed ones are tried again; others only inform the
                                models */
        status = remember(design, &run, err);
    }
    if (status == MT_OK)
        status = mt_design_fit(design, err);
    /* so that the possible gain is known */
    return status == MT_OK ? mt_design_next(design, &next, &end, err) : status;
}

/* During the base, the models only predict times of runs, and are fitted again after an
   eighth more runs. */
static bool is_fit_due(const struct mt_design *design)
{
    return design->succeeded - design->fitted > design->fitted / 8;
}

int mt_design_observe(struct mt_design *design, const struct mt_proposal *proposal,
                      const struct mt_observation *observation, struct mt_error *err)
{
    const int candidate =
        mt_design_find(design, &proposal->configuration, proposal->size);
    const struct mt_past_run run = {
        .configuration = proposal->configuration,
        .size = proposal->size,
        .seconds = observation->made ? observation->seconds : NAN,
        .spent = observation->made ? observation->spent : NAN};
    if (candidate < 0 && proposal->phase != MT_PHASE_PROBES)
        return mt_fail(err, MT_EINVAL, "the run was not proposed");
    if (observation->made && (observation->seconds <= 0 || !(observation->spent >= 0)))
        return mt_fail(err, MT_EINVAL, "a run cannot take %g s, or spend %g s",
                       observation->seconds, observation->spent);
    if (!observation->made && candidate >= 0)
        design->trials[candidate].failed = true;
    const int status = remember(design, &run, err);
    return status == MT_OK && is_fit_due(design) ? mt_design_fit(design, err) : status;
}

int mt_design_state(struct mt_design *design, struct mt_design_state *state,
                    struct mt_error *err)
{
    struct mt_base base;
    const int status = mt_design_base(&base, design, err);
    if (status != MT_OK)
        return status;
    free(base.wanted);
    *state = (struct mt_design_state){.runs = design->runs,
                                      .spent = design->spent,
                                      .probes = design->probes,
                                      .base_left = base.left,
                                      .classes = design->nplanned,
                                      .uncovered = mt_design_uncovered(design, NULL),
                                      .gain = design->gain,
                                      .all = design->succeeded > 0 ? cost_of_all(design)
                                                                   : NAN};
    return MT_OK;
}
