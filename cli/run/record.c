/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/view.h"
#include "cli/launch/launcher.h"
#include "cli/process/cause.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"
#include "reading.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The exit code by which shells say that a program could not be started. */
enum { NOT_STARTED = 127 };

MT_PRINTF(2, 3)
static void set_reason(struct mt_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&run->reason, format, arguments) < 0)
        run->reason = NULL;
    va_end(arguments);
}

/* The last line of the output that is not empty. */
static const char *last_line(const char *output, int *length)
{
    const char *end = output + strlen(output);
    while (end > output && end[-1] == '\n')
        end--;
    const char *start = end;
    while (start > output && start[-1] != '\n')
        start--;
    *length = (int)(end - start);
    return start;
}

static void set_no_match(struct mt_run *run, const struct mt_program *program)
{
    int length = 0;
    const char *pattern = mt_program_pattern(program);
    const char *line = run->output ? last_line(run->output, &length) : "";
    if (program->result_file)
        set_reason(run, "the pattern '%s' did not match in the run's file '%s'",
                   pattern, program->result_file);
    else if (length > 0)
        set_reason(run,
                   "the pattern '%s' did not match the output; it ended with: %.*s",
                   pattern, length, line);
    else
        set_reason(run, "the pattern '%s' did not match: there was no output", pattern);
}

/* Whether each process seems to have run the whole program: a rank that knows of the
   others does not print the time, or only its own. */
static bool is_printed_by_all(const struct mt_attempt *attempt,
                              const struct mt_process *process)
{
    const int ranks = mt_configuration_ranks(&attempt->task->configuration);
    return ranks > 1 && process->output.matches == ranks && !attempt->job->joins &&
           !mt_cluster_simulated(attempt->cluster);
}

static void read_time(struct mt_run *run, const struct mt_attempt *attempt,
                      const struct mt_process *process)
{
    const struct mt_task *task = attempt->task;
    const struct mt_reading reading = {.program = attempt->program,
                                       .process = process,
                                       .size = task->size,
                                       .ranks =
                                           mt_configuration_ranks(&task->configuration),
                                       .simulated = run->simulated};
    const char *pattern = mt_program_pattern(attempt->program);
    struct mt_error err = {0};
    run->outcome = MT_RUN_UNREAD;
    if (pattern && !process->output.found)
        set_no_match(run, attempt->program);
    else if (is_printed_by_all(attempt, process))
        set_reason(
            run,
            "the time was printed %d times, as often as there are processes: each "
            "seems to have run the whole program by itself, which is serial or was "
            "built for another MPI than launcher '%s' starts; if one rank prints "
            "them, let 'time: match' fit one line only",
            process->output.matches, mt_launcher_name(attempt->cluster->launcher));
    else if (pattern && mt_reading_seconds(&reading, &run->seconds, &err) != MT_OK)
        set_reason(run, "%s", err.text);
    else if (!pattern && process->overslept)
        set_reason(run, "motley was stopped when it ended: when that was is not known");
    else
        run->outcome = MT_RUN_OK;
    if (!pattern && run->outcome == MT_RUN_OK)
        run->seconds = run->wall;
}

static void tell_outcome(struct mt_run *run, const struct mt_attempt *attempt,
                         const struct mt_process *process)
{
    char limit[32];
    if (process->pending.hopeless || process->pending.refused) {
        run->outcome = MT_RUN_FAILED;
        run->exit_code = process->exit_code;
        set_reason(run, "%s", process->pending.said);
    } else if (process->timed_out) {
        run->outcome = MT_RUN_TIMEOUT;
        set_reason(run, "it was stopped because it took longer than %s%s",
                   mt_format_seconds(limit, process->timeout),
                   process->output.found
                       ? "; its time had been printed: it may hang in "
                         "MPI_Finalize"
                       : "");
    } else if (process->signal != 0) {
        run->outcome = MT_RUN_SIGNALLED;
        run->signal = process->signal;
        set_reason(run, "killed by signal %d (%s)", process->signal,
                   strsignal(process->signal));
    } else if (process->exit_code != 0) {
        run->outcome = MT_RUN_FAILED;
        run->exit_code = process->exit_code;
        set_reason(run, "exit status %d", process->exit_code);
    } else {
        read_time(run, attempt, process);
    }
}

/* What srun does not understand of an MPI is the site's to say. */
static void name_kind_of_mpi(struct mt_run *run, const struct mt_attempt *attempt)
{
    const char *mpi = mt_slurm_mpi(attempt->cluster);
    const char *output = run->output ? run->output : "";
    char *reason;
    if (attempt->cluster->launcher != MT_LAUNCH_SLURM || !run->reason ||
        !(strstr(output, "PMI") || strstr(output, "mpi/") ||
          strstr(run->reason, "once a process")))
        return;
    if (asprintf(&reason,
                 "%s; srun was given --mpi=%s: 'mpi' in the cluster file says which",
                 run->reason, mpi ? mpi : "pmi2") < 0)
        return;
    free(run->reason);
    run->reason = reason;
}

/* As "openmpi, patient": with what was preloaded. NULL: memory is short. */
static char *launcher_text(const struct mt_cluster *cluster, const struct mt_job *job)
{
    char *text;
    if (asprintf(&text, "%s%s%s", mt_launcher_name(cluster->launcher),
                 job->preloaded ? ", " : "", job->preloaded ? job->preloaded : "") < 0)
        return NULL;
    return text;
}

static int fill_common(struct mt_run *run, const struct mt_attempt *attempt,
                       struct mt_error *err)
{
    const struct mt_cluster *cluster = attempt->cluster;
    const struct mt_task *task = attempt->task;
    run->cluster = strdup(cluster->name);
    run->program = strdup(attempt->program->name);
    run->configuration = mt_configuration_format(&task->configuration, cluster);
    run->launcher = launcher_text(cluster, attempt->job);
    run->size = task->size;
    run->repetition = task->repetition;
    run->simulated = mt_cluster_simulated(cluster);
    return run->cluster && run->program && run->configuration && run->launcher
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for a run");
}

int mt_record_ended(struct mt_run *run, const struct mt_attempt *attempt,
                    const struct mt_process *process, struct mt_error *err)
{
    int status = fill_common(run, attempt, err);
    if (status == MT_OK) {
        run->wall = process->wall;
        run->started = (int64_t)time(NULL) - (int64_t)process->wall;
        run->output = mt_output_text(&process->output);
        tell_outcome(run, attempt, process);
        name_kind_of_mpi(run, attempt);
        if (run->outcome != MT_RUN_OK && !run->reason)
            status = mt_fail(err, MT_ENOMEM, "no memory for a run");
    }
    if (status != MT_OK)
        mt_run_clear(run);
    return status;
}

int mt_record_not_started(struct mt_run *run, const struct mt_attempt *attempt,
                          const char *reason, struct mt_error *err)
{
    int status = fill_common(run, attempt, err);
    run->outcome = MT_RUN_FAILED;
    run->exit_code = NOT_STARTED;
    run->started = (int64_t)time(NULL);
    run->reason = strdup(reason);
    if (status == MT_OK && !run->reason)
        status = mt_fail(err, MT_ENOMEM, "no memory for a run");
    if (status != MT_OK)
        mt_run_clear(run);
    return status;
}

int mt_record_folder(struct mt_run *run, const char *folder, struct mt_error *err)
{
    char *reason = NULL;
    if (run->outcome == MT_RUN_OK) {
        fprintf(stderr, "motley: the files of the run are in '%s'\n", folder);
        return MT_OK;
    }
    if (asprintf(&reason, "%s; its folder is kept: %s", run->reason, folder) < 0)
        return mt_fail(err, MT_ENOMEM, "no memory for a reason");
    free(run->reason);
    run->reason = reason;
    return MT_OK;
}

enum {
    CLUSTER,
    PROGRAM,
    CONFIGURATION,
    SIZE,
    REPETITION,
    OUTCOME,
    SECONDS,
    WALL,
    SIMULATED,
    STARTED,
    COLUMNS
};
static const struct mt_column columns[COLUMNS] = {
    [CLUSTER] = {"cluster", NULL, MT_COLUMN_TEXT},
    [PROGRAM] = {"program", NULL, MT_COLUMN_TEXT},
    [CONFIGURATION] = {"configuration", NULL, MT_COLUMN_TEXT},
    [SIZE] = {"size", NULL, MT_COLUMN_COUNT},
    [REPETITION] = {"repetition", NULL, MT_COLUMN_COUNT},
    [OUTCOME] = {"outcome", NULL, MT_COLUMN_TEXT},
    [SECONDS] = {"seconds", NULL, MT_COLUMN_SECONDS},
    [WALL] = {"wall", NULL, MT_COLUMN_SECONDS},
    [SIMULATED] = {"simulated", NULL, MT_COLUMN_FLAG},
    [STARTED] = {"started", NULL, MT_COLUMN_COUNT},
};

static void print_csv(const struct mt_runs *runs, FILE *stream)
{
    struct mt_view view = {.columns = columns, .ncolumns = COLUMNS};
    mt_view_begin_csv(&view, stream);
    for (int i = 0; i < runs->count; i++) {
        const struct mt_run *run = &runs->runs[i];
        mt_view_row(&view);
        mt_view_text(&view, CLUSTER, run->cluster);
        mt_view_text(&view, PROGRAM, run->program);
        mt_view_text(&view, CONFIGURATION, run->configuration);
        mt_view_number(&view, SIZE, run->size);
        mt_view_number(&view, REPETITION, run->repetition);
        mt_view_text(&view, OUTCOME, mt_outcome_name(run->outcome));
        if (run->outcome == MT_RUN_OK)
            mt_view_number(&view, SECONDS, run->seconds);
        mt_view_number(&view, WALL, run->wall);
        mt_view_flag(&view, SIMULATED, run->simulated);
        mt_view_number(&view, STARTED, (double)run->started);
    }
    mt_view_end_csv(&view);
}

/* Append lines to a file, or start it with the first one, which names the columns: all
   of them, or none on failure. Never through a link. */
static int append_csv(const char *path, const char *text, struct mt_error *err)
{
    struct stat file = {0};
    const int descriptor =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
    if (fstat(descriptor, &file) == 0 && file.st_size > 0)
        text = strchr(text, '\n') + 1;
    const ssize_t length = (ssize_t)strlen(text);
    int status = MT_OK;
    errno = ENOSPC; /* of a write that is short */
    if (write(descriptor, text, (size_t)length) != length || fsync(descriptor) != 0) {
        status = mt_fail(err, MT_EIO, "cannot write '%s': %s", path, strerror(errno));
        if (file.st_size == 0)
            unlink(path);
        else
            (void)!ftruncate(descriptor, file.st_size);
    }
    close(descriptor);
    return status;
}

static void rescue(const struct mt_runs *runs)
{
    struct mt_error err;
    char *name = NULL, *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    int status = MT_OK;
    if (stream)
        print_csv(runs, stream);
    else
        status = MT_ENOMEM;
    if (stream && fclose(stream) != 0)
        status = MT_ENOMEM;
    if (status == MT_OK && asprintf(&name, "%s.rescued.csv", mt_common.db) < 0)
        name = NULL;
    if (status == MT_OK && name)
        status = append_csv(name, text, &err);
    if (status == MT_OK && name)
        fprintf(
            stderr,
            "motley: finished runs that store '%s' did not take: %d, now in '%s'; mend "
            "the cause, and import that file once\n",
            mt_common.db, runs->count, name);
    else
        fprintf(stderr, "motley: %s; save these lines and import them:\n",
                status == MT_EIO ? err.text : "out of memory");
    if (text)
        fputs(text, stderr);
    free(text);
    free(name);
}

void mt_rescue_runs(struct mt_runs *runs)
{
    if (runs->count > 0)
        rescue(runs);
    mt_runs_clear(runs);
}

void mt_rescue_run(void *run)
{
    rescue(&(struct mt_runs){.runs = run, .count = 1});
}

/* The caller frees it; NULL: memory is short. */
static char *cause_of(const struct mt_run *run)
{
    char *text = NULL;
    size_t length, kept = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    mt_cause_print(run->output ? run->output : run->reason, stream);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i])) /* ranks, processes, times */
            text[kept++] = text[i];
    text[kept] = '\0';
    text[strcspn(text, "\n")] = '\0'; /* each rank may say it once more */
    char *cause;
    const int written = asprintf(&cause, "%s %d %d\n%s", mt_outcome_name(run->outcome),
                                 run->exit_code, run->signal, text);
    free(text);
    return written < 0 ? NULL : cause;
}

void mt_streak_add(struct mt_streak *streak, const struct mt_run *run)
{
    if (run->outcome == MT_RUN_OK)
        streak->succeeded = true;
    if (streak->succeeded)
        return;
    char *cause = cause_of(run);
    const bool same = cause && streak->cause && strcmp(cause, streak->cause) == 0;
    streak->length = same ? streak->length + 1 : 1;
    free(streak->cause);
    streak->cause = cause;
}

bool mt_streak_is_hopeless(const struct mt_streak *streak)
{
    return !streak->succeeded && streak->length >= 5;
}

void mt_streak_print(const struct mt_streak *streak, FILE *stream)
{
    fprintf(stream,
            "motley: stopped: %d runs failed for the same cause and none succeeded\n",
            streak->length);
}

void mt_streak_clear(struct mt_streak *streak)
{
    free(streak->cause);
    *streak = (struct mt_streak){0};
}

void mt_failures_add(struct mt_failures *failures, struct mt_run *run)
{
    if (failures->count < MT_FAILURES_SHOWN) {
        failures->shown[failures->count] = *run;
        *run = (struct mt_run){0}; /* now the list's */
    } else {
        mt_run_clear(run);
    }
    failures->count++;
}

void mt_failures_print(const struct mt_failures *failures, FILE *stream)
{
    if (failures->count == 0)
        return;
    fprintf(stream, failures->count == 1 ? "%d run failed:\n" : "%d runs failed:\n",
            failures->count);
    for (int i = 0; i < failures->count && i < MT_FAILURES_SHOWN; i++) {
        const struct mt_run *run = &failures->shown[i];
        fprintf(stream, "  %s, N = %.15g, repetition %d: %s\n", run->configuration,
                run->size, run->repetition, run->reason);
        mt_cause_print(run->output, stream);
    }
    if (failures->count > MT_FAILURES_SHOWN)
        fprintf(stream, "  and %d more\n", failures->count - MT_FAILURES_SHOWN);
}

void mt_failures_clear(struct mt_failures *failures)
{
    for (int i = 0; i < failures->count && i < MT_FAILURES_SHOWN; i++)
        mt_run_clear(&failures->shown[i]);
    *failures = (struct mt_failures){0};
}
