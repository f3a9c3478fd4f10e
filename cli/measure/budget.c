/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries out a design (lib/design) run by run, and shows its progress. */
#include "budget.h"

#include "cli/common/format.h"
#include "cli/common/progress.h"
#include "cli/process/memory.h"
#include "cli/run/record.h"
#include "cli/run/submit.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"
#include "motley/design.h"
#include "motley/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The cost of a run: the time on the cluster, which on a simulated one is the
   program's. */
static double spent_on(const struct mt_campaign *campaign, const struct mt_run *run)
{
    if (mt_cluster_simulated(campaign->cluster) || run->wall < run->seconds)
        return run->seconds;
    return run->wall;
}

/* An upper bound of a configuration's share of the cluster's threads. */
static double share_of_threads(const struct mt_configuration *used,
                               const struct mt_cluster *cluster)
{
    double threads = 0, all = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        int most = 0;
        for (int i = 0; i < group->nlayouts; i++)
            most = (int)fmax(most, mt_layout_cores(group->layouts[i]));
        all += (double)group->nodes * most;
        threads += (double)used->use[g].nodes * mt_layout_cores(used->use[g].layout);
    }
    return threads / all;
}

static double planned_size(const struct mt_program *program)
{
    return program->nplan_sizes > 0
               ? program->plan_sizes[program->nplan_sizes - 1]
               : program->measure_sizes[program->nmeasure_sizes - 1];
}

/* Update the lower bound of the planned run's time from a run. */
static void look_at(struct mt_budget *budget, const struct mt_configuration *used,
                    double size, double seconds)
{
    const struct mt_campaign *campaign = budget->campaign;
    const struct mt_program *program = campaign->program;
    const double ideal = seconds * mt_estimate_work(program, planned_size(program)) /
                         mt_estimate_work(program, size) *
                         fmin(1, share_of_threads(used, campaign->cluster));
    if (isfinite(ideal) && (budget->ideal == 0 || ideal < budget->ideal))
        budget->ideal = ideal;
}

/* Set the limit by the current estimate of the planned run. */
static void limit_share(struct mt_budget *budget)
{
    const struct mt_design_plan plan = mt_design_plan(budget->design);
    const double size = planned_size(budget->campaign->program);
    double seconds = budget->ideal;
    if (budget->share == 0)
        return;
    for (int i = 0; i < plan.count; i++)
        if (plan.choices[i].nodes > 0 && plan.sizes[i] == size)
            seconds = plan.choices[i].prediction.seconds;
    budget->limits.seconds = budget->share * (seconds > 0 ? seconds : MT_LONG_CAMPAIGN);
    mt_design_limit_seconds(budget->design, budget->limits.seconds);
}

/* Let the design recall the runs in the store. */
static int recall(struct mt_budget *budget, struct mt_error *err)
{
    const struct mt_campaign *campaign = budget->campaign;
    const struct mt_run_filter filter = {.cluster = campaign->cluster->name,
                                         .program = campaign->program->name};
    struct mt_runs stored = {0};
    struct mt_design_state state;
    int count = 0;
    if (!campaign->store)
        return MT_OK;
    int status = mt_store_runs(campaign->store, &stored, &filter, err);
    struct mt_past_run *past = mt_calloc((size_t)stored.count, sizeof *past);
    for (int i = 0; i < stored.count; i++) {
        const struct mt_run *run = &stored.runs[i];
        struct mt_past_run *known = &past[count];
        /* Skip failures caused by a node that was down, which may not recur on
           others. */
        if (run->down ||
            mt_configuration_parse(&known->configuration, campaign->cluster,
                                   run->configuration, NULL) != MT_OK)
            continue;
        known->size = run->size;
        known->seconds = run->outcome == MT_RUN_OK ? run->seconds : NAN;
        known->spent = spent_on(campaign, run);
        look_at(budget, &known->configuration, run->size, known->seconds);
        count++;
    }
    if (status == MT_OK)
        status = mt_design_recall(budget->design, past, count, err);
    free(past);
    mt_runs_clear(&stored);
    if (status == MT_OK)
        status = mt_design_state(budget->design, &state, err);
    if (status == MT_OK)
        budget->before = state.runs;
    return status;
}

static int list_candidates(struct mt_candidate *candidates, int *count,
                           const struct mt_tasks *tasks, struct mt_error *err)
{
    *count = 0;
    for (int i = 0; i < tasks->count; i++) {
        const struct mt_task *task = &tasks->tasks[i];
        if (mt_configuration_only_group(&task->configuration) < 0)
            return mt_fail(err, MT_EINVAL,
                           "with a limit, runs are chosen among configurations of a "
                           "single group: leave out those of several");
        if (task->repetition == 1)
            candidates[(*count)++] = (struct mt_candidate){
                .configuration = task->configuration, .size = task->size};
    }
    return MT_OK;
}

/* Whether runs are simulated without noise. */
static bool is_exact(const struct mt_cluster *cluster)
{
    bool exact = mt_cluster_simulated(cluster);
    for (int g = 0; g < cluster->ngroups; g++)
        exact = exact && cluster->groups[g].simulate.noise == 0;
    return exact;
}

int mt_budget_begin(struct mt_budget *budget, const struct mt_tasks *tasks,
                    struct mt_error *err)
{
    const struct mt_campaign *campaign = budget->campaign;
    struct mt_candidate *candidates =
        mt_calloc((size_t)tasks->count, sizeof *candidates);
    struct mt_design_case of = {.cluster = campaign->cluster,
                                .program = campaign->program,
                                .candidates = candidates,
                                .limits = budget->limits,
                                .no_probes = budget->no_probes,
                                .exact = is_exact(campaign->cluster)};
    int status = list_candidates(candidates, &of.count, tasks, err);
    if (status == MT_OK)
        status = mt_design_make(&budget->design, &of, err);
    if (status == MT_OK)
        status = recall(budget, err);
    if (status == MT_OK)
        limit_share(budget);
    free(candidates);
    return status;
}

void mt_budget_clear(struct mt_budget *budget)
{
    mt_design_free(budget->design);
    *budget = (struct mt_budget){0};
}

void mt_budget_warn(FILE *stream, int uncovered, int classes)
{
    if (uncovered > 0)
        fprintf(stream,
                "motley: %d of %d groups by processes per node stay without a run on "
                "all their nodes: little is known of these\n",
                uncovered, classes);
}

const char *mt_budget_of_base(const struct mt_budget *budget,
                              const struct mt_forecast *forecast)
{
    return forecast->further > 0 && !(budget->limits.seconds > 0) ? " those of the base"
                                                                  : "";
}

/* Announce the expected runs. */
static void say_forecast(const struct mt_forecast *forecast,
                         const struct mt_budget *budget)
{
    char text[MT_QUANTITY_TEXT];
    const int runs = forecast->count + forecast->further;
    if (runs == 0)
        return;
    fprintf(stderr, "motley: up to %d more run%s", runs, runs == 1 ? "" : "s");
    if (isnan(forecast->seconds))
        fprintf(stderr, "; how long they take is known after %d of them\n",
                forecast->cheap);
    else if (forecast->seconds > 0)
        fprintf(stderr, ",%s in about %s%s\n", mt_budget_of_base(budget, forecast),
                mt_format_seconds(text, forecast->seconds),
                mt_cluster_simulated(budget->campaign->cluster) ? " (simulated)" : "");
    else
        fputc('\n', stderr);
    if (!isnan(forecast->seconds) || budget->limits.runs > 0)
        mt_budget_warn(stderr, forecast->uncovered, forecast->classes);
}

/* The maker of the design's runs, with its progress bar. */
struct session {
    struct mt_budget *budget;
    struct mt_campaign campaign;
    struct mt_campaign_result *result; /* sums over all of them */
    struct mt_progress progress;
    struct mt_streak streak;
    int announce_at; /* runs after which the time is known; 0: it was announced */
};

static int look_ahead(struct session *session, struct mt_error *err)
{
    const struct mt_campaign_result *result = session->result;
    const int ended = result->done + result->failed;
    const bool announce = session->announce_at > 0 && ended >= session->announce_at;
    struct mt_forecast forecast = {0};
    if (!announce && !mt_progress_due(&session->progress))
        return MT_OK;
    int status = mt_design_forecast(&forecast, session->budget->design, err);
    if (status != MT_OK)
        return status;
    session->progress.total = ended + forecast.count + forecast.further;
    if (announce) {
        session->announce_at = 0;
        mt_progress_end(&session->progress);
        say_forecast(&forecast, session->budget);
    }
    if (mt_progress_due(&session->progress))
        mt_progress_show(&session->progress, ended, result->failed, forecast.seconds);
    mt_forecast_clear(&forecast);
    return MT_OK;
}

/* The first run of a candidate; `*made` unless nodes turn out to be down, or motley is
   asked to stop, when ended runs may be those of earlier jobs. */
static int make_first_run(struct session *session, const struct mt_task *task,
                          struct mt_run *run, bool *made, struct mt_error *err)
{
    const struct mt_tasks tasks = {.tasks = (struct mt_task[]){*task}, .count = 1};
    struct mt_campaign_result one = {0};
    int status = mt_campaign_run(&session->campaign, &tasks, &one, err);
    session->result->interrupted = one.interrupted;
    *made = one.done + one.failed > 0;
    if (status != MT_OK || !*made)
        return status;
    struct mt_error reason;
    status = mt_single_fetch(&session->campaign, task, run, &reason);
    *made = status == MT_OK;
    return status == MT_OK || one.interrupted ? MT_OK
                                              : mt_fail(err, status, "%s", reason.text);
}

/* A run that hangs must not exceed the rest of the budget. */
static int limit_time(struct session *session, struct mt_error *err)
{
    const struct mt_budget *budget = session->budget;
    const double limit = budget->limits.seconds;
    struct mt_design_state state;
    if (!(limit > 0) || mt_cluster_simulated(budget->campaign->cluster))
        return MT_OK;
    const int status = mt_design_state(budget->design, &state, err);
    if (status == MT_OK)
        session->campaign.timeout =
            fmin(mt_campaign_timeout(budget->campaign), fmax(limit - state.spent, 1));
    return status;
}

static int make_run(void *context, const struct mt_proposal *proposal,
                    struct mt_observation *observation, struct mt_error *err)
{
    struct session *session = context;
    struct mt_task task = {.configuration = proposal->configuration,
                           .size = proposal->size,
                           .repetition = 1};
    struct mt_run run = {0};
    limit_share(session->budget);
    int status = limit_time(session, err);
    if (status == MT_OK)
        status = look_ahead(session, err);
    if (status == MT_OK &&
        (proposal->phase == MT_PHASE_PROBES || proposal->repeat > 0)) {
        int *interrupted = &session->result->interrupted;
        status = mt_single_run(&session->campaign, &task, &run, interrupted, err);
        observation->made = status == MT_OK && *interrupted == 0;
    } else if (status == MT_OK) {
        status = make_first_run(session, &task, &run, &observation->made, err);
    }
    observation->stop = session->result->interrupted != 0;
    if (status != MT_OK || !observation->made)
        return status;
    const bool succeeded = run.outcome == MT_RUN_OK;
    session->result->done += succeeded;
    session->result->failed += !succeeded;
    observation->seconds = succeeded ? run.seconds : NAN;
    observation->spent = spent_on(&session->campaign, &run);
    observation->stop = mt_streak_is_hopeless(&session->streak);
    look_at(session->budget, &proposal->configuration, proposal->size,
            observation->seconds);
    mt_run_clear(&run);
    return MT_OK;
}

static int begin_session(struct session *session, struct mt_error *err)
{
    const struct mt_budget *budget = session->budget;
    struct mt_forecast forecast = {0};
    session->campaign = *budget->campaign;
    session->campaign.part = true;
    session->campaign.quiet = true; /* the progress is that of all runs */
    session->campaign.whole = &session->progress;
    session->campaign.streak = &session->streak;
    if (budget->campaign->quiet)
        return MT_OK;
    const int status = mt_design_forecast(&forecast, budget->design, err);
    if (status != MT_OK)
        return status;
    say_forecast(&forecast, budget);
    session->announce_at = isnan(forecast.seconds) ? forecast.cheap : 0;
    mt_progress_begin(&session->progress, forecast.count + forecast.further);
    mt_forecast_clear(&forecast);
    return MT_OK;
}

int mt_budget_run(struct mt_budget *budget, struct mt_campaign_result *result,
                  struct mt_error *err)
{
    struct session session = {.budget = budget, .result = result};
    const struct mt_experimenter experimenter = {.run = make_run, .context = &session};
    *result = (struct mt_campaign_result){.skipped = budget->before};
    session.streak.succeeded = budget->before > 0;
    int status = begin_session(&session, err);
    if (status == MT_OK)
        status = mt_design_run(budget->design, &experimenter, &budget->end, err);
    mt_progress_end(&session.progress);
    if (mt_streak_is_hopeless(&session.streak))
        mt_streak_print(&session.streak, stderr);
    mt_streak_clear(&session.streak);
    return status;
}
