/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the runs that a machine is learned from. */
#include "internal.h"
#include "lib/base/argv.h"
#include "lib/base/number.h"
#include "lib/input/internal.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Read "8" or "1:8", which ends at a comma or the end of the text; NULL: it is neither.
 */
static const char *read_span(struct mt_span *span, const char *text)
{
    const char *end = mt_number_read(text, &span->low);
    if (!end)
        return NULL;
    span->high = span->low;
    if (*end == ':' && !(end = mt_number_read(end + 1, &span->high)))
        return NULL;
    bool good = span->low > 0 && span->low <= span->high && isfinite(span->high);
    return good && (*end == ',' || !*end) ? end : NULL;
}

int mt_ranges_parse(struct mt_ranges *ranges, const char *text, struct mt_error *err)
{
    struct mt_ranges read = {.text = text};
    /* At most one range per character. */
    read.spans = calloc(strlen(text) + 1, sizeof *read.spans);
    if (!read.spans)
        return mt_fail(err, MT_ENOMEM, "no memory for a list of ranges");
    const char *end = text;
    do
        end = read_span(&read.spans[read.count++], end);
    while (end && *end++);
    if (!end) {
        mt_ranges_clear(&read);
        return mt_fail(err, MT_EINVAL,
                       "'%s' is not a list of numbers above 0 and ranges such as '1:8'",
                       text);
    }
    *ranges = read;
    return MT_OK;
}

void mt_ranges_clear(struct mt_ranges *ranges)
{
    free(ranges->spans);
    *ranges = (struct mt_ranges){0};
}

static bool contains(const struct mt_ranges *ranges, double number)
{
    for (int i = 0; i < ranges->count; i++)
        if (number >= ranges->spans[i].low && number <= ranges->spans[i].high)
            return true;
    return ranges->count == 0;
}

static const char *ranges_text(const struct mt_ranges *ranges)
{
    return ranges->text ? ranges->text : "any";
}

/* The sample's group, if it is asked for; otherwise -1. */
static int wanted_group(const struct mt_group_runs_query *query,
                        const struct mt_sample *sample)
{
    const struct mt_configuration *configuration = &sample->configuration;
    const int group = mt_configuration_only_group(configuration);
    if (group < 0 ||
        (query->group &&
         strcmp(query->cluster->groups[group].name, query->group) != 0) ||
        !contains(&query->processes, configuration->use[group].layout.processes) ||
        !contains(&query->nodes, mt_configuration_ranks(configuration)) ||
        !contains(&query->sizes, sample->size))
        return -1;
    return group;
}

static int fail_without_runs(const struct mt_samples *samples,
                             const struct mt_group_runs_query *query,
                             struct mt_error *err)
{
    const char *program = query->program->name, *cluster = query->cluster->name;
    if (samples->count == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "no runs of '%s' on '%s' in '%s': 'motley measure' makes them",
                       program, cluster, samples->store);
    return mt_fail(err, MT_ENOTFOUND,
                   "none of the %d runs of '%s' on '%s' uses one group alone, with "
                   "these processes on a node: %s, nodes: %s, sizes: %s",
                   samples->count, program, cluster, ranges_text(&query->processes),
                   ranges_text(&query->nodes), ranges_text(&query->sizes));
}

/* Find the only group of the requested runs. */
static int find_group(int *found, const struct mt_samples *samples,
                      const struct mt_group_runs_query *query, struct mt_error *err)
{
    const struct mt_group *groups = query->cluster->groups;
    int only = -1;
    if (query->group && mt_cluster_find_group(query->cluster, query->group) < 0)
        return mt_fail(err, MT_EINVAL, "cluster '%s' has no group '%s'",
                       query->cluster->name, query->group);
    for (int i = 0; i < samples->count; i++) {
        const int group = wanted_group(query, &samples->samples[i]);
        if (group >= 0 && only >= 0 && group != only)
            return mt_fail(err, MT_EINVAL,
                           "'%s' was run on '%s' and on '%s'; say which by --group",
                           query->program->name, groups[only].name, groups[group].name);
        if (group >= 0)
            only = group;
    }
    if (only < 0)
        return fail_without_runs(samples, query, err);
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

/* Whether the shape has values there; `why` receives the reason if not. */
static int check_shape(const struct mt_shape *shape, double size, int ranks,
                       struct mt_error *why)
{
    struct mt_demand demand;
    if (!mt_shape_valid(shape, size, ranks))
        return mt_fail(why, MT_EINVAL, "'valid' does not hold at N = %.15g, P = %d",
                       size, ranks);
    return mt_shape_demand(&demand, shape, size, ranks, why);
}

/* Sort the runs, and merge repetitions, which are then neighbours. */
static int merge_repetitions(struct mt_group_runs *runs, bool simulated,
                             struct mt_error *err)
{
    double *seconds = calloc((size_t)runs->count, sizeof *seconds);
    if (!seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    qsort(runs->runs, (size_t)runs->count, sizeof *runs->runs, compare_runs);
    int kept = 0;
    for (int first = 0, end; first < runs->count; first = end) {
        struct mt_learn_run run = runs->runs[first];
        double fastest = INFINITY;
        for (end = first; end < runs->count; end++) {
            const struct mt_learn_run *next = &runs->runs[end];
            if (next->ranks != run.ranks || next->size != run.size)
                break;
            seconds[end - first] = next->seconds;
            fastest = fmin(fastest, next->seconds);
        }
        run.seconds = simulated ? mt_median(seconds, end - first) : fastest;
        runs->runs[kept++] = run;
    }
    runs->count = kept;
    free(seconds);
    return MT_OK;
}

/* Add the sample's run if the shape has values there; `why` receives the reason if
   not. */
static int add_run(struct mt_group_runs *runs, const struct mt_sample *sample,
                   const struct mt_shape *shape, struct mt_error *why)
{
    const int ranks = mt_configuration_ranks(&sample->configuration);
    const int processes = sample->configuration.use[runs->group].layout.processes;
    const int status = check_shape(shape, sample->size, ranks, why);
    if (status != MT_OK)
        return status;
    if (processes > runs->processes)
        runs->processes = processes;
    runs->runs[runs->count++] = (struct mt_learn_run){
        .size = sample->size, .ranks = ranks, .seconds = sample->seconds};
    return MT_OK;
}

static int add_runs(struct mt_group_runs *runs, const struct mt_samples *samples,
                    const struct mt_group_runs_query *query, struct mt_error *err)
{
    struct mt_error why;
    int left_out = 0;
    runs->runs = calloc((size_t)samples->count, sizeof *runs->runs);
    if (!runs->runs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", samples->count);
    for (int i = 0; i < samples->count; i++) {
        const struct mt_sample *sample = &samples->samples[i];
        if (wanted_group(query, sample) >= 0)
            left_out +=
                add_run(runs, sample, query->shape, left_out ? NULL : &why) != MT_OK;
    }
    if (runs->count == 0)
        return mt_fail(err, MT_EINVAL, "none of the %d runs can be used: %s", left_out,
                       why.text);
    runs->made = runs->count;
    if (left_out == 0)
        return MT_OK;
    return mt_argv_add(&runs->warnings, err, "runs that are left out: %d: %s", left_out,
                       why.text);
}

int mt_group_runs_take(struct mt_group_runs *runs, const struct mt_samples *samples,
                       const struct mt_group_runs_query *query, struct mt_error *err)
{
    int status = find_group(&runs->group, samples, query, err);
    if (status == MT_OK && samples->left_out > 0)
        status = mt_argv_add(&runs->warnings, err,
                             "runs that are left out: %d: '%s' has not got their "
                             "configurations",
                             samples->left_out, query->cluster->name);
    if (status == MT_OK)
        status = add_runs(runs, samples, query, err);
    if (status == MT_OK)
        status = merge_repetitions(runs, mt_cluster_simulated(query->cluster), err);
    if (status != MT_OK)
        mt_group_runs_clear(runs);
    return status;
}

void mt_group_runs_clear(struct mt_group_runs *runs)
{
    free(runs->runs);
    mt_argv_free(runs->warnings);
    *runs = (struct mt_group_runs){0};
}
