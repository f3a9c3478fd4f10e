/* SPDX-License-Identifier: BSD-3-Clause */
#include "planning.h"

#include "motley/correct.h"
#include "motley/quantity.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* popt writes here; the numbers are those of options that are not given. */
static struct {
    const char *sizes;
    const char *model;
    const char *objective;
    const char *deadline;
    double budget;
    int max_nodes;
} wanted = {.budget = INFINITY, .max_nodes = INT_MAX};

struct poptOption mt_planning_options[] = {
    {"model", 0, POPT_ARG_STRING, &wanted.model, 0,
     "auto, n-t, p-t or np-t (default: auto)", "KIND"},
    {"objective", 0, POPT_ARG_STRING, &wanted.objective, 0,
     "fastest or cheapest (default: fastest)", "WORD"},
    {"deadline", 0, POPT_ARG_STRING, &wanted.deadline, 0,
     "only what takes no longer than this, as '90 s'", "TIME"},
    {"budget", 0, POPT_ARG_DOUBLE, &wanted.budget, 0,
     "only what costs no more, by the groups' prices", "COST"},
    {"max-nodes", 0, POPT_ARG_INT, &wanted.max_nodes, 0, "only what uses no more nodes",
     "NUMBER"},
    POPT_TABLEEND,
};

struct poptOption mt_planning_size_option[] = {
    {"size", 0, POPT_ARG_STRING, &wanted.sizes, 0, "problem size to plan for", "N"},
    POPT_TABLEEND,
};

struct poptOption mt_planning_sizes_option[] = {
    {"size", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem size to plan for; several: a map of the best for each", "N,N"},
    POPT_TABLEEND,
};

static int read_objective(enum mt_objective *objective, struct mt_error *err)
{
    if (!wanted.objective || strcmp(wanted.objective, "fastest") == 0)
        *objective = MT_FASTEST;
    else if (strcmp(wanted.objective, "cheapest") == 0)
        *objective = MT_CHEAPEST;
    else
        return mt_fail(err, MT_EINVAL,
                       "unknown objective: '%s' (known: fastest, cheapest)",
                       wanted.objective);
    return MT_OK;
}

static int read_deadline(double *deadline, struct mt_error *err)
{
    if (!wanted.deadline)
        return MT_OK;
    const int status = mt_quantity_parse(deadline, wanted.deadline, MT_SECONDS, err);
    if (status == MT_OK && *deadline == 0)
        return mt_fail(err, MT_EINVAL, "the deadline must be above 0: '%s'",
                       wanted.deadline);
    return status;
}

static int check_numbers(struct mt_error *err)
{
    if (!(wanted.budget > 0))
        return mt_fail(err, MT_EINVAL, "the budget must be above 0: '%g'",
                       wanted.budget);
    if (wanted.max_nodes < 1)
        return mt_fail(err, MT_EINVAL, "the number of nodes must be above 0: '%d'",
                       wanted.max_nodes);
    return MT_OK;
}

int mt_planning_read_sizes(double **sizes, int *count, struct mt_error *err)
{
    if (wanted.sizes)
        return mt_sizes_parse(sizes, count, wanted.sizes, err);
    *sizes = NULL;
    *count = 0;
    return MT_OK;
}

static int read_size(double *size, struct mt_error *err)
{
    double *sizes;
    int count;
    const int status = mt_planning_read_sizes(&sizes, &count, err);
    if (status != MT_OK)
        return status;
    if (count == 1)
        *size = sizes[0];
    free(sizes);
    if (count > 1)
        return mt_fail(err, MT_EINVAL, "--size takes one size here, not '%s'",
                       wanted.sizes);
    if (count < 1)
        return mt_fail(err, MT_EINVAL, "no problem size to plan for: give --size N");
    return MT_OK;
}

int mt_planning_read(struct mt_question *question, enum mt_model_kind *kind,
                     struct mt_error *err)
{
    double size = 0;
    int status = read_size(&size, err);
    if (status == MT_OK)
        status = mt_planning_read_limits(question, kind, err);
    if (status == MT_OK)
        question->size = size;
    return status;
}

int mt_planning_read_limits(struct mt_question *question, enum mt_model_kind *kind,
                            struct mt_error *err)
{
    struct mt_question read = {
        .budget = isinf(wanted.budget) ? 0 : wanted.budget,
        .max_nodes = wanted.max_nodes == INT_MAX ? 0 : wanted.max_nodes,
    };
    enum mt_model_kind model = MT_MODEL_AUTO;
    int status = check_numbers(err);
    if (status == MT_OK && wanted.model)
        status = mt_model_kind_parse(&model, wanted.model, err);
    if (status == MT_OK)
        status = read_objective(&read.objective, err);
    if (status == MT_OK)
        status = read_deadline(&read.deadline, err);
    if (status != MT_OK)
        return status;
    *question = read;
    *kind = model;
    return MT_OK;
}

/* Prices decide: without any, every configuration costs the same. */
static int check_prices(const struct mt_cluster *cluster,
                        const struct mt_question *question, struct mt_error *err)
{
    if (question->objective != MT_CHEAPEST && question->budget == 0)
        return MT_OK;
    for (int g = 0; g < cluster->ngroups; g++) {
        if (cluster->groups[g].price > 0)
            return MT_OK;
    }
    return mt_fail(err, MT_EINVAL,
                   "no group of cluster '%s' has a price: nothing is known about cost",
                   cluster->name);
}

enum { MOST_LEFT_OUT = 3 }; /* that are named; the others are counted */

static void say_left_out(int *count, const char *subject, const char *reason)
{
    if (++*count <= MOST_LEFT_OUT)
        fprintf(stderr, "motley: left out for want of a model: %s: %s\n", subject,
                reason);
}

/* What was refused a model, and what was not even measured. */
static void say_what_is_left_out(const struct mt_models *models,
                                 const struct mt_cluster *cluster)
{
    int count = 0;
    for (int i = 0; i < models->nrefused; i++)
        say_left_out(&count, models->refused[i].subject, models->refused[i].reason);
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        for (int i = 0; i < group->nprocesses && group->nodes > 0; i++) {
            char subject[128];
            if (mt_models_cover(models, group->name, group->processes[i]))
                continue;
            snprintf(subject, sizeof subject, "%s x%d", group->name,
                     group->processes[i]);
            say_left_out(&count, subject, "it was not measured alone");
        }
    }
    if (count > MOST_LEFT_OUT)
        fprintf(stderr, "motley: left out for want of a model: %d more\n",
                count - MOST_LEFT_OUT);
}

/* What was run at this size and always failed is not proposed again. */
static int leave_out_failed(struct mt_plan *plan, int *failed,
                            const struct mt_samples *samples, double size,
                            struct mt_error *err)
{
    int kept = 0;
    for (int i = 0; i < plan->count; i++)
        if (!mt_samples_failed(samples, &plan->choices[i].configuration, size))
            plan->choices[kept++] = plan->choices[i];
    *failed = plan->count - kept;
    plan->count = kept;
    return kept > 0 ? MT_OK
                    : mt_fail(err, MT_EINFEASIBLE,
                              "every configuration that is allowed was run at this "
                              "size, and failed");
}

int mt_planning_candidates(struct mt_plan *plan, int *failed,
                           const struct mt_knowledge *knowledge,
                           const struct mt_inputs *inputs,
                           const struct mt_question *question, struct mt_error *err)
{
    const struct mt_samples *samples = &knowledge->samples;
    struct mt_plan found = {0};
    int status = mt_plan_candidates(&found, &inputs->cluster, &inputs->program,
                                    &knowledge->models, question, samples->samples,
                                    samples->count, err);
    if (status == MT_OK)
        status = mt_plan_correct(&found, &inputs->cluster, &knowledge->evidence,
                                 question, err);
    if (status == MT_OK)
        status = leave_out_failed(&found, failed, samples, question->size, err);
    if (status == MT_OK)
        *plan = found;
    else
        mt_plan_clear(&found);
    return status;
}

int mt_planning_ready(struct mt_knowledge *knowledge, const struct mt_inputs *inputs,
                      enum mt_model_kind kind, const struct mt_question *question,
                      struct mt_error *err)
{
    int status = check_prices(&inputs->cluster, question, err);
    if (status == MT_OK)
        status = mt_knowledge_ready(knowledge, inputs, kind, err);
    if (status == MT_ERANK)
        return mt_fail(err, status, "%s; measure more: 'motley measure %s %s'",
                       err->text, inputs->cluster.path, inputs->program.path);
    if (status != MT_OK)
        return status;
    if (kind != MT_MODEL_NT)
        say_what_is_left_out(&knowledge->models, &inputs->cluster);
    return MT_OK;
}

int mt_planning_find(struct mt_plan *plan, int *failed,
                     const struct mt_knowledge *knowledge,
                     const struct mt_inputs *inputs, const struct mt_question *question,
                     bool all, struct mt_error *err)
{
    *failed = 0;
    if (knowledge->corrections > 0) {
        const int status =
            mt_planning_candidates(plan, failed, knowledge, inputs, question, err);
        if (status == MT_OK && !all)
            mt_plan_keep_top(plan, question->top > 0 ? question->top : 1);
        return status;
    }
    return all ? mt_plan_exhaustive(plan, &inputs->cluster, &inputs->program,
                                    &knowledge->models, question, true, err)
               : mt_plan_search(plan, &inputs->cluster, &inputs->program,
                                &knowledge->models, question, err);
}

int mt_planning_search(struct mt_plan *plan, struct mt_knowledge *knowledge,
                       const struct mt_inputs *inputs, enum mt_model_kind kind,
                       const struct mt_question *question, bool all,
                       struct mt_error *err)
{
    int failed = 0;
    int status = mt_planning_ready(knowledge, inputs, kind, question, err);
    if (status == MT_OK)
        status = mt_planning_find(plan, &failed, knowledge, inputs, question, all, err);
    if (failed > 0)
        fprintf(stderr,
                "motley: left out because all their runs at this size failed: %d\n",
                failed);
    return status;
}
