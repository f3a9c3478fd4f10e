/* SPDX-License-Identifier: BSD-3-Clause */
/* The command motley measure. */
#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/inputs.h"
#include "lib/store/internal.h"

#include "budget.h"
#include "campaign.h"
#include "cli/launch/preload.h"
#include "cli/process/memory.h"
#include "cli/run/down.h"
#include "cli/run/submit.h"
#include "lib/base/number.h"
#include "lib/base/options.h"
#include "lib/base/text.h"
#include "print.h"

#include <stdlib.h>
#include <string.h>

/* Values of the options, written by popt. */
static struct {
    const char *configurations;
    const char *sizes;
    const char *timeout;
    const char *budget;
    const char *groups;
    struct mt_number_option runs, repeat, seed, jobs;
    int dry_run;
    int all;
    int quiet;
} wanted = {
    .runs = {.least = 1, .most = MT_MOST_COUNT},
    .repeat = {.least = 1, .most = MT_MOST_COUNT},
    .seed = {.most = MT_MOST_SEED},
    .jobs = {.least = 1, .most = 1024, .value = 1},
};

static const struct poptOption options[] = {
    {"configuration", 0, POPT_ARG_STRING, &wanted.configurations, 0,
     "configurations separated by commas, 'homogeneous' (default), or 'all'", "LIST"},
    {"sizes", 0, POPT_ARG_STRING, &wanted.sizes, 0,
     "problem sizes instead of the program's", "N,N"},
    {"groups", 0, POPT_ARG_STRING, &wanted.groups, 0,
     "only configurations of these groups, as what was added to the cluster",
     "NAME,NAME"},
    {"budget", 0, POPT_ARG_STRING, &wanted.budget, 0,
     "choose the runs: those that tell most in that time, as '10 min', or in a share "
     "of "
     "the planned run's, as '5%'; 'none': make all, however long they take",
     "TIME"},
    {"runs", 0, POPT_ARG_STRING, &wanted.runs, MT_OPTION_NUMBER,
     "choose the most informative runs, at most NUMBER", "NUMBER"},
    {"repeat", 0, POPT_ARG_STRING, &wanted.repeat, MT_OPTION_NUMBER,
     "runs of each configuration and size (default: the program's)", "NUMBER"},
    {"seed", 0, POPT_ARG_STRING, &wanted.seed, MT_OPTION_NUMBER,
     "of the random order and of simulated noise (default: 0)", "NUMBER"},
    {"jobs", 0, POPT_ARG_STRING, &wanted.jobs, MT_OPTION_NUMBER,
     "runs side by side, on simulated clusters and with --submit only (default: 1)",
     "NUMBER"},
    {"timeout", 0, POPT_ARG_STRING, &wanted.timeout, 0,
     "of a run, as '90 s' (default: the program's)", "TIME"},
    {"dry-run", 0, POPT_ARG_NONE, &wanted.dry_run, 0,
     "show what would run and how long it takes", NULL},
    {"all", 0, POPT_ARG_NONE, &wanted.all, 0, "with --dry-run: list all runs, too",
     NULL},
    {"quiet", 0, POPT_ARG_NONE, &wanted.quiet, 0, "no progress bar", NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_submit_options, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_patience_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_db_option, 0, NULL, NULL},
    {NULL, 0, POPT_ARG_INCLUDE_TABLE, mt_json_option, 0, NULL, NULL},
    POPT_TABLEEND,
};

static int choose_group(bool *chosen, const char *name,
                        const struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_closest closest = {.word = name};
    for (int g = 0; g < cluster->ngroups; g++) {
        if (strcmp(cluster->groups[g].name, name) == 0) {
            chosen[g] = true;
            return MT_OK;
        }
        mt_closest_try(&closest, cluster->groups[g].name);
    }
    return mt_fail(err, MT_EINVAL, "--groups: cluster '%s' has no group '%s'%s%s%s",
                   cluster->name, name, closest.name ? "; did you mean '" : "",
                   closest.name ? closest.name : "", closest.name ? "'?" : "");
}

static int read_groups(bool *chosen, const char *list, const struct mt_cluster *cluster,
                       struct mt_error *err)
{
    char *copy = mt_strdup(list), *rest = copy, *name;
    int status = MT_OK;
    while (status == MT_OK && (name = strsep(&rest, ",")))
        status = choose_group(chosen, name, cluster, err);
    free(copy);
    return status;
}

/* Keep only tasks that use no nodes except those of the listed groups, as
   "old,older". */
static int keep_groups(struct mt_tasks *tasks, const char *list,
                       const struct mt_cluster *cluster, struct mt_error *err)
{
    bool chosen[MT_MAX_GROUPS] = {false};
    const int status = read_groups(chosen, list, cluster, err);
    int kept = 0;
    for (int i = 0; i < tasks->count && status == MT_OK; i++) {
        const struct mt_task task = tasks->tasks[i];
        bool uses_others = false;
        for (int g = 0; g < cluster->ngroups; g++)
            uses_others =
                uses_others || (task.configuration.use[g].nodes > 0 && !chosen[g]);
        if (!uses_others)
            tasks->tasks[kept++] = task;
    }
    if (status != MT_OK)
        return status;
    tasks->count = kept;
    return kept > 0
               ? MT_OK
               : mt_fail(err, MT_EINVAL,
                         "--groups: none of the configurations uses '%s' alone", list);
}

static int plan_tasks(struct mt_tasks *tasks, const struct mt_inputs *inputs,
                      struct mt_error *err)
{
    const struct mt_program *program = &inputs->program;
    double *sizes = NULL;
    int nsizes = 0;
    if (wanted.sizes) {
        int status = mt_sizes_option(&sizes, &nsizes, "--sizes", wanted.sizes, err);
        if (status != MT_OK)
            return status;
    }
    const struct mt_measurement measurement = {
        .cluster = &inputs->cluster,
        .program = program,
        .configurations = wanted.configurations ? wanted.configurations : "homogeneous",
        .sizes = sizes ? sizes : program->measure_sizes,
        .nsizes = sizes ? nsizes : program->nmeasure_sizes,
        .repeat = wanted.repeat.text ? (int)wanted.repeat.value : program->repeat};
    int status = mt_tasks_plan(tasks, &measurement, err);
    free(sizes);
    if (wanted.configurations)
        status = mt_option_blame(status, "--configuration", err);
    if (status == MT_OK && wanted.groups)
        status = keep_groups(tasks, wanted.groups, &inputs->cluster, err);
    return status;
}

static bool has_budget(void)
{
    return wanted.budget && strcmp(wanted.budget, "none") != 0;
}

static bool is_limited(void)
{
    return has_budget() || wanted.runs.text;
}

/* "5%" or "5 %", as a share of one. */
static bool read_share(double *share, const char *text)
{
    double percent = 0;
    const char *end = mt_number_read(text, &percent);
    if (!end || strcmp(end + strspn(end, " "), "%") != 0)
        return false;
    *share = percent / 100;
    return true;
}

static int read_budget(struct mt_budget *budget, struct mt_error *err)
{
    if (!read_share(&budget->share, wanted.budget))
        return mt_positive_option(&budget->limits.seconds, "--budget", wanted.budget,
                                  MT_SECONDS, err);
    return budget->share > 0 && budget->share <= 1
               ? MT_OK
               : mt_fail(err, MT_EINVAL,
                         "--budget: '%s' is not above 0 and up to 100 %%",
                         wanted.budget);
}

static int read_limits(struct mt_budget *budget, struct mt_error *err)
{
    if (wanted.repeat.text || wanted.jobs.value > 1)
        return mt_fail(err, MT_EINVAL,
                       "%s does not go with --budget and --runs, which make one run "
                       "after the other, each of them once",
                       wanted.repeat.text ? "--repeat" : "--jobs");
    budget->limits.runs = (int)wanted.runs.value;
    budget->no_probes = wanted.groups != NULL;
    return has_budget() ? read_budget(budget, err) : MT_OK;
}

static int set_up_campaign(struct mt_campaign *campaign, struct mt_inputs *inputs,
                           struct mt_error *err)
{
    *campaign = (struct mt_campaign){
        .cluster = &inputs->cluster,
        .program = &inputs->program,
        .seed = (unsigned)wanted.seed.value,
        .jobs = (int)wanted.jobs.value,
        .quiet = wanted.quiet,
        .asks = !wanted.budget && !wanted.runs.text,
    };
    int status = mt_positive_option(&campaign->timeout, "--timeout", wanted.timeout,
                                    MT_SECONDS, err);
    if (status == MT_OK)
        status = mt_patience_read(&campaign->patience, err);
    if (status == MT_OK)
        status = mt_submit_read(&campaign->submit, campaign->cluster, err);
    return status == MT_OK ? mt_campaign_check(campaign, err) : status;
}

static int measure_all(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
                       struct mt_campaign_result *result, struct mt_error *err)
{
    char text[MT_QUANTITY_TEXT];
    int status = mt_campaign_run(campaign, tasks, result, err);
    if (status == MT_OK)
        mt_campaign_print(result, mt_cluster_simulated(campaign->cluster));
    if (status == MT_OK && result->too_long > 0)
        status = mt_fail(err, MT_EINVAL,
                         "all runs would take about %s: give --budget 10min to make "
                         "those that tell most, or --budget none to make all; what was "
                         "measured is kept",
                         mt_format_seconds(text, result->too_long));
    return status;
}

/* Make runs that a design chooses within limits, or, if `result` is NULL, show the
   expected ones. */
static int measure_within(struct mt_budget *budget, const struct mt_tasks *tasks,
                          struct mt_campaign_result *result, struct mt_error *err)
{
    int status = mt_budget_begin(budget, tasks, err);
    if (status == MT_OK && !result)
        status = mt_budget_print_forecast(budget, wanted.all, err);
    else if (status == MT_OK)
        status = mt_budget_run(budget, result, err);
    if (status == MT_OK && result)
        status = mt_budget_print(budget, result, err);
    return status;
}

/* Leave out the nodes that do not answer, and plan the tasks again for the others. */
static int leave_out_down(struct mt_tasks *tasks, struct mt_inputs *inputs,
                          struct mt_store *store, struct mt_error *err)
{
    int count = 0;
    int status = mt_down_leave_out(&inputs->cluster, store, &count, err);
    if (status != MT_OK || count == 0)
        return status;
    mt_tasks_clear(tasks);
    return plan_tasks(tasks, inputs, err);
}

/* Make the runs, or, with --dry-run, which needs no store, show them. */
static int measure(struct mt_campaign *campaign, struct mt_tasks *tasks,
                   struct mt_inputs *inputs, struct mt_budget *budget,
                   struct mt_campaign_result *result, struct mt_error *err)
{
    const bool dry = wanted.dry_run;
    int status = mt_store_open(&campaign->store, mt_common.db,
                               dry ? MT_STORE_READ : MT_STORE_WRITE, err);
    if (status == MT_OK && !dry)
        status = mt_store_claim(campaign->store, err);
    if (status == MT_OK && !dry)
        status = mt_down_ping_again(&inputs->cluster, campaign->store, err);
    if (status == MT_OK)
        status = leave_out_down(tasks, inputs, campaign->store, err);
    if (status == MT_ENOTFOUND && dry && !campaign->store)
        status = MT_OK;
    if (status == MT_OK && is_limited())
        status = measure_within(budget, tasks, dry ? NULL : result, err);
    else if (status == MT_OK)
        status = dry ? mt_dry_run(campaign, tasks, wanted.all, err)
                     : measure_all(campaign, tasks, result, err);
    mt_store_close(campaign->store);
    return status;
}

static int run(const char **arguments, struct mt_error *err)
{
    struct mt_inputs inputs;
    struct mt_tasks tasks = {0};
    struct mt_campaign campaign;
    struct mt_budget budget = {.campaign = &campaign};
    struct mt_campaign_result result = {0};
    if (wanted.all && !wanted.dry_run)
        return mt_exit_status(
            mt_fail(err, MT_EINVAL, "--all lists the runs of a --dry-run"));
    int status = mt_inputs_load(&inputs, arguments, err);
    if (status != MT_OK)
        return mt_exit_status(status);
    status = plan_tasks(&tasks, &inputs, err);
    if (status == MT_OK && !wanted.dry_run)
        mt_submit_collect(&inputs);
    if (status == MT_OK)
        status = set_up_campaign(&campaign, &inputs, err);
    if (status == MT_OK && is_limited())
        status = read_limits(&budget, err);
    if (status == MT_OK)
        status = measure(&campaign, &tasks, &inputs, &budget, &result, err);
    mt_budget_clear(&budget);
    mt_tasks_clear(&tasks);
    mt_inputs_clear(&inputs);
    if (status != MT_OK)
        return mt_exit_status(status);
    if (result.interrupted)
        return EXIT_SIGNALLED + result.interrupted;
    return result.failed > 0 ? EXIT_FAILED : EXIT_FINE;
}

const struct mt_command mt_command_measure = {
    .name = "measure",
    .arguments = "CLUSTER PROGRAM",
    .summary = "Run a program and keep its times",
    .options = options,
    .run = run,
};
