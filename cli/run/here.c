/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that motley starts itself. A slot makes one run after the other: its job, its
   folder and its process, from start to record. */
#include "run.h"

#include "cli/lateness/report.h"
#include "cli/launch/job.h"
#include "cli/launch/preload.h"
#include "cli/process/memory.h"
#include "cli/process/scratch.h"
#include "down.h"
#include "lib/input/internal.h"
#include "queue.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest time between refreshes of the progress bar, in seconds. */
static const double tick = 1;

/* The wait of a run in Slurm's queue. Zeroed: it has not waited yet. */
struct waiting {
    double began, asked; /* on mt_clock(); 0: not yet */
    char reason[128];    /* the last reported reason */
};

/* A run in progress. In a free slot all members except `folder` are zero. */
struct mt_slot {
    char *folder;               /* owned; of the launcher's files */
    const struct mt_task *task; /* borrowed; of the current run */
    struct mt_launch launch;
    struct mt_job job;
    struct mt_stage stage;
    struct mt_report_place report;
    struct mt_process process; /* running while it has a pid */
    struct waiting waiting;
};

/* A signal that arrived while a command of the stage watched signals. */
static void take_signal(struct mt_runner *runner, int number)
{
    if (number == 0)
        return;
    runner->watch.interrupted = number;
    runner->watch.times++;
}

/* Find out whether a run failed because nodes of it do not answer; `*gone` of them were
   left out of the cluster. A refusal by the launcher is not their fault. */
static int find_down(struct mt_runner *runner, const struct mt_slot *slot,
                     struct mt_run *run, int *gone, struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    if (run->outcome == MT_RUN_OK)
        runner->silent = false;
    if (run->outcome == MT_RUN_OK || run->outcome == MT_RUN_UNREAD || runner->silent ||
        slot->process.pending.refused || runner->watch.interrupted)
        return MT_OK;
    const int status = mt_down_find(run, gone, campaign->cluster, campaign->store,
                                    &slot->task->configuration, err);
    runner->silent = run->down && *gone == 0;
    if (*gone > 0) {
        mt_progress_end(runner->bar);
        fprintf(stderr, "motley: no answer from %s: left out from now on\n", run->down);
    }
    return status;
}

/* Clean up after a run and record it: a failed one that will be listed keeps its
   folder, for diagnosis. */
static int end_and_keep(struct mt_runner *runner, struct mt_slot *slot,
                        struct mt_run *run, struct mt_error *err)
{
    const bool keep_folder = run->outcome == MT_RUN_OK
                                 ? runner->campaign->keep_folders
                                 : runner->failures.count < MT_FAILURES_SHOWN;
    int interrupted = 0;
    struct mt_error reason;
    if (!run->down || runner->silent) /* other nodes must still be asked */
        mt_streak_add(runner->streak, run);
    if (slot->stage.own && keep_folder) {
        mt_progress_end(runner->bar);
        mt_record_folder(run, slot->stage.folder);
    }
    if (mt_stage_end(&slot->stage, keep_folder, &interrupted, &reason) != MT_OK) {
        mt_progress_end(runner->bar);
        fprintf(stderr, "motley: %s\n", reason.text);
    }
    mt_job_clear(&slot->job);
    slot->process.ended = false;
    take_signal(runner, interrupted);
    return mt_runner_keep(runner, run, err);
}

static int keep_not_started(struct mt_runner *runner, struct mt_slot *slot,
                            const char *reason, struct mt_error *err)
{
    struct mt_run run = {0};
    mt_record_not_started(&run, &slot->launch, slot->task->repetition, &slot->job,
                          reason);
    run.output = slot->stage.output; /* now the run's */
    slot->stage.output = NULL;
    return end_and_keep(runner, slot, &run, err);
}

static int start_process(struct mt_runner *runner, struct mt_slot *slot,
                         struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    struct mt_error reason = {0};
    slot->process = (struct mt_process){.folder = slot->stage.folder,
                                        .timeout = mt_campaign_timeout(campaign),
                                        .echo = campaign->echo};
    mt_job_process(&slot->job, &slot->process);
    slot->waiting = (struct waiting){0};
    if (runner->has_pattern && !campaign->program->result_file)
        slot->process.output.pattern = &runner->pattern;
    const int status = mt_process_start(&slot->process, &reason);
    if (status != MT_OK && slot->process.refused)
        return keep_not_started(runner, slot, reason.text, err);
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    runner->busy++;
    return MT_OK;
}

static int start(struct mt_runner *runner, const struct mt_task *task, bool *taken,
                 struct mt_error *err)
{
    struct mt_slot *slot = runner->slots;
    struct mt_error reason = {0};
    int interrupted = 0;
    while (slot->process.pid != 0)
        slot++;
    *taken = true;
    slot->task = task;
    if (mt_preload_reports())
        mt_report_place_make(&slot->report);
    slot->launch = mt_runner_launch(runner, task);
    slot->launch.folder = slot->folder;
    slot->launch.report = slot->report.file;
    slot->stage = (struct mt_stage){.launch = &slot->launch,
                                    .timeout = mt_campaign_timeout(runner->campaign),
                                    .echo = runner->campaign->echo};
    int status = mt_job_make(&slot->job, &slot->launch, &reason);
    if (status == MT_OK)
        status = mt_stage_begin(&slot->stage, &interrupted, &reason);
    take_signal(runner, interrupted);
    if (mt_is_of_run(status))
        return keep_not_started(runner, slot, reason.text, err);
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    if (interrupted != 0)
        return MT_OK;
    return slot->stage.failure
               ? keep_not_started(runner, slot, slot->stage.failure, err)
               : start_process(runner, slot, err);
}

/* A run matters more than its report: a failure of the report is only printed on
   stderr. */
static void keep_report(struct mt_runner *runner, const struct mt_slot *slot,
                        const struct mt_run *run)
{
    struct mt_error reason;
    if (!slot->job.balance ||
        mt_report_keep(&slot->report, runner->campaign->store, run, &reason) == MT_OK)
        return;
    mt_progress_end(runner->bar);
    fprintf(stderr, "motley: the report on late ranks is not kept: %s\n", reason.text);
}

static int keep_ended(struct mt_runner *runner, struct mt_slot *slot,
                      struct mt_error *err)
{
    struct mt_run run = {0};
    int gone = 0;
    mt_stage_search(&slot->stage, &runner->pattern, &slot->process.output);
    mt_record_ended(&run, &slot->launch, slot->task->repetition, &slot->job,
                    &slot->process);
    mt_memory_save_first(mt_rescue_run, &run);
    keep_report(runner, slot, &run);
    /* Record the run even if recording its down nodes failed. */
    const int found = find_down(runner, slot, &run, &gone, err);
    const int kept = end_and_keep(runner, slot, &run, err);
    mt_memory_save_first(NULL, NULL);
    if (kept == MT_OK && found == MT_OK && gone > 0)
        runner->lost = slot->task;
    return kept == MT_OK ? found : kept;
}

/* The scheduler knows the reason a moment later; asking is work for it. */
static const double first_seconds = 2, next_seconds = 20;

static void give_up(struct mt_process *process, const struct mt_queued *job)
{
    struct mt_pending *pending = &process->pending;
    const bool nodes = strncmp(job->reason, "ReqNodeNotAvail", 15) == 0;
    pending->hopeless = pending->hopeless || nodes;
    pending->refused = pending->refused || !nodes;
    snprintf(pending->said, sizeof pending->said, "Slurm's job %ld waits in vain: %s",
             job->job, job->reason);
    mt_process_stop(process);
}

/* Every few seconds, look why the run waits, if it does. Returns whether to report it:
   the reason is new. A run that would wait until an administrator acts is stopped, with
   the reason in its process. */
static bool look(struct waiting *waiting, struct mt_process *process)
{
    const double now = mt_clock();
    struct mt_queued job = {0};
    if (!process->waits || process->pid == 0 || process->kill_at > 0 ||
        sscanf(process->pending.said, "srun: job %ld queued", &job.job) != 1)
        return false;
    if (waiting->began == 0)
        waiting->began = now;
    if (now < waiting->began + first_seconds ||
        (waiting->asked > 0 && now < waiting->asked + next_seconds))
        return false;
    waiting->asked = now;
    if (mt_queue_look(&job, 1, NULL) != MT_OK || job.state != MT_QUEUE_PENDING)
        return false;
    if (mt_queue_in_vain(&job))
        give_up(process, &job);
    char reason[sizeof waiting->reason];
    snprintf(reason, sizeof reason, "job %ld, %.90s", job.job, job.reason);
    if (strcmp(reason, waiting->reason) == 0)
        return false;
    snprintf(waiting->reason, sizeof waiting->reason, "%s", reason);
    return true;
}

static void look_at_queue(struct mt_runner *runner, struct mt_slot *slot)
{
    if (!look(&slot->waiting, &slot->process))
        return;
    char *text = mt_need(
        mt_configuration_format(&slot->task->configuration, runner->campaign->cluster));
    mt_progress_end(runner->bar);
    fprintf(stderr, "motley: '%s' waits in Slurm's queue (%s)\n", text,
            slot->waiting.reason);
    free(text);
}

/* Whether it ended because motley was asked to stop; other runs are recorded even
   then. */
static bool was_given_up(const struct mt_runner *runner,
                         const struct mt_process *process)
{
    return runner->watch.interrupted && process->kill_at > 0 && !process->timed_out;
}

static int wait_for_some(struct mt_runner *runner, struct mt_error *err)
{
    int status =
        mt_watch_wait(&runner->watch, runner->running, runner->jobs, tick, err);
    if (runner->watch.times > runner->heeded)
        mt_processes_stop(runner->running, runner->jobs);
    runner->heeded = runner->watch.times;
    runner->busy = 0;
    for (int i = 0; i < runner->jobs; i++) {
        struct mt_slot *slot = &runner->slots[i];
        if (slot->process.ended && !was_given_up(runner, &slot->process)) {
            const int kept = keep_ended(runner, slot, status == MT_OK ? err : NULL);
            status = status == MT_OK ? kept : status;
        }
        look_at_queue(runner, slot);
        runner->busy += slot->process.pid != 0;
    }
    return status;
}

static int clean_up(struct mt_runner *runner, struct mt_error *err)
{
    (void)runner;
    return mt_sessions_clean_up(err); /* even without anything to measure */
}

static int make_slots(struct mt_runner *runner, struct mt_error *err)
{
    const int jobs = runner->jobs;
    int status = MT_OK;
    runner->slots = mt_calloc((size_t)jobs, sizeof *runner->slots);
    runner->running = mt_calloc((size_t)jobs, sizeof(struct mt_process *));
    for (int i = 0; status == MT_OK && i < jobs; i++) {
        runner->running[i] = &runner->slots[i].process;
        status = mt_scratch_make(&runner->slots[i].folder, err);
    }
    return status;
}

/* After a failure of motley, no program may keep running. */
static int leave(struct mt_runner *runner, int status, struct mt_error *err)
{
    (void)err;
    if (status != MT_OK) {
        mt_processes_stop(runner->running, runner->jobs);
        const int ended =
            mt_watch_all(&runner->watch, runner->running, runner->jobs, NULL);
        (void)ended;
    }
    if (!runner->campaign->whole)
        mt_progress_end(runner->bar);
    mt_watch_end(&runner->watch);
    return status;
}

/* Remove the leftovers of an abandoned run, too. */
static void clear(struct mt_runner *runner)
{
    for (int i = 0; runner->slots && i < runner->jobs; i++) {
        struct mt_slot *slot = &runner->slots[i];
        int interrupted;
        if (slot->stage.folder) {
            const int ended = mt_stage_end(&slot->stage, false, &interrupted, NULL);
            (void)ended;
        }
        mt_job_clear(&slot->job);
        mt_report_place_clear(&slot->report);
        mt_scratch_remove(slot->folder);
    }
    free(runner->slots);
    free(runner->running);
}

const struct mt_runner_ops mt_runs_here = {
    .begin = clean_up,
    .open = make_slots,
    .start = start,
    .wait = wait_for_some,
    .leave = leave,
    .clear = clear,
};
