/* SPDX-License-Identifier: BSD-3-Clause */
/* Hill climbing: changes one group of a good configuration at a time. */
#include "climb.h"

#include "internal.h"
#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "rank.h"

#include <math.h>

/* A configuration on the climb, with its distance from the constraints as a sum of
   logarithms; INFINITY: it may not run. */
struct state {
    struct mt_choice choice;
    double violation;
};

static double excess(double value, double limit)
{
    return limit > 0 && value > limit ? log(value / limit) : 0;
}

static int evaluate(struct mt_climb *climb,
                    const struct mt_configuration *configuration, struct state *state,
                    struct mt_error *err)
{
    const struct mt_question *question = climb->question;
    const struct mt_cluster *cluster = climb->predictor->problem.cluster;
    struct mt_choice *choice = &state->choice;
    *choice = (struct mt_choice){.configuration = *configuration};
    state->violation = INFINITY;
    climb->evaluations--;
    if (!mt_plan_fits(cluster, climb->predictor->problem.program, configuration,
                      question->size) ||
        mt_samples_failed(&climb->predictor->samples, configuration, question->size))
        return MT_OK;
    struct mt_error reason; /* a missing prediction is not a failure */
    /* only limits kept with a chance need the interval */
    const int status =
        question->confidence > 0 && mt_question_limits(question)
            ? mt_choice_predict(choice, climb->predictor, question, &reason)
            : mt_choice_rank(choice, climb->predictor, question, &reason);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    const double seconds =
        mt_prediction_seconds_at(&choice->prediction, question->confidence);
    const double worth =
        question->efficiency > 0
            ? mt_plan_worth(climb->predictor, configuration, question->size)
            : INFINITY;
    if (isnan(worth))
        return MT_OK;
    state->violation =
        excess(seconds, question->deadline) +
        excess(question->efficiency * seconds, worth) +
        excess(mt_choice_cost_at(choice, cluster, seconds), question->budget) +
        excess(choice->cost, question->cost) +
        excess(choice->joules, question->joules) +
        excess(choice->nodes, question->max_nodes);
    if (state->violation == 0 && !mt_choice_allowed(choice, climb->predictor, question))
        state->violation = 1e-12; /* by a rounding */
    return MT_OK;
}

static bool is_better(const struct mt_climb *climb, const struct state *a,
                      const struct state *b)
{
    if (a->violation != b->violation)
        return a->violation < b->violation;
    return a->violation < INFINITY &&
           mt_choice_compare(climb->question->objective, &a->choice, &b->choice) < 0;
}

/* Try other nodes of a group, with another layout. */
static int try_use(struct mt_climb *climb, struct state *best, int group, double nodes,
                   struct mt_layout layout, struct mt_error *err)
{
    const struct mt_group *g = &climb->predictor->problem.cluster->groups[group];
    const int whole = (int)fmin(fmax(nodes, 0), g->nodes);
    const struct mt_use use = mt_use_nodes(whole, layout);
    struct mt_configuration configuration = best->choice.configuration;
    const struct mt_use *now = &configuration.use[group];
    if (climb->evaluations <= 0 ||
        (now->nodes == use.nodes && mt_layout_compare(now->layout, use.layout) == 0))
        return MT_OK;
    configuration.use[group] = use;
    if (mt_configuration_nodes(&configuration) == 0)
        return MT_OK;
    struct state next;
    const int status = evaluate(climb, &configuration, &next, err);
    if (status == MT_OK && is_better(climb, &next, best))
        *best = next;
    return status;
}

/* The allowed number of nodes that the other groups leave for the group. */
static int nodes_left(const struct mt_climb *climb, const struct state *state,
                      int group)
{
    const struct mt_configuration *configuration = &state->choice.configuration;
    const int most = climb->predictor->problem.cluster->groups[group].nodes;
    const int others =
        mt_configuration_nodes(configuration) - configuration->use[group].nodes;
    const int max_nodes = climb->question->max_nodes;
    return max_nodes > 0 && max_nodes - others < most ? max_nodes - others : most;
}

/* Change the nodes of a group, with a layout of each: leave it out, use all, and go up
   and down by smaller and smaller steps. */
static int vary_nodes(struct mt_climb *climb, struct state *best, int group,
                      struct mt_layout layout, struct mt_error *err)
{
    const struct mt_use now = best->choice.configuration.use[group];
    const int most = nodes_left(climb, best, group);
    int status = try_use(climb, best, group, most, layout, err);
    if (status == MT_OK && now.nodes > 0) /* the same ranks */
        status = try_use(climb, best, group,
                         (double)now.nodes * now.layout.processes / layout.processes,
                         layout, err);
    if (mt_layout_compare(best->choice.configuration.use[group].layout, layout) != 0)
        return status == MT_OK && now.nodes > 0
                   ? try_use(climb, best, group, now.nodes, layout, err)
                   : status;
    for (int step = most; step >= 1 && status == MT_OK; step /= 2) {
        const int nodes = best->choice.configuration.use[group].nodes;
        status = try_use(climb, best, group, nodes - step, layout, err);
        if (status == MT_OK && nodes + step <= most)
            status = try_use(climb, best, group, nodes + step, layout, err);
    }
    return status;
}

static int vary_group(struct mt_climb *climb, struct state *best, int group,
                      struct mt_error *err)
{
    const struct mt_group *g = &climb->predictor->problem.cluster->groups[group];
    int status = try_use(climb, best, group, 0, (struct mt_layout){0}, err);
    for (int i = g->nlayouts - 1; i >= 0 && status == MT_OK && g->nodes > 0; i--)
        status = vary_nodes(climb, best, group, g->layouts[i], err);
    return status;
}

/* Move nodes from one group to another, as where their number is limited. */
static int exchange(struct mt_climb *climb, struct state *best, int from, int to,
                    struct mt_error *err)
{
    const struct mt_group *g = &climb->predictor->problem.cluster->groups[to];
    int status = MT_OK;
    for (int step = best->choice.configuration.use[from].nodes;
         step >= 1 && status == MT_OK && climb->evaluations > 0; step /= 4) {
        struct mt_configuration configuration = best->choice.configuration;
        struct mt_use *giver = &configuration.use[from],
                      *taker = &configuration.use[to];
        const int moved =
            step < g->nodes - taker->nodes ? step : g->nodes - taker->nodes;
        struct state next;
        if (moved <= 0 || giver->nodes < moved)
            continue;
        *giver = mt_use_nodes(giver->nodes - moved, giver->layout);
        *taker = mt_use_nodes(taker->nodes + moved, taker->nodes > 0
                                                        ? taker->layout
                                                        : g->layouts[g->nlayouts - 1]);
        status = evaluate(climb, &configuration, &next, err);
        if (status == MT_OK && is_better(climb, &next, best))
            *best = next;
    }
    return status;
}

static int sweep(struct mt_climb *climb, struct state *best, struct mt_error *err)
{
    const struct mt_cluster *cluster = climb->predictor->problem.cluster;
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++)
        status = vary_group(climb, best, g, err);
    for (int g = 0; g < cluster->ngroups; g++)
        for (int h = 0; h < cluster->ngroups && status == MT_OK; h++)
            if (g != h && best->choice.configuration.use[g].nodes > 0)
                status = exchange(climb, best, g, h, err);
    return status;
}

/* Climb from a configuration, which may violate the question's constraints, to one that
   violates them least, and from there to the best. `found`: `choice` holds one that may
   run and keeps them all. */
static int climb_from(struct mt_climb *climb, const struct mt_configuration *start,
                      struct mt_choice *choice, bool *found, struct mt_error *err)
{
    struct state best, before;
    int status = evaluate(climb, start, &best, err);
    do {
        before = best;
        if (status == MT_OK)
            status = sweep(climb, &best, err);
    } while (status == MT_OK && climb->evaluations > 0 &&
             is_better(climb, &best, &before));
    *found = status == MT_OK && best.violation == 0;
    if (*found)
        *choice = best.choice;
    return status;
}

/* Climb with a part of the evaluations, and keep the result. */
static int climb_and_keep(struct mt_climb *climb, struct mt_plan *plan, int top,
                          const struct mt_configuration *start, int evaluations,
                          struct mt_error *err)
{
    struct mt_climb part = *climb;
    struct mt_choice choice;
    bool found;
    part.evaluations = evaluations;
    int status = climb_from(&part, start, &choice, &found, err);
    if (status == MT_OK && found)
        status = mt_plan_keep(plan, climb->question->objective, top, &choice, err);
    climb->evaluations -= evaluations - part.evaluations;
    return status;
}

/* As many nodes of the group as the share of it that is allowed. */
static struct mt_use use_share(const struct mt_group *group, double share, bool most)
{
    const int nodes = (int)(group->nodes * share);
    return mt_use_nodes(nodes, group->layouts[most ? group->nlayouts - 1 : 0]);
}

int mt_climb_from_scratch(struct mt_climb *climb, struct mt_plan *plan, int top,
                          struct mt_error *err)
{
    const struct mt_cluster *cluster = climb->predictor->problem.cluster;
    const int max_nodes = climb->question->max_nodes;
    const int part = climb->evaluations / (cluster->ngroups + 2) + 1;
    struct mt_configuration together[2] = {{{{0}}}};
    double all = 0;
    int status = MT_OK;
    for (int g = 0; g < cluster->ngroups; g++)
        all += cluster->groups[g].alone ? 0 : cluster->groups[g].nodes;
    for (int g = 0; g < cluster->ngroups && status == MT_OK; g++) {
        const struct mt_group *group = &cluster->groups[g];
        const double nodes = group->nodes;
        struct mt_configuration alone = {{{0}}};
        alone.use[g] = use_share(
            group, max_nodes > 0 && max_nodes < nodes ? max_nodes / nodes : 1, true);
        if (nodes > 0)
            status = climb_and_keep(climb, plan, top, &alone, part, err);
        const double share = max_nodes > 0 && max_nodes < all ? max_nodes / all : 1;
        for (int i = 0; i < 2 && !group->alone; i++)
            together[i].use[g] = use_share(group, share, i == 0);
    }
    for (int i = 0; i < 2 && status == MT_OK; i++)
        if (mt_configuration_nodes(&together[i]) > 0)
            status = climb_and_keep(climb, plan, top, &together[i], part, err);
    return status;
}
