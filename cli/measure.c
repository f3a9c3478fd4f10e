/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"

#include "campaign.h"
#include "dry_run.h"
#include "json.h"
#include "motley/quantity.h"
#include <stdio.h>
#include <stdlib.h>

/* What the options say; popt writes here. Zero: the program's. */
static struct {
    const char *configurations;
    const char *sizes;
    const char *timeout;
    int repeat;
    int seed;
    int jobs;
    int dry_run;
    int quiet;
} wanted = {.jobs = 1};

static const struct poptOption options[] = {
    {"configurations", 0, POPT_ARG_STRING, &wanted.configurations, 0,
     "configurations separated by commas, 'homogeneous' (default), or 'all'", "LIST"},
    {"sizes", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem sizes instead of the program's", "N,N"},
    {"repeat", 0, POPT_ARG_INT, &wanted.repeat, 0,
     "runs of each configuration and size (default: the program's)", "NUMBER"},
    {"seed", 0, POPT_ARG_INT, &wanted.seed, 0,
     "of the random order and of simulated noise (default: 0)", "NUMBER"},
    {"jobs", 0, POPT_ARG_INT, &wanted.jobs, 0,
     "runs side by side, on simulated clusters only (default: 1)", "NUMBER"},
    {"timeout", 0, POPT_ARG_STRING, &wanted.timeout, 0,
     "of a run, as '90 s' (default: the program's)", "TIME"},
    {"dry-run", 0, POPT_ARG_NONE, &wanted.dry_run, 0,
     "show what would run and how long it takes", NULL},
    {"quiet", 0, POPT_ARG_NONE, &wanted.quiet, 0, "no progress bar", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int plan_tasks(struct mt_tasks *tasks, const struct mt_inputs *inputs,
                      struct mt_error *err)
{
    const struct mt_program *program = &inputs->program;
    const char *configurations =
        wanted.configurations ? wanted.configurations : "homogeneous";
    double *sizes = NULL;
    int nsizes = 0;
    if (wanted.repeat < 0)
        return mt_fail(err, MT_EINVAL, "--repeat must be at least 1, not %d",
                       wanted.repeat);
    if (wanted.sizes) {
        int status = mt_sizes_parse(&sizes, &nsizes, wanted.sizes, err);
        if (status != MT_OK)
            return status;
    }
    int status = mt_tasks_plan(tasks, &inputs->cluster, program, configurations,
                               sizes ? sizes : program->measure_sizes,
                               sizes ? nsizes : program->nmeasure_sizes,
                               wanted.repeat ? wanted.repeat : program->repeat, err);
    free(sizes);
    return status;
}

static int read_timeout(double *timeout, struct mt_error *err)
{
    if (!wanted.timeout)
        return MT_OK;
    struct mt_error reason = {0};
    if (mt_quantity_parse(timeout, wanted.timeout, MT_SECONDS, &reason))
        return mt_fail(err, reason.status, "--timeout: %s", reason.text);
    if (*timeout <= 0)
        return mt_fail(err, MT_EINVAL, "--timeout must be above 0, not '%s'",
                       wanted.timeout);
    return MT_OK;
}

static int set_up_campaign(struct mt_campaign *campaign, const struct mt_inputs *inputs,
                           struct mt_error *err)
{
    *campaign = (struct mt_campaign){
        .cluster = &inputs->cluster,
        .program = &inputs->program,
        .seed = (unsigned)wanted.seed,
        .jobs = wanted.jobs,
        .quiet = wanted.quiet,
    };
    int status = read_timeout(&campaign->timeout, err);
    return status == MT_OK ? mt_campaign_check(campaign, err) : status;
}

static int print_result(const struct mt_campaign *campaign,
                        const struct mt_campaign_result *result, struct mt_error *err)
{
    const bool simulated = mt_cluster_simulated(campaign->cluster);
    if (!mt_common.json) {
        printf("%d run%s measured%s, %d failed, %d measured before%s\n", result->done,
               result->done == 1 ? "" : "s", simulated ? " (simulated)" : "",
               result->failed, result->skipped,
               result->interrupted ? "; interrupted" : "");
        return MT_OK;
    }
    json_t *json = json_pack("{s:b, s:i, s:i, s:i, s:b}", "simulated", simulated,
                             "done", result->done, "failed", result->failed, "skipped",
                             result->skipped, "interrupted", result->interrupted != 0);
    return mt_json_print(json, stdout, err);
}

static int measure(struct mt_campaign *campaign, const struct mt_tasks *tasks,
                   int *exit_status, struct mt_error *err)
{
    struct mt_campaign_result result = {0};
    int status = mt_store_open(&campaign->store, mt_common.db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_store_claim(campaign->store, err);
    if (status == MT_OK)
        status = mt_campaign_run(campaign, tasks, &result, err);
    if (status == MT_OK)
        status = print_result(campaign, &result, err);
    mt_store_close(campaign->store);
    if (result.interrupted)
        *exit_status = EXIT_SIGNALLED + result.interrupted;
    else
        *exit_status = result.failed > 0 ? EXIT_FAILED : EXIT_FINE;
    return status;
}

static int show(struct mt_campaign *campaign, const struct mt_tasks *tasks,
                struct mt_error *err)
{
    int status = mt_store_open(&campaign->store, mt_common.db, MT_STORE_READ, err);
    if (status == MT_OK || status == MT_ENOTFOUND)
        status = mt_dry_run(campaign, tasks, mt_common.json, err);
    mt_store_close(campaign->store);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs;
    struct mt_tasks tasks = {0};
    struct mt_campaign campaign;
    int exit_status = EXIT_FINE;
    int status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    status = plan_tasks(&tasks, &inputs, err);
    if (status == MT_OK)
        status = set_up_campaign(&campaign, &inputs, err);
    if (status == MT_OK)
        status = wanted.dry_run ? show(&campaign, &tasks, err)
                                : measure(&campaign, &tasks, &exit_status, err);
    mt_tasks_clear(&tasks);
    mt_inputs_clear(&inputs);
    return status == MT_OK ? exit_status : mt_exit_status(status);
}

const struct mt_command mt_command_measure = {
    .name = "measure",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Run a program and keep its times",
    .options = options,
    .run = run,
};
