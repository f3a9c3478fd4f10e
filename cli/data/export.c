/* SPDX-License-Identifier: BSD-3-Clause */
/* 'motley export': the runs of a program on a cluster, in a format of formats.c. */
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "cli/common/outlet.h"
#include "formats.h"
#include "lib/store/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *format_name, *output_path;

static const struct poptOption options[] = {
    {"format", 0, POPT_ARG_STRING, &format_name, 0, "csv (default) or json", "FORMAT"},
    {"output", 0, POPT_ARG_STRING, &output_path, 0,
     "where to write (default: standard output)", "FILE"},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int read_store(struct mt_runs *runs, const struct mt_stored *stored,
                      struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status != MT_OK)
        return status;
    const struct mt_run_filter filter = {.cluster = stored->cluster,
                                         .program = stored->program};
    status = mt_store_runs(store, runs, &filter, err);
    mt_store_close(store);
    if (status == MT_OK && runs->count == 0)
        return mt_fail(err, MT_ENOTFOUND, "no such runs of '%s' on '%s' in store '%s'",
                       stored->program, stored->cluster, mt_common.db);
    return status;
}

static int export_runs(const struct mt_format *format, const struct mt_stored *stored,
                       struct mt_error *err)
{
    struct mt_runs runs = {0};
    struct mt_outlet outlet;
    int status = read_store(&runs, stored, err);
    if (status == MT_OK && !output_path) {
        format->write(stdout, &runs);
    } else if (status == MT_OK) {
        status = mt_outlet_open(&outlet, output_path, err);
        if (status == MT_OK) {
            format->write(outlet.stream, &runs);
            status = mt_outlet_close(&outlet, MT_OK, err);
        }
    }
    mt_runs_clear(&runs);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    const struct mt_format *format = NULL;
    struct mt_stored stored = {0};
    int status = mt_format_find(&format, format_name ? format_name : "csv", err);
    if (status == MT_OK)
        status = mt_stored_load(&stored, arguments, err);
    if (status == MT_OK && !stored.program)
        status = mt_fail(err, MT_EINVAL, "a cluster and a program are needed");
    if (status == MT_OK)
        status = export_runs(format, &stored, err);
    mt_stored_clear(&stored);
    return mt_exit_status(status);
}

const struct mt_command mt_command_export = {
    .name = "export",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Write runs for other tools: CSV or JSON",
    .options = options,
    .run = run,
};
