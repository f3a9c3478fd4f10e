/* SPDX-License-Identifier: BSD-3-Clause */
#include "recorded.h"

#include "cli/data/formats.h"
#include "lib/math/median.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static ssize_t read_gzip(void *cookie, char *buffer, size_t size)
{
    const int got = gzread(cookie, buffer, (unsigned)size);
    if (got < 0)
        errno = EIO;
    return got;
}

static int close_gzip(void *cookie)
{
    return gzclose_r(cookie) == Z_OK ? 0 : EOF;
}

/* A stream of what the file at `path` holds, compressed by gzip or not. NULL: errno
   says why. */
static FILE *open_gzip(const char *path)
{
    gzFile file = gzopen(path, "rb");
    if (!file)
        return NULL;
    const cookie_io_functions_t functions = {.read = read_gzip, .close = close_gzip};
    FILE *stream = fopencookie(file, "r", functions);
    if (!stream)
        gzclose_r(file);
    return stream;
}

static int compare_points(const void *left, const void *right)
{
    const struct mt_sample *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(&a->configuration, &b->configuration, sizeof a->configuration);
}

/* Replace the repetitions, which are neighbours, by their median. */
static int merge_repetitions(struct recorded *recorded, struct mt_error *err)
{
    double *seconds = calloc((size_t)recorded->count + 1, sizeof *seconds);
    if (!seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", recorded->count);
    struct mt_sample *points = recorded->points;
    int kept = 0;
    for (int first = 0, end; first < recorded->count; first = end) {
        for (end = first; end < recorded->count; end++) {
            if (compare_points(&points[first], &points[end]) != 0)
                break;
            seconds[end - first] = points[end].seconds;
        }
        points[kept] = points[first];
        points[kept++].seconds = mt_median(seconds, end - first);
    }
    recorded->count = kept;
    free(seconds);
    return MT_OK;
}

static int read_runs(struct mt_runs *runs, const char *path, struct mt_error *err)
{
    struct mt_source source = {.path = path, .stream = open_gzip(path)};
    if (!source.stream)
        return mt_fail(err, errno == ENOENT ? MT_ENOTFOUND : MT_EIO,
                       "cannot open '%s': %s", path, strerror(errno));
    int status = mt_format_read(&mt_format_csv, &source, runs, err);
    /* A file that ends too early looks complete until it is closed. */
    if (fclose(source.stream) != 0 && status == MT_OK)
        status = mt_fail(err, MT_EIO, "'%s' cannot be read to its end", path);
    return status;
}

static int take_points(struct recorded *recorded, const struct mt_runs *runs,
                       struct mt_error *err)
{
    recorded->points = calloc((size_t)runs->count + 1, sizeof *recorded->points);
    if (!recorded->points)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", runs->count);
    for (int i = 0; i < runs->count; i++) {
        const struct mt_run *run = &runs->runs[i];
        struct mt_sample point = {.size = run->size, .seconds = run->seconds};
        if (run->outcome != MT_RUN_OK)
            continue;
        const int status = mt_configuration_parse(
            &point.configuration, &recorded->inputs.cluster, run->configuration, err);
        if (status != MT_OK)
            return status;
        recorded->points[recorded->count++] = point;
    }
    qsort(recorded->points, (size_t)recorded->count, sizeof *recorded->points,
          compare_points);
    return merge_repetitions(recorded, err);
}

int recorded_load(struct recorded *recorded, const char *folder, const char *cluster,
                  const char *app, struct mt_error *err)
{
    const char *names[] = {cluster, app, NULL};
    struct mt_runs runs = {0};
    char *path = NULL;
    if (asprintf(&path, "%s/%s-%s.csv.gz", folder, cluster, app) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a path");
    int status = read_runs(&runs, path, err);
    if (status == MT_OK)
        status = mt_inputs_load(&recorded->inputs, names, err);
    if (status == MT_OK)
        status = take_points(recorded, &runs, err);
    if (status != MT_OK)
        recorded_clear(recorded);
    mt_runs_clear(&runs);
    free(path);
    return status;
}

void recorded_clear(struct recorded *recorded)
{
    mt_inputs_clear(&recorded->inputs);
    free(recorded->points);
    *recorded = (struct recorded){0};
}

int recorded_find(const struct recorded *recorded,
                  const struct mt_configuration *configuration, double size)
{
    const struct mt_sample key = {.configuration = *configuration, .size = size};
    const struct mt_sample *found = bsearch(
        &key, recorded->points, (size_t)recorded->count, sizeof key, compare_points);
    return found ? (int)(found - recorded->points) : -1;
}

static struct point_range points_at(const struct recorded *recorded, double size)
{
    struct point_range span = {0};
    while (span.first < recorded->count && recorded->points[span.first].size < size)
        span.first++;
    span.end = span.first;
    while (span.end < recorded->count && recorded->points[span.end].size == size)
        span.end++;
    return span;
}

struct point_range recorded_truth_at(const struct recorded *recorded, double size)
{
    const struct point_range span = points_at(recorded, size);
    for (int i = span.first; i < span.end; i++)
        if (mt_configuration_only_group(&recorded->points[i].configuration) < 0)
            return span;
    return (struct point_range){0};
}

bool recorded_measured(const struct recorded *recorded, const struct mt_sample *point)
{
    const struct mt_program *program = &recorded->inputs.program;
    for (int i = 0; i < program->nmeasure_sizes; i++)
        if (program->measure_sizes[i] == point->size)
            return true;
    return false;
}

bool recorded_trains_papers(const struct recorded *recorded,
                            const struct mt_sample *point)
{
    return mt_configuration_only_group(&point->configuration) >= 0 &&
           mt_configuration_nodes(&point->configuration) > 1 &&
           recorded_measured(recorded, point);
}
