/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/verify.h"

#include "experiment.h"

#include <math.h>
#include <stdlib.h>

/* Not worth a run: a smaller share of the best time as expected improvement. */
static const double small_improvement = 0.005;
/* Run again, in case it is the best: what is expected to take no more than this many
   times the best. */
static const double near_best = 1.1;

/* A larger deviation says that the models are bad there rather than that there may be
   something good. */
static const double largest_deviation = 0.2;

enum { REPEATS = 2 };

/* Whether it is not to be run: it failed, or there are too few nodes by now. */
static bool is_out(const struct mt_verify *verify,
                   const struct mt_verify_candidate *candidate)
{
    return candidate->failed ||
           mt_configuration_find_nodes(&candidate->configuration,
                                       verify->calibration->problem.cluster,
                                       NULL) != MT_OK;
}

/* Bring up to date what is expected of every candidate. */
static int look(struct mt_verify *verify, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < verify->count && status == MT_OK; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        struct mt_prediction prediction;
        if (is_out(verify, candidate))
            continue;
        status = mt_calibration_predict(verify->calibration, &candidate->configuration,
                                        verify->size, &prediction,
                                        &candidate->deviation, err);
        if (status == MT_OK)
            candidate->seconds = prediction.seconds;
    }
    return status;
}

int mt_verify_init(struct mt_verify *verify, struct mt_calibration *calibration,
                   const struct mt_plan *plan, double size, int runs,
                   struct mt_error *err)
{
    struct mt_verify made = {
        .calibration = calibration,
        .size = size,
        .count = plan->count,
        .left = runs,
        /* Two different ones come before any is repeated. */
        .repeats = runs >= 2 + REPEATS ? REPEATS : (runs > 2 ? runs - 2 : 0),
    };
    made.candidates = calloc((size_t)plan->count + 1, sizeof *made.candidates);
    if (!made.candidates)
        return mt_fail(err, MT_ENOMEM, "no memory for %d candidates", plan->count);
    for (int i = 0; i < plan->count; i++)
        made.candidates[i].configuration = plan->choices[i].configuration;
    const int status = look(&made, err);
    if (status != MT_OK) {
        mt_verify_clear(&made);
        return status;
    }
    *verify = made;
    return MT_OK;
}

void mt_verify_clear(struct mt_verify *verify)
{
    free(verify->candidates);
    *verify = (struct mt_verify){0};
}

static struct mt_verify_candidate *find_candidate(
    const struct mt_verify *verify, const struct mt_configuration *configuration)
{
    for (int i = 0; i < verify->count; i++)
        if (mt_configuration_equal(&verify->candidates[i].configuration, configuration))
            return &verify->candidates[i];
    return NULL;
}

void mt_verify_recall(struct mt_verify *verify, const struct mt_predictor *predictor)
{
    for (int i = 0; i < predictor->samples.count; i++) {
        const struct mt_sample *sample = &predictor->samples.samples[i];
        struct mt_verify_candidate *candidate =
            sample->size == verify->size && mt_predictor_calibrated_by(predictor, i)
                ? find_candidate(verify, &sample->configuration)
                : NULL;
        if (candidate)
            candidate->runs++;
    }
}

/* The one that is expected to be the fastest, of those that ran or those that did not;
   NULL: there is none. */
static struct mt_verify_candidate *fastest(const struct mt_verify *verify, bool ran)
{
    struct mt_verify_candidate *best = NULL;
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (!is_out(verify, candidate) && (candidate->runs > 0) == ran &&
            (!best || candidate->seconds < best->seconds))
            best = candidate;
    }
    return best;
}

/* Below x of the standard normal distribution. */
static double normal_share(double x)
{
    return erfc(-x / M_SQRT2) / 2;
}

/*
 * By which share of the best time a candidate is expected to be faster, counting 0
 * where it is slower: E max(0, 1 - e^X), X normal, the logarithm of the ratio of their
 * times.
 */
static double improvement(double log_ratio, double deviation)
{
    if (deviation <= 0)
        return fmax(0, -expm1(log_ratio));
    return normal_share(-log_ratio / deviation) -
           exp(log_ratio + deviation * deviation / 2) *
               normal_share(-log_ratio / deviation - deviation);
}

/* One that never ran; NULL: none promises enough. */
static struct mt_verify_candidate *choose_new(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    if (!best)
        return fastest(verify, false);
    struct mt_verify_candidate *chosen = NULL;
    double most = small_improvement;
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (is_out(verify, candidate) || candidate->runs > 0)
            continue;
        const double expected =
            improvement(log(candidate->seconds / best->seconds),
                        fmin(candidate->deviation, largest_deviation));
        if (expected > most) {
            most = expected;
            chosen = candidate;
        }
    }
    return chosen;
}

/* Whether another run is to show that it is the best, or not: it ran only once, or so
   much may still be expected of it. */
static bool is_open(const struct mt_verify_candidate *candidate,
                    const struct mt_verify_candidate *best)
{
    const double log_ratio = log(candidate->seconds / best->seconds);
    if (candidate->runs == 1)
        return log_ratio <= log(near_best);
    return candidate != best &&
           improvement(log_ratio, hypot(candidate->deviation, best->deviation)) >
               small_improvement;
}

/* Of those whose case is open the one with the fewest runs, then the fastest. */
static struct mt_verify_candidate *choose_repeat(const struct mt_verify *verify)
{
    struct mt_verify_candidate *best = fastest(verify, true);
    struct mt_verify_candidate *chosen = NULL;
    for (int i = 0; best && i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (is_out(verify, candidate) || candidate->runs == 0 ||
            !is_open(candidate, best))
            continue;
        if (!chosen || candidate->runs < chosen->runs ||
            (candidate->runs == chosen->runs && candidate->seconds < chosen->seconds))
            chosen = candidate;
    }
    return chosen && best->runs < chosen->runs ? best : chosen;
}

int mt_verify_next(struct mt_verify *verify, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    const struct mt_verify_candidate *chosen = NULL;
    const int status = look(verify, err);
    if (status != MT_OK)
        return status;
    if (verify->left > verify->repeats || (verify->left > 0 && !fastest(verify, true)))
        chosen = choose_new(verify);
    if (!chosen && verify->left > 0)
        chosen = choose_repeat(verify);
    *end = verify->left > 0 ? MT_END_SETTLED : MT_END_RUNS_USED;
    if (!chosen)
        return MT_OK;
    *end = MT_END_NONE;
    *next = (struct mt_proposal){.configuration = chosen->configuration,
                                 .size = verify->size,
                                 .seconds = chosen->seconds,
                                 .spent = chosen->seconds,
                                 .phase = MT_PHASE_VERIFICATION};
    return MT_OK;
}

int mt_verify_observe(struct mt_verify *verify, const struct mt_proposal *proposal,
                      const struct mt_observation *observation, struct mt_error *err)
{
    struct mt_verify_candidate *candidate =
        find_candidate(verify, &proposal->configuration);
    const struct mt_sample sample = {.configuration = proposal->configuration,
                                     .size = verify->size,
                                     .seconds = observation->seconds};
    if (!candidate || (observation->made && observation->seconds <= 0))
        return mt_fail(err, MT_EINVAL, "there is no such run");
    verify->left -= observation->made;
    if (!observation->made || isnan(observation->seconds)) {
        candidate->failed = true;
        return MT_OK;
    }
    const int status = mt_calibration_add(verify->calibration, &sample, err);
    if (status != MT_OK)
        return status;
    candidate->runs++;
    return look(verify, err);
}

static int propose(void *self, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    return mt_verify_next(self, next, end, err);
}

static int learn(void *self, const struct mt_proposal *proposal,
                 const struct mt_observation *observation, struct mt_error *err)
{
    return mt_verify_observe(self, proposal, observation, err);
}

int mt_verify_run(struct mt_verify *verify, const struct mt_experimenter *experimenter,
                  enum mt_end *end, struct mt_error *err)
{
    const struct mt_proposer proposer = {
        .self = verify, .next = propose, .observe = learn};
    return mt_experiment(&proposer, experimenter, end, err);
}

const struct mt_configuration *mt_verify_best(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    return best ? &best->configuration : NULL;
}
