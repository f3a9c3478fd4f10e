/* SPDX-License-Identifier: BSD-3-Clause */
#include "wanted.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { MOST_RANKS = 12, SIZES = 24, MOST_CANDIDATES = MOST_RANKS * SIZES };
enum { TARGET_SIZES = 8 };
/* Predictions are wanted for so many times the nodes of the runs. */
static const double beyond = 32;
/* A run is not worth its time if it takes less of the targets' variance, or where they
   are known to within that already. */
static const double least_gain = 0.05, sure = 0.003;

struct candidate {
    double size;
    int ranks;
    double gradient[MT_LEARN_MAX_COEFFICIENTS]; /* of the logarithm of its seconds */
};

struct wanted {
    const struct mt_learn_tried *fit;
    const struct mt_shape *shape;
    struct candidate candidates[MOST_CANDIDATES];
    int ncandidates;
    struct candidate targets[2 * TARGET_SIZES];
    int ntargets;
    double smallest, largest; /* sizes that were run; smaller ones are cheap, and have
                                 the short messages of many nodes */
    int most;                 /* ranks that were run */
    int limit;                /* ranks that can be run */
};

/* What a coefficient is called where a run tells it. */
static void describe(char *why, size_t length, const struct mt_learn_form *form,
                     int coefficient)
{
    const int ncaches = form->ncaches;
    int network = coefficient - 1 - 3 * ncaches;
    if (coefficient == 0) {
        snprintf(why, length, "tells what a step costs%s",
                 ncaches ? " in cache 1" : "");
    } else if (coefficient <= ncaches) {
        snprintf(why, length, "tells what a step costs beyond cache %d", coefficient);
    } else if (network < 0) {
        const int place = coefficient - 1 - ncaches;
        snprintf(why, length, "tells where cache %d %s", 1 + place / 2,
                 place % 2 ? "no longer helps" : "begins to miss");
    } else if (network == 0) {
        snprintf(why, length, "tells the bandwidth");
    } else if (form->latency && --network == 0) {
        snprintf(why, length, "tells the latency");
    } else if (form->half && --network == 0) {
        snprintf(why, length, "tells how long messages slow down");
    } else {
        snprintf(why, length, "tells how messages slow down with more nodes");
    }
}

/* False where the program does not run, or its expressions have no value. */
static bool make_candidate(struct candidate *candidate, const struct wanted *wanted,
                           double size, int ranks)
{
    const struct mt_learn_tried *fit = wanted->fit;
    struct mt_demand demand;
    *candidate = (struct candidate){.size = size, .ranks = ranks};
    if (!mt_shape_valid(wanted->shape, size, ranks))
        candidate->size = ceil(size / ranks) * ranks;
    if (!mt_shape_valid(wanted->shape, candidate->size, ranks) ||
        mt_shape_demand(&demand, wanted->shape, candidate->size, ranks, NULL) != MT_OK)
        return false;
    const double seconds =
        mt_learn_seconds(&fit->form, &fit->values, &demand, candidate->gradient);
    for (int i = 0; i < mt_learn_ncoefficients(&fit->form); i++)
        candidate->gradient[i] /= seconds;
    return seconds > 0;
}

/* The next larger number of nodes than was used: the largest up to twice as many that
   is valid for the largest size, or the smallest up to four times; 0: there is none. */
static int find_more_ranks(const struct wanted *wanted)
{
    const int twice = 2 * wanted->most;
    struct candidate candidate;
    for (int more = twice; more > wanted->most; more--) {
        if (more <= wanted->limit &&
            make_candidate(&candidate, wanted, wanted->largest, more))
            return more;
    }
    for (int more = twice; more <= 2 * twice && more <= wanted->limit; more++) {
        if (make_candidate(&candidate, wanted, wanted->largest, more))
            return more;
    }
    return 0;
}

/* The next larger number of nodes, if there is one, and those that were used. */
static int list_ranks(int *ranks, const struct wanted *wanted,
                      const struct mt_learn_sample *samples, int nsamples)
{
    int count = 0;
    const int more = find_more_ranks(wanted);
    if (more > 0)
        ranks[count++] = more;
    for (int i = 0; i < nsamples && count < MOST_RANKS; i++) {
        const int used = (int)samples[i].demand.ranks;
        bool skip = used > wanted->limit;
        for (int j = 0; j < count; j++)
            skip = skip || ranks[j] == used;
        if (!skip)
            ranks[count++] = used;
    }
    return count;
}

static void list_candidates(struct wanted *wanted,
                            const struct mt_learn_sample *samples, int nsamples)
{
    int ranks[MOST_RANKS];
    const int nranks = list_ranks(ranks, wanted, samples, nsamples);
    const double low = wanted->smallest / 4, high = 2 * wanted->largest;
    for (int i = 0; i < SIZES * nranks; i++) {
        struct candidate *candidate = &wanted->candidates[wanted->ncandidates];
        const int step = i / nranks;
        const double size = fmax(1, round(low * pow(high / low, step / (SIZES - 1.0))));
        if (!make_candidate(candidate, wanted, size, ranks[i % nranks]))
            continue;
        bool known = false;
        for (int j = 0; j < nsamples; j++)
            known = known || (samples[j].size == candidate->size &&
                              samples[j].demand.ranks == candidate->ranks);
        wanted->ncandidates += !known;
    }
}

static void list_targets(struct wanted *wanted)
{
    const double low = wanted->smallest, high = 2 * wanted->largest;
    for (int i = 0; i < 2 * TARGET_SIZES; i++) {
        const double ranks = wanted->most * (i % 2 ? beyond : sqrt(beyond));
        const int step = i / 2;
        const double size = low * pow(high / low, step / (TARGET_SIZES - 1.0));
        struct candidate *target = &wanted->targets[wanted->ntargets];
        wanted->ntargets +=
            make_candidate(target, wanted, round(size), (int)round(ranks));
    }
}

/* The covariances of all coefficients with a run's outcome, and that's variance. */
static double spread(double *covariances, const struct mt_learn_belief *belief,
                     const double *gradient)
{
    double variance = 0;
    for (int j = 0; j < belief->count; j++) {
        covariances[j] = 0;
        for (int k = 0; k < belief->count; k++)
            covariances[j] += belief->covariance[j][k] * gradient[k];
        variance += covariances[j] * gradient[j];
    }
    return variance;
}

static double targets_variance(const struct wanted *wanted,
                               const struct mt_learn_belief *belief)
{
    double sum = 0, covariances[MT_LEARN_MAX_COEFFICIENTS];
    for (int i = 0; i < wanted->ntargets; i++)
        sum += spread(covariances, belief, wanted->targets[i].gradient);
    return sum;
}

/* By how much a run takes from the targets' variances. */
static double gain(const struct wanted *wanted, const struct mt_learn_belief *belief,
                   const struct candidate *candidate)
{
    double covariances[MT_LEARN_MAX_COEFFICIENTS], sum = 0;
    const double variance = belief->noise * belief->noise +
                            spread(covariances, belief, candidate->gradient);
    for (int i = 0; i < wanted->ntargets; i++) {
        double shared = 0;
        for (int j = 0; j < belief->count; j++)
            shared += covariances[j] * wanted->targets[i].gradient[j];
        sum += shared * shared / variance;
    }
    return sum;
}

/* Learn that a run was made, and which coefficient that tells most of. */
static int observe(const struct wanted *wanted, struct mt_learn_belief *belief,
                   const struct candidate *candidate)
{
    double covariances[MT_LEARN_MAX_COEFFICIENTS], most = -1;
    const double variance = belief->noise * belief->noise +
                            spread(covariances, belief, candidate->gradient);
    int told = 0;
    for (int j = 0; j < belief->count; j++) {
        double matters = 0;
        for (int i = 0; i < wanted->ntargets; i++)
            matters += pow(wanted->targets[i].gradient[j], 2);
        matters *= covariances[j] * covariances[j];
        if (matters > most) {
            most = matters;
            told = j;
        }
        for (int k = 0; k < belief->count; k++)
            belief->covariance[j][k] -= covariances[j] * covariances[k] / variance;
    }
    return told;
}

/* The best candidate on so many ranks, or with 0 on any; NULL: none tells anything. */
static struct candidate *best_candidate(struct wanted *wanted,
                                        const struct mt_learn_belief *belief, int ranks,
                                        double least)
{
    struct candidate *best = NULL;
    for (int i = 0; i < wanted->ncandidates; i++) {
        struct candidate *candidate = &wanted->candidates[i];
        if (ranks > 0 && candidate->ranks != ranks)
            continue;
        const double gained = gain(wanted, belief, candidate);
        if (gained > least) {
            best = candidate;
            least = gained;
        }
    }
    return best;
}

static void want(struct mt_learned *learned, struct wanted *wanted,
                 struct mt_learn_belief *belief, struct candidate *candidate)
{
    struct mt_wanted_run *run = &learned->wanted[learned->nwanted++];
    *run = (struct mt_wanted_run){.size = candidate->size, .ranks = candidate->ranks};
    const int told = observe(wanted, belief, candidate);
    if (learned->nwanted == 1 && candidate->ranks > wanted->most)
        snprintf(run->why, sizeof run->why,
                 "tells how messages slow down with more nodes");
    else
        describe(run->why, sizeof run->why, &wanted->fit->form, told);
    *candidate = wanted->candidates[--wanted->ncandidates];
}

void mt_learn_want_runs(struct mt_learned *learned, const struct mt_learn_tried *fit,
                        struct mt_learn_belief *belief,
                        const struct mt_learn_sample *samples, int nsamples,
                        const struct mt_shape *shape, int most_ranks)
{
    struct wanted wanted = {.fit = fit,
                            .shape = shape,
                            .smallest = learned->from.size_low,
                            .largest = learned->from.size_high,
                            .most = learned->from.nodes,
                            .limit = most_ranks > 0 ? most_ranks : INT_MAX};
    list_candidates(&wanted, samples, nsamples);
    list_targets(&wanted);
    /* The first one is on more nodes: no fit tells whether its law goes on like that.
     */
    if (wanted.ncandidates > 0) {
        struct candidate *more =
            best_candidate(&wanted, belief, wanted.candidates[0].ranks, -1);
        if (more && more->ranks > wanted.most)
            want(learned, &wanted, belief, more);
    }
    while (learned->nwanted < MT_MAX_WANTED_RUNS) {
        const double variance = targets_variance(&wanted, belief);
        if (variance < sure * sure * wanted.ntargets)
            break;
        struct candidate *best =
            best_candidate(&wanted, belief, 0, least_gain * variance);
        if (!best)
            break;
        want(learned, &wanted, belief, best);
    }
}
