/* SPDX-License-Identifier: BSD-3-Clause */
#include "campaign.h"

#include "cli/common/progress.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "cli/run/down.h"
#include "cli/run/record.h"
#include "cli/run/slot.h"
#include "consent.h"
#include "lib/base/pattern.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* How often the progress bar is refreshed at least, in seconds. */
static const double tick = 1;

struct state {
    const struct mt_campaign *campaign;
    struct mt_campaign_result *result;
    struct mt_remaining remaining;
    int next;     /* the first of these that was not started */
    int again;    /* runs that are made once more, on other nodes */
    double spent; /* seconds on runs that ended */
    struct mt_consent consent;
    bool silent;           /* no node answered any more, so that asking is in vain */
    int jobs;              /* side by side; not more than runs */
    struct mt_slot *slots; /* owned; one a job */
    char *folder;          /* owned; holds the slots' folders */
    regex_t pattern;       /* of the program's time */
    struct mt_watch watch;
    struct mt_progress progress;
    struct mt_failures failures;
    struct mt_streak own_streak, *streak;
};

static struct mt_workload workload_of(const struct state *state)
{
    const struct mt_campaign_result *result = state->result;
    return (struct mt_workload){.remaining = &state->remaining,
                                .spent = state->spent,
                                .next = state->next,
                                .ended = result->done + result->failed - state->again,
                                .jobs = state->jobs};
}

static void show_progress(struct state *state)
{
    const struct mt_campaign_result *result = state->result;
    const struct mt_workload workload = workload_of(state);
    if (mt_progress_due(&state->progress))
        mt_progress_show(&state->progress, result->done + result->failed,
                         result->failed, mt_workload_left(&workload));
}

/* Whether it may take as long as is expected now. */
static bool may_go_on(struct state *state)
{
    const struct mt_workload workload = workload_of(state);
    const bool may = !state->campaign->asks ||
                     mt_consent_get(&state->consent, &workload, &state->progress);
    state->result->too_long = state->consent.refused;
    return may;
}

/* Put the run into the store and into the figures. */
static int keep(struct state *state, struct mt_run *run, struct mt_error *err)
{
    struct mt_runs left = {0};
    const int status = mt_store_keep_run(state->campaign->store, run, &left, err);
    if (status != MT_OK) {
        mt_progress_end(&state->progress);
        mt_rescue_runs(&left);
        mt_run_clear(run);
        return status;
    }
    state->spent += run->wall / state->jobs;
    if (run->wall > 0)
        mt_estimate_add(&state->remaining.estimate,
                        mt_estimate_work(state->campaign->program, run->size),
                        run->wall);
    if (run->outcome == MT_RUN_OK) {
        state->result->done++;
        mt_run_clear(run);
    } else {
        state->result->failed++;
        mt_failures_add(&state->failures, run);
    }
    return MT_OK;
}

/* A signal that came while a command of the stage had the signals to itself. */
static void take_signal(struct state *state, int number)
{
    if (number == 0)
        return;
    state->watch.interrupted = number;
    state->watch.times++;
}

/* Find out whether a run failed because nodes of it do not answer; `*gone` of them were
   left out of the cluster. What the launcher refuses is not their fault. */
static int find_down(struct state *state, struct mt_run *run,
                     const struct mt_slot *slot, int *gone, struct mt_error *err)
{
    const struct mt_campaign *campaign = state->campaign;
    if (run->outcome == MT_RUN_OK)
        state->silent = false;
    if (run->outcome == MT_RUN_OK || run->outcome == MT_RUN_UNREAD || state->silent ||
        slot->process.pending.refused || state->watch.interrupted)
        return MT_OK;
    mt_memory_save_first(mt_rescue_run, run);
    const int status = mt_down_find(run, gone, campaign->cluster, campaign->store,
                                    &slot->task->configuration, err);
    mt_memory_save_first(NULL, NULL);
    state->silent = run->down && *gone == 0;
    if (*gone > 0) {
        mt_progress_end(campaign->whole ? campaign->whole : &state->progress);
        fprintf(stderr, "motley: no answer from %s: left out from now on\n", run->down);
    }
    return status;
}

/* Leave out the tasks that the other nodes are too few for. The one that failed, which
   is the newest (where nodes may be down, there are no runs side by side), is made
   again if they are enough. */
static void go_on_without(struct state *state, const struct mt_task *failed)
{
    const struct mt_campaign *campaign = state->campaign;
    state->result->left_out += mt_remaining_leave_out(&state->remaining, state->next);
    if (!campaign->once &&
        mt_configuration_find_nodes(&failed->configuration, campaign->cluster, NULL) ==
            MT_OK) {
        state->next--;
        state->again++;
    }
    state->progress.total = state->remaining.count + state->again;
}

/* Clean up after a run and keep it: a failed one that will be listed keeps its folder,
   to see why. */
static int end_and_keep(struct state *state, struct mt_slot *slot, struct mt_run *run,
                        struct mt_error *err)
{
    const bool keep_folder = run->outcome == MT_RUN_OK
                                 ? state->campaign->keep_folders
                                 : state->failures.count < MT_FAILURES_SHOWN;
    int interrupted = 0;
    if (!run->down || state->silent) /* others are still to be asked */
        mt_streak_add(state->streak, run);
    const int ended = mt_slot_end(slot, run, keep_folder, &interrupted, err);
    take_signal(state, interrupted);
    const int kept = keep(state, run, err); /* which says where the run is now */
    return kept == MT_OK ? ended : kept;
}

static int start_next(struct state *state, struct mt_slot *slot, struct mt_error *err)
{
    const struct mt_task *task = mt_remaining_at(&state->remaining, state->next++);
    struct mt_run run = {0};
    int interrupted = 0;
    const int status = mt_slot_begin(slot, task, &run, &interrupted, err);
    take_signal(state, interrupted);
    return status == MT_OK && run.reason ? end_and_keep(state, slot, &run, err)
                                         : status;
}

static int keep_ended(struct state *state, struct mt_slot *slot, struct mt_error *err)
{
    struct mt_run run = {0};
    int gone = 0;
    int status = mt_slot_record(slot, &run, err);
    if (status != MT_OK)
        return status;
    /* It is kept also where that its nodes are down is not. */
    const int found = find_down(state, &run, slot, &gone, err);
    status = end_and_keep(state, slot, &run, err);
    status = status == MT_OK ? found : status;
    if (status == MT_OK && gone > 0)
        go_on_without(state, slot->task);
    return status;
}

/* Whether it ended because motley was asked to stop; the others are kept also then. */
static bool was_given_up(const struct state *state, const struct mt_process *process)
{
    return state->watch.interrupted && process->kill_at > 0 && !process->timed_out;
}

/* Start what can be started; returns the number of slots at work. */
static int fill_slots(struct state *state, struct mt_process **running, int *busy,
                      struct mt_error *err)
{
    int status = MT_OK;
    *busy = 0;
    for (int i = 0; i < state->jobs; i++) {
        struct mt_slot *slot = &state->slots[i];
        while (status == MT_OK && slot->process.pid == 0 &&
               state->next < state->remaining.count && !state->watch.interrupted &&
               !mt_streak_is_hopeless(state->streak) && may_go_on(state))
            status = start_next(state, slot, err);
        running[i] = slot->process.pid != 0 ? &slot->process : NULL;
        *busy += running[i] != NULL;
    }
    return status;
}

static int work_through(struct state *state, struct mt_process **running,
                        struct mt_error *err)
{
    const int jobs = state->jobs;
    int busy, requests = 0;
    int status = fill_slots(state, running, &busy, err);
    while (status == MT_OK && busy > 0) {
        show_progress(state);
        status = mt_watch_wait(&state->watch, running, jobs, tick, err);
        if (state->watch.times > requests) {
            requests = state->watch.times;
            for (int i = 0; i < jobs; i++)
                if (running[i] && running[i]->pid != 0)
                    mt_process_stop(running[i]);
        }
        for (int i = 0; i < jobs; i++)
            if (state->slots[i].process.ended &&
                !was_given_up(state, &state->slots[i].process)) {
                const int kept =
                    keep_ended(state, &state->slots[i], status == MT_OK ? err : NULL);
                status = status == MT_OK ? kept : status;
            }
        for (int i = 0; i < jobs; i++)
            mt_slot_look_at_queue(&state->slots[i]);
        if (status == MT_OK)
            status = fill_slots(state, running, &busy, err);
    }
    return status;
}

/* After a failure of ours: nothing may go on behind our back. */
static void stop_all(struct state *state, struct mt_process **running)
{
    const int jobs = state->jobs;
    for (int i = 0; i < jobs; i++)
        if (state->slots[i].process.pid != 0)
            mt_process_stop(&state->slots[i].process);
    for (bool busy = true; busy;) {
        busy = false;
        for (int i = 0; i < jobs; i++) {
            running[i] = &state->slots[i].process;
            busy = busy || running[i]->pid != 0;
        }
        if (busy && mt_watch_wait(&state->watch, running, jobs, tick, NULL) != MT_OK)
            return;
    }
}

static int find_what_is_left(struct state *state, struct mt_error *err)
{
    const struct mt_campaign *campaign = state->campaign;
    struct mt_remaining *remaining = &state->remaining;
    const int status =
        mt_remaining_find(remaining, campaign->store, campaign->seed, err);
    if (status != MT_OK)
        return status;
    state->result->skipped = remaining->tasks->count - remaining->count;
    state->result->left_out = mt_remaining_leave_out(remaining, 0);
    state->streak->succeeded |= state->result->skipped > 0;
    state->jobs = campaign->jobs < remaining->count ? campaign->jobs : remaining->count;
    return MT_OK;
}

static int make_slots(struct state *state, struct mt_error *err)
{
    const int jobs = state->jobs;
    state->slots = mt_calloc((size_t)jobs, sizeof *state->slots);
    int status = mt_scratch_make(&state->folder, err);
    for (int i = 0; status == MT_OK && i < jobs; i++) {
        struct mt_slot *slot = &state->slots[i];
        slot->campaign = state->campaign;
        slot->pattern = &state->pattern;
        slot->progress =
            state->campaign->whole ? state->campaign->whole : &state->progress;
        status = mt_scratch_part(&slot->folder, state->folder, i, err);
    }
    return status;
}

static void clear(struct state *state)
{
    for (int i = 0; state->slots && i < state->jobs; i++)
        mt_slot_clear(&state->slots[i]);
    mt_scratch_remove(state->folder);
    mt_failures_clear(&state->failures);
    mt_streak_clear(&state->own_streak);
    free(state->slots);
    mt_remaining_clear(&state->remaining);
}

static int carry_out(struct state *state, struct mt_error *err)
{
    struct mt_process **running = mt_calloc((size_t)state->jobs, sizeof(void *));
    int status = mt_watch_begin(&state->watch, err);
    if (status == MT_OK) {
        if (!state->campaign->quiet)
            mt_progress_begin(&state->progress, state->remaining.count);
        status = work_through(state, running, err);
        if (status != MT_OK)
            stop_all(state, running);
        mt_progress_end(&state->progress);
        state->result->interrupted = state->watch.interrupted;
        mt_watch_end(&state->watch);
    }
    if (state->campaign->whole && state->failures.count > 0)
        mt_progress_end(state->campaign->whole);
    mt_failures_print(&state->failures, stderr);
    if (state->next < state->remaining.count && mt_streak_is_hopeless(state->streak))
        mt_streak_print(state->streak, stderr);
    free(running);
    return status;
}

static int make_what_is_left(struct state *state, struct mt_error *err)
{
    int status = make_slots(state, err);
    if (status == MT_OK)
        status = mt_trial(state->campaign, &state->remaining, err);
    return status == MT_OK ? carry_out(state, err) : status;
}

/* The store may have gone while a run was under way that was given up. */
static int settle(const struct mt_campaign *campaign, int status, struct mt_error *err)
{
    struct mt_runs left = {0};
    struct mt_error reason;
    const int settled = mt_store_settle(campaign->store, &left, &reason);
    mt_rescue_runs(&left);
    return settled == MT_OK ? status : mt_fail(err, settled, "%s", reason.text);
}

int mt_campaign_run(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
                    struct mt_campaign_result *result, struct mt_error *err)
{
    int status = mt_campaign_check(campaign, err);
    if (status == MT_OK)
        status = mt_sessions_clean_up(err); /* also if there is nothing to measure */
    if (status != MT_OK)
        return status;
    *result = (struct mt_campaign_result){0};
    struct state state = {.campaign = campaign,
                          .result = result,
                          .remaining = {.tasks = tasks,
                                        .cluster = campaign->cluster,
                                        .program = campaign->program}};
    state.streak = campaign->streak ? campaign->streak : &state.own_streak;
    const char *match = mt_program_pattern(campaign->program);
    if (match)
        status = mt_pattern_compile(&state.pattern, match, err);
    if (status != MT_OK)
        return status;
    status = find_what_is_left(&state, err);
    if (status == MT_OK && state.remaining.count > 0)
        status = settle(campaign, make_what_is_left(&state, err), err);
    clear(&state);
    if (match)
        regfree(&state.pattern);
    return status;
}
