/* SPDX-License-Identifier: BSD-3-Clause */
#include "extrap.h"

#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <stdlib.h>
#include <string.h>

/* Split "xeon:8x2"; false when it is of another form or more than one group. */
static bool split_configuration(const char *text, struct mt_extrap_value *value)
{
    int nodes, used = 0;
    char group[128], name[MT_LAYOUT_LENGTH];
    struct mt_layout layout;
    if (sscanf(text, "%127[^:+]:%dx%n", group, &nodes, &used) != 2 || used == 0)
        return false;
    const char *at = text + used;
    if (!mt_layout_read(&layout, &at) || *at)
        return false;
    snprintf(value->region, sizeof value->region, "%s:x%s", group,
             mt_layout_format(name, layout));
    value->ranks = nodes * layout.processes;
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
static void intersect(struct mt_extrap_values *values)
{
    struct mt_extrap_value *kept = mt_calloc((size_t)values->count + 1, sizeof *kept);
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
}

int mt_extrap_collect(struct mt_extrap_values *values, const struct mt_runs *runs,
                      struct mt_error *err)
{
    struct mt_extrap_values found = {
        mt_calloc((size_t)runs->count + 1, sizeof *found.values), 0};
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
    intersect(&found);
    int status = MT_OK;
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
    const int count = point->count;
    if (count == MT_MAX_PARAMETERS)
        return mt_source_fail(source, err, "more than %d parameters",
                              MT_MAX_PARAMETERS);
    if (strlen(name) >= sizeof point->names[0])
        return mt_source_fail(source, err, "a parameter's name is too long: '%s'",
                              name);
    snprintf(point->names[count], sizeof point->names[0], "%s", name);
    point->values[count] = value;
    point->count++;
    return MT_OK;
}

/* Add a name to those that were seen. */
static void note(char ***names, const char *name)
{
    for (char **seen = *names; seen && *seen; seen++)
        if (!strcmp(*seen, name))
            return;
    mt_words_add(names, "%s", name);
}

int mt_extrap_begin(struct mt_extrap_file *file, const struct mt_source *source,
                    struct mt_error *err)
{
    static const char *const usual[][2] = {
        {"size", "N"}, {"ranks", "P"}, {"ppn", "M"}, {"seconds", "time"}};
    int status = source->columns
                     ? mt_mapping_parse(&file->mapping, source->columns, err)
                     : MT_OK;
    for (size_t i = 0; status == MT_OK && i < sizeof usual / sizeof *usual; i++)
        status = mt_mapping_default(&file->mapping, usual[i][0], usual[i][1], err);
    return status;
}

void mt_extrap_clear(struct mt_extrap_file *file)
{
    mt_mapping_clear(&file->mapping);
    mt_argv_free(file->regions);
    mt_argv_free(file->metrics);
}

/* Whether a region is named "xeon:x2", after what ran. */
static bool names_group(const char *region)
{
    int used = 0;
    struct mt_layout layout;
    sscanf(region, "%*127[^:+]:x%n", &used);
    const char *at = region + used;
    return used > 0 && mt_layout_read(&layout, &at) && !*at;
}

/* A parameter that is taken for nothing would make runs of its different values pass
   for repetitions. */
static int check_parameters(const struct mt_extrap_file *file,
                            const struct mt_source *source,
                            const struct mt_extrap_point *point, struct mt_error *err)
{
    for (int i = 0; i < point->count; i++)
        if (!mt_mapping_takes(&file->mapping, i))
            return mt_source_fail(
                source, err,
                "parameter '%s' is taken for nothing: say what it is, as in '--columns "
                "ranks=P*%s', or that it says nothing, by 'ignore=%s'",
                point->names[i], point->names[i], point->names[i]);
    if (!mt_mapping_has(&file->mapping, "size"))
        return mt_source_fail(source, err,
                              "a point without N: which parameter is the "
                              "size? '--columns size=NAME'");
    return MT_OK;
}

/* The parameters and the value as columns, which are called so. */
static int read_run(struct mt_extrap_file *file, const struct mt_source *source,
                    const struct mt_extrap_point *point, const char *metric,
                    double value, struct mt_run *run, struct mt_error *err)
{
    enum { COLUMNS = MT_MAX_PARAMETERS + 1 };
    struct mt_extrap_point copy = *point;
    char texts[COLUMNS][32], name[MT_MAX_REGION];
    char *names[COLUMNS], *cells[COLUMNS];
    const int count = point->count;
    snprintf(name, sizeof name, "%s", metric);
    for (int i = 0; i <= count; i++) {
        const double number = i < count ? point->values[i] : value;
        snprintf(texts[i], sizeof texts[i], "%.17g", number);
        names[i] = i < count ? copy.names[i] : name;
        cells[i] = texts[i];
    }
    int status = mt_mapping_bind(&file->mapping, source, names, count + 1, err);
    if (status == MT_OK)
        status = check_parameters(file, source, point, err);
    return status == MT_OK
               ? mt_mapping_read(&file->mapping, source, cells, point->region, run, err)
               : status;
}

int mt_extrap_add(struct mt_extrap_file *file, const struct mt_source *source,
                  struct mt_runs *runs, const struct mt_extrap_point *point,
                  double value, struct mt_error *err)
{
    const bool simulated = !strcmp(point->metric, mt_extrap_metric(true));
    const char *metric = simulated ? mt_extrap_metric(false) : point->metric;
    note(&file->regions, point->region);
    note(&file->metrics, point->metric);
    if (!mt_mapping_uses(&file->mapping, "seconds", metric) ||
        (source->region && strcmp(source->region, point->region) != 0))
        return MT_OK;
    if (!source->group && !names_group(point->region))
        return mt_source_fail(source, err,
                              "'%s' does not say which group ran with how many "
                              "processes per node: give '--group NAME:xM'",
                              point->region);
    struct mt_run run = {.simulated = simulated};
    int status = read_run(file, source, point, metric, value, &run, err);
    if (status == MT_OK)
        status = mt_source_add(source, runs, &run, err);
    mt_run_clear(&run);
    return status;
}

static const char *join(char text[static 192], char *const *names)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; names && names[i] && length < 180; i++)
        length += (size_t)snprintf(text + length, 192 - length, "%s'%s'",
                                   i > 0 ? ", " : "", names[i]);
    return text;
}

int mt_extrap_end(const struct mt_extrap_file *file, struct mt_source *source,
                  const struct mt_runs *runs, struct mt_error *err)
{
    char list[192];
    bool groups = !source->group;
    for (char **region = file->regions; region && *region; region++)
        groups &= names_group(*region);
    source->line = 0; /* it is about all of the file */
    if (source->region && runs->count == 0 && file->regions)
        return mt_source_fail(source, err,
                              "no times of call path '%s'; the file has %s",
                              source->region, join(list, file->regions));
    if (runs->count == 0 && file->metrics)
        return mt_source_fail(source, err,
                              "none of the metrics is the time: %s; '--columns "
                              "seconds=METRIC' says which is",
                              join(list, file->metrics));
    if (!source->region && !groups && file->regions && file->regions[1])
        return mt_source_fail(source, err,
                              "the times of several call paths: give '--region' with "
                              "the one whose time is that of the run, of %s",
                              join(list, file->regions));
    return MT_OK;
}
