/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes runs by jobs of Slurm: submits them, polls the queue, and records them when
   they have ended, even if no motley waited for them. */
#include "submit.h"

#include "cli/common/command.h"
#include "cli/common/progress.h"
#include "cli/launch/job.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"
#include "run.h"

#include <dirent.h>
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

/* A job's record of its begin and end. */
struct ending {
    double began; /* 0: it did not begin */
    bool ended;
    int exit_code;
    double end;
};

static void read_ending(struct ending *ending, const char *folder)
{
    /* Opening the folder makes NFS look again for missing files. */
    DIR *refreshed = opendir(folder);
    if (refreshed)
        closedir(refreshed);
    FILE *began = mt_handed_open(folder, "began"),
         *ended = mt_handed_open(folder, "ended");
    *ending = (struct ending){0};
    if (began && fscanf(began, "%lf", &ending->began) != 1)
        ending->began = 0;
    ending->ended =
        ended && fscanf(ended, "%d %lf", &ending->exit_code, &ending->end) == 2;
    if (began)
        fclose(began);
    if (ended)
        fclose(ended);
}

/* Copy the job's output to the process. */
static void read_output(struct mt_process *process, const char *folder)
{
    char buffer[4096];
    size_t count;
    FILE *file = mt_handed_open(folder, "output");
    if (!file)
        return;
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0)
        mt_output_eat(&process->output, buffer, count);
    mt_output_finish(&process->output);
    fclose(file);
}

/* The exit status of timeout(1), by which the job's script stops a run. */
enum { OF_TIMEOUT = 124 };

/* Why a job did not end by itself; NULL: unknown, or it did. */
static const char *why_ended(const struct mt_queued *queued, const char *output,
                             const struct ending *ending, bool *time_limit)
{
    static const struct {
        const char *word, *why;
    } ends[] = {
        {"CANCELLED", "was cancelled"},     {"NODE_FAIL", "lost a node"},
        {"PREEMPTED", "was preempted"},     {"OUT_OF_MEMORY", "ran out of memory"},
        {"DEADLINE", "was ended by Slurm"}, {"BOOT_FAIL", "was ended by Slurm"}};
    *time_limit = strcmp(queued->word, "TIMEOUT") == 0 ||
                  (ending->ended && ending->exit_code == OF_TIMEOUT) ||
                  (output && strstr(output, "DUE TO TIME LIMIT ***"));
    if (*time_limit)
        return "reached its time limit";
    if (output && strstr(output, "CANCELLED AT "))
        return "was cancelled";
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(queued->word, ends[i].word) == 0)
            return ends[i].why;
    return NULL;
}

/* Seconds; 0: unknown, as after a clock was set back. Some clocks have whole seconds
   only. */
static double time_of(const struct ending *ending)
{
    const double time = ending->end - ending->began;
    if (!ending->ended || ending->began <= 0 || time < 0)
        return 0;
    return time > 0 ? time : 1e-6;
}

static void set_reason(struct mt_run *run, long job, const char *why, bool began)
{
    free(run->reason);
    run->reason =
        mt_asprintf("Slurm's job %ld %s%s", job, why, began ? "" : " before it began");
}

/* A job that recorded its end may still have been ended by Slurm. */
static void tell_why(struct mt_run *run, const struct mt_handed *handed,
                     const struct mt_queued *queued, const struct ending *ending)
{
    bool time_limit = false;
    const char *why = why_ended(queued, run->output, ending, &time_limit);
    if (ending->ended && ending->exit_code == 0 && time_of(ending) == 0) {
        run->outcome = MT_RUN_UNREAD;
        run->seconds = 0;
        set_reason(run, handed->job,
                   ending->began > 0 ? "ended before it began, by its node's clock"
                                     : "did not note when it began",
                   true);
        return;
    }
    if (ending->ended && (ending->exit_code == 0 || !why))
        return;
    run->outcome = time_limit ? MT_RUN_TIMEOUT : MT_RUN_FAILED;
    run->seconds = 0;
    run->signal = 0;
    run->exit_code = time_limit ? 0 : ending->ended ? ending->exit_code : 1;
    set_reason(run, handed->job, why ? why : "has gone from the queue",
               ending->began > 0);
}

/* If the job has ended, by its record or its state in the queue, fill the empty `run`.
   A job that was cancelled or reached its time limit is a run that failed. */
static bool read_ended(struct mt_run *run, const struct mt_runner *runner,
                       struct mt_handed *handed, const struct mt_queued *queued)
{
    struct ending ending;
    const bool over = queued->state == MT_QUEUE_ENDED || queued->state == MT_QUEUE_GONE;
    read_ending(&ending, handed->folder);
    handed->missed = over ? handed->missed + 1 : 0;
    if (!ending.ended && handed->missed < MT_HANDED_MISSES)
        return false;
    struct mt_process *process = mt_calloc(1, sizeof *process);
    const struct mt_job job = {.preloaded = handed->preloaded, .joins = handed->joins};
    const struct mt_launch launch = mt_runner_launch(runner, &handed->task);
    process->output.pattern = runner->has_pattern ? &runner->pattern : NULL;
    process->exit_code = ending.ended ? ending.exit_code : 1;
    process->elapsed = process->wall = time_of(&ending);
    read_output(process, handed->folder);
    mt_record_ended(run, &launch, handed->task.repetition, &job, process);
    free(process);
    tell_why(run, handed, queued, &ending);
    if (ending.began > 0)
        run->started = (int64_t)ending.began;
    return true;
}

static void say(struct mt_runner *runner, const struct mt_handed *handed,
                const char *what)
{
    char *text =
        mt_configuration_format(&handed->task.configuration, runner->campaign->cluster);
    mt_progress_end(runner->bar);
    fprintf(stderr, "motley: job %ld (%s, N = %.15g) %s\n", handed->job,
            text ? text : "?", handed->task.size, what);
    free(text);
}

/* Report why it waits, once. */
static void tell(struct mt_runner *runner, struct mt_handed *handed,
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
        say(runner, handed, news);
}

/* Whether the run is in the store already, as motley was killed before it removed the
   job's folder. */
static int is_kept(bool *kept, const struct mt_runner *runner, const struct mt_run *run,
                   struct mt_error *err)
{
    struct mt_runs runs = {0};
    const struct mt_run_filter filter = {.cluster = run->cluster,
                                         .program = run->program,
                                         .configuration = run->configuration,
                                         .size = run->size};
    const int status = mt_store_runs(runner->campaign->store, &runs, &filter, err);
    *kept = false;
    for (int i = 0; i < runs.count; i++)
        *kept = *kept || (runs.runs[i].repetition == run->repetition &&
                          runs.runs[i].started == run->started &&
                          runs.runs[i].wall == run->wall);
    mt_runs_clear(&runs);
    return status;
}

/* Its folder stays under the same rules as those of runs that motley starts itself. */
static void end_folder(struct mt_runner *runner, const struct mt_handed *handed,
                       struct mt_run *run)
{
    char *folder = mt_handed_run_folder(handed);
    if (!folder)
        return;
    if (run->outcome == MT_RUN_OK || runner->failures.count < MT_FAILURES_SHOWN) {
        mt_progress_end(runner->bar);
        mt_record_folder(run, folder);
    } else {
        mt_folder_remove(folder);
    }
    free(folder);
}

/* Keep the run of the i-th job, which has ended. */
static int keep_ended(struct mt_runner *runner, int i, struct mt_run *run,
                      struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    bool kept = false;
    if (campaign->echo && run->output)
        dprintf(campaign->echo, "%s", run->output);
    int status = is_kept(&kept, runner, run, err);
    if (status == MT_OK && !kept) {
        end_folder(runner, &runner->handed.jobs[i], run);
        mt_streak_add(runner->streak, run);
        status = mt_runner_keep(runner, run, err);
    }
    if (status == MT_OK)
        mt_handed_remove(&runner->handed, i);
    mt_run_clear(run);
    return status;
}

/* Record ended runs, and report why the others wait. After the first time, Slurm may
   fail to answer for a while. */
static int collect(struct mt_runner *runner, bool again, struct mt_error *err)
{
    const int count = runner->handed.count;
    struct mt_queued *queued = mt_calloc((size_t)count, sizeof *queued);
    struct mt_error reason;
    for (int i = 0; i < count; i++)
        queued[i].job = runner->handed.jobs[i].job;
    const int asked = count > 0 ? mt_queue_look(queued, count, &reason) : MT_OK;
    int status = MT_OK;
    if (asked == MT_EIO && again) {
        mt_progress_end(runner->bar);
        fprintf(stderr, "motley: Slurm's queue is not known: %s\n", reason.text);
    } else if (asked != MT_OK) {
        status = mt_fail(err, asked, "%s", reason.text);
    }
    for (int i = count - 1; i >= 0 && asked == MT_OK && status == MT_OK; i--) {
        struct mt_run run = {0};
        if (read_ended(&run, runner, &runner->handed.jobs[i], &queued[i])) {
            status = keep_ended(runner, i, &run, err);
            runner->full = false;
        } else {
            tell(runner, &runner->handed.jobs[i], &queued[i]);
        }
    }
    free(queued);
    runner->busy = runner->handed.count;
    return status;
}

/* Find the jobs of an earlier motley, and record those that have ended. */
static int find_and_collect(struct mt_runner *runner, struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    runner->began = mt_clock();
    const int status = mt_handed_find(&runner->handed, mt_common.db, campaign->cluster,
                                      campaign->program, err);
    return status == MT_OK ? collect(runner, false, err) : status;
}

/* A run that Slurm refuses fails, with its words; so does one without a script. */
static int keep_refused(struct mt_runner *runner, const struct mt_task *task,
                        const char *reason, struct mt_error *err)
{
    const struct mt_launch launch = mt_runner_launch(runner, task);
    const struct mt_job none = {0};
    struct mt_run run = {0};
    mt_record_not_started(&run, &launch, task->repetition, &none, reason);
    mt_streak_add(runner->streak, &run);
    return mt_runner_keep(runner, &run, err);
}

/* Wait for signals only. */
static int watch(struct mt_runner *runner, double seconds, struct mt_error *err)
{
    struct mt_process *none[1] = {NULL};
    const int status = mt_watch_wait(&runner->watch, none, 1, seconds, err);
    runner->over = runner->over || runner->watch.interrupted;
    return status;
}

static int hand_in(struct mt_runner *runner, const struct mt_task *task, bool *taken,
                   struct mt_error *err)
{
    const struct mt_campaign *campaign = runner->campaign;
    const struct mt_launch launch = mt_runner_launch(runner, task);
    const struct mt_script script = {.launch = &launch,
                                     .seconds = mt_campaign_timeout(campaign),
                                     .remove_folder = !campaign->keep_folders};
    struct mt_error reason = {0};
    const int status =
        mt_handed_add(&runner->handed, mt_common.db, task, &script, &reason);
    const int watched = watch(runner, 1e-3, err);
    *taken = false;
    runner->busy = runner->handed.count;
    if (watched != MT_OK || (status != MT_OK && runner->watch.interrupted))
        return watched; /* a signal from the terminal reaches sbatch, too */
    if (status == MT_EINFEASIBLE && runner->handed.count > 0 &&
        strstr(reason.text, "submit limit")) {
        runner->full = true; /* until one has ended */
        return MT_OK;
    }
    *taken = true;
    runner->vain = runner->vain && status != MT_OK;
    if (status == MT_OK && campaign->quiet)
        say(runner, &runner->handed.jobs[runner->handed.count - 1], "is handed in");
    if (mt_is_of_run(status))
        return keep_refused(runner, task, reason.text, err);
    return status == MT_OK ? MT_OK : mt_fail(err, status, "%s", reason.text);
}

/* The time for a cancelled job to end. */
enum { MOST_SECONDS = 10 };

/* Remove the folder of the job's run, once it has ended, if it has one. */
static void remove_run_folder(const struct mt_handed *handed)
{
    char *folder = mt_handed_run_folder(handed);
    struct mt_queued job = {.job = handed->job};
    for (int seconds = 0; folder && seconds < MOST_SECONDS; seconds++) {
        if (mt_queue_look(&job, 1, NULL) != MT_OK || job.state != MT_QUEUE_RUNNING)
            break;
        sleep(1);
    }
    if (folder)
        mt_folder_remove(folder);
    free(folder);
}

static int cancel_all(struct mt_handed_list *list, struct mt_error *err)
{
    const int count = list->count;
    long *jobs = mt_calloc((size_t)count, sizeof *jobs);
    for (int i = 0; i < count; i++)
        jobs[i] = list->jobs[i].job;
    const int status = mt_queue_cancel(jobs, count, err);
    free(jobs);
    if (status != MT_OK)
        return status;
    for (int i = count - 1; i >= 0; i--) {
        remove_run_folder(&list->jobs[i]);
        mt_handed_remove(list, i);
    }
    fprintf(stderr, "motley: %d job%s cancelled\n", count,
            count == 1 ? " was" : "s were");
    return MT_OK;
}

/* Report on stderr how many jobs stay in the queue, if any. */
static void tell_left(const struct mt_handed_list *list)
{
    const int count = list->count;
    if (count > 0)
        fprintf(
            stderr,
            "motley: %d job%s in Slurm's queue; the next 'motley measure', 'run' or "
            "'plan' of this cluster and program keeps what has ended by then\n",
            count, count == 1 ? " stays" : "s stay");
}

/* Cancel the jobs with --cancel, or if the user agrees on a terminal; otherwise they
   stay in the queue, for a later motley. */
static int leave_jobs(struct mt_runner *runner, struct mt_error *err)
{
    const int count = runner->handed.count;
    if (count > 0 && (runner->campaign->submit.cancel ||
                      mt_ask("%d job%s in Slurm's queue: cancel %s", count,
                             count == 1 ? " is" : "s are", count == 1 ? "it" : "them")))
        return cancel_all(&runner->handed, err);
    tell_left(&runner->handed);
    return MT_OK;
}

/* Whether all jobs of the list wait for reasons that do not pass by themselves, and
   have done so for several looks, since a node may come back soon, as after a reboot.
   Later, when looks are rarer, these are minutes. */
static bool are_in_vain(const struct mt_handed_list *list)
{
    enum { LOOKS = 5 };
    for (int i = 0; i < list->count; i++)
        if (list->jobs[i].vain < LOOKS)
            return false;
    return list->count > 0;
}

/* The same after they have waited in vain, which is a failure with Slurm's reason. */
static int leave_vain_jobs(struct mt_runner *runner, struct mt_error *err)
{
    const struct mt_handed *first = &runner->handed.jobs[0];
    struct mt_error why;
    char *text = mt_need(
        mt_configuration_format(&first->task.configuration, runner->campaign->cluster));
    mt_fail(&why, MT_EINFEASIBLE, "job %ld (%.80s, N = %.15g) %s", first->job, text,
            first->task.size, first->told);
    free(text);
    const int status = leave_jobs(runner, err);
    if (status != MT_OK)
        return status;
    return mt_fail(err, MT_EINFEASIBLE,
                   runner->handed.count > 0
                       ? "%s, which does not pass by itself; give the same command "
                         "again when it has, or with --cancel to take the job out of "
                         "the queue"
                       : "%s, which would not have passed by itself",
                   why.text);
}

/* Often at first, as jobs may be short; later less often, as looks are work for
   Slurm. */
static double seconds_to_wait(double since)
{
    return fmin(fmax((mt_clock() - since) / 20, 1), 15);
}

static int wait_and_collect(struct mt_runner *runner, struct mt_error *err)
{
    const int status = watch(runner, seconds_to_wait(runner->began), err);
    if (status != MT_OK || runner->over)
        return status;
    const int collected = collect(runner, true, err);
    runner->vain = are_in_vain(&runner->handed);
    return collected;
}

static int leave(struct mt_runner *runner, int status, struct mt_error *err)
{
    if (!runner->campaign->whole)
        mt_progress_end(runner->bar);
    mt_watch_end(&runner->watch);
    if (status != MT_OK)
        tell_left(&runner->handed);
    else if (runner->watch.interrupted)
        status = leave_jobs(runner, err);
    else if (runner->handed.count > 0)
        status = leave_vain_jobs(runner, err);
    return status;
}

static void clear(struct mt_runner *runner)
{
    mt_handed_clear(&runner->handed);
}

const struct mt_runner_ops mt_runs_by_slurm = {
    .begin = find_and_collect,
    .start = hand_in,
    .wait = wait_and_collect,
    .leave = leave,
    .clear = clear,
};

static bool any_missed(const struct mt_handed_list *handed)
{
    for (int i = 0; i < handed->count; i++)
        if (handed->jobs[i].missed > 0)
            return true;
    return false;
}

/* A few times, as a vanished job may record its end a moment later. */
static int collect_now(struct mt_runner *runner, struct mt_error *err)
{
    int status = mt_runner_begin(runner, err);
    for (int i = 1;
         i < MT_HANDED_MISSES && status == MT_OK && any_missed(&runner->handed); i++) {
        sleep(1);
        status = collect(runner, false, err);
    }
    return status;
}

void mt_submit_collect(const struct mt_inputs *inputs)
{
    struct mt_cluster cluster = inputs->cluster; /* which is not changed */
    struct mt_campaign campaign = {.cluster = &cluster,
                                   .program = &inputs->program,
                                   .submit = {.wanted = true},
                                   .quiet = true};
    struct mt_campaign_result result = {0};
    struct mt_progress bar = {0};
    struct mt_runner runner = {.campaign = &campaign, .result = &result, .bar = &bar};
    struct mt_error err;
    if (!mt_handed_any(mt_common.db))
        return;
    int status = mt_store_open(&campaign.store, mt_common.db, MT_STORE_WRITE, &err);
    if (status == MT_OK)
        status = mt_store_claim(campaign.store, &err);
    if (status == MT_OK)
        status = collect_now(&runner, &err);
    mt_store_close(campaign.store);
    const int kept = result.done + result.failed, left = runner.handed.count;
    if (kept > 0)
        fprintf(stderr, "motley: %d run%s of jobs that have ended %s kept\n", kept,
                kept == 1 ? "" : "s", kept == 1 ? "is" : "are");
    if (status == MT_OK && left > 0)
        fprintf(stderr, "motley: %d job%s that %s handed in before %s not ended\n",
                left, left == 1 ? "" : "s", left == 1 ? "was" : "were",
                left == 1 ? "has" : "have");
    status = mt_runner_end(&runner, false, status, &err);
    if (status != MT_OK && status != MT_EBUSY)
        fprintf(stderr, "motley: jobs that were handed in are not looked at: %s\n",
                err.text);
}
