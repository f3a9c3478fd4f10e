/* SPDX-License-Identifier: BSD-3-Clause */
#include "explain.h"

#include <stdbool.h>

/* Of larger P only this many are looked at for a reason. */
enum { MOST_RANKS = 100000 };

/* Whose plan is to be explained. */
struct unplanned {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_models *models;
    const struct mt_question *question;
};

/* The best choice for a question with fewer constraints; `found`: there is one. */
static int best_without(const struct unplanned *c, struct mt_question question,
                        bool *found, struct mt_choice *best, struct mt_error *err)
{
    struct mt_plan plan = {0};
    question.top = 1;
    const int status =
        mt_plan_find(&plan, c->cluster, c->program, c->models, &question, err);
    *found = status == MT_OK && plan.count > 0;
    if (*found)
        *best = plan.choices[0];
    mt_plan_clear(&plan);
    return status;
}

static int most_ranks(const struct mt_cluster *cluster)
{
    double ranks = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        ranks += (double)group->nodes * group->processes[group->nprocesses - 1];
    }
    return ranks < MOST_RANKS ? (int)ranks : MOST_RANKS;
}

/* Whether a process of so many fits on a node of some group. */
static bool fits_somewhere(const struct mt_cluster *cluster,
                           const struct mt_program *program, double size, int ranks)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        for (int i = 0; i < group->nprocesses; i++) {
            const int m = group->processes[i];
            if (group->memory == 0 ||
                !(m * mt_program_memory(program, size, ranks, m) > group->memory))
                return true;
        }
    }
    return false;
}

/* No constraint of the question is to blame. */
static int explain_program(const struct mt_cluster *cluster,
                           const struct mt_program *program,
                           const struct mt_models *models, double size,
                           struct mt_error *err)
{
    const int most = most_ranks(cluster);
    bool valid = false, fits = false;
    for (int ranks = 1; ranks <= most && !fits; ranks++) {
        if (!mt_program_valid(program, size, ranks))
            continue;
        valid = true;
        fits = fits_somewhere(cluster, program, size, ranks);
    }
    if (!valid)
        return mt_fail(err, MT_EINFEASIBLE,
                       "no number of processes up to %d is valid at N = %g: '%s'", most,
                       size, mt_expr_text(program->valid));
    if (!fits)
        return mt_fail(err, MT_EINFEASIBLE,
                       "no node has the memory for a process at N = %g: '%s'", size,
                       mt_expr_text(program->memory));
    return mt_fail(err, MT_EINFEASIBLE,
                   "the %s models predict no configuration that fits at N = %g",
                   mt_model_kind_name(models->kind), size);
}

/* These return MT_OK when the constraint is not there, or not alone to blame. */
static int blame_deadline(const struct unplanned *c, struct mt_error *err)
{
    struct mt_question relaxed = *c->question;
    relaxed.objective = MT_FASTEST;
    relaxed.deadline = 0;
    if (c->question->deadline <= 0)
        return MT_OK;
    struct mt_choice best;
    bool found;
    const int status = best_without(c, relaxed, &found, &best, err);
    if (status != MT_OK || !found)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   "no configuration meets the deadline of %g s: the fastest takes "
                   "%.4g s",
                   c->question->deadline, best.prediction.seconds);
}

static int blame_budget(const struct unplanned *c, struct mt_error *err)
{
    struct mt_question relaxed = *c->question;
    relaxed.objective = MT_CHEAPEST;
    relaxed.budget = 0;
    if (c->question->budget <= 0)
        return MT_OK;
    struct mt_choice best;
    bool found;
    const int status = best_without(c, relaxed, &found, &best, err);
    if (status != MT_OK || !found)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   "no configuration stays within the budget of %g: the cheapest "
                   "costs %.4g",
                   c->question->budget, best.cost);
}

static int blame_max_nodes(const struct unplanned *c, struct mt_error *err)
{
    struct mt_question relaxed = *c->question;
    relaxed.max_nodes = 0;
    if (c->question->max_nodes <= 0)
        return MT_OK;
    struct mt_choice best;
    bool found;
    const int status = best_without(c, relaxed, &found, &best, err);
    if (status != MT_OK || !found)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   "no configuration gets by with %d nodes; one with %d would do",
                   c->question->max_nodes, best.nodes);
}

static int blame_all_together(const struct unplanned *c, struct mt_error *err)
{
    const struct mt_question relaxed = {.size = c->question->size,
                                        .objective = c->question->objective};
    struct mt_choice best;
    bool found;
    const int status = best_without(c, relaxed, &found, &best, err);
    if (status != MT_OK || !found)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   "deadline, budget and number of nodes cannot be kept together; "
                   "without them %.4g s on %d nodes would do",
                   best.prediction.seconds, best.nodes);
}

int mt_plan_explain(const struct mt_cluster *cluster, const struct mt_program *program,
                    const struct mt_models *models, const struct mt_question *question,
                    struct mt_error *err)
{
    const struct unplanned c = {cluster, program, models, question};
    int status = blame_deadline(&c, err);
    if (status == MT_OK)
        status = blame_budget(&c, err);
    if (status == MT_OK)
        status = blame_max_nodes(&c, err);
    if (status == MT_OK)
        status = blame_all_together(&c, err);
    if (status == MT_OK)
        status = explain_program(cluster, program, models, question->size, err);
    return status;
}
