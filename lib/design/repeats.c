/* SPDX-License-Identifier: BSD-3-Clause */
/* Repeats runs whose times are outliers. */
#include "repeats.h"

#include "cost.h"
#include "lib/input/internal.h"
#include "lib/stats/stats.h"
#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run surprises when it is off by this ratio, and by so many times the usual
   residual; the fit that is made without it is worth its time when its residual in the
   fit with it is above the first of these. */
static const double surprising = 1.1, surprising_residuals = 3,
                    suspicious_residuals = 2;
static const double suspicious = 1.03;
/* Two runs agree when they differ by no more than this ratio. */
static const double agreeing = 1.05;
/* At most this share of the runs, and of the time, is for repeats. */
static const double share_of_limits = 0.2;
/* Repeats that only confirm what was measured say that it is the models that are wrong:
   so many of them, more than did not, are the last. A candidate is run so often at
   most.
 */
enum { FUTILE_REPEATS = 2, MOST_RUNS = 3 };

static double difference(double a, double b)
{
    return fabs(log(a / b));
}

static bool agree(const struct mt_candidate_runs *trial)
{
    return difference(trial->seconds[0], trial->seconds[1]) <= log(agreeing);
}

/* What was run again so far. */
struct repeats {
    int runs, confirmed, refuted;
    double seconds;
};

static struct repeats count_repeats(const struct mt_design *design)
{
    struct repeats repeats = {0};
    for (int i = 0; i < design->count; i++) {
        const struct mt_candidate_runs *trial = &design->trials[i];
        if (trial->runs < 2)
            continue;
        repeats.runs += trial->runs - 1;
        repeats.seconds += (trial->runs - 1) * exp(trial->log_seconds);
        if (agree(trial))
            repeats.confirmed++;
        else
            repeats.refuted++;
    }
    return repeats;
}

/* Whether the limits, and what came of repeats so far, allow for one more. */
static bool may_repeat(const struct mt_design *design)
{
    const struct repeats repeats = count_repeats(design);
    const int limit = design->limits.runs;
    const bool left = limit == 0 || design->runs < limit;
    return left && !design->rehearsal && !design->exact &&
           repeats.runs + 1 <= share_of_limits * (limit > 0 ? limit : design->runs) &&
           repeats.confirmed - repeats.refuted < FUTILE_REPEATS;
}

/* What the next repeat may spend. */
static double allow_seconds(const struct mt_design *design)
{
    const double limit = design->limits.seconds;
    if (limit == 0)
        return INFINITY;
    return fmin(limit - design->spent,
                share_of_limits * limit - count_repeats(design).seconds);
}

/* Where two runs of a candidate differ, a third one decides. */
static bool is_undecided(const struct mt_candidate_runs *trial)
{
    return trial->runs > 1 && trial->runs < MOST_RUNS && !trial->failed &&
           !agree(trial);
}

int mt_design_next_repeat(const struct mt_design *design)
{
    const double seconds = allow_seconds(design);
    if (!may_repeat(design))
        return -1;
    for (int i = 0; i < design->count; i++) {
        const struct mt_candidate_runs *trial = &design->trials[i];
        if ((is_undecided(trial) ||
             (trial->suspect && trial->runs == 1 && !trial->failed)) &&
            mt_design_has_nodes(design, i) && mt_design_cost(design, i) <= seconds)
            return i;
    }
    return -1;
}

/* Of the logarithms, measured over predicted; NaN: the models cannot tell. */
static double residual(const struct mt_problem *problem, const struct mt_sample *sample)
{
    struct mt_prediction prediction;
    if (mt_models_predict(problem, &sample->configuration, sample->size, &prediction,
                          NULL) != MT_OK)
        return NAN;
    return log(sample->seconds / prediction.seconds);
}

/* The candidate of a sample that ran once, and was not looked at among about as many
   others; -1: none such. */
static int new_candidate(const struct mt_design *design, const struct mt_sample *sample)
{
    const int i = mt_design_find(design, &sample->configuration, sample->size);
    if (i < 0)
        return -1;
    const struct mt_candidate_runs *trial = &design->trials[i];
    const bool looked_at =
        trial->looked_at > 0 && 2 * design->succeeded < 3 * trial->looked_at;
    return trial->runs == 1 && !trial->failed && !trial->suspect && !looked_at ? i : -1;
}

/* The worst of all that are new, and the usual residual. */
struct worst {
    int sample, candidate; /* -1: none */
    double residual, usual;
};

static int find_worst(struct worst *worst, const struct mt_design *design,
                      const struct mt_problem *problem,
                      const struct mt_samples *samples, struct mt_error *err)
{
    double *residuals = calloc((size_t)samples->count + 1, sizeof *residuals);
    int count = 0;
    if (!residuals)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
    *worst = (struct worst){.sample = -1, .candidate = -1};
    for (int i = 0; i < samples->count; i++) {
        const double off = fabs(residual(problem, &samples->samples[i]));
        if (isnan(off))
            continue;
        residuals[count++] = off;
        if (off <= worst->residual)
            continue;
        const int candidate = new_candidate(design, &samples->samples[i]);
        if (candidate >= 0)
            *worst = (struct worst){i, candidate, off, 0};
    }
    worst->usual = count > 0 ? mt_deviations_per_mad * mt_median(residuals, count) : 0;
    free(residuals);
    return MT_OK;
}

/* Whether a run is off what models fitted to the others predict. */
static int contradicts(bool *does, const struct mt_design *design,
                       const struct mt_samples *samples, const struct worst *worst,
                       struct mt_error *err)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    const struct mt_sample *run = &samples->samples[worst->sample];
    struct mt_models models = {0};
    const struct mt_problem problem = {design->cluster, design->program, &models};
    struct mt_samples others = {
        .samples = calloc((size_t)samples->count, sizeof *others.samples)};
    struct mt_prediction prediction;
    struct mt_error reason;
    *does = false;
    if (!others.samples)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
    for (int i = 0; i < samples->count; i++)
        if (i != worst->sample)
            others.samples[others.count++] = samples->samples[i];
    int status =
        mt_fit(&models, design->cluster, design->program, &others, &options, &reason);
    if (status == MT_OK)
        status = mt_models_predict(&problem, &run->configuration, run->size,
                                   &prediction, &reason);
    if (status == MT_OK) {
        const double off = difference(run->seconds, prediction.seconds);
        *does = off > log(surprising) && off > surprising_residuals * worst->usual &&
                (run->seconds < prediction.low || run->seconds > prediction.high);
    }
    mt_models_clear(&models);
    free(others.samples);
    return status == MT_ENOMEM ? mt_fail(err, status, "%s", reason.text) : MT_OK;
}

/* Whether a run took longer than one of the same configuration at a larger size, or
   less time than one at a smaller: then one of the two is wrong. */
static bool is_out_of_line(const struct mt_design *design,
                           const struct mt_samples *samples, int sample)
{
    const struct mt_sample *run = &samples->samples[sample];
    const int ranks = mt_configuration_ranks(&run->configuration);
    const double work = mt_program_work(design->program, run->size, ranks);
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *other = &samples->samples[i];
        if (!mt_configuration_equal(&other->configuration, &run->configuration))
            continue;
        const double more = mt_program_work(design->program, other->size, ranks) - work;
        if ((more > 0 && other->seconds * suspicious < run->seconds) ||
            (more < 0 && run->seconds * suspicious < other->seconds))
            return true;
    }
    return false;
}

int mt_design_suspect(struct mt_design *design, const struct mt_models *models,
                      const struct mt_samples *samples, struct mt_error *err)
{
    const struct mt_problem problem = {design->cluster, design->program, models};
    struct worst worst = {.candidate = -1};
    bool does;
    if (!may_repeat(design) || mt_design_next_repeat(design) >= 0)
        return MT_OK;
    int status = find_worst(&worst, design, &problem, samples, err);
    if (status != MT_OK || worst.candidate < 0)
        return status;
    struct mt_candidate_runs *trial = &design->trials[worst.candidate];
    if (worst.residual < log(suspicious) ||
        worst.residual < suspicious_residuals * worst.usual)
        return MT_OK;
    does = is_out_of_line(design, samples, worst.sample);
    if (!does)
        status = contradicts(&does, design, samples, &worst, err);
    trial->looked_at = design->succeeded;
    trial->suspect = does;
    return status;
}
