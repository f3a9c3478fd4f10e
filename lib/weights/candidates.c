/* SPDX-License-Identifier: BSD-3-Clause */
#include "candidates.h"

#include "lib/input/internal.h"

#include <math.h>
#include <string.h>

/* Clusters with more configurations do not have each of them tried. */
static const double most_tried = 60000;
/* So many are tried from each start then. */
enum { EVALUATIONS = 6000 };

static bool is_better(const struct mt_candidate *a, const struct mt_candidate *b)
{
    if (a->balance.seconds != b->balance.seconds)
        return a->balance.seconds < b->balance.seconds;
    return a->nodes != b->nodes ? a->nodes < b->nodes : a->ranks < b->ranks;
}

static bool is_known(const struct mt_candidates *candidates,
                     const struct mt_candidate *candidate)
{
    for (int i = 0; i < candidates->count; i++)
        if (mt_configuration_equal(&candidates->best[i].configuration,
                                   &candidate->configuration))
            return true;
    return false;
}

static void keep(struct mt_candidates *candidates, const struct mt_candidate *candidate)
{
    const int last = MT_MOST_CANDIDATES - 1;
    if (candidates->count > last && !is_better(candidate, &candidates->best[last]))
        return;
    if (is_known(candidates, candidate))
        return;
    int i = candidates->count > last ? last : candidates->count++;
    for (; i > 0 && is_better(candidate, &candidates->best[i - 1]); i--)
        candidates->best[i] = candidates->best[i - 1];
    candidates->best[i] = *candidate;
}

/* Its seconds with weights, INFINITY where it may not run. */
static int evaluate(struct mt_candidate *candidate, struct mt_candidates *candidates,
                    struct mt_curves *curves,
                    const struct mt_configuration *configuration, struct mt_error *err)
{
    const struct mt_problem *problem = &curves->problem;
    struct mt_error reason;
    *candidate = (struct mt_candidate){.configuration = *configuration,
                                       .balance.seconds = INFINITY,
                                       .nodes = mt_configuration_nodes(configuration),
                                       .ranks = mt_configuration_ranks(configuration)};
    if (candidate->nodes == 0 ||
        !mt_program_valid(problem->program, curves->size, candidate->ranks) ||
        mt_configuration_forbidden(configuration, problem->cluster))
        return MT_OK;
    const int status =
        mt_balance_find(&candidate->balance, curves, configuration, &reason);
    if (status == MT_OK) {
        keep(candidates, candidate);
        return MT_OK;
    }
    if (status != MT_ENOTFOUND && status != MT_EINFEASIBLE)
        return mt_fail(err, status, "%s", reason.text);
    candidate->balance.seconds = INFINITY;
    if (!candidates->reason.text[0])
        candidates->reason = reason;
    return MT_OK;
}

int mt_candidates_try(struct mt_candidates *candidates, struct mt_curves *curves,
                      const struct mt_configuration *configuration,
                      struct mt_error *err)
{
    struct mt_candidate candidate;
    return evaluate(&candidate, candidates, curves, configuration, err);
}

/* A climb from one configuration. */
struct climb {
    struct mt_candidates *candidates;
    struct mt_curves *curves;
    struct mt_candidate best;
    int evaluations; /* that may still be made */
};

static int try_use(struct climb *climb, int group, int nodes, struct mt_layout layout,
                   struct mt_error *err)
{
    const int most = climb->curves->problem.cluster->groups[group].nodes;
    struct mt_configuration configuration = climb->best.configuration;
    struct mt_candidate next;
    if (nodes < 0 || nodes > most || climb->evaluations <= 0)
        return MT_OK;
    configuration.use[group] = mt_use_nodes(nodes, layout);
    if (mt_configuration_equal(&configuration, &climb->best.configuration))
        return MT_OK;
    climb->evaluations--;
    const int status =
        evaluate(&next, climb->candidates, climb->curves, &configuration, err);
    if (status == MT_OK && is_better(&next, &climb->best))
        climb->best = next;
    return status;
}

/* Give a group all nodes or none of them, and more or fewer by steps that get smaller,
   with each layout. */
static int vary_group(struct climb *climb, int group, struct mt_error *err)
{
    const struct mt_group *g = &climb->curves->problem.cluster->groups[group];
    int status = try_use(climb, group, 0, (struct mt_layout){0}, err);
    for (int i = 0; i < g->nlayouts; i++)
        for (int step = g->nodes; step >= 1 && status == MT_OK; step /= 2) {
            const int nodes = climb->best.configuration.use[group].nodes;
            status = try_use(climb, group, nodes, g->layouts[i], err);
            if (status == MT_OK)
                status = try_use(climb, group, nodes - step, g->layouts[i], err);
            if (status == MT_OK)
                status = try_use(climb, group, nodes + step, g->layouts[i], err);
        }
    return status;
}

static int climb_from(struct mt_candidates *candidates, struct mt_curves *curves,
                      const struct mt_configuration *start, struct mt_error *err)
{
    struct climb climb = {
        .candidates = candidates, .curves = curves, .evaluations = EVALUATIONS};
    struct mt_candidate before;
    int status = evaluate(&climb.best, candidates, curves, start, err);
    do {
        before = climb.best;
        for (int g = 0; g < curves->problem.cluster->ngroups && status == MT_OK; g++)
            status = vary_group(&climb, g, err);
    } while (status == MT_OK && climb.evaluations > 0 &&
             is_better(&climb.best, &before));
    return status;
}

/* All nodes of a group, with the most or the fewest processes on each. */
static struct mt_use use_all(const struct mt_group *group, bool most)
{
    return mt_use_nodes(group->nodes, group->layouts[most ? group->nlayouts - 1 : 0]);
}

static int climb_from_scratch(struct mt_candidates *candidates,
                              struct mt_curves *curves, struct mt_error *err)
{
    const struct mt_cluster *cluster = curves->problem.cluster;
    struct mt_configuration together[2] = {{{{0}}}};
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++) {
        struct mt_configuration alone = {{{0}}};
        alone.use[g] = use_all(&cluster->groups[g], true);
        status = climb_from(candidates, curves, &alone, err);
        for (int i = 0; i < 2 && !cluster->groups[g].alone; i++)
            together[i].use[g] = use_all(&cluster->groups[g], i == 0);
    }
    for (int i = 0; i < 2 && status == MT_OK; i++)
        status = climb_from(candidates, curves, &together[i], err);
    return status;
}

int mt_candidates_find(struct mt_candidates *candidates, struct mt_curves *curves,
                       const struct mt_configuration *start, struct mt_error *err)
{
    const struct mt_cluster *cluster = curves->problem.cluster;
    struct mt_configuration configuration = {{{0}}};
    int status = MT_OK;
    candidates->exact = mt_configuration_count(cluster) <= most_tried;
    if (candidates->exact) {
        while (status == MT_OK && mt_configuration_next(&configuration, cluster))
            status = mt_candidates_try(candidates, curves, &configuration, err);
        return status;
    }
    if (start)
        status = climb_from(candidates, curves, start, err);
    return status == MT_OK ? climb_from_scratch(candidates, curves, err) : status;
}
