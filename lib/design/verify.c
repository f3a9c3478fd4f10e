/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best configuration at one size by few runs (expected improvement). */
#include "experiment.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <stdlib.h>

const double mt_verify_goal = 0.9, mt_verify_give_up = 10;

/* Not worth a run: a smaller share of the best time as expected improvement. */
static const double small_improvement = 0.005;
/* Run again, in case it is the best, or for the first time with these groups: what is
   expected to take no more than this many times the best. */
static const double near_best = 1.1;
/* Probes are made of all nodes where they are expected to take no more than this many
   times as long as the best: with the most processes, and with the fewest, where models
   are often wrong by more. On the recorded clusters this took the worst regret of plans
   that are not verified from 27 to 10 %. */
static const double not_much_slower = 1.5, not_far_slower = 3;

/* A larger deviation says that the models are bad there rather than that there may be
   something good; where groups were never run together, or not with as many processes,
   it may well be so large. */
static const double largest_deviation = 0.2, largest_unknown = 0.5;

/* How many runs as expected would be in the balance against surprises; a surprise
   larger than so many deviations counts as one of that size. */
static const double usual_runs = 4, largest_surprise = 3;
/* Of a single run, as a standard deviation, where nothing is known of it. */
static const double least_noise = 0.02;

/* Contenders of which the confidence is, and the least chance of one to be better. */
enum { MOST_CONTENDERS = 128 };
static const double least_chance = 1e-4;

/* A run tells little about groups that it does not use: by how much the first one of
   some groups is preferred to what lies near those that were made. */
static const double first_of_groups = 3;

enum { REPEATS = 2 };

/* Two runs whose logarithms differ by more say nothing without a third one. */
static const double disagreement = 0.2;

/* Nodes may have been left out of the cluster meanwhile. */
static bool has_nodes(const struct mt_verify *verify,
                      const struct mt_configuration *configuration)
{
    return mt_configuration_find_nodes(
               configuration, verify->calibration->problem.cluster, NULL) == MT_OK;
}

/* Whether it is not to be run: it failed, or there are too few nodes by now. */
static bool is_out(const struct mt_verify *verify,
                   const struct mt_verify_candidate *candidate)
{
    return candidate->failed || !has_nodes(verify, &candidate->configuration);
}

/* Whether it mixes groups, without all their nodes. */
static bool is_partial_mix(const struct mt_verify *verify,
                           const struct mt_verify_candidate *candidate)
{
    const struct mt_configuration *configuration = &candidate->configuration;
    const struct mt_cluster *cluster = verify->calibration->problem.cluster;
    int all = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        all += configuration->use[g].nodes > 0 ? cluster->groups[g].nodes : 0;
    return mt_configuration_only_group(configuration) < 0 &&
           mt_configuration_nodes(configuration) < all;
}

static void look_at_sets(struct mt_verify *verify)
{
    for (int s = 0; s < verify->nsets; s++)
        verify->sets[s].ran = verify->sets[s].groups_ran = verify->sets[s].part_ran =
            false;
    for (int i = 0; i < verify->count; i++) {
        const struct mt_verify_candidate *candidate = &verify->candidates[i];
        struct mt_verify_set *set = &verify->sets[candidate->set];
        struct mt_verify_set *groups = &verify->sets[set->groups];
        if (candidate->runs == 0)
            continue;
        set->ran = groups->groups_ran = true;
        groups->part_ran |= is_partial_mix(verify, candidate);
    }
}

/* Keep what a candidate took at this size. */
static int keep_run(struct mt_verify *verify, int candidate, double seconds,
                    struct mt_error *err)
{
    struct mt_verify_candidate *ran = &verify->candidates[candidate];
    double least = seconds, most = seconds;
    int count = 0;
    int status =
        mt_array_grow(&verify->made, verify->nmade, sizeof *verify->made, "runs", err);
    double *all = calloc((size_t)verify->nmade + 1, sizeof *all);
    if (status == MT_OK && !all)
        status = mt_fail(err, MT_ENOMEM, "no memory for %d runs", verify->nmade);
    if (status == MT_OK)
        verify->made[verify->nmade++] = (struct mt_verify_run){candidate, seconds};
    for (int i = 0; i < verify->nmade && status == MT_OK; i++) {
        if (verify->made[i].candidate != candidate)
            continue;
        all[count++] = verify->made[i].seconds;
        least = fmin(least, verify->made[i].seconds);
        most = fmax(most, verify->made[i].seconds);
    }
    if (status == MT_OK) {
        ran->median = mt_median(all, count);
        ran->spread = log(most / least);
    }
    free(all);
    return status;
}

/* What is expected of a candidate now. What ran at this size takes the median of its
   runs, and is as sure as their noise lets it be. */
static int look_at(const struct mt_verify *verify,
                   struct mt_verify_candidate *candidate, struct mt_error *err)
{
    const struct mt_calibration *calibration = verify->calibration;
    struct mt_prediction prediction;
    const int status =
        mt_calibration_predict(calibration, &candidate->configuration, verify->size,
                               &prediction, &candidate->deviation, err);
    if (status != MT_OK)
        return status;
    candidate->seconds = prediction.seconds;
    if (candidate->median > 0) {
        const double noise = fmax(least_noise, sqrt(calibration->noise));
        candidate->seconds = candidate->median;
        candidate->deviation = noise / sqrt(candidate->runs);
    }
    return MT_OK;
}

/* Bring up to date what is expected of every candidate. */
static int look(struct mt_verify *verify, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < verify->count && status == MT_OK; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (!is_out(verify, candidate))
            status = look_at(verify, candidate, err);
    }
    if (status == MT_OK)
        look_at_sets(verify);
    return status;
}

static bool same_groups(const struct mt_configuration *a,
                        const struct mt_configuration *b)
{
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        if ((a->use[g].nodes > 0) != (b->use[g].nodes > 0))
            return false;
    return true;
}

/* The same groups, with the same layouts. */
static bool same_set(const struct mt_configuration *a, const struct mt_configuration *b)
{
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        if (mt_layout_compare(a->use[g].layout, b->use[g].layout) != 0)
            return false;
    return true;
}

/* The first set that uses the same groups as a candidate, or `verify->nsets`. */
static int find_groups(const struct mt_verify *verify,
                       const struct mt_verify_candidate *candidate)
{
    int set = 0;
    while (set < verify->nsets &&
           !same_groups(&candidate->configuration,
                        &verify->candidates[verify->sets[set].member].configuration))
        set++;
    return set;
}

static int find_sets(struct mt_verify *verify, struct mt_error *err)
{
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        int set = 0;
        while (set < verify->nsets &&
               !same_set(&candidate->configuration,
                         &verify->candidates[verify->sets[set].member].configuration))
            set++;
        candidate->set = set;
        if (set < verify->nsets)
            continue;
        const int status =
            mt_array_grow(&verify->sets, set, sizeof *verify->sets, "sets", err);
        if (status != MT_OK)
            return status;
        const int groups = find_groups(verify, candidate);
        verify->sets[verify->nsets++] =
            (struct mt_verify_set){.member = i, .groups = groups};
    }
    return MT_OK;
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
    int status = find_sets(&made, err);
    if (status == MT_OK)
        status = look(&made, err);
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
    free(verify->sets);
    free(verify->made);
    *verify = (struct mt_verify){0};
}

void mt_verify_until(struct mt_verify *verify, double confidence)
{
    verify->goal = confidence;
}

static struct mt_verify_candidate *find_candidate(
    const struct mt_verify *verify, const struct mt_configuration *configuration)
{
    for (int i = 0; i < verify->count; i++)
        if (mt_configuration_equal(&verify->candidates[i].configuration, configuration))
            return &verify->candidates[i];
    return NULL;
}

/* Of the size nearest to that of the question at which several configurations were
   measured, the fastest: somebody without a model would take it. */
static void find_fastest_near(struct mt_verify *verify,
                              const struct mt_measured_list *measured)
{
    enum { SEVERAL = 3 };
    double nearest = INFINITY;
    for (int i = 0, end; i < measured->count; i = end) {
        const double away = fabs(log(measured->all[i].size / verify->size));
        int best = i;
        for (end = i;
             end < measured->count && measured->all[end].size == measured->all[i].size;
             end++)
            if (measured->all[end].seconds < measured->all[best].seconds)
                best = end;
        if (end - i < SEVERAL || away >= nearest)
            continue;
        nearest = away;
        verify->fastest_near =
            find_candidate(verify, &measured->all[best].configuration);
    }
}

int mt_verify_recall(struct mt_verify *verify, const struct mt_predictor *predictor,
                     struct mt_error *err)
{
    int status = MT_OK;
    find_fastest_near(verify, &predictor->measured);
    for (int i = 0; i < predictor->samples.count && status == MT_OK; i++) {
        const struct mt_sample *sample = &predictor->samples.samples[i];
        struct mt_verify_candidate *candidate =
            sample->size == verify->size
                ? find_candidate(verify, &sample->configuration)
                : NULL;
        if (!candidate)
            continue;
        candidate->runs++;
        status = keep_run(verify, (int)(candidate - verify->candidates),
                          sample->seconds, err);
    }
    return status == MT_OK ? look(verify, err) : status;
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

/*
 * By which share of the best time a candidate is expected to be faster, counting 0
 * where it is slower: E max(0, 1 - e^X), X normal, the logarithm of the ratio of their
 * times.
 */
static double improvement(double log_ratio, double deviation)
{
    if (deviation <= 0)
        return fmax(0, -expm1(log_ratio));
    return mt_normal_probability(-log_ratio / deviation) -
           exp(log_ratio + deviation * deviation / 2) *
               mt_normal_probability(-log_ratio / deviation - deviation);
}

/* What deviations are to be multiplied by, after what was observed. */
static double scale_of(const struct mt_verify *verify)
{
    return sqrt(
        fmax(1, (usual_runs + verify->surprises) / (usual_runs + verify->observed)));
}

static double expected_improvement(const struct mt_verify *verify,
                                   const struct mt_verify_candidate *candidate,
                                   const struct mt_verify_candidate *best, double most)
{
    return improvement(log(candidate->seconds / best->seconds),
                       fmin(scale_of(verify) * candidate->deviation, most));
}

/* What a run of a candidate is worth: the improvement that is expected, which counts
   for more where it would be the first one of these groups. */
static double worth(const struct mt_verify *verify,
                    const struct mt_verify_candidate *candidate,
                    const struct mt_verify_candidate *best)
{
    const struct mt_verify_set *set = &verify->sets[candidate->set];
    const double expected = expected_improvement(
        verify, candidate, best, set->ran ? largest_deviation : largest_unknown);
    if (expected <= small_improvement)
        return 0;
    return verify->sets[set->groups].groups_ran ? expected : first_of_groups * expected;
}

static bool is_untried(const struct mt_verify *verify,
                       const struct mt_verify_candidate *candidate)
{
    return candidate->runs == 0 && !is_out(verify, candidate);
}

/* What runs before anything is repeated: what people start who have no models, and
   what any plan has to beat. */
enum anchor { ALL_FEWEST, ALL_MOST, GROUP_ALONE, ONE_NODE, ANCHORS };

static int most_nodes(const struct mt_verify *verify)
{
    int most = 0;
    for (int i = 0; i < verify->count; i++) {
        const struct mt_configuration *configuration =
            &verify->candidates[i].configuration;
        const int nodes = mt_configuration_nodes(configuration);
        if (nodes > most && has_nodes(verify, configuration))
            most = nodes;
    }
    return most;
}

/* Whether it is one of those among which an anchor is chosen: all nodes that may be
   used, all nodes of a group, or one node. */
static bool may_be_anchor(const struct mt_verify *verify,
                          const struct mt_configuration *configuration,
                          enum anchor anchor, int most)
{
    const int nodes = mt_configuration_nodes(configuration);
    const int group = mt_configuration_only_group(configuration);
    const bool member =
        anchor == ONE_NODE ? nodes == 1
        : anchor == GROUP_ALONE
            ? group >= 0 &&
                  nodes == verify->calibration->problem.cluster->groups[group].nodes
            : nodes == most;
    return member && has_nodes(verify, configuration);
}

/* The fastest of those with the fewest or the most processes, or of all that may be
   this anchor; NULL: one of these was tried. */
static struct mt_verify_candidate *find_anchor(const struct mt_verify *verify,
                                               enum anchor anchor, int most)
{
    struct mt_verify_candidate *chosen = NULL;
    int least = 0;
    bool tried = false;
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        const int ranks = mt_configuration_ranks(&candidate->configuration);
        const int order =
            anchor == ALL_FEWEST ? ranks : (anchor == ALL_MOST ? -ranks : 0);
        if (!may_be_anchor(verify, &candidate->configuration, anchor, most) ||
            (chosen && order > least))
            continue;
        const bool ran = candidate->runs > 0 || candidate->failed;
        const bool first = !chosen || order < least;
        if (first || candidate->seconds < chosen->seconds)
            chosen = candidate;
        tried = (!first && tried) || ran;
        least = order;
    }
    /* Any of all nodes will do, but only the fastest of the groups and single nodes. */
    if (chosen && (anchor == GROUP_ALONE || anchor == ONE_NODE))
        tried = chosen->runs > 0 || chosen->failed;
    return tried ? NULL : chosen;
}

/* How many times as long as the best an anchor may be expected to take; 0: it is not
   tried. Probes are to teach the models what several groups do together. */
static double gate_of(const struct mt_verify *verify, enum anchor anchor)
{
    static const double of_probes[ANCHORS] = {
        [ALL_FEWEST] = not_far_slower, [ALL_MOST] = not_much_slower};
    return verify->made_at > 0 ? of_probes[anchor] : mt_verify_give_up;
}

/* An anchor that was not tried; NULL: there is none. */
static struct mt_verify_candidate *choose_anchor(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    const int most = best ? most_nodes(verify) : 0;
    for (enum anchor anchor = 0; best && anchor < ANCHORS; anchor++) {
        struct mt_verify_candidate *found = find_anchor(verify, anchor, most);
        if (found && found->seconds < gate_of(verify, anchor) * best->seconds)
            return found;
    }
    return NULL;
}

/* The fastest at the nearest size, which somebody without models would take, and the
   anchors. NULL: none is left. */
static struct mt_verify_candidate *choose_obvious(const struct mt_verify *verify)
{
    return verify->fastest_near && is_untried(verify, verify->fastest_near)
               ? verify->fastest_near
               : choose_anchor(verify);
}

/* The untried candidate that is worth most; NULL: none promises enough. */
static struct mt_verify_candidate *choose_promising(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    struct mt_verify_candidate *chosen = NULL;
    double most = 0;
    for (int i = 0; i < verify->count && best; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        const double value =
            is_untried(verify, candidate) ? worth(verify, candidate, best) : 0;
        if (value > most) {
            most = value;
            chosen = candidate;
        }
    }
    return chosen;
}

/* The fastest of the mixes of a part of the nodes whose groups never ran so, if it is
   expected to be near the best; NULL: there is none. Good mixes often look too slow by
   more than the models' deviation. */
static struct mt_verify_candidate *choose_part(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    struct mt_verify_candidate *chosen = NULL;
    double least = best ? near_best * best->seconds : 0;
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        const struct mt_verify_set *set = &verify->sets[candidate->set];
        if (verify->made_at > 0 || verify->sets[set->groups].part_ran ||
            !is_untried(verify, candidate) || !is_partial_mix(verify, candidate) ||
            candidate->seconds > least)
            continue;
        chosen = candidate;
        least = candidate->seconds;
    }
    return chosen;
}

/* One that never ran; NULL: none promises enough. */
static struct mt_verify_candidate *choose_new(const struct mt_verify *verify)
{
    struct mt_verify_candidate *chosen =
        fastest(verify, true) ? choose_obvious(verify) : fastest(verify, false);
    if (!chosen)
        chosen = choose_promising(verify);
    return chosen ? chosen : choose_part(verify);
}

/* That it is faster than the best by more than what is as good. */
static double chance(const struct mt_verify *verify,
                     const struct mt_verify_candidate *candidate,
                     const struct mt_verify_candidate *best)
{
    const double deviation =
        scale_of(verify) * hypot(candidate->deviation, best->deviation);
    const double log_ratio =
        log(candidate->seconds / best->seconds) + log1p(mt_as_good);
    return deviation > 0 ? mt_normal_probability(-log_ratio / deviation)
                         : log_ratio < 0;
}

/* One that never ran, and is the most likely to be better than the best; NULL: there is
   none. */
static struct mt_verify_candidate *choose_likely(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    struct mt_verify_candidate *chosen = NULL;
    double most = 0;
    for (int i = 0; best && i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (is_out(verify, candidate) || candidate->runs > 0)
            continue;
        const double likely = chance(verify, candidate, best);
        if (likely > most) {
            most = likely;
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
    if (candidate->runs == 1 ||
        (candidate->runs == 2 && candidate->spread > disagreement))
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

/* Who may be the best, by falling chance. */
struct contender {
    const struct mt_verify_candidate *candidate;
    double chance;
};

static int compare_contenders(const void *left, const void *right)
{
    const struct contender *a = left, *b = right;
    if (a->chance != b->chance)
        return a->chance > b->chance ? -1 : 1;
    return (a->candidate > b->candidate) - (a->candidate < b->candidate);
}

/* All that may be better than the best; the caller frees them. */
static struct contender *list_contenders(const struct mt_verify *verify,
                                         const struct mt_verify_candidate *best,
                                         int *count)
{
    struct contender *contenders =
        calloc((size_t)verify->count + 1, sizeof *contenders);
    *count = 0;
    for (int i = 0; i < verify->count && contenders; i++) {
        const struct mt_verify_candidate *candidate = &verify->candidates[i];
        const double likely = chance(verify, candidate, best);
        if (candidate != best && !is_out(verify, candidate) && likely > least_chance)
            contenders[(*count)++] = (struct contender){candidate, likely};
    }
    if (contenders)
        qsort(contenders, (size_t)*count, sizeof *contenders, compare_contenders);
    return contenders;
}

int mt_verify_outlook(const struct mt_verify *verify, struct mt_outlook *outlook,
                      struct mt_error *err)
{
    const struct mt_verify_candidate *best = fastest(verify, true);
    struct mt_configuration configurations[1 + MOST_CONTENDERS];
    int count = 0;
    *outlook = (struct mt_outlook){0};
    if (!best)
        return MT_OK;
    struct contender *contenders = list_contenders(verify, best, &count);
    if (!contenders)
        return mt_fail(err, MT_ENOMEM, "no memory for %d candidates", verify->count);
    if (count > MOST_CONTENDERS)
        count = MOST_CONTENDERS;
    configurations[0] = best->configuration;
    for (int i = 0; i < count; i++)
        configurations[1 + i] = contenders[i].candidate->configuration;
    free(contenders);
    const struct mt_contest contest = {.calibration = verify->calibration,
                                       .size = verify->size,
                                       .configurations = configurations,
                                       .count = 1 + count,
                                       .scale = scale_of(verify)};
    return mt_outlook_find(outlook, &contest, err);
}

static int see_whether_known(const struct mt_verify *verify, bool *known,
                             struct mt_error *err)
{
    struct mt_outlook outlook = {0};
    const int status =
        verify->goal > 0 ? mt_verify_outlook(verify, &outlook, err) : MT_OK;
    *known = verify->goal > 0 && outlook.confidence >= verify->goal &&
             !choose_obvious(verify) && !choose_part(verify);
    return status;
}

/* NULL: nothing is worth a run. */
static const struct mt_verify_candidate *choose(const struct mt_verify *verify,
                                                bool known)
{
    const struct mt_verify_candidate *chosen = NULL;
    if (!known && (verify->left > verify->repeats || !fastest(verify, true)))
        chosen = choose_new(verify);
    if (!chosen && !known && fastest(verify, true))
        chosen = choose_anchor(verify);
    if (!chosen && !verify->once)
        chosen = choose_repeat(verify);
    if (!chosen && !known && verify->goal > 0)
        chosen = choose_likely(verify);
    return chosen;
}

int mt_verify_next(struct mt_verify *verify, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    const struct mt_verify_candidate *chosen = NULL;
    bool known = false;
    int status = look(verify, err);
    if (status == MT_OK && verify->left > 0)
        status = see_whether_known(verify, &known, err);
    if (status != MT_OK)
        return status;
    if (verify->left > 0)
        chosen = choose(verify, known);
    *end = verify->left > 0 ? MT_END_SETTLED : MT_END_RUNS_USED;
    if (!chosen)
        return MT_OK;
    *end = MT_END_NONE;
    *next = (struct mt_proposal){.configuration = chosen->configuration,
                                 .size = verify->made_at > 0 ? verify->made_at
                                                             : verify->size,
                                 .seconds = chosen->seconds,
                                 .spent = chosen->seconds,
                                 .phase = MT_PHASE_VERIFICATION,
                                 .repeat = chosen->runs};
    return MT_OK;
}

/* Compare what came with what was expected. */
static void count_surprise(struct mt_verify *verify,
                           const struct mt_verify_candidate *candidate, double expected,
                           double seconds)
{
    const double deviation = hypot(candidate->deviation,
                                   fmax(least_noise, sqrt(verify->calibration->noise)));
    const double surprise =
        deviation > 0 ? fabs(log(seconds / expected)) / deviation : 0;
    verify->observed++;
    verify->surprises += pow(fmin(surprise, largest_surprise), 2);
}

int mt_verify_observe(struct mt_verify *verify, const struct mt_proposal *proposal,
                      const struct mt_observation *observation, struct mt_error *err)
{
    struct mt_verify_candidate *candidate =
        find_candidate(verify, &proposal->configuration);
    const struct mt_sample sample = {.configuration = proposal->configuration,
                                     .size = proposal->size,
                                     .seconds = observation->seconds};
    if (!candidate || (observation->made && observation->seconds <= 0))
        return mt_fail(err, MT_EINVAL, "there is no such run");
    verify->left -= observation->made;
    if (!observation->made || isnan(observation->seconds)) {
        candidate->failed = true;
        return MT_OK;
    }
    count_surprise(verify, candidate,
                   proposal->seconds > 0 ? proposal->seconds : candidate->seconds,
                   observation->seconds);
    int status = mt_calibration_add(verify->calibration, &sample, err);
    if (status != MT_OK)
        return status;
    candidate->runs++;
    if (proposal->size == verify->size)
        status = keep_run(verify, (int)(candidate - verify->candidates),
                          observation->seconds, err);
    return status == MT_OK ? look(verify, err) : status;
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
