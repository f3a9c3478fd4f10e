/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the next run of a list, and decides whether the campaign may go on; cli/run
   makes the runs. */
#include "campaign.h"

#include "cli/common/format.h"
#include "cli/common/progress.h"
#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
    const struct mt_campaign *campaign;
    struct mt_campaign_result *result;
    struct mt_remaining remaining;
    int next;     /* the first of these that was not started */
    bool consent; /* the user agreed to a long campaign */
    struct mt_progress progress;
    struct mt_runner runner;
};

/* The expected seconds of the unfinished runs. */
static double seconds_left(const struct state *state)
{
    const int started = state->next - state->runner.busy;
    double seconds = 0;
    for (int i = started > 0 ? started : 0; i < state->remaining.count; i++)
        seconds += mt_remaining_seconds(&state->remaining, i);
    return seconds / state->runner.jobs;
}

/* Expected seconds of the whole campaign. After only a few runs, take the lower of two
   estimates: equal times, and times proportional to the work. */
static double expect_seconds(const struct state *state)
{
    enum { FEW_RUNS = 5 };
    const struct mt_remaining *remaining = &state->remaining;
    const struct mt_estimate *estimate = &remaining->estimate;
    double alike = 0, by_work = 0;
    if (estimate->runs == 0)
        return 0;
    if (estimate->runs >= FEW_RUNS)
        return state->runner.spent + seconds_left(state);
    for (int i = state->next; i < remaining->count; i++) {
        const double size = mt_remaining_at(remaining, i)->size;
        alike += estimate->seconds / estimate->runs;
        by_work += mt_estimate_work(remaining->program, size) * estimate->seconds /
                   estimate->work;
    }
    return state->runner.spent + fmin(alike, by_work) / state->runner.jobs;
}

bool mt_consent_ask(double seconds, int left)
{
    char text[MT_QUANTITY_TEXT];
    return mt_ask("all runs take about %s; go on with the %d left",
                  mt_format_seconds(text, seconds), left);
}

/* Whether the next run may be made: all runs together are expected to be short, or the
   user agrees, once. Waiting in a queue does not count. */
static bool may_go_on(struct state *state)
{
    struct mt_campaign_result *result = state->result;
    if (!state->campaign->asks || state->consent || result->too_long > 0)
        return !(result->too_long > 0);
    const double seconds = expect_seconds(state);
    if (seconds <= MT_LONG_CAMPAIGN)
        return true;
    mt_progress_end(&state->progress);
    state->consent = mt_consent_ask(seconds, state->remaining.count - state->next);
    if (!state->consent)
        result->too_long = seconds;
    return state->consent;
}

static int count_all(const struct state *state)
{
    return state->result->done + state->result->failed + state->runner.busy +
           state->remaining.count - state->next;
}

static void show_progress(struct state *state)
{
    const struct mt_campaign_result *result = state->result;
    const bool queued = state->campaign->submit.wanted; /* the waiting time is
                                                           unknown */
    if (mt_progress_due(&state->progress))
        mt_progress_show(&state->progress, result->done + result->failed,
                         result->failed, queued ? NAN : seconds_left(state));
}

/* Leave out the tasks that need more nodes than answer. The failed one, which is the
   newest (on clusters whose nodes may be down, runs are not made side by side), is made
   again if enough nodes remain. */
static void go_on_without_lost(struct state *state)
{
    const struct mt_campaign *campaign = state->campaign;
    const struct mt_task *lost = state->runner.lost;
    state->runner.lost = NULL;
    if (!lost)
        return;
    state->result->left_out += mt_remaining_leave_out(&state->remaining, state->next);
    if (!campaign->once && mt_configuration_find_nodes(
                               &lost->configuration, campaign->cluster, NULL) == MT_OK)
        state->next--;
    state->progress.total = count_all(state);
}

static int start_runs(struct state *state, struct mt_error *err)
{
    int status = MT_OK;
    bool taken = true;
    while (status == MT_OK && taken && state->next < state->remaining.count &&
           mt_runner_has_room(&state->runner) && may_go_on(state)) {
        const struct mt_task *task = mt_remaining_at(&state->remaining, state->next);
        status = mt_runner_start(&state->runner, task, &taken, err);
        state->next += taken;
    }
    return status;
}

static int work_through(struct state *state, struct mt_error *err)
{
    if (!state->campaign->quiet)
        mt_progress_begin(&state->progress, count_all(state));
    int status = start_runs(state, err);
    while (status == MT_OK && mt_runner_is_busy(&state->runner)) {
        show_progress(state);
        status = mt_runner_wait(&state->runner, err);
        if (status == MT_OK)
            go_on_without_lost(state);
        if (status == MT_OK)
            status = start_runs(state, err);
    }
    return status;
}

/* The runs left, except those that an earlier motley has submitted. */
static int find_what_is_left(struct state *state, struct mt_error *err)
{
    struct mt_remaining *remaining = &state->remaining;
    int left = 0;
    const int status = mt_remaining_find(remaining, state->campaign->store,
                                         state->campaign->seed, err);
    if (status != MT_OK)
        return status;
    state->result->skipped = remaining->tasks->count - remaining->count;
    state->result->left_out = mt_remaining_leave_out(remaining, 0);
    state->runner.streak->succeeded |= state->result->skipped > 0;
    for (int i = 0; i < remaining->count; i++)
        if (!mt_handed_of(&state->runner.handed, mt_remaining_at(remaining, i)))
            remaining->order[left++] = remaining->order[i];
    remaining->count = left;
    return MT_OK;
}

int mt_campaign_run(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
                    struct mt_campaign_result *result, struct mt_error *err)
{
    int status = mt_campaign_check(campaign, err);
    if (status != MT_OK)
        return status;
    *result = (struct mt_campaign_result){0};
    struct state state = {.campaign = campaign,
                          .result = result,
                          .remaining = {.tasks = tasks,
                                        .cluster = campaign->cluster,
                                        .program = campaign->program},
                          .runner = {.campaign = campaign, .result = result}};
    state.runner.bar = campaign->whole ? campaign->whole : &state.progress;
    state.runner.estimate = &state.remaining.estimate;
    status = mt_runner_begin(&state.runner, err);
    if (status == MT_OK)
        status = find_what_is_left(&state, err);
    if (status == MT_OK && state.remaining.count + state.runner.busy > 0) {
        status = mt_runner_open(&state.runner, &state.remaining, err);
        if (status == MT_OK)
            status = work_through(&state, err);
    }
    status =
        mt_runner_end(&state.runner, state.next < state.remaining.count, status, err);
    mt_remaining_clear(&state.remaining);
    return status;
}

/* The runs of the task's configuration and size. */
static int find_runs(struct mt_runs *runs, const struct mt_campaign *campaign,
                     const struct mt_task *task, struct mt_error *err)
{
    char *text =
        mt_need(mt_configuration_format(&task->configuration, campaign->cluster));
    const struct mt_run_filter filter = {.cluster = campaign->cluster->name,
                                         .program = campaign->program->name,
                                         .configuration = text,
                                         .size = task->size};
    const int status = mt_store_runs(campaign->store, runs, &filter, err);
    free(text);
    return status;
}

int mt_single_fetch(const struct mt_campaign *campaign, const struct mt_task *task,
                    struct mt_run *run, struct mt_error *err)
{
    struct mt_runs runs = {0};
    int status = find_runs(&runs, campaign, task, err);
    if (status == MT_OK && runs.runs) {
        struct mt_run *newest = &runs.runs[runs.count - 1];
        *run = *newest;
        *newest = (struct mt_run){0};
    } else if (status == MT_OK) {
        status = mt_fail(err, MT_EIO, "the run is not in the store");
    }
    mt_runs_clear(&runs);
    return status;
}

int mt_single_run(const struct mt_campaign *campaign, struct mt_task *task,
                  struct mt_run *run, int *interrupted, struct mt_error *err)
{
    struct mt_campaign_result result = {0};
    const struct mt_tasks tasks = {.tasks = task, .count = 1};
    struct mt_runs before = {0};
    int status =
        mt_configuration_find_nodes(&task->configuration, campaign->cluster, err);
    if (status == MT_OK)
        status = find_runs(&before, campaign, task, err);
    task->repetition = 1;
    for (int i = 0; i < before.count; i++)
        if (before.runs[i].repetition >= task->repetition)
            task->repetition = before.runs[i].repetition + 1;
    mt_runs_clear(&before);
    if (status == MT_OK)
        status = mt_campaign_run(campaign, &tasks, &result, err);
    *interrupted = result.interrupted;
    if (status == MT_OK && result.interrupted == 0)
        status = mt_single_fetch(campaign, task, run, err);
    return status;
}
