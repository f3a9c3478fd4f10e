/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts the runs of a fit and drops outliers. */
#include "fit_runs.h"

#include "internal.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check(const struct mt_sample *sample, int ranks, struct mt_error *err)
{
    if (ranks <= 0)
        return mt_fail(err, MT_EINVAL, "a run uses no node");
    if (!isfinite(sample->size) || sample->size <= 0)
        return mt_fail(err, MT_EINVAL, "size of a run is not positive: '%g'",
                       sample->size);
    if (!isfinite(sample->seconds) || sample->seconds <= 0)
        return mt_fail(err, MT_EINVAL,
                       "time of a run is not positive: '%g' s at N = %g, P = %d",
                       sample->seconds, sample->size, ranks);
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
    return check(sample, ranks, err);
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

static bool is_wanted(const struct mt_sample *sample,
                      const struct mt_fit_options *options)
{
    for (int i = 0; i < options->nsizes; i++)
        if (options->sizes[i] == sample->size)
            return true;
    return options->nsizes == 0;
}

int mt_fit_runs_init(struct mt_fit_runs *runs, const struct mt_fit_task *task,
                     const struct mt_samples *samples, struct mt_error *err)
{
    struct mt_fit_run *all = calloc((size_t)samples->count, sizeof *all);
    if (!all)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", samples->count);
    int count = 0, status = MT_OK;
    for (int i = 0; i < samples->count && status == MT_OK; i++)
        if (is_wanted(&samples->samples[i], task->options))
            status = observe(&all[count++], &samples->samples[i], task, err);
    if (status == MT_OK && count == 0)
        status = mt_fail(err, MT_ENOTFOUND, "no runs at the training sizes");
    if (status != MT_OK) {
        free(all);
        return status;
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    *runs = (struct mt_fit_runs){.all = all, .count = count};
    return MT_OK;
}

void mt_fit_runs_clear(struct mt_fit_runs *runs)
{
    free(runs->all);
    *runs = (struct mt_fit_runs){0};
}

int mt_configuration_end(const struct mt_fit_run *all, int count, int first)
{
    int end = first + 1;
    while (end < count && compare_configurations(&all[first], &all[end]) == 0)
        end++;
    return end;
}

int mt_repetitions_end(const struct mt_fit_run *all, int count, int first)
{
    const int same = mt_configuration_end(all, count, first);
    int end = first + 1;
    while (end < same && all[end].sample->size == all[first].sample->size)
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

/* Mark the glitches among the runs first .. end - 1 of one configuration (sorted by
   N) in `glitch`: their performance as a share of the best at smaller N; otherwise 0.
   Returns how many there are. */
static int mark_glitches(const struct mt_fit_run *all, int first, int end, double k,
                         const struct mt_program *program, double *glitch)
{
    double best = 0, best_of_smaller = 0;
    int count = 0;
    for (int i = first; i < end; i++) {
        const struct mt_sample *run = all[i].sample;
        if (i > first && run->size > all[i - 1].sample->size)
            best_of_smaller = best;
        const double performance =
            mt_program_work(program, run->size, all[i].ranks) / run->seconds;
        glitch[i] = 0;
        if (best_of_smaller > 0 && performance <= k * best_of_smaller) {
            glitch[i] = performance / best_of_smaller;
            count++;
        }
        best = fmax(best, performance);
    }
    return count;
}

/* Take the marked runs out and list them. */
static int drop_marked(struct mt_fit_runs *runs, const double *glitch,
                       const struct mt_fit_task *task, struct mt_error *err)
{
    struct mt_fit_run *all = runs->all;
    int kept = 0;
    for (int i = 0; i < runs->count; i++) {
        if (glitch[i] == 0) {
            all[kept++] = all[i];
            continue;
        }
        struct mt_error reason;
        mt_fail(&reason, MT_OK,
                "its performance is %.2f of the best at a smaller N (limit %g)",
                glitch[i], task->options->glitch_k);
        const int status = mt_models_drop(task->models, task->cluster, all[i].sample,
                                          reason.text, err);
        if (status != MT_OK)
            return status;
    }
    runs->count = kept;
    return MT_OK;
}

/* Whether models of the kind are fitted from such a run. */
static bool is_used(const struct mt_fit_run *run, enum mt_model_kind kind)
{
    if (kind == MT_MODEL_PT || kind == MT_MODEL_NPT)
        return run->group >= 0 && run->nodes >= 2;
    return true;
}

int mt_fit_runs_drop_glitches(struct mt_fit_runs *runs, const struct mt_fit_task *task,
                              struct mt_error *err)
{
    const struct mt_fit_options *options = task->options;
    if (!task->program->work)
        return mt_fail(err, MT_EINVAL,
                       "glitches cannot be told without the program's work: '%s'",
                       task->program->name);
    struct mt_fit_run *all = runs->all;
    double *glitch = calloc((size_t)runs->count, sizeof *glitch);
    if (!glitch)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d runs", runs->count);
    for (int i = 0, end; i < runs->count; i = end) {
        end = mt_configuration_end(all, runs->count, i);
        if (!is_used(&all[i], options->kind))
            continue;
        const int count =
            mark_glitches(all, i, end, options->glitch_k, task->program, glitch);
        for (int j = i; j < end; j++)
            all[j].glitches = count;
    }
    const int status = drop_marked(runs, glitch, task, err);
    free(glitch);
    return status;
}
