/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#include "cli/common/command.h"

#include <string.h>

static const char *configuration;
static double size;
static int failed_only;

static const struct poptOption options[] = {
    {"configuration", 0, POPT_ARG_STRING, &configuration, 0,
     "only runs on this configuration", "CONFIGURATION"},
    {"size", 0, POPT_ARG_DOUBLE, &size, 0, "only runs of this size", "N"},
    {"failed", 0, POPT_ARG_NONE, &failed_only, 0, "only runs that failed", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int check_arguments(const char *what, struct mt_error *err)
{
    if (!what)
        return mt_fail(err, MT_EINVAL, "say what to show: runs or models");
    if (strcmp(what, "runs") != 0 && strcmp(what, "models") != 0)
        return mt_fail(err, MT_EINVAL, "runs or models? not '%s'", what);
    if (!strcmp(what, "models") && (configuration || size != 0 || failed_only))
        return mt_fail(err, MT_EINVAL,
                       "--configuration, --size and --failed choose runs, not models");
    if (size < 0)
        return mt_fail(err, MT_EINVAL, "size is not positive: '%g'", size);
    return MT_OK;
}

static int show(const char *what, const struct mt_stored *stored, struct mt_error *err)
{
    struct mt_store *store = NULL;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status)
        return status;
    if (!strcmp(what, "models")) {
        status = mt_show_models(store, stored, err);
    } else {
        const struct mt_run_filter filter = {.cluster = stored->cluster,
                                             .program = stored->program,
                                             .configuration = configuration,
                                             .size = size};
        status = mt_show_runs(store, &filter, failed_only, err);
    }
    mt_store_close(store);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_stored stored = {0};
    int status = check_arguments(arguments[0], err);
    if (!status)
        status = mt_stored_load(&stored, arguments + 1, err);
    if (!status)
        status = show(arguments[0], &stored, err);
    mt_stored_clear(&stored);
    return mt_exit_status(status);
}

const struct mt_command mt_command_show = {
    .name = "show",
    .arguments = "runs|models [CLUSTER [PROGRAM]]",
    .summary = "List what the store keeps",
    .options = options,
    .run = run,
};
