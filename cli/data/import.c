/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common/command.h"
#include "formats.h"

#include <errno.h>
#include <string.h>

static const char *format_name, *cluster_name, *program_name, *group_name;

static const struct poptOption options[] = {
    {"format", 0, POPT_ARG_STRING, &format_name, 0,
     "csv (default), json, extra-p or extra-p-jsonl", "FORMAT"},
    {"cluster", 0, POPT_ARG_STRING, &cluster_name, 0,
     "the cluster of runs whose file does not say", "NAME"},
    {"program", 0, POPT_ARG_STRING, &program_name, 0,
     "the program of runs whose file does not say", "NAME"},
    {"group", 0, POPT_ARG_STRING, &group_name, 0,
     "Extra-P: the group that all runs were made on, and its processes per node",
     "NAME[:xM]"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The first byte, which stays to be read. Spreadsheets put three bytes before UTF-8
   that are no text; nothing else in these formats begins with 0xEF. */
static int first_byte(FILE *stream)
{
    int first = getc(stream);
    if (first == 0xEF && getc(stream) == 0xBB && getc(stream) == 0xBF)
        first = getc(stream);
    return ungetc(first, stream);
}

static int read_stream(const struct mt_format *format, struct mt_source *source,
                       struct mt_runs *runs, struct mt_error *err)
{
    int status = MT_OK;
    if (first_byte(source->stream) != EOF)
        status = mt_format_read(format, source, runs, err);
    if (ferror(source->stream)) /* and not what the reader made of it */
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", source->path,
                       strerror(errno));
    if (status == MT_OK && runs->count == 0)
        status = mt_fail(err, MT_EPARSE, "no runs in '%s'", source->path);
    return status;
}

static int read_file(const char *path, struct mt_runs *runs, struct mt_error *err)
{
    const struct mt_format *format = NULL;
    int status = mt_format_find(&format, format_name ? format_name : "csv", err);
    if (status != MT_OK)
        return status;
    struct mt_source source = {.stream = fopen(path, "r"),
                               .path = path,
                               .cluster = cluster_name,
                               .program = program_name,
                               .group = group_name};
    if (!source.stream)
        return mt_fail(err, MT_EIO, "cannot open '%s': %s", path, strerror(errno));
    status = read_stream(format, &source, runs, err);
    fclose(source.stream);
    return status;
}

/* All of the file's runs in one transaction, after all of it has been read. */
static int import_file(const char *path, struct mt_error *err)
{
    struct mt_runs runs = {0};
    struct mt_store *store = NULL;
    int status = read_file(path, &runs, err);
    if (status == MT_OK)
        status = mt_store_open(&store, mt_common.db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_add_runs(store, runs.runs, runs.count, err);
    if (status == MT_OK)
        printf("imported %d runs into '%s'\n", runs.count, mt_common.db);
    mt_store_close(store);
    mt_runs_clear(&runs);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    int status;
    if (!arguments[0])
        status = mt_fail(err, MT_EINVAL, "a file is needed");
    else if (arguments[1])
        status = mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[1]);
    else
        status = import_file(arguments[0], err);
    return mt_exit_status(status);
}

const struct mt_command mt_command_import = {
    .name = "import",
    .arguments = "FILE",
    .summary = "Take over runs that other tools measured: CSV, JSON, Extra-P",
    .options = options,
    .run = run,
};
