/* SPDX-License-Identifier: BSD-3-Clause */
#include "slot.h"

#include "cli/common/progress.h"
#include "cli/launch/preload.h"
#include "lib/input/internal.h"
#include "queue.h"
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mt_launch launch_of(const struct mt_slot *slot)
{
    const struct mt_campaign *campaign = slot->campaign;
    return (struct mt_launch){
        .cluster = campaign->cluster,
        .program = campaign->program,
        .configuration = &slot->task->configuration,
        .size = slot->task->size,
        .weights = campaign->weights,
        .seed = mt_task_seed(slot->task, campaign->seed),
        .patience = campaign->patience,
        .folder = slot->folder,
        .report = slot->report.file,
    };
}

static struct mt_stage_limits limits_of(const struct mt_campaign *campaign)
{
    return (struct mt_stage_limits){.timeout = mt_campaign_timeout(campaign),
                                    .echo = campaign->echo};
}

static struct mt_attempt attempt_of(const struct mt_slot *slot)
{
    return (struct mt_attempt){.cluster = slot->campaign->cluster,
                               .program = slot->campaign->program,
                               .task = slot->task,
                               .job = &slot->job};
}

static int record_not_started(struct mt_slot *slot, const char *reason,
                              struct mt_run *run, struct mt_error *err)
{
    const struct mt_attempt attempt = attempt_of(slot);
    const int status = mt_record_not_started(run, &attempt, reason, err);
    if (status == MT_OK) {
        run->output = slot->stage.output; /* now the run's */
        slot->stage.output = NULL;
    }
    return status;
}

static int start(struct mt_slot *slot, struct mt_run *run, struct mt_error *err)
{
    const struct mt_program *program = slot->campaign->program;
    struct mt_error reason = {0};
    slot->process = (struct mt_process){.argv = slot->job.argv,
                                        .env = slot->job.env,
                                        .folder = slot->stage.folder,
                                        .pending = {.phrases = slot->job.pending},
                                        .timeout = mt_campaign_timeout(slot->campaign),
                                        .echo = slot->campaign->echo};
    slot->waiting = (struct mt_waiting){0};
    if (mt_program_pattern(program) && !program->result_file)
        slot->process.output.pattern = slot->pattern;
    const int status = mt_process_start(&slot->process, &reason);
    if (status == MT_OK)
        return MT_OK;
    return slot->process.refused ? record_not_started(slot, reason.text, run, err)
                                 : mt_fail(err, status, "%s", reason.text);
}

int mt_slot_begin(struct mt_slot *slot, const struct mt_task *task, struct mt_run *run,
                  int *interrupted, struct mt_error *err)
{
    slot->task = task;
    *interrupted = 0;
    struct mt_error reason = {0};
    if (mt_preload_reports())
        mt_report_place_make(&slot->report);
    const struct mt_launch launch = launch_of(slot);
    const struct mt_stage_limits limits = limits_of(slot->campaign);
    int status = mt_job_make(&slot->job, &launch, &reason);
    if (status == MT_OK)
        status = mt_stage_begin(&slot->stage, &launch, &limits, interrupted, &reason);
    if (mt_trial_is_of_run(status))
        return record_not_started(slot, reason.text, run, err);
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    if (*interrupted != 0)
        return MT_OK;
    return slot->stage.failure ? record_not_started(slot, slot->stage.failure, run, err)
                               : start(slot, run, err);
}

static void keep_report(const struct mt_slot *slot, const struct mt_run *run)
{
    struct mt_error reason;
    if (!slot->job.balance ||
        mt_report_keep(&slot->report, slot->campaign->store, run, &reason) == MT_OK)
        return;
    mt_progress_end(slot->progress);
    fprintf(stderr, "motley: the report on late ranks is not kept: %s\n", reason.text);
}

int mt_slot_record(struct mt_slot *slot, struct mt_run *run, struct mt_error *err)
{
    const struct mt_attempt attempt = attempt_of(slot);
    mt_stage_search(&slot->stage, slot->campaign->program, slot->pattern,
                    &slot->process.output);
    const int status = mt_record_ended(run, &attempt, &slot->process, err);
    if (status == MT_OK)
        keep_report(slot, run);
    return status;
}

int mt_slot_end(struct mt_slot *slot, struct mt_run *run, bool keep_folder,
                int *interrupted, struct mt_error *err)
{
    const struct mt_launch launch = launch_of(slot);
    const struct mt_stage_limits limits = limits_of(slot->campaign);
    struct mt_error reason;
    int status = MT_OK;
    if (slot->stage.own && keep_folder) {
        mt_progress_end(slot->progress);
        status = mt_record_folder(run, slot->stage.folder, err);
    }
    if (mt_stage_end(&slot->stage, &launch, &limits, keep_folder, interrupted,
                     &reason) != MT_OK) {
        mt_progress_end(slot->progress);
        fprintf(stderr, "motley: %s\n", reason.text);
    }
    mt_job_clear(&slot->job);
    slot->process.ended = false;
    return status;
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

/* Look what the run waits for, if it does, every few seconds. Returns whether that is
   to be told: the reason is new. One that would wait until somebody changes something
   is stopped; its process says why. */
static bool look(struct mt_waiting *waiting, struct mt_process *process)
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

void mt_slot_look_at_queue(struct mt_slot *slot)
{
    if (!look(&slot->waiting, &slot->process))
        return;
    char *text =
        mt_configuration_format(&slot->task->configuration, slot->campaign->cluster);
    mt_progress_end(slot->progress);
    fprintf(stderr, "motley: '%s' waits in Slurm's queue (%s)\n", text ? text : "?",
            slot->waiting.reason);
    free(text);
}

void mt_slot_clear(struct mt_slot *slot)
{
    if (slot->stage.folder) {
        const struct mt_launch launch = launch_of(slot);
        const struct mt_stage_limits limits = limits_of(slot->campaign);
        int interrupted;
        const int ended =
            mt_stage_end(&slot->stage, &launch, &limits, false, &interrupted, NULL);
        (void)ended;
    }
    mt_job_clear(&slot->job);
    mt_report_place_clear(&slot->report);
    free(slot->folder);
    *slot = (struct mt_slot){0};
}
