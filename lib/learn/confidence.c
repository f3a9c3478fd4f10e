/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of the coefficients, and the runs that would narrow predictions most. */
#include "confidence.h"

#include "lib/math/least_squares.h"
#include "lib/stats/stats.h"
#include "tuning.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CANDIDATES = MOST_RANKS * CANDIDATE_SIZES };

int mt_learn_find_posterior(struct mt_learn_posterior *posterior,
                            const struct mt_learn_tried *fit,
                            const struct mt_learn_data *data, struct mt_error *err)
{
    const int n = mt_learn_ncoefficients(&fit->form);
    const int freedom = data->count - n;
    posterior->count = n;
    /* the standard deviation of a normal distribution, from its mean absolute value */
    const double deviation =
        fit->misfit * sqrt(M_PI_2 * data->count / (freedom > 0 ? freedom : 1));
    posterior->noise = fmax(deviation, least_noise);
    posterior->quantile = freedom > 0 ? mt_student_quantile(0.95, freedom) : INFINITY;
    double precision[MT_LEARN_MAX_COEFFICIENTS * MT_LEARN_MAX_COEFFICIENTS] = {0};
    for (int j = 0; j < n; j++)
        precision[j * n + j] = 1 / (prior_sd * prior_sd);
    for (int i = 0; i < data->count; i++) {
        double gradient[MT_LEARN_MAX_COEFFICIENTS];
        mt_learn_seconds(&fit->form, &fit->values, &data->samples[i], gradient);
        const double scale = 1 / (data->samples[i].seconds * posterior->noise);
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++)
                precision[j * n + k] += gradient[j] * gradient[k] * scale * scale;
        }
    }
    int status = mt_factor_cholesky(precision, n, err);
    for (int j = 0; j < n && status == MT_OK; j++) {
        double *row = posterior->covariance[j];
        memset(row, 0, sizeof posterior->covariance[j]);
        row[j] = 1;
        status = mt_solve_cholesky(precision, n, row, err);
    }
    return status;
}

struct candidate {
    double size;
    int ranks;
    double gradient[MT_LEARN_MAX_COEFFICIENTS]; /* of the logarithm of its seconds */
};

struct wanted {
    const struct mt_learn_tried *fit;
    const struct mt_shape *shape;
    const struct mt_learn_data *data;
    struct candidate candidates[MOST_CANDIDATES];
    int ncandidates;
    struct candidate targets[2 * TARGET_SIZES];
    int ntargets;
    double smallest, largest; /* sizes that were run; smaller ones are cheap, and have
                                 the short messages of many nodes */
    int most;                 /* ranks that were run */
    int limit;                /* ranks that can be run */
};

/* Name the coefficient that a run determines. */
static void describe(char *why, size_t length, const struct mt_learn_form *form,
                     int coefficient)
{
    const int ncaches = form->ncaches;
    int network = coefficient - 1 - 3 * ncaches - form->near;
    if (coefficient == 0) {
        snprintf(why, length, "tells what a step costs%s",
                 ncaches ? " in cache 1" : "");
    } else if (coefficient <= ncaches) {
        snprintf(why, length, "tells what a step costs beyond cache %d", coefficient);
    } else if (form->near && network == -1) {
        snprintf(why, length,
                 "tells what a step costs that caches make no difference to");
    } else if (network < 0) {
        const int place = coefficient - 1 - ncaches;
        snprintf(why, length, "tells where cache %d %s", 1 + place / 2,
                 place % 2 ? "no longer helps" : "begins to miss");
    } else if (network == 0) {
        snprintf(why, length, "tells the bandwidth");
    } else if (form->latency && --network == 0) {
        snprintf(why, length, "tells the latency");
    } else if (form->hop && --network == 0) {
        snprintf(why, length, "tells what a node on the way adds");
    } else if (form->half && --network == 0) {
        snprintf(why, length, "tells how long messages slow down");
    } else {
        snprintf(why, length, "tells how messages slow down with more nodes");
    }
}

/* False if the program cannot run there, or its expressions have no value. */
static bool make_candidate(struct candidate *candidate, const struct wanted *wanted,
                           double size, int ranks)
{
    const struct mt_learn_tried *fit = wanted->fit;
    struct mt_learn_sample sample = {0};
    *candidate = (struct candidate){.size = size, .ranks = ranks};
    if (!mt_shape_valid(wanted->shape, size, ranks))
        candidate->size = ceil(size / ranks) * ranks;
    if (!mt_shape_valid(wanted->shape, candidate->size, ranks) ||
        mt_shape_demand(&sample.demand, wanted->shape, candidate->size, ranks, NULL) !=
            MT_OK)
        return false;
    mt_learn_meet(&sample, wanted->data);
    const double seconds =
        mt_learn_seconds(&fit->form, &fit->values, &sample, candidate->gradient);
    for (int i = 0; i < mt_learn_ncoefficients(&fit->form); i++)
        candidate->gradient[i] /= seconds;
    return seconds > 0;
}

/* The number of nodes to run on next: the largest valid one for the largest size, up to
   twice the nodes of the runs; else the smallest, up to four times as many; 0: none. */
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

/* The number of nodes to run on next, if there is one, and those that were used. */
static int list_ranks(int *ranks, const struct wanted *wanted,
                      const struct mt_learn_data *data)
{
    int count = 0;
    const int more = find_more_ranks(wanted);
    if (more > 0)
        ranks[count++] = more;
    for (int i = 0; i < data->count && count < MOST_RANKS; i++) {
        const int used = (int)data->samples[i].demand.ranks;
        bool skip = used > wanted->limit;
        for (int j = 0; j < count; j++)
            skip = skip || ranks[j] == used;
        if (!skip)
            ranks[count++] = used;
    }
    return count;
}

static void list_candidates(struct wanted *wanted, const struct mt_learn_data *data)
{
    int ranks[MOST_RANKS];
    const int nranks = list_ranks(ranks, wanted, data);
    const double low = wanted->smallest / 4, high = 2 * wanted->largest;
    for (int i = 0; i < CANDIDATE_SIZES * nranks; i++) {
        struct candidate *candidate = &wanted->candidates[wanted->ncandidates];
        const int step = i / nranks;
        const double size =
            fmax(1, round(low * pow(high / low, step / (CANDIDATE_SIZES - 1.0))));
        if (!make_candidate(candidate, wanted, size, ranks[i % nranks]))
            continue;
        bool known = false;
        for (int j = 0; j < data->count; j++)
            known = known || (data->samples[j].size == candidate->size &&
                              data->samples[j].demand.ranks == candidate->ranks);
        wanted->ncandidates += !known;
    }
}

static void list_targets(struct wanted *wanted)
{
    const double low = wanted->smallest, high = 2 * wanted->largest;
    for (int i = 0; i < 2 * TARGET_SIZES; i++) {
        const double ranks = wanted->most * (i % 2 ? beyond_nodes : sqrt(beyond_nodes));
        const int step = i / 2;
        const double size = low * pow(high / low, step / (TARGET_SIZES - 1.0));
        struct candidate *target = &wanted->targets[wanted->ntargets];
        wanted->ntargets +=
            make_candidate(target, wanted, round(size), (int)round(ranks));
    }
}

/* The covariances of the coefficients with a run's outcome; returns its variance. */
static double spread(double *covariances, const struct mt_learn_posterior *posterior,
                     const double *gradient)
{
    double variance = 0;
    for (int j = 0; j < posterior->count; j++) {
        covariances[j] = 0;
        for (int k = 0; k < posterior->count; k++)
            covariances[j] += posterior->covariance[j][k] * gradient[k];
        variance += covariances[j] * gradient[j];
    }
    return variance;
}

static double targets_variance(const struct wanted *wanted,
                               const struct mt_learn_posterior *posterior)
{
    double sum = 0, covariances[MT_LEARN_MAX_COEFFICIENTS];
    for (int i = 0; i < wanted->ntargets; i++)
        sum += spread(covariances, posterior, wanted->targets[i].gradient);
    return sum;
}

/* How much a run would reduce the targets' variances. */
static double gain(const struct wanted *wanted,
                   const struct mt_learn_posterior *posterior,
                   const struct candidate *candidate)
{
    double covariances[MT_LEARN_MAX_COEFFICIENTS], sum = 0;
    const double variance = posterior->noise * posterior->noise +
                            spread(covariances, posterior, candidate->gradient);
    for (int i = 0; i < wanted->ntargets; i++) {
        double shared = 0;
        for (int j = 0; j < posterior->count; j++)
            shared += covariances[j] * wanted->targets[i].gradient[j];
        sum += shared * shared / variance;
    }
    return sum;
}

/* Update the posterior as if the run had been made; returns the coefficient that it
   narrows most. */
static int observe(const struct wanted *wanted, struct mt_learn_posterior *posterior,
                   const struct candidate *candidate)
{
    double covariances[MT_LEARN_MAX_COEFFICIENTS], most = -1;
    const double variance = posterior->noise * posterior->noise +
                            spread(covariances, posterior, candidate->gradient);
    int told = 0;
    for (int j = 0; j < posterior->count; j++) {
        double matters = 0;
        for (int i = 0; i < wanted->ntargets; i++)
            matters += pow(wanted->targets[i].gradient[j], 2);
        matters *= covariances[j] * covariances[j];
        if (matters > most) {
            most = matters;
            told = j;
        }
        for (int k = 0; k < posterior->count; k++)
            posterior->covariance[j][k] -= covariances[j] * covariances[k] / variance;
    }
    return told;
}

/* The candidate that gains most, on `ranks` ranks (0: any); NULL: none gains more than
   `least`. */
static struct candidate *best_candidate(struct wanted *wanted,
                                        const struct mt_learn_posterior *posterior,
                                        int ranks, double least)
{
    struct candidate *best = NULL;
    for (int i = 0; i < wanted->ncandidates; i++) {
        struct candidate *candidate = &wanted->candidates[i];
        if (ranks > 0 && candidate->ranks != ranks)
            continue;
        const double gained = gain(wanted, posterior, candidate);
        if (gained > least) {
            best = candidate;
            least = gained;
        }
    }
    return best;
}

static void want(struct mt_learned *learned, struct wanted *wanted,
                 struct mt_learn_posterior *posterior, struct candidate *candidate)
{
    struct mt_wanted_run *run = &learned->wanted[learned->nwanted++];
    *run = (struct mt_wanted_run){.size = candidate->size, .ranks = candidate->ranks};
    const int told = observe(wanted, posterior, candidate);
    if (learned->nwanted == 1 && candidate->ranks > wanted->most)
        snprintf(run->why, sizeof run->why,
                 "tells how messages slow down with more nodes");
    else
        describe(run->why, sizeof run->why, &wanted->fit->form, told);
    *candidate = wanted->candidates[--wanted->ncandidates];
}

void mt_learn_want_runs(struct mt_learned *learned, const struct mt_learn_tried *fit,
                        struct mt_learn_posterior *posterior,
                        const struct mt_learn_data *data, const struct mt_shape *shape,
                        int most_ranks)
{
    struct wanted wanted = {.fit = fit,
                            .shape = shape,
                            .data = data,
                            .smallest = learned->from.size_low,
                            .largest = learned->from.size_high,
                            .most = learned->from.nodes,
                            .limit = most_ranks > 0 ? most_ranks : INT_MAX};
    list_candidates(&wanted, data);
    list_targets(&wanted);
    /* The first run is on more nodes: only that shows whether the law still holds. */
    if (wanted.ncandidates > 0) {
        struct candidate *more =
            best_candidate(&wanted, posterior, wanted.candidates[0].ranks, -1);
        if (more && more->ranks > wanted.most)
            want(learned, &wanted, posterior, more);
    }
    while (learned->nwanted < MOST_WANTED) {
        const double variance = targets_variance(&wanted, posterior);
        if (variance < known_within * known_within * wanted.ntargets)
            break;
        struct candidate *best =
            best_candidate(&wanted, posterior, 0, least_gain * variance);
        if (!best)
            break;
        want(learned, &wanted, posterior, best);
    }
}
