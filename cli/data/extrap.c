/* SPDX-License-Identifier: BSD-3-Clause */
#include "extrap.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Split "xeon:8x2"; false when it is of another form or more than one group. */
static bool split_configuration(const char *text, struct mt_extrap_value *value)
{
    int nodes, processes, used = 0;
    char group[128];
    if (sscanf(text, "%127[^:+]:%dx%d%n", group, &nodes, &processes, &used) != 3 ||
        text[used])
        return false;
    snprintf(value->region, sizeof value->region, "%s:x%d", group, processes);
    value->ranks = nodes * processes;
    return true;
}

static int compare_regions(const struct mt_extrap_value *a,
                           const struct mt_extrap_value *b)
{
    int order = strcmp(a->region, b->region);
    return order ? order : a->simulated - b->simulated;
}

static int compare_points(const struct mt_extrap_value *a,
                          const struct mt_extrap_value *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (a->ranks > b->ranks) - (a->ranks < b->ranks);
}

static int compare_values(const void *left, const void *right)
{
    const struct mt_extrap_value *a = left, *b = right;
    int order = compare_regions(a, b);
    if (!order)
        order = compare_points(a, b);
    return order ? order
                 : (a->repetition > b->repetition) - (a->repetition < b->repetition);
}

int mt_extrap_alike(const struct mt_extrap_values *values, int first, bool same_point)
{
    const struct mt_extrap_value *list = values->values;
    int last = first;
    while (last < values->count && !compare_regions(&list[first], &list[last]) &&
           !(same_point && compare_points(&list[first], &list[last])))
        last++;
    return last - first;
}

/* Whether each of the regions has the point of `value`. */
static bool all_have_point(const struct mt_extrap_values *values,
                           const struct mt_extrap_value *value)
{
    for (int first = 0; first < values->count;) {
        int count = mt_extrap_alike(values, first, false);
        int i = 0;
        while (i < count && compare_points(&values->values[first + i], value))
            i++;
        if (i == count)
            return false;
        first += count;
    }
    return true;
}

/* Keep the points that all regions have. */
static int intersect(struct mt_extrap_values *values, struct mt_error *err)
{
    struct mt_extrap_value *kept = calloc((size_t)values->count + 1, sizeof *kept);
    if (!kept)
        return mt_fail(err, MT_ENOMEM, "no memory to export");
    int count = 0;
    for (int first = 0; first < values->count;) {
        int alike = mt_extrap_alike(values, first, true);
        if (all_have_point(values, &values->values[first])) {
            memcpy(&kept[count], &values->values[first], (size_t)alike * sizeof *kept);
            count += alike;
        }
        first += alike;
    }
    free(values->values);
    *values = (struct mt_extrap_values){kept, count};
    return MT_OK;
}

int mt_extrap_collect(struct mt_extrap_values *values, const struct mt_runs *runs,
                      struct mt_error *err)
{
    struct mt_extrap_values found = {
        calloc((size_t)runs->count + 1, sizeof *found.values), 0};
    if (!found.values)
        return mt_fail(err, MT_ENOMEM, "no memory to export");
    for (int i = 0; i < runs->count; i++) {
        const struct mt_run *run = &runs->runs[i];
        struct mt_extrap_value *value = &found.values[found.count];
        if (run->outcome != MT_RUN_OK ||
            !split_configuration(run->configuration, value))
            continue;
        value->simulated = run->simulated;
        value->size = run->size;
        value->repetition = run->repetition;
        value->seconds = run->seconds;
        found.count++;
    }
    qsort(found.values, (size_t)found.count, sizeof *found.values, compare_values);
    int status = intersect(&found, err);
    if (status == MT_OK && found.count == 0)
        status = mt_fail(err, MT_ENOTFOUND,
                         "no (N, P) at which each group has a successful run of its "
                         "own, as Extra-P demands; choose one group with '--group'");
    if (status != MT_OK)
        free(found.values);
    else
        *values = found;
    return status;
}

const char *mt_extrap_metric(bool simulated)
{
    return simulated ? "simulated_time" : "time";
}

int mt_extrap_set(const struct mt_source *source, struct mt_extrap_point *point,
                  const char *name, double value, struct mt_error *err)
{
    double *member = !strcmp(name, "N")   ? &point->size
                     : !strcmp(name, "P") ? &point->ranks
                     : !strcmp(name, "M") ? &point->processes
                                          : NULL;
    if (!member)
        return mt_source_fail(source, err, "parameter '%s' is not N, P or M", name);
    if (!(value > 0 && isfinite(value)))
        return mt_source_fail(source, err, "parameter %s is not positive: '%g'", name,
                              value);
    if (member != &point->size && (value != floor(value) || value > INT_MAX))
        return mt_source_fail(source, err, "parameter %s is no whole number: '%g'",
                              name, value);
    *member = value;
    return MT_OK;
}

/* Split "NAME" or "NAME:xM"; processes stay as they are when they are not given. */
static int split_group(const struct mt_source *source, const char *text,
                       char group[static 128], double *processes, struct mt_error *err)
{
    int number = 0, used = 0;
    if (sscanf(text, "%127[^:+]%n", group, &used) != 1)
        used = 0;
    else if (sscanf(text + used, ":x%d%n", &number, &used) == 1 && number > 0)
        used = (int)(strlen(group) + (size_t)used);
    if (used == 0 || text[used] || (number == 0 && *processes == 0))
        return mt_source_fail(source, err,
                              "'%s' does not say which group ran with how many "
                              "processes per node: give '--group NAME:xM'",
                              text);
    if (number > 0)
        *processes = number;
    return MT_OK;
}

int mt_extrap_add(const struct mt_source *source, struct mt_runs *runs,
                  const struct mt_extrap_point *point, double seconds,
                  struct mt_error *err)
{
    char group[128];
    double processes = point->processes;
    bool simulated = !strcmp(point->metric, mt_extrap_metric(true));
    if (!simulated && strcmp(point->metric, mt_extrap_metric(false)) != 0)
        return mt_source_fail(source, err, "metric '%s' is not a time", point->metric);
    if (point->size == 0 || point->ranks == 0)
        return mt_source_fail(source, err, "a point without N or without P");
    int status = split_group(source, source->group ? source->group : point->region,
                             group, &processes, err);
    if (status != MT_OK)
        return status;
    double nodes = point->ranks / processes;
    if (nodes != floor(nodes))
        return mt_source_fail(source, err, "P = %g is no multiple of M = %g",
                              point->ranks, processes);
    struct mt_run run = {
        .size = point->size, .seconds = seconds, .simulated = simulated};
    if (asprintf(&run.configuration, "%s:%.0fx%.0f", group, nodes, processes) < 0) {
        run.configuration = NULL;
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", source->path);
    }
    status = mt_source_add(source, runs, &run, err);
    mt_run_clear(&run);
    return status;
}
