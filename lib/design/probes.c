/* SPDX-License-Identifier: BSD-3-Clause */
#include "probes.h"

#include "cost.h"

#include "motley/plan.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_PROBES = 3 };
/* Shares of the limits that are kept for probes while the base is made: they are few,
   but at the largest size. */
static const double kept_runs = 0.125, kept_seconds = 0.25;

static bool can_mix(const struct mt_design *design)
{
    return design->cluster->ngroups > 1;
}

struct mt_limits mt_design_base_limits(const struct mt_design *design)
{
    struct mt_limits limits = design->limits;
    if (can_mix(design) && design->probes == 0) {
        limits.seconds *= 1 - kept_seconds;
        limits.runs -= (int)fmin(kept_runs * limits.runs, MOST_PROBES);
    }
    return limits;
}

bool mt_design_may_probe(const struct mt_design *design, double size)
{
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size == size)
            return true;
    for (int i = 0; i < design->nmixed; i++)
        if (design->mixed[i].size == size)
            return true;
    return false;
}

static double largest_size(const struct mt_design *design)
{
    double largest = 0;
    for (int i = 0; i < design->count; i++)
        if (design->trials[i].runs > 0)
            largest = fmax(largest, design->candidates[i].size);
    return largest;
}

/* The size of the probes, where only some runs of several groups can be made: the
   largest of theirs; 0: there is none. */
static double size_of_probes(const struct mt_design *design, double largest)
{
    double size = design->nmixed > 0 ? 0 : largest;
    for (int i = 0; i < design->nmixed; i++)
        if (design->mixed[i].size <= largest)
            size = fmax(size, design->mixed[i].size);
    return size;
}

double mt_design_probe_size(const struct mt_design *design)
{
    return size_of_probes(design, largest_size(design));
}

/* The best configuration of several groups is hardly slower than the best of one. */
static double least_cost(const struct mt_design *design, double size)
{
    double least = INFINITY;
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size == size)
            least = fmin(least, mt_design_cost(design, i));
    return least;
}

/* What the limits allow for. */
struct allowance {
    int probes;
    double size;     /* of the problem */
    double expected; /* seconds that each is expected to spend */
};

static struct allowance allow(const struct mt_design *design)
{
    const struct mt_limits *limits = &design->limits;
    const double largest = largest_size(design);
    struct allowance allowance = {.probes = MOST_PROBES - design->probes,
                                  .size = size_of_probes(design, largest)};
    if (!can_mix(design) || allowance.size == 0 || allowance.probes <= 0)
        return (struct allowance){0};
    allowance.expected = least_cost(design, largest);
    if (design->probes > 0)
        allowance.expected =
            fmax(allowance.expected, design->probes_spent / design->probes);
    if (limits->runs > 0)
        allowance.probes =
            (int)fmin(allowance.probes, fmax(0, limits->runs - design->runs));
    if (limits->seconds > 0)
        allowance.probes =
            (int)fmin(allowance.probes,
                      fmax(0, (limits->seconds - design->spent) / allowance.expected));
    return allowance;
}

/* All that is known. */
static int list_samples(struct mt_samples *samples, const struct mt_design *design,
                        struct mt_error *err)
{
    const size_t room = (size_t)design->npast + 1;
    samples->samples = calloc(room, sizeof *samples->samples);
    samples->failed = calloc(room, sizeof *samples->failed);
    if (!samples->samples || !samples->failed)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", design->npast);
    for (int i = 0; i < design->npast; i++) {
        const struct mt_past_run *run = &design->past[i];
        const struct mt_sample sample = {.configuration = run->configuration,
                                         .size = run->size,
                                         .seconds = run->seconds};
        if (isnan(run->seconds))
            samples->failed[samples->nfailed++] = sample;
        else
            samples->samples[samples->count++] = sample;
    }
    return MT_OK;
}

/* The given configurations of several groups. */
static int list_given(struct mt_plan *plan, const struct mt_design *design, double size,
                      struct mt_error *err)
{
    plan->choices = calloc((size_t)design->nmixed + 1, sizeof *plan->choices);
    if (!plan->choices)
        return mt_fail(err, MT_ENOMEM, "no memory for %d possible runs",
                       design->nmixed);
    for (int i = 0; i < design->nmixed; i++)
        if (design->mixed[i].size == size)
            plan->choices[plan->count++].configuration = design->mixed[i].configuration;
    return MT_OK;
}

/* Of several groups, not failed so far, and in reach of the models. */
static bool may_be_probe(const struct mt_predictor *predictor,
                         const struct mt_configuration *configuration, double size)
{
    struct mt_prediction prediction;
    return mt_configuration_only_group(configuration) < 0 &&
           !mt_samples_failed(&predictor->samples, configuration, size) &&
           mt_models_predict(&predictor->problem, configuration, size, &prediction,
                             NULL) == MT_OK;
}

static int list_candidates(struct mt_plan *plan, const struct mt_design *design,
                           double size, struct mt_error *err)
{
    const struct mt_predictor *predictor = &design->probing.predictor;
    const struct mt_question question = {.size = size};
    int kept = 0;
    const int status = design->nmixed > 0
                           ? list_given(plan, design, size, err)
                           : mt_plan_propose(plan, &predictor->problem,
                                             &predictor->samples, &question, err);
    for (int i = 0; status == MT_OK && i < plan->count; i++)
        if (may_be_probe(predictor, &plan->choices[i].configuration, size))
            plan->choices[kept++] = plan->choices[i];
    plan->count = kept;
    return status;
}

/* Begin to look among the configurations of several groups, by all that is known. */
static int begin(struct mt_design *design, const struct allowance *allowance,
                 struct mt_error *err)
{
    struct mt_predictor *predictor = &design->probing.predictor;
    struct mt_verify *verify = &design->probing.verify;
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_samples samples = {0};
    struct mt_plan candidates = {0};
    int status = list_samples(&samples, design, err);
    if (status == MT_OK)
        status = mt_predictor_fit(predictor, design->cluster, design->program, &samples,
                                  &options, err);
    if (status == MT_OK)
        status = list_candidates(&candidates, design, allowance->size, err);
    if (status == MT_OK)
        status = mt_verify_init(verify, &predictor->calibration, &candidates,
                                allowance->size, allowance->probes, err);
    if (status == MT_OK)
        mt_verify_recall(verify, predictor);
    mt_plan_clear(&candidates);
    mt_samples_clear(&samples);
    return status;
}

/* Where the runs do not determine the models, or nothing can be planned by them, there
   are no probes. */
static int begin_if_possible(struct mt_design *design,
                             const struct allowance *allowance, struct mt_error *err)
{
    struct mt_error reason;
    const int status = begin(design, allowance, &reason);
    design->probing.begun = true;
    design->probing.over = status != MT_OK;
    if (status == MT_OK || status == MT_ERANK || status == MT_EINFEASIBLE)
        return MT_OK;
    return mt_fail(err, status, "%s", reason.text);
}

int mt_design_next_probe(struct mt_design *design, struct mt_proposal *next,
                         bool *found, struct mt_error *err)
{
    struct mt_probing *probing = &design->probing;
    const struct allowance allowance = allow(design);
    enum mt_end end = MT_END_NONE;
    int status = MT_OK;
    probing->over = probing->over || allowance.probes == 0;
    if (!probing->begun && !probing->over && !design->rehearsal)
        status = begin_if_possible(design, &allowance, err);
    if (status == MT_OK && !probing->over && !design->rehearsal)
        status = mt_verify_next(&probing->verify, next, &end, err);
    else if (status == MT_OK && !probing->over)
        *next =
            (struct mt_proposal){.size = allowance.size, .seconds = allowance.expected};
    if (status != MT_OK)
        return status;
    probing->begun = true;
    probing->over = probing->over || end != MT_END_NONE;
    *found = !probing->over;
    next->spent = allowance.expected;
    next->phase = MT_PHASE_PROBES;
    return MT_OK;
}

int mt_design_observe_probe(struct mt_design *design,
                            const struct mt_proposal *proposal,
                            const struct mt_observation *observation,
                            struct mt_error *err)
{
    if (observation->made)
        mt_design_count_probe(design, observation->spent);
    return design->rehearsal
               ? MT_OK
               : mt_verify_observe(&design->probing.verify, proposal, observation, err);
}

void mt_design_count_probe(struct mt_design *design, double spent)
{
    design->probes++;
    design->probes_spent += spent;
    design->runs++;
    design->spent += spent;
}

void mt_probing_clear(struct mt_probing *probing)
{
    mt_verify_clear(&probing->verify);
    mt_predictor_clear(&probing->predictor);
    *probing = (struct mt_probing){0};
}
