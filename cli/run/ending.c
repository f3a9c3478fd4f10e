/* SPDX-License-Identifier: BSD-3-Clause */
#include "handed.h"

#include "cli/launch/job.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "lib/store/internal.h"
#include "record.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a job has written of its begin and end. */
struct ending {
    double began; /* 0: it did not begin */
    bool ended;
    int exit_code;
    double end;
};

static void read_ending(struct ending *ending, const char *folder)
{
    /* NFS looks again for files that were not there when their folder is opened. */
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

/* Let the process have printed what the job has. */
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

/* What timeout(1) exits with, by which the job's script stops a run. */
enum { OF_TIMEOUT = 124 };

/* Why a job came to no end of its own; NULL: it is not known to be so. */
static const char *why_ended(const struct mt_queued *queued, const char *output,
                             const struct ending *ending, bool *time_limit)
{
    const char *word = queued->word;
    *time_limit = strcmp(word, "TIMEOUT") == 0 ||
                  (ending->ended && ending->exit_code == OF_TIMEOUT) ||
                  (output && strstr(output, "DUE TO TIME LIMIT ***"));
    if (*time_limit)
        return "reached its time limit";
    if (strcmp(word, "CANCELLED") == 0 || (output && strstr(output, "CANCELLED AT ")))
        return "was cancelled";
    if (strcmp(word, "NODE_FAIL") == 0)
        return "lost a node";
    if (strcmp(word, "PREEMPTED") == 0)
        return "was preempted";
    if (strcmp(word, "OUT_OF_MEMORY") == 0)
        return "ran out of memory";
    if (strcmp(word, "DEADLINE") == 0 || strcmp(word, "BOOT_FAIL") == 0)
        return "was ended by Slurm";
    return NULL;
}

/* Seconds; 0: not known, as where a clock was set back meanwhile. Some clocks tell
   whole seconds only. */
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

/* A job that wrote of its end may still have been ended by Slurm. */
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

int mt_ending_read(struct mt_handed *handed, const struct mt_queued *queued,
                   const struct mt_ending_program *program, struct mt_run *run,
                   bool *ended, struct mt_error *err)
{
    struct ending ending;
    const bool over = queued->state == MT_QUEUE_ENDED || queued->state == MT_QUEUE_GONE;
    read_ending(&ending, handed->folder);
    handed->missed = over ? handed->missed + 1 : 0;
    *ended = ending.ended || handed->missed >= MT_HANDED_MISSES;
    if (!*ended)
        return MT_OK;
    struct mt_process *process = mt_calloc(1, sizeof *process);
    const struct mt_job job = {.preloaded = handed->preloaded, .joins = handed->joins};
    const struct mt_attempt attempt = {.cluster = program->cluster,
                                       .program = program->program,
                                       .task = &handed->task,
                                       .job = &job};
    process->output.pattern = program->pattern;
    process->exit_code = ending.ended ? ending.exit_code : 1;
    process->elapsed = process->wall = time_of(&ending);
    read_output(process, handed->folder);
    const int status = mt_record_ended(run, &attempt, process, err);
    if (status == MT_OK)
        tell_why(run, handed, queued, &ending);
    if (status == MT_OK && ending.began > 0)
        run->started = (int64_t)ending.began;
    free(process);
    if (status != MT_OK)
        mt_run_clear(run);
    return status;
}
