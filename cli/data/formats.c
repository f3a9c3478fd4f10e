/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects the format of a file; and the common part of all readers: located errors,
   checks of a run, and numbers of repetitions. */
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

static void write_csv(FILE *stream, const struct mt_runs *runs)
{
    mt_runs_print_csv(runs, stream);
}

static void write_json(FILE *stream, const struct mt_runs *runs)
{
    mt_document_print("motley/runs", 1, mt_runs_to_json(runs, false), stream);
}

const struct mt_format mt_format_csv = {"csv", write_csv};
const struct mt_format mt_format_json = {"json", write_json};

int mt_format_find(const struct mt_format **format, const char *name,
                   struct mt_error *err)
{
    const bool json = !strcmp(name, mt_format_json.name);
    if (!json && strcmp(name, mt_format_csv.name) != 0)
        return mt_fail(err, MT_EINVAL, "unknown format: '%s' (one of csv, json)", name);
    *format = json ? &mt_format_json : &mt_format_csv;
    return MT_OK;
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

/* Check the store's conditions on a run here, to report the run's line. */
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
    struct mt_run of; /* only the compared members are set */
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

/* A run without a repetition number follows those above it. */
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

/* Reads the beginning of a stream again, together with the rest. */
struct head {
    FILE *stream;
    size_t length, at;
    char text[1 << 16];
};

static ssize_t read_on(void *cookie, char *buffer, size_t size)
{
    struct head *head = cookie;
    size_t length = head->length - head->at;
    if (length == 0)
        return (ssize_t)fread(buffer, 1, size, head->stream);
    length = length < size ? length : size;
    memcpy(buffer, head->text + head->at, length);
    head->at += length;
    return (ssize_t)length;
}

static int read_kind(struct mt_source *source, struct mt_runs *runs, const char *head,
                     struct mt_error *err)
{
    const char first = head[strspn(head, " \t\r\n")];
    const struct mt_log *log = mt_log_find(head);
    if (first == '{' || first == '[')
        return mt_json_read(source, runs, err);
    return log ? mt_log_read(source, runs, log, err) : mt_table_read(source, runs, err);
}

int mt_source_read(struct mt_source *source, struct mt_runs *runs, struct mt_error *err)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* spreadsheets put it before UTF-8 */
    struct head *head = mt_calloc(1, sizeof *head);
    int status = MT_OK;
    head->stream = source->stream;
    head->length = fread(head->text, 1, sizeof head->text - 1, head->stream);
    if (!strncmp(head->text, mark, strlen(mark)))
        head->at = strlen(mark);
    if (head->at < head->length) {
        const cookie_io_functions_t functions = {.read = read_on};
        source->stream = mt_need(fopencookie(head, "r", functions));
        status = read_kind(source, runs, head->text + head->at, err);
        fclose(source->stream);
        source->stream = head->stream;
    }
    free(head);
    tdestroy(source->repetitions, free_repeated);
    source->repetitions = NULL;
    return status;
}
