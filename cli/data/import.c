/* SPDX-License-Identifier: BSD-3-Clause */
/* 'motley import': adds all of a file's runs to the store, or none. */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/process/memory.h"
#include "formats.h"
#include "lib/store/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *cluster_name, *program_name, *group_name, *columns, *where;

static const struct poptOption options[] = {
    {"cluster", 0, POPT_ARG_STRING, &cluster_name, 0,
     "the cluster of runs whose file does not say", "NAME"},
    {"program", 0, POPT_ARG_STRING, &program_name, 0,
     "the program of runs whose file does not say", "NAME"},
    {"columns", 0, POPT_ARG_STRING, &columns, 0,
     "which of the file's columns say what, as 'size=N,seconds=time:ms,ranks=P*Q'",
     "LIST"},
    {"where", 0, POPT_ARG_STRING, &where, 0,
     "take only rows in which the column has that value", "COLUMN=VALUE"},
    {"group", 0, POPT_ARG_STRING, &group_name, 0,
     "the group that all runs were made on, and its processes per node", "NAME[:xM]"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

/* The destination of the runs: one transaction, from the first on. */
struct target {
    struct mt_store *store;
    int count;
};

static int add_runs(void *context, struct mt_runs *runs, struct mt_error *err)
{
    struct target *target = context;
    int status = MT_OK;
    if (!target->store) {
        status = mt_store_open(&target->store, mt_common.db, MT_STORE_WRITE, err);
        if (status == MT_OK)
            status = mt_store_begin(target->store, err);
    }
    if (status == MT_OK)
        status = mt_store_add_runs(target->store, runs->runs, runs->count, err);
    target->count += runs->count;
    mt_runs_clear(runs);
    return status;
}

static int read_stream(struct mt_source *source, struct mt_runs *runs,
                       struct mt_error *err)
{
    struct stat file;
    /* do not block other writers while a pipe is idle */
    if (fstat(fileno(source->stream), &file) == 0 && S_ISREG(file.st_mode))
        source->take = add_runs;
    int status = mt_source_read(source, runs, err);
    if (ferror(source->stream)) /* not the reader's error about it */
        return mt_fail(err, MT_EIO, "cannot read '%s': %s", source->path,
                       strerror(errno));
    const struct target *target = source->context;
    if (status == MT_OK && runs->count + target->count == 0)
        status = mt_fail(err, MT_EPARSE, "no runs in '%s'", source->path);
    return status;
}

static int read_runs(struct mt_source *source, struct mt_runs *runs,
                     struct mt_error *err)
{
    source->stream = fopen(source->path, "r");
    if (!source->stream)
        return mt_fail(err, MT_EIO, "cannot open '%s': %s", source->path,
                       strerror(errno));
    const int status = read_stream(source, runs, err);
    fclose(source->stream);
    return status;
}

/* The files of the cluster and of the program are optional. */
static void load_files(struct mt_inputs *inputs, struct mt_source *source)
{
    if (cluster_name && mt_cluster_input(&inputs->cluster, cluster_name, NULL) == MT_OK)
        source->hosts = &inputs->cluster;
    if (program_name && mt_program_input(&inputs->program, program_name, NULL) == MT_OK)
        source->work = &inputs->program;
    if (!group_name && source->hosts && inputs->cluster.ngroups == 1)
        source->group = inputs->cluster.groups[0].name;
}

static int read_file(const char *path, const struct mt_stored *names,
                     struct target *target, struct mt_error *err)
{
    struct mt_inputs inputs = {.program = {.name = NULL}};
    struct mt_runs runs = {0};
    struct mt_source source = {.path = path,
                               .cluster = names->cluster,
                               .program = names->program,
                               .group = group_name,
                               .columns = columns,
                               .where = where,
                               .context = target};
    load_files(&inputs, &source);
    int status = read_runs(&source, &runs, err);
    if (status == MT_OK)
        status = add_runs(target, &runs, err);
    mt_runs_clear(&runs);
    mt_inputs_clear(&inputs);
    return status;
}

/* The names in the options; a path means the name in that file. */
static int load_names(struct mt_stored *names, struct mt_error *err)
{
    const char *arguments[] = {cluster_name, program_name, NULL};
    if (cluster_name || !program_name)
        return mt_stored_load(names, arguments, err);
    names->program = mt_strdup(program_name);
    return MT_OK;
}

/* All of the file's runs in one transaction. */
static int import_file(const char *path, struct mt_error *err)
{
    struct target target = {0};
    struct mt_stored names = {0};
    int status = load_names(&names, err);
    if (status == MT_OK)
        status = read_file(path, &names, &target, err);
    if (target.store)
        status = mt_store_end(target.store, status, err);
    if (status == MT_OK)
        printf("imported %d runs into '%s'\n", target.count, mt_common.db);
    mt_store_close(target.store);
    mt_stored_clear(&names);
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
    .summary = "Take over runs that other tools measured: tables, JSON, logs",
    .options = options,
    .run = run,
};
