/* SPDX-License-Identifier: BSD-3-Clause */
/* A measurement without a limit: its runs, and the expected time of runs. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "motley/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More tasks than this are a mistake, such as "all" of a large cluster, and so is a
   longer list of configurations, even if the program cannot run on them. */
enum { MOST_TASKS = 100 * 1000, MOST_CONFIGURATIONS = 1000 * 1000 };

int mt_tasks_add(struct mt_tasks *tasks, const struct mt_task *task,
                 struct mt_error *err)
{
    if (tasks->count == MOST_TASKS)
        return mt_fail(err, MT_EINVAL,
                       "these are more than %d runs: choose fewer configurations, "
                       "sizes or repetitions",
                       MOST_TASKS);
    const int status =
        mt_array_grow(&tasks->tasks, tasks->count, sizeof *tasks->tasks, "runs", err);
    if (status == MT_OK)
        tasks->tasks[tasks->count++] = *task;
    return status;
}

void mt_tasks_clear(struct mt_tasks *tasks)
{
    free(tasks->tasks);
    *tasks = (struct mt_tasks){0};
}

/* A measurement whose tasks are being added. */
struct request {
    const struct mt_measurement *of;
    int first, listed; /* the tasks in between are of configurations listed before */
};

/* Whether the list, as "homogeneous,xeon:1x1", has named the configuration before. */
static bool is_listed(const struct mt_tasks *tasks, const struct request *request,
                      const struct mt_configuration *configuration)
{
    for (int i = request->first; i < request->listed; i++)
        if (mt_configuration_equal(&tasks->tasks[i].configuration, configuration))
            return true;
    return false;
}

static int add_configuration(struct mt_tasks *tasks, const struct request *request,
                             const struct mt_configuration *configuration,
                             struct mt_error *err)
{
    int status = MT_OK;
    if (is_listed(tasks, request, configuration))
        return MT_OK;
    for (int i = 0; i < request->of->nsizes; i++) {
        struct mt_task task = {.configuration = *configuration,
                               .size = request->of->sizes[i]};
        if (!mt_plan_fits(request->of->cluster, request->of->program, configuration,
                          task.size))
            continue;
        for (int r = 1; status == MT_OK && r <= request->of->repeat; r++) {
            task.repetition = r;
            status = mt_tasks_add(tasks, &task, err);
        }
    }
    return status;
}

/* The number of nodes to measure after `nodes`: 1..8, 12, 16, 24, 32, ..., all. */
static int next_nodes(int nodes, int all)
{
    if (nodes == all)
        return all + 1;
    int next = nodes + 1;
    if (nodes >= 8) { /* 2^k is followed by 3 * 2^(k-1), that by 2^(k+1) */
        bool power_of_two = (nodes & (nodes - 1)) == 0;
        next = power_of_two ? nodes + nodes / 2 : nodes / 3 * 4;
    }
    return next < all ? next : all;
}

/* Likewise for layouts with threads, which are many: powers of two and all nodes, and
   if cores stay idle, one node and all. */
static int next_nodes_of(const struct mt_group *group, struct mt_layout layout,
                         int nodes)
{
    if (layout.threads == 0)
        return next_nodes(nodes, group->nodes);
    if (nodes == group->nodes)
        return nodes + 1;
    return mt_group_leaves_cores(group, layout) || 2 * nodes >= group->nodes
               ? group->nodes
               : 2 * nodes;
}

static int add_homogeneous(struct mt_tasks *tasks, const struct request *request,
                           struct mt_error *err)
{
    int status = MT_OK;
    for (int g = 0; g < request->of->cluster->ngroups; g++) {
        const struct mt_group *group = &request->of->cluster->groups[g];
        for (int m = 0; m < group->nlayouts; m++) {
            const struct mt_layout layout = group->layouts[m];
            for (int nodes = 1; status == MT_OK && nodes <= group->nodes;
                 nodes = next_nodes_of(group, layout, nodes)) {
                struct mt_configuration configuration = {0};
                configuration.use[g] = mt_use_nodes(nodes, layout);
                status = add_configuration(tasks, request, &configuration, err);
            }
        }
    }
    return status;
}

static int add_all(struct mt_tasks *tasks, const struct request *request,
                   struct mt_error *err)
{
    int count = 0, status = MT_OK;
    struct mt_configuration configuration = {0};
    while (status == MT_OK &&
           mt_configuration_next(&configuration, request->of->cluster))
        status = ++count > MOST_CONFIGURATIONS
                     ? mt_fail(err, MT_EINVAL, "'all' are more than %d configurations",
                               MOST_CONFIGURATIONS)
                     : add_configuration(tasks, request, &configuration, err);
    return status;
}

static int add_word(struct mt_tasks *tasks, const struct request *request,
                    const char *word, struct mt_error *err)
{
    if (!strcmp(word, "homogeneous"))
        return add_homogeneous(tasks, request, err);
    if (!strcmp(word, "all"))
        return add_all(tasks, request, err);
    struct mt_configuration configuration;
    int status =
        mt_configuration_parse(&configuration, request->of->cluster, word, err);
    if (status == MT_OK)
        status = mt_configuration_check(&configuration, request->of->cluster, err);
    if (status == MT_OK)
        status = add_configuration(tasks, request, &configuration, err);
    return status;
}

int mt_tasks_plan(struct mt_tasks *tasks, const struct mt_measurement *measurement,
                  struct mt_error *err)
{
    struct request request = {.of = measurement, .first = tasks->count};
    int status = MT_OK;
    for (const char *at = measurement->configurations; status == MT_OK && at;) {
        size_t length = strcspn(at, ",");
        request.listed = tasks->count;
        char *word = strndup(at, length);
        status = word ? add_word(tasks, &request, word, err)
                      : mt_fail(err, MT_ENOMEM, "no memory for a configuration");
        free(word);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (status == MT_OK && tasks->count == request.first)
        status = mt_fail(err, MT_EINVAL,
                         "program '%s' may not run at any of these sizes on '%s': its "
                         "'valid' or the nodes' memory excludes them",
                         measurement->program->name, measurement->configurations);
    return status;
}

/*
 * Expected seconds.
 */

double mt_estimate_work(const struct mt_program *program, double size)
{
    double work = mt_program_work(program, size, 1);
    return work > 0 ? work : size;
}

void mt_estimate_add(struct mt_estimate *estimate, double work, double seconds)
{
    estimate->runs++;
    estimate->seconds += seconds;
    estimate->work += work;
    estimate->seconds_work += seconds * work;
    estimate->work_work += work * work;
    estimate->most_work = fmax(estimate->most_work, work);
}

double mt_estimate_seconds(const struct mt_estimate *estimate, double work)
{
    if (estimate->runs == 0)
        return NAN;
    const double n = estimate->runs;
    const double mean_seconds = estimate->seconds / n, mean_work = estimate->work / n;
    const double variance = estimate->work_work / n - mean_work * mean_work;
    const double covariance = estimate->seconds_work / n - mean_seconds * mean_work;
    if (covariance <= 0 || variance <= 1e-12 * mean_work * mean_work)
        return mean_seconds;
    const double b = covariance / variance;
    const double a = mean_seconds - b * mean_work;
    if (a < 0)
        return estimate->seconds_work / estimate->work_work * work;
    return a + b * work;
}

bool mt_estimate_covers(const struct mt_estimate *estimate, double work)
{
    return work <= estimate->most_work;
}
