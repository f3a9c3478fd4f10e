/* SPDX-License-Identifier: BSD-3-Clause */
#include "submit.h"

#include "cli/common/command.h"
#include "cli/common/progress.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/run/handed.h"
#include "cli/run/record.h"
#include "consent.h"
#include "lib/base/pattern.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int wanted, cancel; /* popt writes here */

struct poptOption mt_submit_options[] = {
    {"submit", 0, POPT_ARG_NONE, &wanted, 0,
     "hand runs in to Slurm as jobs, and wait for their ends", NULL},
    {"cancel", 0, POPT_ARG_NONE, &cancel, 0,
     "with --submit: cancel the jobs if motley is asked to stop", NULL},
    POPT_TABLEEND,
};

int mt_submit_read(struct mt_submit *submit, const struct mt_cluster *cluster,
                   struct mt_error *err)
{
    *submit = (struct mt_submit){.wanted = wanted, .cancel = cancel};
    if (cancel && !wanted)
        return mt_fail(err, MT_EINVAL, "--cancel is for jobs of --submit");
    if (wanted && cluster->launcher != MT_LAUNCH_SLURM)
        return mt_fail(err, MT_EINVAL,
                       "--submit is for launcher slurm, not %s: cluster '%s'",
                       mt_launcher_name(cluster->launcher), cluster->name);
    return MT_OK;
}

struct state {
    const struct mt_campaign *campaign;
    struct mt_campaign_result *result;
    struct mt_remaining remaining;
    int next; /* the first of these that was not handed in */
    struct mt_handed_list handed;
    regex_t pattern; /* of the program's time */
    bool has_pattern;
    bool full;    /* Slurm takes no more jobs until one has ended */
    bool silent;  /* its queue could not be looked at */
    double spent; /* seconds on runs that ended, side by side */
    struct mt_consent consent;
    struct mt_watch watch;
    struct mt_progress progress;
    struct mt_failures failures;
    struct mt_streak own_streak, *streak;
};

static void clear(struct state *state)
{
    mt_remaining_clear(&state->remaining);
    mt_handed_clear(&state->handed);
    mt_failures_clear(&state->failures);
    mt_streak_clear(&state->own_streak);
    if (state->has_pattern)
        regfree(&state->pattern);
}

static int init(struct state *state, struct mt_error *err)
{
    const struct mt_program *program = state->campaign->program;
    const char *match = mt_program_pattern(program);
    int status = match ? mt_pattern_compile(&state->pattern, match, err) : MT_OK;
    state->streak =
        state->campaign->streak ? state->campaign->streak : &state->own_streak;
    state->has_pattern = match && status == MT_OK;
    if (status == MT_OK)
        status = mt_handed_find(&state->handed, mt_common.db, state->campaign->cluster,
                                program, err);
    return status;
}

/* How many runs may be made side by side. */
static int jobs_of(const struct state *state)
{
    const int left = state->remaining.count - state->next + state->handed.count;
    const int jobs = state->campaign->jobs < left ? state->campaign->jobs : left;
    return jobs > 1 ? jobs : 1;
}

static int keep(struct state *state, struct mt_run *run, struct mt_error *err)
{
    struct mt_runs left = {0};
    if (state->remaining.order && run->wall > 0) {
        state->spent += run->wall / jobs_of(state);
        mt_estimate_add(&state->remaining.estimate,
                        mt_estimate_work(state->campaign->program, run->size),
                        run->wall);
    }
    mt_streak_add(state->streak, run);
    const int status = mt_store_keep_run(state->campaign->store, run, &left, err);
    mt_rescue_runs(&left);
    if (status == MT_OK && run->outcome == MT_RUN_OK) {
        state->result->done++;
        mt_run_clear(run);
    } else if (status == MT_OK) {
        state->result->failed++;
        mt_failures_add(&state->failures, run);
    } else {
        mt_run_clear(run);
    }
    return status;
}

static void say(struct state *state, const struct mt_handed *handed, const char *what)
{
    char *text =
        mt_configuration_format(&handed->task.configuration, state->campaign->cluster);
    mt_progress_end(&state->progress);
    fprintf(stderr, "motley: job %ld (%s, N = %.15g) %s\n", handed->job,
            text ? text : "?", handed->task.size, what);
    free(text);
}

/* What it waits for, once. */
static void tell(struct state *state, struct mt_handed *handed,
                 const struct mt_queued *queued)
{
    char news[sizeof handed->told] = "runs";
    handed->vain = mt_queue_in_vain(queued) ? handed->vain + 1 : 0;
    if (queued->state == MT_QUEUE_PENDING)
        snprintf(news, sizeof news, "waits in Slurm's queue: %.90s", queued->reason);
    else if (queued->state != MT_QUEUE_RUNNING)
        return;
    if (strcmp(news, handed->told) == 0 || strcmp(queued->reason, "") == 0)
        return;
    snprintf(handed->told, sizeof handed->told, "%s", news);
    if (queued->state == MT_QUEUE_PENDING && strcmp(queued->reason, "None") != 0)
        say(state, handed, news);
}

/* A run that is in the store, as motley was killed before it removed the job's folder.
 */
static int is_kept(bool *kept, const struct state *state, const struct mt_run *run,
                   struct mt_error *err)
{
    struct mt_runs runs = {0};
    const struct mt_run_filter filter = {.cluster = run->cluster,
                                         .program = run->program,
                                         .configuration = run->configuration,
                                         .size = run->size};
    const int status = mt_store_runs(state->campaign->store, &runs, &filter, err);
    *kept = false;
    for (int i = 0; i < runs.count; i++)
        *kept = *kept || (runs.runs[i].repetition == run->repetition &&
                          runs.runs[i].started == run->started &&
                          runs.runs[i].wall == run->wall);
    mt_runs_clear(&runs);
    return status;
}

/* As of runs that motley starts itself (campaign.c). */
static int end_folder(struct state *state, const struct mt_handed *handed,
                      struct mt_run *run, struct mt_error *err)
{
    char *folder = mt_handed_run_folder(handed);
    int status = MT_OK;
    if (!folder)
        return MT_OK;
    if (run->outcome == MT_RUN_OK || state->failures.count < MT_FAILURES_SHOWN) {
        mt_progress_end(&state->progress);
        status = mt_record_folder(run, folder, err);
    } else {
        mt_folder_remove(folder);
    }
    free(folder);
    return status;
}

/* Keep the i-th if it has ended. */
static int collect_one(struct state *state, int i, const struct mt_queued *queued,
                       bool *ended, struct mt_error *err)
{
    const struct mt_ending_program program = {
        .cluster = state->campaign->cluster,
        .program = state->campaign->program,
        .pattern = state->has_pattern ? &state->pattern : NULL};
    struct mt_handed *handed = &state->handed.jobs[i];
    struct mt_run run = {0};
    bool kept = false;
    int status = mt_ending_read(handed, queued, &program, &run, ended, err);
    if (status != MT_OK || !*ended)
        return status;
    if (state->campaign->echo && run.output)
        dprintf(state->campaign->echo, "%s", run.output);
    status = is_kept(&kept, state, &run, err);
    if (status == MT_OK && !kept)
        status = end_folder(state, handed, &run, err);
    if (status == MT_OK && !kept)
        status = keep(state, &run, err);
    if (status == MT_OK)
        mt_handed_remove(&state->handed, i);
    mt_run_clear(&run);
    return status;
}

/* Keep what has ended, and tell what the others wait for. */
static int collect(struct state *state, struct mt_error *err)
{
    const int count = state->handed.count;
    struct mt_queued *queued = mt_calloc((size_t)count, sizeof *queued);
    for (int i = 0; i < count; i++)
        queued[i].job = state->handed.jobs[i].job;
    int status = count > 0 ? mt_queue_look(queued, count, err) : MT_OK;
    state->silent = status == MT_EIO;
    for (int i = count - 1; i >= 0 && status == MT_OK; i--) {
        bool ended = false;
        status = collect_one(state, i, &queued[i], &ended, err);
        if (ended)
            state->full = false;
        else if (status == MT_OK)
            tell(state, &state->handed.jobs[i], &queued[i]);
    }
    free(queued);
    return status;
}

/* A run that Slurm refuses fails, with its words; so does one without a script. */
static int keep_refused(struct state *state, const struct mt_task *task,
                        const char *reason, struct mt_error *err)
{
    const struct mt_job job = {0};
    struct mt_run run = {0};
    const struct mt_attempt attempt = {.cluster = state->campaign->cluster,
                                       .program = state->campaign->program,
                                       .task = task,
                                       .job = &job};
    const int status = mt_record_not_started(&run, &attempt, reason, err);
    return status == MT_OK ? keep(state, &run, err) : status;
}

static int hand_in(struct state *state, struct mt_error *err)
{
    const struct mt_campaign *campaign = state->campaign;
    const struct mt_task *task = mt_remaining_at(&state->remaining, state->next);
    const struct mt_launch launch = {.cluster = campaign->cluster,
                                     .program = campaign->program,
                                     .configuration = &task->configuration,
                                     .size = task->size,
                                     .weights = campaign->weights,
                                     .seed = mt_task_seed(task, campaign->seed),
                                     .patience = campaign->patience,
                                     .script = true};
    const struct mt_handing handing = {.db = mt_common.db,
                                       .launch = &launch,
                                       .task = task,
                                       .seconds = mt_campaign_timeout(campaign),
                                       .remove_folder = !campaign->keep_folders};
    struct mt_error reason = {0};
    struct mt_process *none[1] = {NULL};
    const int status = mt_handed_add(&state->handed, &handing, &reason);
    const int watched = mt_watch_wait(&state->watch, none, 1, 1e-3, err);
    if (watched != MT_OK || (status != MT_OK && state->watch.interrupted))
        return watched; /* who asks motley to stop asks sbatch, too */
    if (status == MT_EINFEASIBLE && state->handed.count > 0 &&
        strstr(reason.text, "submit limit")) {
        state->full = true;
        return MT_OK;
    }
    state->next++;
    if (status == MT_OK && campaign->quiet)
        say(state, &state->handed.jobs[state->handed.count - 1], "is handed in");
    if (mt_trial_is_of_run(status))
        return keep_refused(state, task, reason.text, err);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

/* Whether it may take as long as is expected now. What waits in the queue counts for
   nothing. */
static bool may_go_on(struct state *state)
{
    const int ended = state->next - state->handed.count;
    const struct mt_workload workload = {.remaining = &state->remaining,
                                         .spent = state->spent,
                                         .next = state->next,
                                         .ended = ended > 0 ? ended : 0,
                                         .jobs = jobs_of(state)};
    const bool may = !state->campaign->asks ||
                     mt_consent_get(&state->consent, &workload, &state->progress);
    state->result->too_long = state->consent.refused;
    return may;
}

static int fill_queue(struct state *state, struct mt_error *err)
{
    int status = MT_OK;
    while (status == MT_OK && !state->full && !state->watch.interrupted &&
           state->next < state->remaining.count &&
           state->handed.count < state->campaign->jobs &&
           !mt_streak_is_hopeless(state->streak) && may_go_on(state))
        status = hand_in(state, err);
    return status;
}

/* Often at first, as jobs may be short; later less, as it is work for Slurm. */
static double seconds_to_wait(double since)
{
    return fmin(fmax((mt_clock() - since) / 20, 1), 15);
}

/* Slurm may not answer for a while. */
static int collect_again(struct state *state, struct mt_error *err)
{
    struct mt_error reason;
    const int status = collect(state, &reason);
    if (status == MT_OK)
        return MT_OK;
    if (!state->silent)
        return mt_fail(err, status, "%s", reason.text);
    mt_progress_end(&state->progress);
    fprintf(stderr, "motley: Slurm's queue is not known: %s\n", reason.text);
    return MT_OK;
}

static int work_through(struct state *state, struct mt_error *err)
{
    const double began = mt_clock();
    struct mt_process *none[1] = {NULL};
    int status = fill_queue(state, err);
    while (status == MT_OK && state->handed.count > 0 && !state->watch.interrupted &&
           !mt_leave_in_vain(&state->handed)) {
        const struct mt_campaign_result *result = state->result;
        if (!state->campaign->quiet && mt_progress_due(&state->progress))
            mt_progress_show(&state->progress, result->done + result->failed,
                             result->failed, NAN);
        status = mt_watch_wait(&state->watch, none, 1, seconds_to_wait(began), err);
        if (status == MT_OK && !state->watch.interrupted)
            status = collect_again(state, err);
        if (status == MT_OK)
            status = fill_queue(state, err);
    }
    return status;
}

static int carry_out(struct state *state, struct mt_error *err)
{
    const struct mt_campaign *campaign = state->campaign;
    int status = mt_watch_begin(&state->watch, err);
    if (status != MT_OK)
        return status;
    const int total = state->result->done + state->result->failed +
                      state->handed.count + state->remaining.count;
    if (!campaign->quiet && total > 0)
        mt_progress_begin(&state->progress, total);
    status = work_through(state, err);
    mt_progress_end(&state->progress);
    state->result->interrupted = state->watch.interrupted;
    mt_watch_end(&state->watch);
    if (status == MT_OK && state->result->interrupted)
        status = mt_leave_jobs(&state->handed, campaign->submit.cancel, err);
    else if (status == MT_OK && state->handed.count > 0)
        status = mt_leave_vain_jobs(&state->handed, campaign->submit.cancel,
                                    campaign->cluster, err);
    else if (status != MT_OK)
        mt_leave_tell(&state->handed);
    mt_failures_print(&state->failures, stderr);
    if (state->next < state->remaining.count && mt_streak_is_hopeless(state->streak))
        mt_streak_print(state->streak, stderr);
    return status;
}

/* Without what an earlier motley has handed in. */
static int find_what_is_left(struct state *state, struct mt_error *err)
{
    struct mt_remaining *remaining = &state->remaining;
    const struct mt_campaign *campaign = state->campaign;
    int left = 0;
    const int status =
        mt_remaining_find(remaining, campaign->store, campaign->seed, err);
    if (status != MT_OK)
        return status;
    state->result->skipped = remaining->tasks->count - remaining->count;
    state->streak->succeeded |= state->result->skipped > 0;
    state->result->left_out = mt_remaining_leave_out(remaining, 0);
    for (int i = 0; i < remaining->count; i++)
        if (!mt_handed_of(&state->handed, mt_remaining_at(remaining, i)))
            remaining->order[left++] = remaining->order[i];
    remaining->count = left;
    return MT_OK;
}

static int submit_and_wait(const struct mt_campaign *campaign,
                           const struct mt_tasks *tasks,
                           struct mt_campaign_result *result, struct mt_error *err)
{
    *result = (struct mt_campaign_result){0};
    struct state state = {.campaign = campaign,
                          .result = result,
                          .remaining = {.tasks = tasks,
                                        .cluster = campaign->cluster,
                                        .program = campaign->program}};
    int status = init(&state, err);
    if (status == MT_OK)
        status = collect(&state, err);
    if (status == MT_OK)
        status = find_what_is_left(&state, err);
    if (status == MT_OK && state.remaining.count > 0)
        status = mt_trial(campaign, &state.remaining, err);
    if (status == MT_OK)
        status = carry_out(&state, err);
    clear(&state);
    return status;
}

int mt_submit_or_run(const struct mt_campaign *campaign, const struct mt_tasks *tasks,
                     struct mt_campaign_result *result, struct mt_error *err)
{
    return campaign->submit.wanted ? submit_and_wait(campaign, tasks, result, err)
                                   : mt_campaign_run(campaign, tasks, result, err);
}

static bool any_missed(const struct state *state)
{
    for (int i = 0; i < state->handed.count; i++)
        if (state->handed.jobs[i].missed > 0)
            return true;
    return false;
}

/* A few times, as a job that has gone may have written of its end a moment later. */
static int collect_now(struct state *state, struct mt_error *err)
{
    int status = init(state, err);
    if (status == MT_OK)
        status = collect(state, err);
    for (int i = 1; i < MT_HANDED_MISSES && status == MT_OK && any_missed(state); i++) {
        sleep(1);
        status = collect(state, err);
    }
    return status;
}

void mt_submit_collect(const struct mt_inputs *inputs)
{
    struct mt_campaign campaign = {.program = &inputs->program, .quiet = true};
    struct mt_cluster cluster = inputs->cluster; /* which is not changed */
    struct mt_campaign_result result = {0};
    struct mt_error err;
    campaign.cluster = &cluster;
    if (!mt_handed_any(mt_common.db))
        return;
    struct state state = {.campaign = &campaign, .result = &result};
    int status = mt_store_open(&campaign.store, mt_common.db, MT_STORE_WRITE, &err);
    if (status == MT_OK)
        status = mt_store_claim(campaign.store, &err);
    if (status == MT_OK)
        status = collect_now(&state, &err);
    mt_store_close(campaign.store);
    if (result.done + result.failed > 0)
        fprintf(stderr, "motley: %d run%s of jobs that have ended %s kept\n",
                result.done + result.failed,
                result.done + result.failed == 1 ? "" : "s",
                result.done + result.failed == 1 ? "is" : "are");
    if (status == MT_OK && state.handed.count > 0)
        fprintf(stderr, "motley: %d job%s that %s handed in before %s not ended\n",
                state.handed.count, state.handed.count == 1 ? "" : "s",
                state.handed.count == 1 ? "was" : "were",
                state.handed.count == 1 ? "has" : "have");
    mt_failures_print(&state.failures, stderr);
    if (status != MT_OK && status != MT_EBUSY)
        fprintf(stderr, "motley: jobs that were handed in are not looked at: %s\n",
                err.text);
    clear(&state);
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

static int set_repetition(struct mt_task *task, const struct mt_campaign *campaign,
                          struct mt_error *err)
{
    struct mt_runs runs = {0};
    const int status = find_runs(&runs, campaign, task, err);
    task->repetition = 1;
    for (int i = 0; i < runs.count; i++) {
        if (runs.runs[i].repetition >= task->repetition)
            task->repetition = runs.runs[i].repetition + 1;
    }
    mt_runs_clear(&runs);
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
    int status =
        mt_configuration_find_nodes(&task->configuration, campaign->cluster, err);
    if (status == MT_OK)
        status = set_repetition(task, campaign, err);
    if (status == MT_OK)
        status = mt_submit_or_run(campaign, &tasks, &result, err);
    *interrupted = result.interrupted;
    if (status == MT_OK && result.interrupted == 0)
        status = mt_single_fetch(campaign, task, run, err);
    return status;
}
