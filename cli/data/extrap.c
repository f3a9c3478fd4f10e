/* SPDX-License-Identifier: BSD-3-Clause */
/* Extra-P's text format: PARAMETER, POINTS, and for each REGION and METRIC a line DATA
   for each point, with a value for each repetition. Each (group, processes per node) is
   a region, named "xeon:x2"; Extra-P demands that all regions have the same points. */
#include "cli/common/format.h"
#include "cli/process/memory.h"
#include "formats.h"
#include "lib/base/argv.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REGION = 160 };

/* One value of a region at a point. */
struct value {
    char region[MAX_REGION];
    bool simulated;
    double size;
    int ranks;
    int repetition;
    double seconds;
};

/* Sorted by region, whether simulated, size, ranks, repetition. */
struct values {
    struct value *values; /* owned */
    int count;
};

/* Split "xeon:8x2"; false when it is of another form or more than one group. */
static bool split_configuration(const char *text, struct value *value)
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

static int compare_regions(const struct value *a, const struct value *b)
{
    int order = strcmp(a->region, b->region);
    return order ? order : a->simulated - b->simulated;
}

static int compare_points(const struct value *a, const struct value *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return (a->ranks > b->ranks) - (a->ranks < b->ranks);
}

static int compare_values(const void *left, const void *right)
{
    const struct value *a = left, *b = right;
    int order = compare_regions(a, b);
    if (!order)
        order = compare_points(a, b);
    return order ? order
                 : (a->repetition > b->repetition) - (a->repetition < b->repetition);
}

/* How many values, from `first` on, are of the same region and, if `same_point`, of the
   same point. */
static int count_alike(const struct values *values, int first, bool same_point)
{
    const struct value *list = values->values;
    int last = first;
    while (last < values->count && !compare_regions(&list[first], &list[last]) &&
           !(same_point && compare_points(&list[first], &list[last])))
        last++;
    return last - first;
}

/* Whether each of the regions has the point of `value`. */
static bool all_have_point(const struct values *values, const struct value *value)
{
    for (int first = 0; first < values->count;) {
        int count = count_alike(values, first, false);
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
static void intersect(struct values *values)
{
    struct value *kept = mt_calloc((size_t)values->count + 1, sizeof *kept);
    int count = 0;
    for (int first = 0; first < values->count;) {
        int alike = count_alike(values, first, true);
        if (all_have_point(values, &values->values[first])) {
            memcpy(&kept[count], &values->values[first], (size_t)alike * sizeof *kept);
            count += alike;
        }
        first += alike;
    }
    free(values->values);
    *values = (struct values){kept, count};
}

/* The values of the successful runs on one group each, at those points that all regions
   have. `values` is the caller's in any case. */
static int collect(struct values *values, const struct mt_runs *runs,
                   struct mt_error *err)
{
    struct values found = {mt_calloc((size_t)runs->count + 1, sizeof *found.values), 0};
    for (int i = 0; i < runs->count; i++) {
        const struct mt_run *run = &runs->runs[i];
        struct value *value = &found.values[found.count];
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
    *values = found;
    if (found.count > 0)
        return MT_OK;
    return mt_fail(err, MT_ENOTFOUND,
                   "no (N, P) at which each group has a successful run of its own, as "
                   "Extra-P demands; choose one group with '--group'");
}

/* The metric is the only place for it in these files. */
static const char *metric_of(bool simulated)
{
    return simulated ? "simulated_time" : "time";
}

static void write_points(FILE *stream, const struct values *values)
{
    fputs("PARAMETER N\nPARAMETER P\n", stream);
    int count = count_alike(values, 0, false);
    for (int i = 0; i < count; i += count_alike(values, i, true)) {
        char size[32];
        fprintf(stream, "POINTS (%s %d)\n",
                mt_format_number(size, values->values[i].size),
                values->values[i].ranks);
    }
}

static int write_text(struct mt_target *target, const struct mt_runs *runs,
                      struct mt_error *err)
{
    FILE *stream = target->stream;
    struct values values = {0};
    const int status = collect(&values, runs, err);
    target->left_out = runs->count - values.count;
    if (status == MT_OK)
        write_points(stream, &values);
    for (int i = 0, of_point; i < values.count; i += of_point) {
        const struct value *value = &values.values[i];
        of_point = count_alike(&values, i, true);
        if (i == 0 || compare_regions(value - 1, value) != 0)
            fprintf(stream, "\nREGION %s\nMETRIC %s\n", value->region,
                    metric_of(value->simulated));
        fputs("DATA", stream);
        for (int k = 0; k < of_point; k++) {
            char seconds[32];
            fprintf(stream, " %s", mt_format_number(seconds, value[k].seconds));
        }
        fputc('\n', stream);
    }
    free(values.values);
    return status;
}

/* The most parameters that Extra-P knows. */
enum { MOST_PARAMETERS = 4 };

/* What the lines read so far have said. */
struct reader {
    struct mt_source *source;  /* borrowed */
    struct mt_runs *runs;      /* borrowed; where what is read goes */
    struct mt_mapping mapping; /* what parameters and metrics are taken for */
    char **parameters;         /* owned; their names, as in argv.h */
    char **points;             /* owned; each with its numbers, as "400 8" */
    char *region, *metric;     /* owned; of the next DATA */
    char **regions, **metrics; /* owned, as in argv.h; those that have data */
    int nparameters, npoints;
    int next_point; /* that the next DATA is of */
};

/* Cut a text into words. Returns how many it has, at most `most` + 1. */
static int split(char **words, int most, char *text)
{
    char *state = NULL;
    int count = 0;
    for (char *word; (word = strtok_r(text, " \t", &state)); text = NULL) {
        if (count == most)
            return most + 1;
        words[count++] = word;
    }
    return count;
}

static int read_parameters(struct reader *reader, char *rest, struct mt_error *err)
{
    char *state = NULL;
    if (reader->npoints > 0)
        return mt_source_fail(reader->source, err, "a parameter behind the points");
    for (const char *name; (name = strtok_r(rest, " \t", &state)); rest = NULL) {
        if (reader->nparameters++ == MOST_PARAMETERS)
            return mt_source_fail(reader->source, err, "more than %d parameters",
                                  MOST_PARAMETERS);
        mt_words_add(&reader->parameters, "%s", name);
    }
    return MT_OK;
}

static int read_point(struct reader *reader, const char *numbers, struct mt_error *err)
{
    char *words[MOST_PARAMETERS], *copy = mt_strdup(numbers);
    const int count = split(words, MOST_PARAMETERS, copy);
    free(copy);
    if (count != reader->nparameters)
        return mt_source_fail(reader->source, err, "a point with %s than %d numbers",
                              count < reader->nparameters ? "fewer" : "more",
                              reader->nparameters);
    mt_array_extend(&reader->points, reader->npoints, sizeof *reader->points);
    reader->points[reader->npoints++] = mt_strdup(numbers);
    return MT_OK;
}

/* "(400 8) (800 8)" */
static int read_points(struct reader *reader, char *rest, struct mt_error *err)
{
    for (;;) {
        rest += strspn(rest, " \t");
        if (!*rest)
            return MT_OK;
        char *close = strchr(rest, ')');
        if (*rest != '(' || !close)
            return mt_source_fail(reader->source, err,
                                  "a point is not in parentheses: '%s'", rest);
        *close = 0;
        int status = read_point(reader, rest + 1, err);
        if (status != MT_OK)
            return status;
        rest = close + 1;
    }
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

/* Add a name to those that were seen. */
static void note(char ***names, const char *name)
{
    for (char **seen = *names; seen && *seen; seen++)
        if (!strcmp(*seen, name))
            return;
    mt_words_add(names, "%s", name);
}

/* Find what the parameters and the metric are taken for, which are the columns. A
   parameter that is taken for nothing would make runs of its different values pass for
   repetitions. */
static int bind(struct reader *reader, const char *metric, struct mt_error *err)
{
    char *names[MOST_PARAMETERS + 1], *last = mt_strdup(metric);
    const int count = reader->nparameters;
    for (int i = 0; i < count; i++)
        names[i] = reader->parameters[i];
    names[count] = last;
    int status =
        mt_mapping_bind(&reader->mapping, reader->source, names, count + 1, err);
    free(last);
    for (int i = 0; status == MT_OK && i < count; i++)
        if (!mt_mapping_takes(&reader->mapping, i))
            status = mt_source_fail(
                reader->source, err,
                "parameter '%s' is taken for nothing: say what it is, as in '--columns "
                "ranks=P*%s', or that it says nothing, by 'ignore=%s'",
                names[i], names[i], names[i]);
    if (status == MT_OK && !mt_mapping_has(&reader->mapping, "size"))
        status = mt_source_fail(reader->source, err,
                                "a point without N: which parameter is the "
                                "size? '--columns size=NAME'");
    return status;
}

/* Add a run for each of the values at a point. */
static int read_values(struct reader *reader, char *point, char *rest, bool simulated,
                       struct mt_error *err)
{
    const struct mt_source *source = reader->source;
    char *cells[MOST_PARAMETERS + 1], *state = NULL;
    const int count = split(cells, MOST_PARAMETERS, point);
    int status = MT_OK;
    while (status == MT_OK && (cells[count] = strtok_r(rest, " \t", &state))) {
        struct mt_run run = {.simulated = simulated};
        status =
            mt_mapping_read(&reader->mapping, source, cells, reader->region, &run, err);
        if (status == MT_OK)
            status = mt_source_add(source, reader->runs, &run, err);
        mt_run_clear(&run);
        rest = NULL;
    }
    return status;
}

/* The group is the source's, if the command line gives one, or else the region's. */
static int read_data(struct reader *reader, char *rest, struct mt_error *err)
{
    const struct mt_source *source = reader->source;
    const bool simulated = !strcmp(reader->metric, metric_of(true));
    const char *metric = simulated ? metric_of(false) : reader->metric;
    if (reader->next_point >= reader->npoints)
        return mt_source_fail(source, err, "more lines DATA than the %d points",
                              reader->npoints);
    if (!*rest)
        return mt_source_fail(source, err, "a line DATA without a value");
    const char *numbers = reader->points[reader->next_point++];
    note(&reader->regions, reader->region);
    note(&reader->metrics, reader->metric);
    if (!mt_mapping_uses(&reader->mapping, "seconds", metric) ||
        (source->region && strcmp(source->region, reader->region) != 0))
        return MT_OK;
    if (!source->group && !names_group(reader->region))
        return mt_source_fail(source, err,
                              "'%s' does not say which group ran with how many "
                              "processes per node: give '--group NAME:xM'",
                              reader->region);
    int status = bind(reader, metric, err);
    char *point = mt_strdup(numbers);
    if (status == MT_OK)
        status = read_values(reader, point, rest, simulated, err);
    free(point);
    return status;
}

/* A region is complete when it has its data of all points. */
static int end_region(const struct reader *reader, struct mt_error *err)
{
    if (reader->next_point > 0 && reader->next_point < reader->npoints)
        return mt_source_fail(reader->source, err,
                              "region '%s' has %d lines DATA for %d points",
                              reader->region, reader->next_point, reader->npoints);
    return MT_OK;
}

static int read_line(struct reader *reader, char *line, struct mt_error *err)
{
    char *rest = line + strcspn(line, " \t");
    if (*rest)
        *rest++ = 0;
    rest += strspn(rest, " \t");
    if (!strcmp(line, "PARAMETER"))
        return read_parameters(reader, rest, err);
    if (!strcmp(line, "POINTS"))
        return read_points(reader, rest, err);
    if (!strcmp(line, "DATA"))
        return read_data(reader, rest, err);
    const bool is_region = !strcmp(line, "REGION");
    if (!is_region && strcmp(line, "METRIC") != 0)
        return mt_source_fail(reader->source, err, "unknown word '%s'", line);
    const int status = end_region(reader, err);
    char **name = is_region ? &reader->region : &reader->metric;
    free(*name);
    *name = mt_strdup(rest);
    reader->next_point = 0;
    return status;
}

/* Check that it was the runs of one call path, or of groups: several would pass for
   repetitions of the same run. */
static int check_all(const struct reader *reader, struct mt_error *err)
{
    char list[MT_NAMES_TEXT];
    struct mt_source *source = reader->source;
    bool groups = !source->group;
    for (char **region = reader->regions; region && *region; region++)
        groups &= names_group(*region);
    source->line = 0; /* it is about all of the file */
    if (source->region && reader->runs->count == 0 && reader->regions)
        return mt_source_fail(source, err,
                              "no times of call path '%s'; the file has %s",
                              source->region, mt_names_list(list, reader->regions));
    if (reader->runs->count == 0 && reader->metrics)
        return mt_source_fail(source, err,
                              "none of the metrics is the time: %s; '--columns "
                              "seconds=METRIC' says which is",
                              mt_names_list(list, reader->metrics));
    if (!source->region && !groups && reader->regions && reader->regions[1])
        return mt_source_fail(source, err,
                              "the times of several call paths: give '--region' with "
                              "the one whose time is that of the run, of %s",
                              mt_names_list(list, reader->regions));
    return MT_OK;
}

/* What is not said otherwise. */
static int map_usual_names(struct mt_mapping *mapping, const struct mt_source *source,
                           struct mt_error *err)
{
    static const char *const usual[][2] = {
        {"size", "N"}, {"ranks", "P"}, {"ppn", "M"}, {"seconds", "time"}};
    int status =
        source->columns ? mt_mapping_parse(mapping, source->columns, err) : MT_OK;
    for (size_t i = 0; status == MT_OK && i < sizeof usual / sizeof *usual; i++)
        status = mt_mapping_default(mapping, usual[i][0], usual[i][1], err);
    return status;
}

static void clear_reader(struct reader *reader)
{
    for (int i = 0; i < reader->npoints; i++)
        free(reader->points[i]);
    free(reader->points);
    free(reader->region);
    free(reader->metric);
    mt_argv_free(reader->parameters);
    mt_argv_free(reader->regions);
    mt_argv_free(reader->metrics);
    mt_mapping_clear(&reader->mapping);
}

static int read_text(struct mt_source *source, struct mt_runs *runs,
                     struct mt_error *err)
{
    struct reader reader = {.source = source,
                            .runs = runs,
                            .region = mt_strdup(""),
                            .metric = mt_strdup(metric_of(false))};
    struct mt_line line = {0};
    int status = map_usual_names(&reader.mapping, source, err);
    if (status == MT_OK)
        status = mt_source_line(source, &line, err);
    while (status == MT_OK && !line.ended) {
        char *text = line.text;
        for (size_t end = strlen(text); end > 0 && strchr(" \t\r\n", text[end - 1]);)
            text[--end] = 0;
        if (text[0] && text[0] != '#')
            status = read_line(&reader, text, err);
        if (status == MT_OK)
            status = mt_source_line(source, &line, err);
    }
    if (status == MT_OK)
        status = end_region(&reader, err);
    if (status == MT_OK)
        status = check_all(&reader, err);
    clear_reader(&reader);
    mt_line_clear(&line);
    return status;
}

const struct mt_format mt_format_extrap = {"extra-p", write_text, read_text};
