/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/store.h"

#include "lib/base/array.h"
#include "sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of so many runs, a few of each configuration and size tell as much as all. */
enum { MANY_RUNS = 4000, FEW_REPETITIONS = 3 };

/* The columns of a row. */
enum { ID, CONFIGURATION, SIZE, SECONDS, SUCCEEDED, DOWN };

/* Where the rows go. */
struct loading {
    struct mt_samples *samples;
    const struct mt_cluster *cluster;
};

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static int take_row(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    const struct loading *loading = context;
    struct mt_samples *samples = loading->samples;
    const bool succeeded = sqlite3_column_int(row, SUCCEEDED);
    struct mt_sample **list = succeeded ? &samples->samples : &samples->failed;
    int *count = succeeded ? &samples->count : &samples->nfailed;
    const char *text = (const char *)sqlite3_column_text(row, CONFIGURATION);
    if (!succeeded && sqlite3_column_type(row, DOWN) != SQLITE_NULL)
        return MT_OK;
    int status = mt_array_grow(list, *count, sizeof **list, "runs", err);
    if (status != MT_OK)
        return status;
    struct mt_sample *sample = &(*list)[*count];
    *sample = (struct mt_sample){.size = sqlite3_column_double(row, SIZE),
                                 .seconds = sqlite3_column_double(row, SECONDS)};
    status = mt_configuration_parse(&sample->configuration, loading->cluster,
                                    text ? text : "", NULL);
    if (status == MT_ENOMEM)
        return mt_fail(err, status, "no memory for the runs");
    if (succeeded && !(is_positive(sample->size) && is_positive(sample->seconds)))
        return mt_fail(
            err, MT_EINVAL, "damaged store: run %lld has a size of %g and took %g s",
            (long long)sqlite3_column_int64(row, ID), sample->size, sample->seconds);
    *count += status == MT_OK;
    if (succeeded) {
        samples->newest_run = sqlite3_column_int64(row, ID); /* in ascending order */
        samples->left_out += status != MT_OK;
    }
    return MT_OK;
}

/* A run, and where it stands among all. */
struct placed {
    const struct mt_sample *sample;
    int place;
};

static int compare_places(const void *left, const void *right)
{
    const struct mt_sample *a = ((const struct placed *)left)->sample,
                           *b = ((const struct placed *)right)->sample;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(&a->configuration, &b->configuration, sizeof a->configuration);
}

static int compare_runs(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    const int order = compare_places(a, b);
    if (order != 0)
        return order;
    if (a->sample->seconds != b->sample->seconds)
        return a->sample->seconds < b->sample->seconds ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_order(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

/* Keep a few of the runs of each configuration and size, evenly from the fastest to the
   slowest; returns how many there are. */
static int choose(struct placed *runs, int count)
{
    int kept = 0;
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1;
             end < count && compare_places(&runs[first], &runs[end]) == 0;)
            end++;
        const int few = end - first < FEW_REPETITIONS ? end - first : FEW_REPETITIONS;
        for (int i = 0; i < few; i++)
            runs[kept++] =
                runs[first + (int)((2.0 * i + 1) * (end - first) / (2 * few))];
    }
    return kept;
}

static int thin_out(struct mt_samples *samples, struct mt_error *err)
{
    if (samples->count <= MANY_RUNS)
        return MT_OK;
    struct placed *runs = calloc((size_t)samples->count, sizeof *runs);
    struct mt_sample *few = calloc((size_t)samples->count, sizeof *few);
    const int status =
        runs && few ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for the runs");
    if (status == MT_OK) {
        for (int i = 0; i < samples->count; i++)
            runs[i] = (struct placed){&samples->samples[i], i};
        qsort(runs, (size_t)samples->count, sizeof *runs, compare_runs);
        const int kept = choose(runs, samples->count);
        qsort(runs, (size_t)kept, sizeof *runs, compare_order);
        for (int i = 0; i < kept; i++)
            few[i] = *runs[i].sample;
        free(samples->samples);
        samples->samples = few;
        samples->count = kept;
        few = NULL;
    }
    free(runs);
    free(few);
    return status;
}

static int load(struct mt_store *store, const struct loading *loading,
                const char *program, struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        store->version < 3 ? "SELECT id, configuration, size, seconds, outcome = 'ok',"
                             " NULL FROM run WHERE cluster = ? AND program = ?"
                             " ORDER BY id"
                           : "SELECT id, configuration, size, seconds, outcome = 'ok',"
                             " absent FROM run WHERE cluster = ? AND program = ?"
                             " ORDER BY id",
        err);
    if (status != MT_OK)
        return status;
    struct loading context = *loading;
    mt_sql_bind_text(statement, 1, loading->cluster->name);
    mt_sql_bind_text(statement, 2, program);
    status = mt_sql_each(store, statement, take_row, &context, err);
    return status == MT_OK ? thin_out(loading->samples, err) : status;
}

int mt_store_samples(struct mt_store *store, struct mt_samples *samples,
                     const struct mt_cluster *cluster, const char *program,
                     struct mt_error *err)
{
    struct mt_samples loaded = {.store = strdup(store->path)};
    const struct loading loading = {.samples = &loaded, .cluster = cluster};
    int status = loaded.store ? load(store, &loading, program, err)
                              : mt_fail(err, MT_ENOMEM, "no memory for the runs");
    if (status == MT_OK)
        status = mt_store_links(store, &loaded.links, cluster->name, err);
    if (status != MT_OK)
        mt_samples_clear(&loaded);
    else
        *samples = loaded;
    return status;
}
