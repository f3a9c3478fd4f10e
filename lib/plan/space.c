/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of a plan: each group and layout with its time at P, or bounds of it. */
#include "space.h"

#include "lib/input/internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static bool is_of_region(struct mt_layout layout, struct mt_region region)
{
    return layout.bind == region.bind &&
           (region.threads == 0 || mt_layout_threads(layout) == region.threads);
}

static void add_options(struct mt_space *space, const struct mt_models *models, int g)
{
    const struct mt_group *group = &space->cluster->groups[g];
    const bool split = space->program->split != NULL;
    if (group->nodes == 0)
        return;
    for (int r = 0; r < MT_RESOURCES; r++)
        space->takes[r][g] = mt_node_takes(group, (enum mt_resource)r);
    for (int i = group->nlayouts - 1; i >= 0; i--) {
        const struct mt_layout layout = group->layouts[i];
        struct mt_option option = {
            .group = g,
            .layout = layout,
            .model = {mt_models_find_split(models, group->name, layout, split ? 0 : -1),
                      mt_models_find_split(models, group->name, layout,
                                           split ? 1 : -1)},
        };
        if (!is_of_region(layout, space->region))
            continue;
        if (option.model[0] || option.model[1])
            space->options[space->noptions++] = option;
    }
}

static bool is_on(const struct mt_cluster *cluster, int group, int island)
{
    return island == MT_MAINLAND ? !cluster->groups[group].alone : group == island;
}

int mt_space_init(struct mt_space *space, const struct mt_problem *problem,
                  const struct mt_question *question, struct mt_region region,
                  struct mt_error *err)
{
    const struct mt_cluster *cluster = problem->cluster;
    int choices = 0;
    double ranks = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        if (!is_on(cluster, g, region.island))
            continue;
        choices += group->nlayouts;
        ranks += (double)group->nodes * group->layouts[group->nlayouts - 1].processes;
    }
    struct mt_option *options = calloc((size_t)choices + 1, sizeof *options);
    if (!options)
        return mt_fail(err, MT_ENOMEM, "no memory for a plan's %d options", choices);

    *space =
        (struct mt_space){.cluster = cluster,
                          .program = problem->program,
                          .question = question,
                          .region = region,
                          .options = options,
                          .least = mt_objective_resource(question->objective),
                          .most_ranks = ranks < INT_MAX ? (int)ranks : INT_MAX - 1};
    for (int g = 0; g < cluster->ngroups; g++)
        if (is_on(cluster, g, region.island))
            add_options(space, problem->models, g);
    return MT_OK;
}

void mt_space_clear(struct mt_space *space)
{
    free(space->options);
    *space = (struct mt_space){0};
}

static double memory_of(const struct mt_space *space, const struct mt_option *option)
{
    return space->cluster->groups[option->group].memory;
}

bool mt_space_seconds(struct mt_space *space, int ranks, double *seconds)
{
    const struct mt_program *program = space->program;
    const struct mt_question *question = space->question;
    if (!mt_program_valid(program, question->size, ranks))
        return false;
    const int split = mt_models_split(program, ranks) == 1;

    bool any = false;
    for (int i = 0; i < space->noptions; i++) {
        const struct mt_option *option = &space->options[i];
        const double memory = memory_of(space, option);
        const int m = option->layout.processes;
        seconds[i] = INFINITY;
        if (!option->model[split] ||
            (memory > 0 &&
             m * mt_program_memory(program, question->size, ranks, m) > memory))
            continue;
        const double t = mt_model_seconds(option->model[split], question->size, ranks);
        space->evaluated++;
        if (isnan(t) || (question->deadline > 0 && t > question->deadline))
            continue;
        seconds[i] = t;
        any = true;
    }
    return any;
}

/* Bounds of an expression of the program; no expression: 1. */
static struct mt_range range_of(const struct mt_expr *expr, double size, int low,
                                int high, int processes)
{
    const struct mt_range box[MT_NVARIABLES] = {
        [MT_N] = {size, size},
        [MT_P] = {low, high},
        [MT_M] = {processes, processes},
    };
    return expr ? mt_expr_range(expr, box) : (struct mt_range){1, 1};
}

/* A lower bound of a model's seconds over a range of P, unless `seconds` is lower. */
static double lower_to(struct mt_space *space, const struct mt_model *model, int low,
                       int high, double seconds)
{
    if (!model)
        return seconds;
    space->evaluated++;
    const double bound = mt_model_range(model, space->question->size, low, high).low;
    return fmin(seconds, isnan(bound) ? 0 : bound);
}

bool mt_space_least_seconds(struct mt_space *space, int low, int high, double *seconds)
{
    const struct mt_program *program = space->program;
    const struct mt_question *question = space->question;
    const double size = question->size;
    const struct mt_range valid = range_of(program->valid, size, low, high, 0);
    if (valid.low == 0 && valid.high == 0)
        return false;

    bool any = false;
    for (int i = 0; i < space->noptions; i++) {
        const struct mt_option *option = &space->options[i];
        const double memory = memory_of(space, option);
        seconds[i] = INFINITY;
        if (program->memory && memory > 0) {
            const struct mt_range bytes =
                range_of(program->memory, size, low, high, option->layout.processes);
            if (option->layout.processes * bytes.low > memory)
                continue;
        }
        double t = lower_to(space, option->model[0], low, high, INFINITY);
        if (option->model[1] != option->model[0])
            t = lower_to(space, option->model[1], low, high, t);
        if (question->deadline > 0 && t > question->deadline)
            continue;
        seconds[i] = t;
        any |= t < INFINITY;
    }
    return any;
}
