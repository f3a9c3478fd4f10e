/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best configuration at one size by few runs: the one with the largest
   expected improvement is next (Jones, Schonlau and Welch 1998). */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/plan/internal.h"
#include "lib/stats/stats.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

static const struct mt_cluster *cluster_of(const struct mt_verify *verify)
{
    return verify->predictor->problem.cluster;
}

/* Whether it is not to be run: it failed, or nodes were left out of the cluster
   meanwhile. */
static bool is_out(const struct mt_verify *verify,
                   const struct mt_verify_candidate *candidate)
{
    return candidate->failed ||
           mt_configuration_find_nodes(&candidate->configuration, cluster_of(verify),
                                       NULL) != MT_OK;
}

static bool is_untried(const struct mt_verify *verify,
                       const struct mt_verify_candidate *candidate)
{
    return candidate->runs == 0 && !is_out(verify, candidate);
}

/* Whether a configuration mixes groups, without all their nodes. */
static bool is_partial_mix(const struct mt_verify *verify,
                           const struct mt_configuration *configuration)
{
    const struct mt_cluster *cluster = cluster_of(verify);
    int all = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        all += configuration->use[g].nodes > 0 ? cluster->groups[g].nodes : 0;
    return mt_configuration_only_group(configuration) < 0 &&
           mt_configuration_nodes(configuration) < all;
}

/* Whether some candidate of the same groups ran, on a part of their nodes if asked. */
static bool groups_ran(const struct mt_verify *verify, int groups, bool partly)
{
    for (int i = 0; i < verify->count; i++) {
        const struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (candidate->groups == groups && candidate->runs > 0 &&
            (!partly || is_partial_mix(verify, &candidate->configuration)))
            return true;
    }
    return false;
}

/*
 * What is known.
 */

/* A configuration that ran at this size has the median of its runs. */
static void recall(struct mt_verify *verify, struct mt_verify_candidate *candidate)
{
    const struct mt_samples *samples = &verify->predictor->samples;
    double least = INFINITY, most = 0;
    candidate->runs = 0;
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *run = &samples->samples[i];
        if (run->size != verify->size ||
            !mt_configuration_equal(&run->configuration, &candidate->configuration))
            continue;
        candidate->runs++;
        least = fmin(least, run->seconds);
        most = fmax(most, run->seconds);
    }
    candidate->spread = candidate->runs > 0 ? log(most / least) : 0;
}

/* Update the expected time of every candidate. */
static int look(struct mt_verify *verify, struct mt_error *err)
{
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        int status = mt_predictor_seconds(verify->predictor, &candidate->configuration,
                                          verify->size, &candidate->seconds, err);
        if (status == MT_OK)
            status = mt_models_deviation(&verify->predictor->problem,
                                         &candidate->configuration, verify->size,
                                         &candidate->deviation, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* The fastest at the nearest size at which several configurations were measured: the
   choice of a user without models. */
static void find_fastest_near(struct mt_verify *verify)
{
    const struct mt_measured_list *measured = &verify->predictor->measured;
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
        verify->fastest_near = NULL;
        for (int k = 0; k < verify->count; k++)
            if (mt_configuration_equal(&verify->candidates[k].configuration,
                                       &measured->all[best].configuration))
                verify->fastest_near = &verify->candidates[k];
    }
}

/* The anchors: the choices of users without models, which a plan has to beat. */
enum anchor { ALL_FEWEST, ALL_MOST, GROUP_ALONE, ONE_NODE, ANCHORS };

/* Whether it may be an anchor: all nodes that may be used, all nodes of a group, or one
   node. */
static bool may_be_anchor(const struct mt_verify *verify,
                          const struct mt_configuration *configuration,
                          enum anchor anchor)
{
    const int nodes = mt_configuration_nodes(configuration);
    const int group = mt_configuration_only_group(configuration);
    if (anchor == ONE_NODE)
        return nodes == 1;
    if (anchor == GROUP_ALONE)
        return group >= 0 && nodes == cluster_of(verify)->groups[group].nodes;
    return nodes == verify->most_nodes;
}

/* Whether a choice of the ranked plan becomes a candidate: it is among the first, of
   all or of its groups, it ran, or it may be an anchor. */
static bool is_promising(const struct mt_verify *verify, const struct mt_plan *plan,
                         int i)
{
    const struct mt_configuration *configuration = &plan->choices[i].configuration;
    int same = 0;
    if (i < MOST_OF_ALL ||
        mt_measured_at(&verify->predictor->measured, configuration, verify->size))
        return true;
    for (int anchor = 0; anchor < ANCHORS; anchor++)
        if (may_be_anchor(verify, configuration, (enum anchor)anchor))
            return true;
    for (int k = 0; k < verify->count && same < MOST_OF_GROUPS; k++)
        same += mt_configuration_same_groups(&verify->candidates[k].configuration,
                                             configuration);
    return same < MOST_OF_GROUPS;
}

static void take_candidates(struct mt_verify *verify, const struct mt_plan *plan)
{
    for (int i = 0; i < plan->count; i++)
        if (plan->choices[i].nodes > verify->most_nodes)
            verify->most_nodes = plan->choices[i].nodes;
    for (int i = 0; i < plan->count; i++) {
        if (!is_promising(verify, plan, i))
            continue;
        struct mt_verify_candidate *candidate = &verify->candidates[verify->count];
        candidate->configuration = plan->choices[i].configuration;
        while (!mt_configuration_same_groups(
            &verify->candidates[candidate->groups].configuration,
            &candidate->configuration))
            candidate->groups++;
        recall(verify, candidate);
        verify->count++;
    }
}

int mt_verify_init(struct mt_verify *verify, struct mt_predictor *predictor,
                   const struct mt_plan *plan, double size, int runs,
                   struct mt_error *err)
{
    struct mt_verify made = {
        .predictor = predictor,
        .size = size,
        .left = runs,
        /* Two different ones come before any is repeated. */
        .repeats = runs >= 2 + REPEATS ? REPEATS : (runs > 2 ? runs - 2 : 0),
    };
    made.candidates = calloc((size_t)plan->count + 1, sizeof *made.candidates);
    if (!made.candidates)
        return mt_fail(err, MT_ENOMEM, "no memory for %d candidates", plan->count);
    take_candidates(&made, plan);
    find_fastest_near(&made);
    const int status = look(&made, err);
    if (status == MT_OK)
        *verify = made;
    else
        mt_verify_clear(&made);
    return status;
}

void mt_verify_clear(struct mt_verify *verify)
{
    free(verify->candidates);
    *verify = (struct mt_verify){0};
}

void mt_verify_until(struct mt_verify *verify, double confidence)
{
    verify->goal = confidence;
}

/*
 * The next run.
 */

/* The merit of a candidate, given the best that ran (NULL: none did); only values above
   0 count. */
typedef double merit_function(const struct mt_verify *verify,
                              const struct mt_verify_candidate *candidate,
                              const struct mt_verify_candidate *best);

/* The candidate with the largest merit that may still run; NULL: no merit is above
   0. */
static struct mt_verify_candidate *choose_by(const struct mt_verify *verify,
                                             merit_function *merit,
                                             const struct mt_verify_candidate *best)
{
    struct mt_verify_candidate *chosen = NULL;
    double most = 0;
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        const double value = merit(verify, candidate, best);
        if (value > most && !is_out(verify, candidate)) {
            most = value;
            chosen = candidate;
        }
    }
    return chosen;
}

static double speed_seen(const struct mt_verify *verify,
                         const struct mt_verify_candidate *candidate,
                         const struct mt_verify_candidate *best)
{
    (void)verify;
    (void)best;
    return candidate->runs > 0 ? 1 / candidate->seconds : 0;
}

/* The fastest that ran; NULL: none did. */
static struct mt_verify_candidate *best_of(const struct mt_verify *verify)
{
    return choose_by(verify, speed_seen, NULL);
}

/* The fastest of those with the fewest or the most processes, or of all possible
   anchors of this kind; NULL: one of these was tried. */
static struct mt_verify_candidate *find_anchor(const struct mt_verify *verify,
                                               enum anchor anchor)
{
    struct mt_verify_candidate *chosen = NULL;
    int least = 0;
    bool tried = false;
    for (int i = 0; i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        const int ranks = mt_configuration_ranks(&candidate->configuration);
        const int order =
            anchor == ALL_FEWEST ? ranks : (anchor == ALL_MOST ? -ranks : 0);
        if (!may_be_anchor(verify, &candidate->configuration, anchor) ||
            (chosen && order > least))
            continue;
        const bool ran = candidate->runs > 0 || is_out(verify, candidate);
        const bool first = !chosen || order < least;
        if (first || candidate->seconds < chosen->seconds)
            chosen = candidate;
        tried = (!first && tried) || ran;
        least = order;
    }
    /* On all nodes, any configuration will do; of groups and single nodes, only the
       fastest. */
    if (chosen && (anchor == GROUP_ALONE || anchor == ONE_NODE))
        tried = !is_untried(verify, chosen);
    return tried ? NULL : chosen;
}

/* The fastest at the nearest size, or an anchor that was not tried; NULL: none left. */
static struct mt_verify_candidate *choose_obvious(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = best_of(verify);
    if (verify->fastest_near && is_untried(verify, verify->fastest_near))
        return verify->fastest_near;
    for (int anchor = 0; best && anchor < ANCHORS; anchor++) {
        struct mt_verify_candidate *found = find_anchor(verify, (enum anchor)anchor);
        if (found && found->seconds < mt_verify_give_up * best->seconds)
            return found;
    }
    return NULL;
}

/* Its expected improvement as a share of the best time, if it never ran; while none
   ran, how fast it is expected to be. */
static double promise(const struct mt_verify *verify,
                      const struct mt_verify_candidate *candidate,
                      const struct mt_verify_candidate *best)
{
    if (!is_untried(verify, candidate))
        return 0;
    if (!best)
        return 1 / candidate->seconds;
    const double expected =
        mt_improvement(log(candidate->seconds / best->seconds), candidate->deviation);
    if (expected <= small_improvement)
        return 0;
    return groups_ran(verify, candidate->groups, false) ? expected
                                                        : first_of_groups * expected;
}

/* The speed of a mix on a part of the nodes, if its groups never ran so and it is
   expected to be near the best. Models often predict good mixes too slow by more than
   their deviation. */
static double speed_of_part(const struct mt_verify *verify,
                            const struct mt_verify_candidate *candidate,
                            const struct mt_verify_candidate *best)
{
    return candidate->seconds <= near_best * best->seconds &&
                   is_untried(verify, candidate) &&
                   is_partial_mix(verify, &candidate->configuration) &&
                   !groups_ran(verify, candidate->groups, true)
               ? 1 / candidate->seconds
               : 0;
}

/* One that never ran; NULL: none promises enough. */
static struct mt_verify_candidate *choose_new(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = best_of(verify);
    struct mt_verify_candidate *chosen = best ? choose_obvious(verify) : NULL;
    if (!chosen)
        chosen = choose_by(verify, promise, best);
    return chosen || !best ? chosen : choose_by(verify, speed_of_part, best);
}

/* The chance that it is faster than the best by more than mt_as_good. */
static double chance(const struct mt_verify *verify,
                     const struct mt_verify_candidate *candidate,
                     const struct mt_verify_candidate *best)
{
    (void)verify;
    const double deviation = hypot(candidate->deviation, best->deviation);
    const double log_ratio =
        log(candidate->seconds / best->seconds) + log1p(mt_as_good);
    return deviation > 0 && candidate != best
               ? mt_normal_probability(-log_ratio / deviation)
               : log_ratio < 0;
}

/* The candidate most likely to be better than the best, or the best one itself if it
   ran less often; NULL: none can be better. */
static struct mt_verify_candidate *choose_likely(const struct mt_verify *verify)
{
    struct mt_verify_candidate *best = best_of(verify);
    struct mt_verify_candidate *chosen = best ? choose_by(verify, chance, best) : NULL;
    return chosen && best->runs < chosen->runs ? best : chosen;
}

/* Whether it needs another run: it ran only once, or may still be better by more than a
   small improvement. */
static bool is_open(const struct mt_verify_candidate *candidate,
                    const struct mt_verify_candidate *best)
{
    const double log_ratio = log(candidate->seconds / best->seconds);
    if (candidate->runs == 1 ||
        (candidate->runs == 2 && candidate->spread > disagreement))
        return log_ratio <= log(near_best);
    return candidate != best &&
           mt_improvement(log_ratio, hypot(candidate->deviation, best->deviation)) >
               small_improvement;
}

/* The candidate with the fewest runs whose case is open; ties go to the fastest. */
static struct mt_verify_candidate *choose_repeat(const struct mt_verify *verify)
{
    struct mt_verify_candidate *best = best_of(verify);
    struct mt_verify_candidate *chosen = NULL;
    for (int i = 0; best && i < verify->count; i++) {
        struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (candidate->runs == 0 || is_out(verify, candidate) ||
            !is_open(candidate, best))
            continue;
        if (!chosen || candidate->runs < chosen->runs ||
            (candidate->runs == chosen->runs && candidate->seconds < chosen->seconds))
            chosen = candidate;
    }
    return chosen && best->runs < chosen->runs ? best : chosen;
}

/*
 * The certainty of the best.
 */

int mt_verify_outlook(const struct mt_verify *verify, struct mt_outlook *outlook,
                      struct mt_error *err)
{
    const struct mt_verify_candidate *best = best_of(verify);
    struct mt_configuration contenders[COUNTED_CONTENDERS];
    struct mt_contest contest = {.problem = &verify->predictor->problem,
                                 .size = verify->size,
                                 .configurations = contenders};
    *outlook = (struct mt_outlook){0};
    if (!best)
        return MT_OK;
    contenders[contest.count++] = best->configuration;
    for (int i = 0; i < verify->count && contest.count < COUNTED_CONTENDERS; i++) {
        const struct mt_verify_candidate *candidate = &verify->candidates[i];
        if (chance(verify, candidate, best) > least_chance &&
            !is_out(verify, candidate))
            contenders[contest.count++] = candidate->configuration;
    }
    return mt_outlook_find(outlook, &contest, err);
}

static int see_whether_known(const struct mt_verify *verify, bool *known,
                             struct mt_error *err)
{
    struct mt_outlook outlook;
    *known = false;
    if (verify->goal == 0)
        return MT_OK;
    const int status = mt_verify_outlook(verify, &outlook, err);
    *known = status == MT_OK && outlook.confidence >= verify->goal &&
             !choose_obvious(verify) &&
             !choose_by(verify, speed_of_part, best_of(verify));
    return status;
}

/*
 * The loop.
 */

/* NULL: no run is worthwhile. */
static const struct mt_verify_candidate *choose(const struct mt_verify *verify,
                                                bool known)
{
    const bool any = best_of(verify) != NULL;
    const struct mt_verify_candidate *chosen = NULL;
    if (!known && (verify->left > verify->repeats || !any))
        chosen = choose_new(verify);
    if (!chosen && !known && any)
        chosen = choose_obvious(verify);
    if (!chosen)
        chosen = choose_repeat(verify);
    if (!chosen && !known && verify->goal > 0)
        chosen = choose_likely(verify);
    return chosen;
}

int mt_verify_next(struct mt_verify *verify, struct mt_proposal *next, enum mt_end *end,
                   struct mt_error *err)
{
    bool known;
    *end = MT_END_RUNS_USED;
    if (verify->left <= 0)
        return MT_OK;
    const int status = see_whether_known(verify, &known, err);
    const struct mt_verify_candidate *chosen =
        status == MT_OK ? choose(verify, known) : NULL;
    *end = chosen ? MT_END_NONE : MT_END_SETTLED;
    if (chosen)
        *next = (struct mt_proposal){.configuration = chosen->configuration,
                                     .size = verify->size,
                                     .seconds = chosen->seconds,
                                     .spent = chosen->seconds,
                                     .phase = MT_PHASE_VERIFICATION,
                                     .repeat = chosen->runs};
    return status;
}

int mt_verify_observe(struct mt_verify *verify, const struct mt_proposal *proposal,
                      const struct mt_observation *observation, struct mt_error *err)
{
    const struct mt_sample sample = {.configuration = proposal->configuration,
                                     .size = verify->size,
                                     .seconds = observation->seconds};
    int i = 0;
    while (i < verify->count &&
           !mt_configuration_equal(&verify->candidates[i].configuration,
                                   &proposal->configuration))
        i++;
    if (i == verify->count || (observation->made && observation->seconds <= 0))
        return mt_fail(err, MT_EINVAL, "the run was not proposed");
    struct mt_verify_candidate *candidate = &verify->candidates[i];
    verify->left -= observation->made;
    if (!observation->made || isnan(observation->seconds)) {
        candidate->failed = true;
        return MT_OK;
    }
    const int status = mt_predictor_add(verify->predictor, &sample, err);
    recall(verify, candidate);
    return status == MT_OK ? look(verify, err) : status;
}

const struct mt_configuration *mt_verify_best(const struct mt_verify *verify)
{
    const struct mt_verify_candidate *best = best_of(verify);
    return best ? &best->configuration : NULL;
}
