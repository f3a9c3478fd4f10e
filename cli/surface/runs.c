/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"

#include "lib/base/argv.h"
#include "lib/math/median.h"
#include "motley/configuration.h"
#include "motley/scaling.h"
#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that are asked for. Zeroed: all. */
struct ranges {
    struct mt_span *spans; /* owned */
    int count;
};

/* Read "8" or "1:8", which ends at a comma or the end of the text; NULL: it is neither.
 */
static const char *read_span(struct mt_span *span, const char *text)
{
    char *end;
    span->low = span->high = strtod(text, &end);
    if (end == text)
        return NULL;
    if (*end == ':') {
        text = end + 1;
        span->high = strtod(text, &end);
        if (end == text)
            return NULL;
    }
    bool good = span->low > 0 && span->low <= span->high && isfinite(span->high);
    return good && (*end == ',' || !*end) ? end : NULL;
}

/* `text` may be NULL: all. */
static int read_ranges(struct ranges *ranges, const char *option, const char *text,
                       struct mt_error *err)
{
    if (!text)
        return MT_OK;
    /* There are at most as many as characters. */
    ranges->spans = calloc(strlen(text) + 1, sizeof *ranges->spans);
    if (!ranges->spans)
        return mt_fail(err, MT_ENOMEM, "no memory for a list of ranges");
    for (const char *at = text;; at++) {
        at = read_span(&ranges->spans[ranges->count++], at);
        if (!at)
            return mt_fail(err, MT_EINVAL,
                           "--%s: '%s' is no list of numbers above 0 and ranges such "
                           "as '1:8'",
                           option, text);
        if (!*at)
            return MT_OK;
    }
}

static bool contains(const struct ranges *ranges, double number)
{
    for (int i = 0; i < ranges->count; i++)
        if (number >= ranges->spans[i].low && number <= ranges->spans[i].high)
            return true;
    return ranges->count == 0;
}

/* What the options ask for. */
struct choice {
    int group; /* -1: any */
    struct ranges processes, nodes, sizes;
};

static void choice_clear(struct choice *choice)
{
    free(choice->processes.spans);
    free(choice->nodes.spans);
    free(choice->sizes.spans);
}

static int read_choice(struct choice *choice, const struct mt_cluster *cluster,
                       struct mt_error *err)
{
    const struct mt_surface_options *options = &mt_surface_options;
    const char *processes = options->processes ? options->processes : "1";
    if (options->group) {
        choice->group = mt_cluster_find_group(cluster, options->group);
        if (choice->group < 0)
            return mt_fail(err, MT_EINVAL, "cluster '%s' has no group '%s'",
                           cluster->name, options->group);
    }
    int status = read_ranges(&choice->processes, "processes", processes, err);
    if (status == MT_OK)
        status = read_ranges(&choice->nodes, "nodes", options->nodes, err);
    if (status == MT_OK)
        status = read_ranges(&choice->sizes, "size", options->sizes, err);
    return status;
}

/* The group of a run that is asked for; -1: it is not. */
static int wanted_group(const struct choice *choice, const struct mt_sample *sample)
{
    const struct mt_configuration *configuration = &sample->configuration;
    const int group = mt_configuration_only_group(configuration);
    if (group < 0 || (choice->group >= 0 && group != choice->group) ||
        !contains(&choice->processes, configuration->use[group].processes) ||
        !contains(&choice->nodes, mt_configuration_ranks(configuration)) ||
        !contains(&choice->sizes, sample->size))
        return -1;
    return group;
}

static int fail_without_runs(const struct mt_samples *samples,
                             const struct mt_inputs *inputs, struct mt_error *err)
{
    if (samples->count == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "no runs of '%s' on '%s' in '%s': 'motley measure' makes them",
                       inputs->program.name, inputs->cluster.name, mt_common.db);
    const struct mt_surface_options *options = &mt_surface_options;
    return mt_fail(err, MT_ENOTFOUND,
                   "none of the %d runs of '%s' on '%s' uses one group alone, with "
                   "these processes on a node: %s, nodes: %s, sizes: %s",
                   samples->count, inputs->program.name, inputs->cluster.name,
                   options->processes ? options->processes : "1",
                   options->nodes ? options->nodes : "any",
                   options->sizes ? options->sizes : "any");
}

/* Find the one group that the runs asked for are on. */
static int find_group(int *found, const struct choice *choice,
                      const struct mt_samples *samples, const struct mt_inputs *inputs,
                      struct mt_error *err)
{
    int only = -1;
    for (int i = 0; i < samples->count; i++) {
        const int group = wanted_group(choice, &samples->samples[i]);
        if (group >= 0 && only >= 0 && group != only)
            return mt_fail(err, MT_EINVAL,
                           "'%s' was run on '%s' and on '%s'; say which by --group",
                           inputs->program.name, inputs->cluster.groups[only].name,
                           inputs->cluster.groups[group].name);
        if (group >= 0)
            only = group;
    }
    if (only < 0)
        return fail_without_runs(samples, inputs, err);
    *found = only;
    return MT_OK;
}

static int compare_runs(const void *left, const void *right)
{
    const struct mt_learn_run *a = left, *b = right;
    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? -1 : 1;
    return (a->size > b->size) - (a->size < b->size);
}

/* Whether the shape has values there; `why` not. */
static int check_shape(const struct mt_shape *shape, double size, int ranks,
                       struct mt_error *why)
{
    struct mt_demand demand;
    if (!mt_shape_valid(shape, size, ranks))
        return mt_fail(why, MT_EINVAL, "'valid' does not hold at N = %.15g, P = %d",
                       size, ranks);
    return mt_shape_demand(&demand, shape, size, ranks, why);
}

/* Replace the repetitions, which are neighbours, by their median. */
static int merge_repetitions(struct mt_surface_runs *runs, struct mt_error *err)
{
    double *seconds = calloc((size_t)runs->count, sizeof *seconds);
    if (!seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    int kept = 0;
    for (int first = 0, end; first < runs->count; first = end) {
        struct mt_learn_run run = runs->runs[first];
        for (end = first; end < runs->count; end++) {
            const struct mt_learn_run *next = &runs->runs[end];
            if (next->ranks != run.ranks || next->size != run.size)
                break;
            seconds[end - first] = next->seconds;
        }
        run.seconds = mt_median(seconds, end - first);
        runs->runs[kept++] = run;
    }
    runs->count = kept;
    free(seconds);
    return MT_OK;
}

static int take_runs(struct mt_surface_runs *runs, const struct choice *choice,
                     const struct mt_samples *samples, const struct mt_shape *shape,
                     char ***warnings, struct mt_error *err)
{
    struct mt_error why;
    int left_out = 0;
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *sample = &samples->samples[i];
        const int ranks = mt_configuration_ranks(&sample->configuration);
        if (wanted_group(choice, sample) < 0)
            continue;
        if (check_shape(shape, sample->size, ranks, left_out ? NULL : &why) != MT_OK) {
            left_out++;
            continue;
        }
        const int processes = sample->configuration.use[runs->group].processes;
        if (processes > runs->processes)
            runs->processes = processes;
        runs->runs[runs->count++] = (struct mt_learn_run){
            .size = sample->size, .ranks = ranks, .seconds = sample->seconds};
    }
    if (runs->count == 0)
        return mt_fail(err, MT_EINVAL, "none of the %d runs can be used: %s", left_out,
                       why.text);
    runs->made = runs->count;
    qsort(runs->runs, (size_t)runs->count, sizeof *runs->runs, compare_runs);
    const int status = merge_repetitions(runs, err);
    if (status != MT_OK || left_out == 0)
        return status;
    return mt_argv_add(warnings, err, "runs that are left out: %d: %s", left_out,
                       why.text);
}

static int choose_runs(struct mt_surface_runs *runs, const struct choice *choice,
                       const struct mt_inputs *inputs, const struct mt_samples *samples,
                       const struct mt_shape *shape, char ***warnings,
                       struct mt_error *err)
{
    int status = MT_OK;
    runs->runs = calloc((size_t)samples->count + 1, sizeof *runs->runs);
    if (!runs->runs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
    if (samples->left_out > 0)
        status = mt_argv_add(warnings, err,
                             "runs that are left out: %d: '%s' has not got their "
                             "configurations",
                             samples->left_out, inputs->cluster.name);
    if (status == MT_OK)
        status = find_group(&runs->group, choice, samples, inputs, err);
    if (status == MT_OK)
        status = take_runs(runs, choice, samples, shape, warnings, err);
    if (status != MT_OK)
        mt_surface_runs_clear(runs);
    return status;
}

int mt_surface_runs_load(struct mt_surface_runs *runs, const struct mt_inputs *inputs,
                         const struct mt_shape *shape, char ***warnings,
                         struct mt_error *err)
{
    struct mt_samples samples = {0};
    struct choice choice = {.group = -1};
    int status = read_choice(&choice, &inputs->cluster, err);
    if (status == MT_OK)
        status = mt_samples_input(&samples, mt_common.db, inputs, err);
    if (status == MT_OK)
        status = choose_runs(runs, &choice, inputs, &samples, shape, warnings, err);
    mt_samples_clear(&samples);
    choice_clear(&choice);
    return status;
}

void mt_surface_runs_clear(struct mt_surface_runs *runs)
{
    free(runs->runs);
    *runs = (struct mt_surface_runs){0};
}

void mt_surface_warn(char *const *warnings)
{
    for (; warnings && *warnings; warnings++)
        fprintf(stderr, "motley: warning: %s\n", *warnings);
}
