/* SPDX-License-Identifier: BSD-3-Clause */
#include "formats.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct mt_format *const formats[] = {
    &mt_format_csv, &mt_format_json, &mt_format_extrap, &mt_format_extrap_jsonl, NULL,
};

int mt_format_find(const struct mt_format **format, const char *name,
                   struct mt_error *err)
{
    for (int i = 0; formats[i]; i++)
        if (!strcmp(formats[i]->name, name)) {
            *format = formats[i];
            return MT_OK;
        }
    return mt_fail(err, MT_EINVAL,
                   "unknown format: '%s' (one of csv, json, extra-p, extra-p-jsonl)",
                   name);
}

int mt_source_fail(const struct mt_source *source, struct mt_error *err,
                   const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
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
    *name = strdup(given);
    if (!*name)
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", source->path);
    return MT_OK;
}

static int next_repetition(const struct mt_runs *runs, const struct mt_run *run)
{
    int last = 0;
    for (int i = 0; i < runs->count; i++) {
        const struct mt_run *other = &runs->runs[i];
        if (other->size == run->size && other->repetition > last &&
            !strcmp(other->configuration, run->configuration) &&
            !strcmp(other->cluster, run->cluster) &&
            !strcmp(other->program, run->program))
            last = other->repetition;
    }
    return last + 1;
}

int mt_source_add(const struct mt_source *source, struct mt_runs *runs,
                  struct mt_run *run, struct mt_error *err)
{
    int status = check_run(source, run, err);
    if (status == MT_OK)
        status = fill_name(source, &run->cluster, source->cluster, "cluster", err);
    if (status == MT_OK)
        status = fill_name(source, &run->program, source->program, "program", err);
    if (status != MT_OK)
        return status;
    if (run->repetition == 0)
        run->repetition = next_repetition(runs, run);
    struct mt_run *grown =
        reallocarray(runs->runs, (size_t)runs->count + 1, sizeof *runs->runs);
    if (!grown)
        return mt_fail(err, MT_ENOMEM, "no memory to read '%s'", source->path);
    runs->runs = grown;
    runs->runs[runs->count++] = *run;
    *run = (struct mt_run){0};
    return MT_OK;
}

bool mt_parse_number(double *number, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end)
        return false;
    *number = value;
    return true;
}
