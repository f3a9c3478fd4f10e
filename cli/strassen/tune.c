/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune.h"

#include "cli/common/command.h"
#include "cli/common/json.h"
#include "cli/launch/testbed.h"
#include "cli/process/folders.h"
#include "lib/base/argv.h"

#include <stdlib.h>

static int quick, show;

static const struct poptOption options[] = {
    {"quick", 0, POPT_ARG_NONE, &quick, 0,
     "only try small squares: a second, and rough", NULL},
    {"show", 0, POPT_ARG_NONE, &show, 0, "measure nothing: show what is kept", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int make_command(char ***command, struct mt_error *err)
{
    char *program = mt_own_tune();
    if (!program)
        return mt_fail(err, MT_ENOTFOUND,
                       "'motley-tune', which comes with motley, is missing");
    int status = mt_argv_add(command, err, "%s", program);
    free(program);
    if (status == MT_OK && quick)
        status = mt_argv_add(command, err, "--quick");
    if (status == MT_OK && show)
        status = mt_argv_add(command, err, "--show");
    return status;
}

static int tune_cluster(char **command, const char *name, FILE *output,
                        int *interrupted, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    int status = mt_cluster_input(&cluster, name, err);
    if (status != MT_OK)
        return status;
    if (mt_cluster_simulated(&cluster))
        status = mt_fail(err, MT_EINVAL,
                         "cluster '%s' is simulated: it has no processors to tune for",
                         cluster.name);
    if (status == MT_OK)
        status = mt_testbed_check(&cluster, err);
    if (status == MT_OK)
        status = mt_tune_nodes(command, &cluster, output, interrupted, err);
    mt_cluster_clear(&cluster);
    return status;
}

static int show_found(FILE *output, struct mt_error *err)
{
    json_t *machines = NULL;
    int status = mt_tune_read(&machines, output, err);
    if (status != MT_OK)
        return status;
    if (mt_common.json)
        status = mt_json_print(json_pack("{s:O}", "machines", machines), stdout, err);
    else
        status = mt_tune_print(machines, err);
    json_decref(machines);
    return status;
}

static int tune(const char *cluster, char **command, struct mt_error *err)
{
    int interrupted = 0;
    FILE *output = tmpfile();
    int status =
        output ? MT_OK : mt_fail(err, MT_EIO, "no room for what motley-tune prints");
    if (status == MT_OK)
        status = cluster ? tune_cluster(command, cluster, output, &interrupted, err)
                         : mt_tune_here(command, output, err);
    if (status == MT_OK && interrupted == 0)
        status = show_found(output, err);
    if (output)
        fclose(output);
    return interrupted != 0 ? EXIT_SIGNALLED + interrupted : mt_exit_status(status);
}

static int run(const char **arguments, struct mt_error *err)
{
    char **command = NULL;
    int status = MT_OK;
    if (arguments[0] && arguments[1])
        status = mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[1]);
    if (status == MT_OK && quick && show)
        status = mt_fail(err, MT_EINVAL, "--show measures nothing: not with --quick");
    if (status == MT_OK)
        status = make_command(&command, err);
    const int exit_status =
        status == MT_OK ? tune(arguments[0], command, err) : mt_exit_status(status);
    mt_argv_free(command);
    return exit_status;
}

const struct mt_command mt_command_tune = {
    .name = "tune",
    .arguments = "[CLUSTER]",
    .summary = "Find from where on Strassen's method pays, on each kind of node",
    .options = options,
    .run = run,
};
