/* SPDX-License-Identifier: BSD-3-Clause */
/* 'motley check': pings the nodes, probes them and reports findings; findings by
   measurement take a second probe. */
#include "check.h"
#include "cli/common/command.h"
#include "cli/common/inputs.h"
#include "lib/base/text.h"

static const struct poptOption options[] = {
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static bool found_by_measuring(const struct mt_findings *findings)
{
    for (int i = 0; i < findings->count; i++)
        if (findings->list[i].measured)
            return true;
    return false;
}

/* A measurement may be disturbed by chance, so its finding must appear twice. */
static int probe(struct mt_check *check, int *interrupted, struct mt_error *err)
{
    int status = MT_OK;
    mt_check_choose_links(check);
    for (int times = 0; times < 2 && status == MT_OK && *interrupted == 0; times++) {
        if (times > 0 && !found_by_measuring(&check->findings))
            break;
        status = mt_check_probe(check, interrupted, err);
        if (status == MT_OK)
            mt_check_diagnose(check);
    }
    return status;
}

/* A failure to keep them is only a warning. */
static void keep_links(const struct mt_check *check)
{
    struct mt_error reason;
    if (mt_check_keep_links(check, mt_common.db, &reason) == MT_OK)
        return;
    mt_text_clean_line(reason.text);
    fprintf(stderr, "motley: cannot store the figures of links: %s\n", reason.text);
}

/* Returns the exit status. */
static int check_cluster(struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_check check = {0};
    int interrupted = 0;
    mt_check_begin(&check, cluster);
    int status = mt_check_ping(&check, cluster, mt_common.db, err);
    if (status == MT_OK)
        status = probe(&check, &interrupted, err);
    if (status == MT_OK && interrupted == 0)
        keep_links(&check);
    if (status == MT_OK && interrupted == 0)
        (mt_common.json ? mt_check_print_json : mt_check_print)(&check);
    const bool found = check.findings.count > 0;
    mt_check_clear(&check);
    if (interrupted != 0)
        return EXIT_SIGNALLED + interrupted;
    if (status != MT_OK)
        return mt_exit_status(status);
    return found ? EXIT_FOUND : EXIT_FINE;
}

static int check_arguments(const char **arguments, struct mt_error *err)
{
    if (!arguments[0])
        return mt_fail(err, MT_EINVAL, "a cluster is needed");
    return arguments[1]
               ? mt_fail(err, MT_EINVAL, "one argument too many: '%s'", arguments[1])
               : MT_OK;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_cluster cluster = {0};
    int status = check_arguments(arguments, err);
    if (status == MT_OK)
        status = mt_cluster_input(&cluster, arguments[0], err);
    if (status != MT_OK)
        return mt_exit_status(status);
    const int exit_status = check_cluster(&cluster, err);
    mt_cluster_clear(&cluster);
    return exit_status;
}

const struct mt_command mt_command_check = {
    .name = "check",
    .arguments = "CLUSTER",
    .summary = "Look for bad nodes and connections before measuring",
    .options = options,
    .run = run,
};
