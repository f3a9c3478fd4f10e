/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the runs of a fit and drops outliers. */
#include "fit.h"
#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check(const struct mt_sample *sample, int ranks,
                 const struct mt_fit_task *task, struct mt_error *err)
{
    const struct mt_program *program = task->program;
    if (ranks <= 0)
        return mt_fail(err, MT_EINVAL, "a run uses no node");
    if (!isfinite(sample->size) || sample->size <= 0)
        return mt_fail(err, MT_EINVAL, "size of a run is not positive: '%g'",
                       sample->size);
    if (!isfinite(sample->seconds) || sample->seconds <= 0)
        return mt_fail(err, MT_EINVAL,
                       "time of a run is not positive: '%g' s at N = %g, P = %d",
                       sample->seconds, sample->size, ranks);
    if (task->options->kind != MT_MODEL_AUTO || !program->work)
        return MT_OK;
    const double work = mt_program_work(program, sample->size, ranks);
    if (!isfinite(work) || work <= 0)
        return mt_fail(err, MT_EINVAL,
                       "the work of '%s' is not positive: '%g' at N = %g, P = %d, "
                       "where a run was made",
                       program->name, work, sample->size, ranks);
    return MT_OK;
}

static int observe(struct mt_fit_run *run, const struct mt_sample *sample,
                   const struct mt_fit_task *task, struct mt_error *err)
{
    const struct mt_configuration *configuration = &sample->configuration;
    const int group = mt_configuration_only_group(configuration);
    const int ranks = mt_configuration_ranks(configuration);
    const bool splits = mt_fit_splits(task->program, task->options);
    *run = (struct mt_fit_run){
        .sample = sample,
        .group = group,
        .nodes = mt_configuration_nodes(configuration),
        .ranks = ranks,
        .split = splits ? mt_models_split(task->program, ranks) : -1,
    };
    if (group >= 0)
        run->layout = configuration->use[group].layout;
    return check(sample, ranks, task, err);
}

static int compare_classes(const struct mt_fit_run *a, const struct mt_fit_run *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    const int order = mt_layout_compare(a->layout, b->layout);
    if (order != 0)
        return order;
    return (a->split > b->split) - (a->split < b->split);
}

static int compare_configurations(const struct mt_fit_run *a,
                                  const struct mt_fit_run *b)
{
    const int order = compare_classes(a, b);
    if (order != 0)
        return order;
    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? -1 : 1;
    return memcmp(&a->sample->configuration, &b->sample->configuration,
                  sizeof a->sample->configuration);
}

static int compare(const void *left, const void *right)
{
    const struct mt_fit_run *a = left, *b = right;
    const int order = compare_configurations(a, b);
    if (order != 0)
        return order;
    if (a->sample->size != b->sample->size)
        return a->sample->size < b->sample->size ? -1 : 1;
    return (a->sample->seconds > b->sample->seconds) -
           (a->sample->seconds < b->sample->seconds);
}

int mt_fit_take_runs(struct mt_fit_task *task, const struct mt_samples *samples,
                     struct mt_error *err)
{
    const struct mt_fit_options *options = task->options;
    int status = MT_OK;
    task->runs = calloc((size_t)samples->count, sizeof *task->runs);
    if (!task->runs)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", samples->count);
    for (int i = 0; i < samples->count && status == MT_OK; i++)
        if (options->nsizes == 0 ||
            mt_sizes_contain(options->sizes, options->nsizes, samples->samples[i].size))
            status =
                observe(&task->runs[task->count++], &samples->samples[i], task, err);
    if (status == MT_OK && task->count == 0)
        status = mt_fail(err, MT_ENOTFOUND, "no runs at the training sizes");
    qsort(task->runs, (size_t)task->count, sizeof *task->runs, compare);
    return status;
}

int mt_configuration_end(const struct mt_fit_run *all, int count, int first)
{
    int end = first + 1;
    while (end < count && compare_configurations(&all[first], &all[end]) == 0)
        end++;
    return end;
}

int mt_class_end(const struct mt_fit_run *all, int count, int first)
{
    int end = first + 1;
    while (end < count && compare_classes(&all[first], &all[end]) == 0)
        end++;
    return end;
}

/*
 * Glitches.
 */

/* List a run as left out, with its performance as a share of the best. */
static int drop(const struct mt_fit_task *task, const struct mt_sample *sample,
                double share, struct mt_error *err)
{
    struct mt_models *models = task->models;
    int status = mt_array_grow(&models->dropped, models->ndropped,
                               sizeof *models->dropped, "runs", err);
    if (status != MT_OK)
        return status;
    struct mt_dropped dropped = {
        .configuration = mt_configuration_format(&sample->configuration, task->cluster),
        .size = sample->size,
        .seconds = sample->seconds};
    if (asprintf(&dropped.reason,
                 "its performance is %.2f of the best at a smaller N (limit %g)", share,
                 task->options->glitch_k) < 0)
        dropped.reason = NULL;
    models->dropped[models->ndropped++] = dropped;
    return dropped.configuration && dropped.reason
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for the runs left out");
}

/* Whether models of the kind are fitted to the run. */
static bool is_used(const struct mt_fit_run *run, enum mt_model_kind kind)
{
    if (kind == MT_MODEL_PT || kind == MT_MODEL_NPT)
        return run->group >= 0 && run->nodes >= 2;
    return true;
}

/* Append the runs of one configuration, which are sorted by N, to the `*kept` first of
   the task, without those whose performance is far below the best at a smaller N. */
static int keep(const struct mt_fit_task *task, int first, int end, int *kept,
                struct mt_error *err)
{
    const bool used = is_used(&task->runs[first], task->options->kind);
    const int begin = *kept;
    double best = 0, best_of_smaller = 0, last_size = task->runs[first].sample->size;
    for (int i = first; i < end; i++) {
        const struct mt_sample *run = task->runs[i].sample;
        if (run->size > last_size)
            best_of_smaller = best;
        last_size = run->size;
        const double performance =
            mt_program_work(task->program, run->size, task->runs[i].ranks) /
            run->seconds;
        best = fmax(best, performance);
        if (!used || best_of_smaller <= 0 ||
            performance > task->options->glitch_k * best_of_smaller) {
            task->runs[(*kept)++] = task->runs[i];
            continue;
        }
        const int status = drop(task, run, performance / best_of_smaller, err);
        if (status != MT_OK)
            return status;
    }
    for (int i = begin; i < *kept; i++)
        task->runs[i].glitches = end - first - (*kept - begin);
    return MT_OK;
}

int mt_fit_drop_glitches(struct mt_fit_task *task, struct mt_error *err)
{
    int kept = 0, status = MT_OK;
    if (!task->program->work)
        return mt_fail(err, MT_EINVAL,
                       "glitches cannot be told without the program's work: '%s'",
                       task->program->name);
    for (int i = 0, end; i < task->count && status == MT_OK; i = end) {
        end = mt_configuration_end(task->runs, task->count, i);
        status = keep(task, i, end, &kept, err);
    }
    task->count = kept;
    return status;
}
