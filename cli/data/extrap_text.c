/* SPDX-License-Identifier: BSD-3-Clause */
/* Extra-P's text format: PARAMETER, POINTS, and for each REGION and METRIC a line DATA
   for each point, with a value for each repetition. */
#include "cli/common/format.h"
#include "cli/process/memory.h"
#include "extrap.h"

#include <stdlib.h>
#include <string.h>

static void write_points(FILE *stream, const struct mt_extrap_values *values)
{
    fputs("PARAMETER N\nPARAMETER P\n", stream);
    int count = mt_extrap_alike(values, 0, false);
    for (int i = 0; i < count; i += mt_extrap_alike(values, i, true)) {
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
    struct mt_extrap_values values = {0};
    int status = mt_extrap_collect(&values, runs, err);
    if (status != MT_OK)
        return status;
    target->left_out = runs->count - values.count;
    write_points(stream, &values);
    int of_region = 0;
    for (int i = 0; i < values.count;) {
        const struct mt_extrap_value *value = &values.values[i];
        if (of_region == 0) {
            of_region = mt_extrap_alike(&values, i, false);
            fprintf(stream, "\nREGION %s\nMETRIC %s\n", value->region,
                    mt_extrap_metric(value->simulated));
        }
        fputs("DATA", stream);
        int of_point = mt_extrap_alike(&values, i, true);
        for (int k = 0; k < of_point; k++) {
            char seconds[32];
            fprintf(stream, " %s", mt_format_number(seconds, value[k].seconds));
        }
        fputc('\n', stream);
        i += of_point;
        of_region -= of_point;
    }
    free(values.values);
    return MT_OK;
}

/* What the lines read so far have said. */
struct reader {
    struct mt_extrap_file file;
    char parameters[MT_MAX_PARAMETERS][64];
    int nparameters;
    struct mt_extrap_point *points; /* owned */
    int npoints;
    char region[MT_MAX_REGION];
    char metric[MT_MAX_REGION];
    int next_point; /* that the next DATA is of */
};

static int read_parameters(const struct mt_source *source, struct reader *reader,
                           char *rest, struct mt_error *err)
{
    char *state = NULL;
    for (const char *name; (name = strtok_r(rest, " \t", &state)); rest = NULL) {
        if (reader->nparameters == MT_MAX_PARAMETERS)
            return mt_source_fail(source, err, "more than %d parameters",
                                  MT_MAX_PARAMETERS);
        snprintf(reader->parameters[reader->nparameters++],
                 sizeof reader->parameters[0], "%s", name);
    }
    return MT_OK;
}

static int read_point(const struct mt_source *source, struct reader *reader,
                      char *inside, struct mt_error *err)
{
    struct mt_extrap_point point = {0};
    char *state = NULL;
    int count = 0;
    for (const char *word; (word = strtok_r(inside, " \t", &state)); inside = NULL) {
        double value;
        if (!mt_parse_number(&value, word))
            return mt_source_fail(source, err, "no number: '%s'", word);
        if (count == reader->nparameters)
            return mt_source_fail(source, err, "a point with more than %d numbers",
                                  reader->nparameters);
        int status =
            mt_extrap_set(source, &point, reader->parameters[count++], value, err);
        if (status != MT_OK)
            return status;
    }
    if (count < reader->nparameters)
        return mt_source_fail(source, err, "a point with fewer than %d numbers",
                              reader->nparameters);
    mt_array_extend(&reader->points, reader->npoints, sizeof *reader->points);
    reader->points[reader->npoints++] = point;
    return MT_OK;
}

/* "(400 8) (800 8)" */
static int read_points(const struct mt_source *source, struct reader *reader,
                       char *rest, struct mt_error *err)
{
    for (;;) {
        rest += strspn(rest, " \t");
        if (!*rest)
            return MT_OK;
        char *close = strchr(rest, ')');
        if (*rest != '(' || !close)
            return mt_source_fail(source, err, "a point is not in parentheses: '%s'",
                                  rest);
        *close = 0;
        int status = read_point(source, reader, rest + 1, err);
        if (status != MT_OK)
            return status;
        rest = close + 1;
    }
}

static int read_data(const struct mt_source *source, struct reader *reader, char *rest,
                     struct mt_runs *runs, struct mt_error *err)
{
    if (reader->next_point >= reader->npoints)
        return mt_source_fail(source, err, "more lines DATA than the %d points",
                              reader->npoints);
    if (!*rest)
        return mt_source_fail(source, err, "a line DATA without a value");
    struct mt_extrap_point point = reader->points[reader->next_point++];
    point.region = reader->region;
    point.metric = reader->metric;
    char *state = NULL;
    for (const char *word; (word = strtok_r(rest, " \t", &state)); rest = NULL) {
        double seconds;
        if (!mt_parse_number(&seconds, word))
            return mt_source_fail(source, err, "no number: '%s'", word);
        int status = mt_extrap_add(&reader->file, source, runs, &point, seconds, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* A region is complete when it has its data of all points. */
static int end_region(const struct mt_source *source, const struct reader *reader,
                      struct mt_error *err)
{
    if (reader->next_point > 0 && reader->next_point < reader->npoints)
        return mt_source_fail(source, err,
                              "region '%s' has %d lines DATA for %d points",
                              reader->region, reader->next_point, reader->npoints);
    return MT_OK;
}

static int read_line(const struct mt_source *source, struct reader *reader, char *line,
                     struct mt_runs *runs, struct mt_error *err)
{
    char *rest = line + strcspn(line, " \t");
    if (*rest)
        *rest++ = 0;
    rest += strspn(rest, " \t");
    if (!strcmp(line, "PARAMETER"))
        return read_parameters(source, reader, rest, err);
    if (!strcmp(line, "POINTS"))
        return read_points(source, reader, rest, err);
    if (!strcmp(line, "DATA"))
        return read_data(source, reader, rest, runs, err);
    bool region = !strcmp(line, "REGION");
    if (!region && strcmp(line, "METRIC") != 0)
        return mt_source_fail(source, err, "unknown word '%s'", line);
    if (strlen(rest) >= MT_MAX_REGION)
        return mt_source_fail(source, err, "a name of more than %d characters",
                              MT_MAX_REGION - 1);
    int status = end_region(source, reader, err);
    reader->next_point = 0;
    snprintf(region ? reader->region : reader->metric, MT_MAX_REGION, "%s", rest);
    return status;
}

static int read_text(struct mt_source *source, struct mt_runs *runs,
                     struct mt_error *err)
{
    struct reader reader = {.metric = "time"};
    struct mt_line line = {0};
    int status = mt_extrap_begin(&reader.file, source, err);
    if (status == MT_OK)
        status = mt_source_line(source, &line, err);
    while (status == MT_OK && !line.ended) {
        char *text = line.text;
        for (size_t end = strlen(text); end > 0 && strchr(" \t\r\n", text[end - 1]);)
            text[--end] = 0;
        if (text[0] && text[0] != '#')
            status = read_line(source, &reader, text, runs, err);
        if (status == MT_OK)
            status = mt_source_line(source, &line, err);
    }
    if (status == MT_OK)
        status = end_region(source, &reader, err);
    if (status == MT_OK)
        status = mt_extrap_end(&reader.file, source, runs, err);
    mt_extrap_clear(&reader.file);
    free(reader.points);
    mt_line_clear(&line);
    return status;
}

const struct mt_format mt_format_extrap = {"extra-p", write_text, read_text};
