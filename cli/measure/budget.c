/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"

#include "cli/common/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a run takes from the budget: the time that passes on the cluster, which on a
   simulated one is the program's. */
static double spent_on(const struct mt_budget *budget, const struct mt_run *run)
{
    if (mt_cluster_simulated(budget->campaign->cluster) || run->wall < run->seconds)
        return run->seconds;
    return run->wall;
}

static int remember(struct mt_budget *budget, int candidate, const struct mt_run *run,
                    struct mt_error *err)
{
    if (budget->nruns == budget->allocated) {
        const int allocated = budget->allocated > 0 ? 2 * budget->allocated : 64;
        struct mt_budget_run *more =
            realloc(budget->runs, (size_t)allocated * sizeof *more);
        if (!more)
            return mt_fail(err, MT_ENOMEM, "no memory for %d runs", allocated);
        budget->runs = more;
        budget->allocated = allocated;
    }
    const struct mt_budget_run ended = {
        .candidate = candidate,
        .seconds = run->outcome == MT_RUN_OK ? run->seconds : NAN,
        .spent = spent_on(budget, run)};
    budget->runs[budget->nruns++] = ended;
    return mt_design_observe(budget->design, candidate, ended.seconds, ended.spent,
                             err);
}

void mt_budget_probed(struct mt_budget *budget, const struct mt_run *run)
{
    const double spent = spent_on(budget, run);
    budget->probes++;
    budget->probes_spent += spent;
    mt_design_probed(budget->design, spent);
}

/* Whether a run is one of several groups at a size of the candidates. */
static bool is_probe(const struct mt_budget *budget, const struct mt_run *run)
{
    struct mt_configuration configuration;
    if (mt_configuration_parse(&configuration, budget->campaign->cluster,
                               run->configuration, NULL) != MT_OK ||
        mt_configuration_only_group(&configuration) >= 0)
        return false;
    for (int i = 0; i < budget->count; i++)
        if (budget->candidates[i].size == run->size)
            return true;
    return false;
}

static int find_candidate(const struct mt_budget *budget, const struct mt_run *run)
{
    struct mt_configuration configuration;
    if (mt_configuration_parse(&configuration, budget->campaign->cluster,
                               run->configuration, NULL) != MT_OK)
        return -1;
    for (int i = 0; i < budget->count; i++)
        if (budget->candidates[i].size == run->size &&
            mt_configuration_equal(&budget->candidates[i].configuration,
                                   &configuration))
            return i;
    return -1;
}

/* Observe the stored runs, and review the plan after each of the last ones: so a
   campaign that had settled is found to have done so. Runs that failed before are tried
   again, so they do not count. */
static int remember_all(struct mt_budget *budget, const struct mt_runs *stored,
                        struct mt_error *err)
{
    struct mt_design_state state;
    int status = mt_design_state(budget->design, &state, err);
    for (int i = 0; i < stored->count; i++)
        if (is_probe(budget, &stored->runs[i]))
            mt_budget_probed(budget, &stored->runs[i]);
    const int last = stored->count - budget->probes - state.enough;
    for (int i = 0; i < stored->count && status == MT_OK; i++) {
        const int candidate = find_candidate(budget, &stored->runs[i]);
        if (candidate < 0)
            continue;
        status = remember(budget, candidate, &stored->runs[i], err);
        if (status == MT_OK && i + 1 >= last)
            status = mt_design_review(budget->design, &budget->settled, err);
    }
    budget->before = budget->nruns + budget->probes;
    return status;
}

static int remember_stored(struct mt_budget *budget, struct mt_error *err)
{
    const struct mt_campaign *campaign = budget->campaign;
    const struct mt_run_filter filter = {.cluster = campaign->cluster->name,
                                         .program = campaign->program->name,
                                         .succeeded_only = true};
    struct mt_runs stored = {0};
    if (!campaign->store)
        return MT_OK;
    int status = mt_store_runs(campaign->store, &stored, &filter, err);
    if (status == MT_OK)
        status = remember_all(budget, &stored, err);
    mt_runs_clear(&stored);
    return status;
}

static int take_candidates(struct mt_budget *budget, const struct mt_tasks *tasks,
                           struct mt_error *err)
{
    budget->candidates = calloc((size_t)tasks->count + 1, sizeof *budget->candidates);
    if (!budget->candidates)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", tasks->count);
    for (int i = 0; i < tasks->count; i++) {
        const struct mt_task *task = &tasks->tasks[i];
        if (mt_configuration_only_group(&task->configuration) < 0)
            return mt_fail(err, MT_EINVAL,
                           "with a limit, runs are chosen among configurations of a "
                           "single group: leave out those of several");
        if (task->repetition == 1)
            budget->candidates[budget->count++] = (struct mt_candidate){
                .configuration = task->configuration, .size = task->size};
    }
    return MT_OK;
}

int mt_budget_init(struct mt_budget *budget, const struct mt_campaign *campaign,
                   const struct mt_tasks *tasks, const struct mt_design_limits *limits,
                   struct mt_error *err)
{
    *budget = (struct mt_budget){.campaign = campaign, .limits = *limits};
    int status = take_candidates(budget, tasks, err);
    if (status == MT_OK)
        status = mt_design_make(&budget->design, campaign->cluster, campaign->program,
                                budget->candidates, budget->count, limits, err);
    if (status == MT_OK)
        status = remember_stored(budget, err);
    if (status != MT_OK)
        mt_budget_clear(budget);
    return status;
}

void mt_budget_clear(struct mt_budget *budget)
{
    mt_design_free(budget->design);
    free(budget->candidates);
    free(budget->runs);
    free(budget->corrected);
    *budget = (struct mt_budget){0};
}

/* The newest run of the candidate, which has just ended. */
static int remember_newest(struct mt_budget *budget, int candidate,
                           struct mt_error *err)
{
    const struct mt_campaign *campaign = budget->campaign;
    char *text = mt_configuration_format(&budget->candidates[candidate].configuration,
                                         campaign->cluster);
    if (!text)
        return mt_fail(err, MT_ENOMEM, "no memory for a configuration");
    const struct mt_run_filter filter = {.cluster = campaign->cluster->name,
                                         .program = campaign->program->name,
                                         .configuration = text,
                                         .size = budget->candidates[candidate].size};
    struct mt_runs stored = {0};
    int status = mt_store_runs(campaign->store, &stored, &filter, err);
    if (status == MT_OK && stored.count > 0)
        status = remember(budget, candidate, &stored.runs[stored.count - 1], err);
    mt_runs_clear(&stored);
    free(text);
    return status;
}

/* Make one run; `result` has the sums over all of them. */
static int make_run(struct mt_budget *budget, int candidate,
                    struct mt_progress *progress, struct mt_campaign_result *result,
                    struct mt_error *err)
{
    struct mt_campaign campaign = *budget->campaign;
    campaign.quiet = true; /* the progress is that of all runs */
    campaign.whole = progress;
    struct mt_task task = {.configuration = budget->candidates[candidate].configuration,
                           .size = budget->candidates[candidate].size,
                           .repetition = 1};
    const struct mt_tasks tasks = {.tasks = &task, .count = 1};
    struct mt_campaign_result one = {0};
    int status = mt_campaign_run(&campaign, &tasks, &one, err);
    result->done += one.done;
    result->failed += one.failed;
    result->interrupted = one.interrupted;
    if (status == MT_OK && one.done + one.failed > 0)
        status = remember_newest(budget, candidate, err);
    return status;
}

/* What is shown while runs are made. */
struct outlook {
    struct mt_progress progress;
    int announce_at; /* runs after which the time is known; 0: it was announced */
};

static int look_ahead(struct outlook *outlook, const struct mt_budget *budget,
                      const struct mt_campaign_result *result, struct mt_error *err)
{
    const int ended = result->done + result->failed;
    const bool announce = outlook->announce_at > 0 && ended >= outlook->announce_at;
    if (!announce && !mt_progress_due(&outlook->progress))
        return MT_OK;
    struct mt_forecast forecast = {0};
    int status = mt_forecast_make(&forecast, budget, err);
    if (status != MT_OK)
        return status;
    outlook->progress.total = ended + forecast.count + forecast.probes;
    if (announce) {
        outlook->announce_at = 0;
        mt_progress_end(&outlook->progress);
        mt_forecast_announce(&forecast, budget);
    }
    if (mt_progress_due(&outlook->progress))
        mt_progress_show(&outlook->progress, ended, result->failed, forecast.seconds);
    mt_forecast_clear(&forecast);
    return MT_OK;
}

static int begin_outlook(struct outlook *outlook, const struct mt_budget *budget,
                         struct mt_error *err)
{
    struct mt_forecast forecast = {0};
    if (budget->campaign->quiet)
        return MT_OK;
    int status = mt_forecast_make(&forecast, budget, err);
    if (status != MT_OK)
        return status;
    mt_forecast_announce(&forecast, budget);
    outlook->announce_at = isnan(forecast.seconds) ? forecast.cheap : 0;
    mt_progress_begin(&outlook->progress, stderr, forecast.count + forecast.probes);
    mt_forecast_clear(&forecast);
    return MT_OK;
}

/* Make what the design proposes, all of it or the base. */
static int follow(struct mt_budget *budget, struct outlook *outlook, bool only_base,
                  struct mt_campaign_result *result, struct mt_error *err)
{
    struct mt_proposal next;
    int status = MT_OK;
    while (status == MT_OK && !budget->settled && !result->interrupted) {
        status = mt_design_next(budget->design, &next, err);
        if (status != MT_OK)
            break;
        budget->end = next.end;
        if (next.index < 0 || (only_base && !next.base))
            break;
        status = look_ahead(outlook, budget, result, err);
        if (status == MT_OK)
            status = make_run(budget, next.index, &outlook->progress, result, err);
        if (status == MT_OK)
            status = mt_design_review(budget->design, &budget->settled, err);
    }
    return status;
}

static int measure_on(struct mt_budget *budget, struct outlook *outlook,
                      struct mt_campaign_result *result, struct mt_error *err)
{
    int status = follow(budget, outlook, true, result, err);
    if (status == MT_OK && !result->interrupted)
        status = mt_budget_probe(budget, &outlook->progress, result, err);
    if (status == MT_OK && !result->interrupted)
        status = follow(budget, outlook, false, result, err);
    return status;
}

int mt_budget_run(struct mt_budget *budget, struct mt_campaign_result *result,
                  struct mt_error *err)
{
    struct outlook outlook = {0};
    *result = (struct mt_campaign_result){.skipped = budget->before};
    int status = begin_outlook(&outlook, budget, err);
    if (status == MT_OK)
        status = measure_on(budget, &outlook, result, err);
    mt_progress_end(&outlook.progress);
    if (status == MT_OK)
        status = mt_budget_plan(budget, err);
    return status;
}
