/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the mixed runs (several groups) of a design. */
#include "probes.h"

#include "cost.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "motley/plan.h"
#include "runs.h"

#include <math.h>
#include <stdlib.h>

/* Probes of a design whose runs are limited, as a share of them, if that leaves two for
   each of the classes that others are learned from; and at least. Of others: so many a
   class, within bounds. */
static const double share_of_runs = 1 / 3.0, least_share = 1 / 8.0;
enum { PROBES_OF_CLASS = 2, FEWEST_PROBES = 3, MOST_PROBES = 12, PROBES_OF_ROUND = 3 };
/* The share of the time that is kept for probes while the base is made. */
static const double kept_seconds = 0.4;
/* What was run at a size that is smaller by no more than this ratio needs no probe. */
static const double near_size = 1.25;
static const double far_slower = 2;
/* Where runs are limited, and time is not: the most that probes take together, times
   what the other runs took. */
static const double probes_over_base = 2;

static bool can_mix(const struct mt_design *design)
{
    return design->cluster->ngroups > 1 && !design->no_probes;
}

bool mt_design_knows_several_groups(const struct mt_design *design)
{
    int together = 0;
    for (int g = 0; g < design->cluster->ngroups; g++)
        together += !design->cluster->groups[g].alone;
    for (int i = 0; i < design->npast; i++)
        if (mt_configuration_only_group(&design->past[i].configuration) < 0)
            return true;
    return together < 2;
}

/* How many there are to be in all. */
static int count_wanted(const struct mt_design *design)
{
    const int usual = PROBES_OF_CLASS * design->nplanned, runs = design->limits.runs;
    int needed = 0;
    for (int c = 0; c < design->nclasses; c++)
        needed += 2 * (design->classes[c].level == 0);
    if (!can_mix(design))
        return 0;
    if (runs > 0)
        return (int)fmin(MOST_PROBES, fmax(least_share * runs,
                                           fmin(share_of_runs * runs, runs - needed)));
    return usual < FEWEST_PROBES ? FEWEST_PROBES
                                 : (usual > MOST_PROBES ? MOST_PROBES : usual);
}

struct mt_limits mt_design_base_limits(const struct mt_design *design)
{
    struct mt_limits limits = design->limits;
    if (can_mix(design) && design->probes == 0) {
        limits.seconds *= 1 - kept_seconds;
        limits.runs -= limits.runs > 0 ? count_wanted(design) : 0;
    }
    return limits;
}

static double largest_of(const double *sizes, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, sizes[i]);
    return largest;
}

/* Whether sizes that are only planned may be run, too: all that the program measures
   may, and what can be run of several groups is not restricted. */
static bool is_unrestricted(const struct mt_design *design)
{
    const struct mt_program *program = design->program;
    const double largest = largest_of(program->measure_sizes, program->nmeasure_sizes);
    bool measured = false;
    for (int i = 0; i < design->count; i++)
        measured = measured || design->candidates[i].size == largest;
    return measured && design->nmixed == 0;
}

bool mt_design_may_probe(const struct mt_design *design, double size)
{
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size == size)
            return true;
    for (int i = 0; i < design->nmixed; i++)
        if (design->mixed[i].size == size)
            return true;
    for (int i = 0; i < design->nsizes && is_unrestricted(design); i++)
        if (design->sizes[i] == size)
            return true;
    return false;
}

/* The size that a round is for: the largest one, the middle, between these, and below
   them. */
static double aim_of(const struct mt_design *design, int round)
{
    static const double places[] = {1, 0.5, 0.75, 0.25};
    const int last = design->nsizes - 1;
    if (last < 0)
        return 0;
    return design->sizes[(int)lround(places[round % 4] * last)];
}

/* What one probe may take. */
struct allowance {
    int probes; /* that may be made yet */
    double seconds;
};

static struct allowance allow(const struct mt_design *design)
{
    const struct mt_limits *limits = &design->limits;
    struct allowance allowance = {.probes = count_wanted(design) - design->probes};
    if (limits->runs > 0)
        allowance.probes =
            (int)fmin(allowance.probes, fmax(0, limits->runs - design->runs));
    if (design->probing.only_several)
        allowance.probes =
            allowance.probes > 0 && !mt_design_knows_several_groups(design);
    if (allowance.probes <= 0 || design->succeeded == 0)
        return (struct allowance){0};
    const double usual =
        fmax(mt_design_usual_cost(design), design->spent - design->probes_spent);
    const bool only_runs = limits->runs > 0 && limits->seconds == 0;
    const double fund = only_runs ? probes_over_base * usual : usual;
    const double left = limits->seconds > 0 ? limits->seconds - design->spent
                                            : fund - design->probes_spent;
    /* the largest size tells most; where time is limited, it takes too much of that */
    const double parts = only_runs ? fmin(2, allowance.probes) : allowance.probes;
    allowance.seconds = fmax(0, left) / parts;
    return allowance;
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

double mt_design_probe_size(const struct mt_design *design)
{
    const struct allowance allowance = allow(design);
    double size = 0;
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size > size &&
            (size == 0 ||
             least_cost(design, design->candidates[i].size) <= allowance.seconds))
            size = design->candidates[i].size;
    return size;
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

/* What a run is expected to spend; INFINITY: the models cannot tell. */
static double cost_of(const struct mt_design *design,
                      const struct mt_configuration *configuration, double size)
{
    struct mt_prediction prediction;
    if (mt_predictor_predict(&design->probing.predictor, configuration, size,
                             &prediction, NULL) != MT_OK)
        return INFINITY;
    return prediction.seconds +
           mt_estimate_seconds(&design->overhead, prediction.seconds);
}

/* Whether a configuration may be run at that size. */
static bool can_run(const struct mt_design *design,
                    const struct mt_configuration *configuration, double size)
{
    if (mt_configuration_find_nodes(configuration, design->cluster, NULL) != MT_OK)
        return false;
    if (mt_design_find(design, configuration, size) >= 0)
        return true;
    for (int i = 0; i < design->nmixed; i++)
        if (design->mixed[i].size == size &&
            mt_configuration_equal(&design->mixed[i].configuration, configuration))
            return true;
    return design->nmixed == 0 && mt_design_may_probe(design, size);
}

/* The best of a plan's configurations that can be run at that size. */
static const struct mt_configuration *first_of(const struct mt_design *design,
                                               const struct mt_plan *plan, double size)
{
    for (int i = 0; i < plan->count; i++)
        if (can_run(design, &plan->choices[i].configuration, size))
            return &plan->choices[i].configuration;
    return NULL;
}

/* A larger size than `size`, up to the one that is aimed at, at which what would be
   planned may be run. */
static double enlarge(const struct mt_design *design, const struct mt_plan *plan,
                      double size, double candidate, double seconds)
{
    if (candidate <= size || candidate > design->probing.verify.size)
        return size;
    const struct mt_configuration *first = first_of(design, plan, candidate);
    return first && cost_of(design, first, candidate) <= seconds ? candidate : size;
}

/* The largest size at which a probe takes no more than it may; 0: there is none. */
static double find_size(const struct mt_design *design, const struct mt_plan *plan,
                        double seconds)
{
    double size = 0;
    for (int i = 0; i < design->count && design->nmixed == 0; i++)
        size = enlarge(design, plan, size, design->candidates[i].size, seconds);
    for (int i = 0; i < design->nmixed; i++)
        size = enlarge(design, plan, size, design->mixed[i].size, seconds);
    for (int i = 0; i < design->nsizes && is_unrestricted(design); i++)
        size = enlarge(design, plan, size, design->sizes[i], seconds);
    return size;
}

/* Keep what can be run, and did not fail so far. */
static void keep_possible(struct mt_plan *plan, const struct mt_design *design,
                          double size)
{
    const struct mt_samples *samples = &design->probing.predictor.samples;
    int kept = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct mt_configuration *configuration = &plan->choices[i].configuration;
        if (can_run(design, configuration, size) &&
            !mt_samples_failed(samples, configuration, size))
            plan->choices[kept++] = plan->choices[i];
    }
    plan->count = kept;
}

/* Tell the verification which configurations need no probe. */
static void recall_runs(struct mt_design *design, double size)
{
    struct mt_verify *verify = &design->probing.verify;
    for (int i = 0; i < design->npast; i++) {
        const struct mt_past_run *run = &design->past[i];
        if (isnan(run->seconds) || run->size * near_size < size)
            continue;
        for (int k = 0; k < verify->count; k++)
            verify->candidates[k].runs += mt_configuration_equal(
                &verify->candidates[k].configuration, &run->configuration);
    }
}

/* Look for the best at the size that the round is for, by runs at the largest size that
   may be run. */
static int look_for_best(struct mt_design *design, double seconds, struct mt_error *err)
{
    struct mt_probing *probing = &design->probing;
    struct mt_predictor *predictor = &probing->predictor;
    const struct mt_question question = {.size = aim_of(design, probing->round)};
    struct mt_plan candidates = {0};
    int status = mt_plan_candidates(&candidates, predictor, &question, err);
    probing->verify.size = question.size;
    const double size = status == MT_OK ? find_size(design, &candidates, seconds) : 0;
    keep_possible(&candidates, design, size);
    if (status == MT_OK && size > 0)
        status = mt_verify_init(&probing->verify, &predictor->calibration, &candidates,
                                question.size, PROBES_OF_ROUND, err);
    mt_plan_clear(&candidates);
    if (status != MT_OK || size == 0)
        return status;
    probing->verify.repeats = 0;
    probing->verify.once = true;
    probing->verify.made_at = size;
    recall_runs(design, size);
    return MT_OK;
}

static int begin_round(struct mt_design *design, double seconds, struct mt_error *err)
{
    const struct mt_fit_options options = {.kind = MT_MODEL_AUTO};
    struct mt_samples samples = {0};
    int status = list_samples(&samples, design, err);
    if (status == MT_OK)
        status = mt_predictor_fit(&design->probing.predictor, design->cluster,
                                  design->program, &samples, &options, err);
    if (status == MT_OK)
        status = look_for_best(design, seconds, err);
    mt_samples_clear(&samples);
    return status;
}

static void end_round(struct mt_probing *probing)
{
    mt_verify_clear(&probing->verify);
    mt_predictor_clear(&probing->predictor);
    probing->in_round = false;
    probing->made = 0;
    probing->round++;
}

/* Where the runs do not determine the models, or nothing can be planned by them, there
   are no probes. */
static int begin_if_possible(struct mt_design *design, double seconds,
                             struct mt_error *err)
{
    struct mt_error reason;
    const int status = begin_round(design, seconds, &reason);
    design->probing.in_round = true;
    if (status == MT_OK || status == MT_ERANK || status == MT_EINFEASIBLE)
        return MT_OK;
    return mt_fail(err, status, "%s", reason.text);
}

/* What several groups at once cost is not known before a run of some: the best of these
   is worth one, unless they are expected to be far slower than what would be planned.
 */
static bool choose_several_groups(const struct mt_design *design,
                                  struct mt_proposal *next)
{
    const struct mt_verify *verify = &design->probing.verify;
    const struct mt_verify_candidate *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < verify->count; i++) {
        const struct mt_verify_candidate *candidate = &verify->candidates[i];
        least = fmin(least, candidate->seconds);
        if (mt_configuration_only_group(&candidate->configuration) < 0 &&
            !candidate->failed &&
            can_run(design, &candidate->configuration, verify->made_at) &&
            (!best || candidate->seconds < best->seconds))
            best = candidate;
    }
    if (!best || best->seconds > far_slower * least ||
        mt_design_knows_several_groups(design))
        return false;
    *next = (struct mt_proposal){.configuration = best->configuration,
                                 .size = verify->made_at};
    return true;
}

/* The next of this round or, when nothing is left to ask there, of the next ones. */
static int find_probe(struct mt_design *design, double seconds,
                      struct mt_proposal *next, bool *found, struct mt_error *err)
{
    struct mt_probing *probing = &design->probing;
    int status = MT_OK;
    *found = false;
    for (int tries = 0; tries <= 4 && status == MT_OK && !*found; tries++) {
        enum mt_end end = MT_END_NONE;
        if (probing->made >= PROBES_OF_ROUND)
            end_round(probing);
        if (!probing->in_round)
            status = begin_if_possible(design, seconds, err);
        if (status == MT_OK && !probing->only_several)
            status = mt_verify_next(&probing->verify, next, &end, err);
        *found = status == MT_OK && ((end == MT_END_NONE && !probing->only_several) ||
                                     choose_several_groups(design, next));
        if (!*found)
            end_round(probing);
    }
    return status;
}

static int propose_probe(struct mt_design *design, double seconds,
                         struct mt_proposal *next, bool *found, struct mt_error *err)
{
    struct mt_prediction prediction = {0};
    int status = find_probe(design, seconds, next, found, err);
    if (status == MT_OK && *found)
        status = mt_predictor_predict(&design->probing.predictor, &next->configuration,
                                      next->size, &prediction, err);
    if (status == MT_OK && *found) {
        next->seconds = prediction.seconds;
        next->spent = cost_of(design, &next->configuration, next->size);
    }
    return status;
}

/* Expected times are all that there is. */
static void rehearse_probe(const struct mt_design *design, struct mt_proposal *next)
{
    *next = (struct mt_proposal){.size = mt_design_probe_size(design)};
    next->seconds = next->spent = least_cost(design, next->size);
}

int mt_design_next_probe(struct mt_design *design, struct mt_proposal *next,
                         bool *found, struct mt_error *err)
{
    struct mt_probing *probing = &design->probing;
    const struct allowance allowance = allow(design);
    int status = MT_OK;
    *found = !probing->over && allowance.probes > 0 && allowance.seconds > 0;
    if (*found && design->rehearsal)
        rehearse_probe(design, next);
    else if (*found)
        status = propose_probe(design, allowance.seconds, next, found, err);
    if (status != MT_OK)
        return status;
    if (*found && design->limits.seconds > 0)
        *found = next->spent <= design->limits.seconds - design->spent;
    probing->begun = true;
    probing->over = !*found;
    next->phase = MT_PHASE_PROBES;
    return MT_OK;
}

int mt_design_observe_probe(struct mt_design *design,
                            const struct mt_proposal *proposal,
                            const struct mt_observation *observation,
                            struct mt_error *err)
{
    const int index = mt_design_find(design, &proposal->configuration, proposal->size);
    int status = MT_OK;
    if (!design->rehearsal)
        status = mt_verify_observe(&design->probing.verify, proposal, observation, err);
    if (status != MT_OK || !observation->made)
        return status;
    design->probing.made++;
    mt_design_count_probe(design, observation->spent);
    return index < 0 || design->rehearsal
               ? MT_OK
               : mt_design_learn(design, index, observation->seconds, err);
}

void mt_design_count_probe(struct mt_design *design, double spent)
{
    design->probes++;
    design->probes_spent += spent;
    design->runs++;
    design->unreviewed++;
    design->spent += spent;
}

void mt_probing_clear(struct mt_probing *probing)
{
    mt_verify_clear(&probing->verify);
    mt_predictor_clear(&probing->predictor);
    *probing = (struct mt_probing){0};
}
