/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads runs as samples for fits and plans. */
#include "internal.h"
#include "lib/base/array.h"
#include "sql.h"
#include "tuning.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a row. */
enum { ID, CONFIGURATION, SIZE, SECONDS, SUCCEEDED, DOWN };

/* A configuration that several runs share. */
struct known {
    const char *text; /* the key; an entry of the table owns `copy` */
    char *copy;
    bool possible; /* the cluster has this configuration: */
    struct mt_configuration configuration;
};

/* A run, and its place among all. */
struct placed {
    const struct mt_configuration *configuration;
    double size, seconds;
    int place;
};

/* Where the rows go. */
struct loading {
    struct mt_samples *samples;
    const struct mt_cluster *cluster;
    void *known; /* by text, for tsearch() */
    struct placed *runs;
    int count;
};

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const struct known *)left)->text,
                  ((const struct known *)right)->text);
}

static void free_known(void *known)
{
    free(((struct known *)known)->copy);
    free(known);
}

static int no_memory(struct mt_error *err)
{
    return mt_fail(err, MT_ENOMEM, "no memory for the runs");
}

/* The configuration of that text, read once. */
static int find_known(struct loading *loading, const char *text,
                      const struct known **found, struct mt_error *err)
{
    struct known *const *at =
        tfind(&(struct known){.text = text}, &loading->known, compare_texts);
    if (at) {
        *found = *at;
        return MT_OK;
    }
    struct known *made = calloc(1, sizeof *made);
    if (!made || !(made->text = made->copy = strdup(text)) ||
        !tsearch(made, &loading->known, compare_texts)) {
        if (made)
            free_known(made);
        return no_memory(err);
    }
    const int status =
        mt_configuration_parse(&made->configuration, loading->cluster, text, NULL);
    made->possible = status == MT_OK;
    *found = made;
    return status == MT_ENOMEM ? no_memory(err) : MT_OK;
}

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static int add_failed(struct mt_samples *samples, const struct placed *run,
                      struct mt_error *err)
{
    const int status = mt_array_grow(&samples->failed, samples->nfailed,
                                     sizeof *samples->failed, "runs", err);
    if (status == MT_OK)
        samples->failed[samples->nfailed++] =
            (struct mt_sample){.configuration = *run->configuration, .size = run->size};
    return status;
}

static int add_succeeded(struct loading *loading, const struct placed *run,
                         struct mt_error *err)
{
    const int status = mt_array_grow(&loading->runs, loading->count,
                                     sizeof *loading->runs, "runs", err);
    if (status == MT_OK)
        loading->runs[loading->count++] = *run;
    return status;
}

static int take_row(void *context, sqlite3_stmt *row, struct mt_error *err)
{
    struct loading *loading = context;
    const bool succeeded = sqlite3_column_int(row, SUCCEEDED);
    const char *text = (const char *)sqlite3_column_text(row, CONFIGURATION);
    const struct known *known = NULL;
    if (!succeeded && sqlite3_column_type(row, DOWN) != SQLITE_NULL)
        return MT_OK;
    const int status = find_known(loading, text ? text : "", &known, err);
    if (status != MT_OK)
        return status;
    const struct placed run = {.configuration = &known->configuration,
                               .size = sqlite3_column_double(row, SIZE),
                               .seconds = sqlite3_column_double(row, SECONDS),
                               .place = loading->count};
    if (!succeeded)
        return known->possible ? add_failed(loading->samples, &run, err) : MT_OK;
    if (!(is_positive(run.size) && is_positive(run.seconds)))
        return mt_fail(err, MT_EINVAL,
                       "damaged store: run %lld has a size of %g and took %g s",
                       (long long)sqlite3_column_int64(row, ID), run.size, run.seconds);
    loading->samples->newest_run =
        sqlite3_column_int64(row, ID); /* in ascending order */
    loading->samples->left_out += !known->possible;
    return known->possible ? add_succeeded(loading, &run, err) : MT_OK;
}

static int compare_places(const struct placed *a, const struct placed *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return a->configuration == b->configuration
               ? 0
               : memcmp(a->configuration, b->configuration, sizeof *a->configuration);
}

static int compare_runs(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    const int order = compare_places(a, b);
    if (order != 0)
        return order;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_order(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    return (a->place > b->place) - (a->place < b->place);
}

/* Keep a few of the runs of each configuration and size, evenly from the fastest to the
   slowest, with their order in time; returns their number. */
static int choose(struct placed *runs, int count)
{
    int kept = 0;
    for (int first = 0, end; first < count; first = end) {
        int newest = 0;
        for (end = first; end < count && compare_places(&runs[first], &runs[end]) == 0;
             end++)
            if (runs[end].place > newest)
                newest = runs[end].place;
        const int few = end - first < FEW_REPETITIONS ? end - first : FEW_REPETITIONS;
        for (int i = 0; i < few; i++)
            runs[kept++] =
                runs[first + (int)((2.0 * i + 1) * (end - first) / (2 * few))];
        if (few < end - first)
            runs[kept - 1].place = newest;
    }
    return kept;
}

static int make_samples(struct loading *loading, struct mt_error *err)
{
    struct placed *runs = loading->runs;
    struct mt_samples *samples = loading->samples;
    int count = loading->count;
    if (count == 0)
        return MT_OK;
    if (count > MANY_RUNS) {
        qsort(runs, (size_t)count, sizeof *runs, compare_runs);
        count = choose(runs, count);
        qsort(runs, (size_t)count, sizeof *runs, compare_order);
    }
    samples->samples = calloc((size_t)count, sizeof *samples->samples);
    if (!samples->samples)
        return no_memory(err);
    samples->count = count;
    for (int i = 0; i < count; i++)
        samples->samples[i] =
            (struct mt_sample){*runs[i].configuration, runs[i].size, runs[i].seconds};
    return MT_OK;
}

static int load(struct mt_store *store, struct loading *loading, const char *program,
                struct mt_error *err)
{
    sqlite3_stmt *statement = NULL;
    int status = mt_sql_prepare(
        store, &statement,
        "SELECT id, configuration, size, seconds, outcome = 'ok', absent FROM run"
        " WHERE cluster = ? AND program = ? ORDER BY id",
        err);
    if (status != MT_OK)
        return status;
    mt_sql_bind_text(statement, 1, loading->cluster->name);
    mt_sql_bind_text(statement, 2, program);
    status = mt_sql_each(store, statement, take_row, loading, err);
    return status == MT_OK ? make_samples(loading, err) : status;
}

int mt_store_samples(struct mt_store *store, struct mt_samples *samples,
                     const struct mt_cluster *cluster, const char *program,
                     struct mt_error *err)
{
    struct mt_samples loaded = {.store = strdup(store->path)};
    struct loading loading = {.samples = &loaded, .cluster = cluster};
    int status = loaded.store ? load(store, &loading, program, err) : no_memory(err);
    tdestroy(loading.known, free_known);
    free(loading.runs);
    if (status == MT_OK)
        status = mt_store_links(store, &loaded.links, cluster->name, err);
    if (status != MT_OK)
        mt_samples_clear(&loaded);
    else
        *samples = loaded;
    return status;
}
