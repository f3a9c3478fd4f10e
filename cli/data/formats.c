/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of formats, JSON, and what readers of all formats share: located errors,
   what the store demands of a run, which repetition it is. */
#include "formats.h"

#include "cli/common/json.h"
#include "cli/process/memory.h"
#include "columns.h"
#include "lib/store/internal.h"

#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct mt_format *const formats[] = {&mt_format_csv, &mt_format_json,
                                                  NULL};

int mt_format_find(const struct mt_format **format, const char *name,
                   struct mt_error *err)
{
    for (int i = 0; formats[i]; i++)
        if (!strcmp(formats[i]->name, name)) {
            *format = formats[i];
            return MT_OK;
        }
    return mt_fail(err, MT_EINVAL, "unknown format: '%s' (one of csv, json)", name);
}

int mt_source_fail(const struct mt_source *source, struct mt_error *err,
                   const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (source->run > 0)
        return mt_fail(err, MT_EPARSE, "%s: run %d: %s", source->path, source->run,
                       reason);
    if (source->line == 0)
        return mt_fail(err, MT_EPARSE, "%s: %s", source->path, reason);
    return mt_fail(err, MT_EPARSE, "%s:%d: %s", source->path, source->line, reason);
}

/* What the store demands of a run, said with the line that it comes from. */
static int check_run(const struct mt_source *source, const struct mt_run *run,
                     struct mt_error *err)
{
    if (!run->configuration)
        return mt_source_fail(source, err, "a run without a configuration");
    if (!(run->size > 0 && isfinite(run->size)))
        return mt_source_fail(source, err, "size is not positive: '%g'", run->size);
    if (run->repetition < 0)
        return mt_source_fail(source, err, "repetition is not positive: '%d'",
                              run->repetition);
    if (run->outcome == MT_RUN_OK && !(run->seconds > 0 && isfinite(run->seconds)))
        return mt_source_fail(source, err, "seconds are not positive: '%g'",
                              run->seconds);
    if (run->outcome != MT_RUN_OK && run->seconds != 0)
        return mt_source_fail(source, err, "seconds of a run that did not succeed");
    if (!(run->wall >= 0 && isfinite(run->wall)))
        return mt_source_fail(source, err, "wall time is negative: '%g'", run->wall);
    return MT_OK;
}

/* Set a name that the file does not give to the one of the command line. */
static int fill_name(const struct mt_source *source, char **name, const char *given,
                     const char *option, struct mt_error *err)
{
    if (*name)
        return MT_OK;
    if (!given)
        return mt_source_fail(source, err, "the file does not name it: give '--%s'",
                              option);
    *name = mt_strdup(given);
    return MT_OK;
}

/* Runs of one cluster, program, configuration and size, and the last repetition. */
struct repeated {
    struct mt_run of; /* what of it is not compared is not set */
    int last;
};

static int compare_repeated(const void *a, const void *b)
{
    const struct mt_run *x = &((const struct repeated *)a)->of,
                        *y = &((const struct repeated *)b)->of;
    int order = (x->size > y->size) - (x->size < y->size);
    if (order == 0)
        order = strcmp(x->configuration, y->configuration);
    if (order == 0)
        order = strcmp(x->program, y->program);
    if (order == 0)
        order = strcmp(x->cluster, y->cluster);
    return order;
}

static void free_repeated(void *repeated)
{
    mt_run_clear(&((struct repeated *)repeated)->of);
    free(repeated);
}

/* A run that does not say which repetition it is comes after those above it. */
static void number_repetition(struct mt_source *source, struct mt_run *run)
{
    const struct repeated wanted = {.of = *run};
    struct repeated *const *found =
                               tfind(&wanted, &source->repetitions, compare_repeated),
                           *repeated = found ? *found : NULL;
    if (!repeated) {
        repeated = mt_calloc(1, sizeof *repeated);
        repeated->of = (struct mt_run){.cluster = mt_strdup(run->cluster),
                                       .program = mt_strdup(run->program),
                                       .configuration = mt_strdup(run->configuration),
                                       .size = run->size};
        mt_need(tsearch(repeated, &source->repetitions, compare_repeated));
    }
    if (run->repetition == 0)
        run->repetition = repeated->last + 1;
    if (repeated->last < run->repetition)
        repeated->last = run->repetition;
}

int mt_source_add(struct mt_source *source, struct mt_runs *runs, struct mt_run *run,
                  struct mt_error *err)
{
    enum { MANY = 4096 };
    int status = check_run(source, run, err);
    if (status == MT_OK)
        status = fill_name(source, &run->cluster, source->cluster, "cluster", err);
    if (status == MT_OK)
        status = fill_name(source, &run->program, source->program, "program", err);
    if (status != MT_OK)
        return status;
    number_repetition(source, run);
    mt_array_extend(&runs->runs, runs->count, sizeof *runs->runs);
    runs->runs[runs->count++] = *run;
    *run = (struct mt_run){0};
    return source->take && runs->count == MANY
               ? source->take(source->context, runs, err)
               : MT_OK;
}

/* The first byte, which stays to be read. Spreadsheets put three bytes before UTF-8
   that are no text; nothing else in these formats begins with 0xEF. */
static int first_byte(FILE *stream)
{
    int first = getc(stream);
    if (first == 0xEF && getc(stream) == 0xBB && getc(stream) == 0xBF)
        first = getc(stream);
    return ungetc(first, stream);
}

int mt_format_read(const struct mt_format *format, struct mt_source *source,
                   struct mt_runs *runs, struct mt_error *err)
{
    const bool empty = first_byte(source->stream) == EOF;
    const int status = empty ? MT_OK : format->read(source, runs, err);
    tdestroy(source->repetitions, free_repeated);
    source->repetitions = NULL;
    return status;
}

/* JSON: one object, {..., "simulated": ..., "runs": [{...}, ...]}. */
static void write_json(FILE *stream, const struct mt_runs *runs)
{
    mt_document_print("motley/runs", 1, mt_runs_to_json(runs, false), stream);
}

static int set_member(struct mt_run *run, const char *key, const json_t *value,
                      struct mt_error *err)
{
    const int column = mt_run_column_find(key);
    return column < 0 ? mt_fail(err, MT_EPARSE, "unknown member '%s'", key)
                      : mt_run_set_json(run, column, value, err);
}

static int read_object(struct mt_source *source, struct mt_run *run, json_t *object,
                       struct mt_error *err)
{
    struct mt_error reason;
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return mt_source_fail(source, err, "it is no object");
    json_object_foreach(object, key, value)
    {
        if (set_member(run, key, value, &reason) != MT_OK)
            return mt_source_fail(source, err, "%s", reason.text);
    }
    return MT_OK;
}

/* What the file is instead, where that is known. */
static const char *find_other_kind(const json_t *root)
{
    if (json_object_get(root, "results"))
        return "this is hyperfine's JSON: import what its option --export-csv writes";
    if (json_object_get(root, "session_info"))
        return "this is ReFrame's report: import its perflogs, as CSV";
    return json_is_array(json_object_get(root, "runs")) ? NULL
                                                        : "there is no list \"runs\"";
}

/* jansson knows the lines only while it parses: what is wrong with a run is said with
   the run's place in the list. */
static int read_json(struct mt_source *source, struct mt_runs *runs,
                     struct mt_error *err)
{
    json_error_t error;
    json_t *root = json_loadf(source->stream, JSON_REJECT_DUPLICATES, &error), *object;
    if (!root) {
        source->line = error.line > 0 ? error.line : 0;
        return mt_source_fail(source, err, "%s", error.text);
    }
    const char *other = find_other_kind(root);
    int status = other ? mt_source_fail(source, err, "%s", other) : MT_OK;
    const json_t *list = json_object_get(root, "runs");
    size_t i;
    json_array_foreach(list, i, object)
    {
        struct mt_run run = {0};
        source->run = (int)i + 1;
        if (status == MT_OK)
            status = read_object(source, &run, object, err);
        if (status == MT_OK)
            status = mt_source_add(source, runs, &run, err);
        mt_run_clear(&run);
    }
    json_decref(root);
    return status;
}

const struct mt_format mt_format_json = {"json", write_json, read_json};
