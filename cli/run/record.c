/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the record of an ended process; lists failed runs, and rescues those that the
   store did not take. */
#include "record.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/common/view.h"
#include "cli/launch/launcher.h"
#include "cli/process/memory.h"
#include "lib/base/number.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The exit code of shells for a program that could not be started. */
enum { NOT_STARTED = 127 };

/* Clocks of two machines, and the starting point of a program's timer, differ by
   less. */
static const double most_share = 1.01, most_more = 1e-3, least_share = 1e-6;

/* The value of a unit in the last digit of a decimal number; 0 if it is not a
   number. */
static double last_digit(const char *text)
{
    const char *exponent = text + strcspn(text, "eE"), *point = strchr(text, '.');
    const double power = *exponent ? strtod(exponent + 1, NULL) : 0;
    const double decimals =
        point && point < exponent ? (double)(exponent - point - 1) : 0;
    return strpbrk(text, "xX") ? 0 : pow(10, power - decimals);
}

/* Whether a run can have taken this time, printed by its program with that
   precision. */
static bool is_plausible(const struct mt_process *process, double seconds,
                         double precision)
{
    const double rounded = fmin(precision, seconds / 2);
    return isfinite(seconds) &&
           seconds - rounded <= process->elapsed * most_share + most_more &&
           (process->overslept || seconds >= process->elapsed * least_share);
}

static int refuse(const struct mt_program *program, const struct mt_process *process,
                  double seconds, struct mt_error *err)
{
    char took[MT_QUANTITY_TEXT];
    mt_format_seconds(took, process->elapsed);
    if (program->rate_match)
        return mt_fail(err, MT_EINVAL,
                       "the rate cannot be right: '%s' %s would be %.4g s, and the run "
                       "took %s from start to end: check 'unit' and 'work' of 'rate'",
                       process->output.number, program->rate_unit, seconds, took);
    return mt_fail(
        err, MT_EINVAL,
        "the time cannot be right: '%s' %s, and the run took %s from start to "
        "end: see 'time' and 'rate' in motley-program(5)",
        process->output.number, mt_time_unit_name(program->time_unit), took);
}

int mt_record_seconds(double *seconds, const struct mt_launch *launch,
                      const struct mt_process *process, struct mt_error *err)
{
    const struct mt_program *program = launch->program;
    const char *text = process->output.number;
    double number;
    const int status = mt_output_number(&process->output, &number, err);
    if (status != MT_OK)
        return status;
    const double read = mt_program_seconds(
        program, number, launch->size, mt_configuration_ranks(launch->configuration));
    if (!isfinite(read) || read <= 0)
        return mt_fail(err, MT_EINVAL, "'%s' %s is not a time above 0", text,
                       program->rate_match ? program->rate_unit
                                           : mt_time_unit_name(program->time_unit));
    /* Motley's own programs, which have no file, may time a single message. */
    if (!mt_cluster_simulated(launch->cluster) && program->path &&
        !is_plausible(process, read, read * last_digit(text) / number))
        return refuse(program, process, read, err);
    *seconds = read;
    return MT_OK;
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

static char *describe_no_match(const struct mt_run *run,
                               const struct mt_program *program)
{
    int length = 0;
    const char *pattern = mt_program_pattern(program);
    const char *line = run->output ? last_line(run->output, &length) : "";
    if (program->result_file)
        return mt_asprintf("the pattern '%s' did not match in the run's file '%s'",
                           pattern, program->result_file);
    return length > 0
               ? mt_asprintf(
                     "the pattern '%s' did not match the output; it ended with: %.*s",
                     pattern, length, line)
               : mt_asprintf("the pattern '%s' did not match: there was no output",
                             pattern);
}

/* Whether each process seems to have run the whole program, since ranks of one program
   would not all print the time. */
static bool is_printed_by_all(const struct mt_launch *launch, const struct mt_job *job,
                              const struct mt_process *process)
{
    const int ranks = mt_configuration_ranks(launch->configuration);
    return ranks > 1 && process->output.matches == ranks && !job->joins &&
           !mt_cluster_simulated(launch->cluster);
}

/* Why the run has no time; NULL: it has one. */
static char *read_time(struct mt_run *run, const struct mt_launch *launch,
                       const struct mt_job *job, const struct mt_process *process)
{
    const struct mt_program *program = launch->program;
    struct mt_error err;
    if (!mt_program_pattern(program)) {
        run->seconds = process->overslept ? 0 : run->wall;
        return process->overslept ? mt_strdup("motley was stopped when it ended: when "
                                              "that was is not known")
                                  : NULL;
    }
    if (!process->output.found)
        return describe_no_match(run, program);
    if (is_printed_by_all(launch, job, process))
        return mt_asprintf(
            "the time was printed %d times, as often as there are processes: each "
            "seems to have run the whole program by itself, which is serial or was "
            "built for another MPI than launcher '%s' starts; if one rank prints "
            "them, let 'time: match' fit one line only",
            process->output.matches, mt_launcher_name(launch->cluster->launcher));
    return mt_record_seconds(&run->seconds, launch, process, &err) == MT_OK
               ? NULL
               : mt_strdup(err.text);
}

static void tell_outcome(struct mt_run *run, const struct mt_launch *launch,
                         const struct mt_job *job, const struct mt_process *process)
{
    char limit[32];
    if (process->pending.hopeless || process->pending.refused) {
        run->outcome = MT_RUN_FAILED;
        run->exit_code = process->exit_code;
        run->reason = mt_strdup(process->pending.said);
    } else if (process->timed_out) {
        run->outcome = MT_RUN_TIMEOUT;
        run->reason = mt_asprintf("it was stopped because it took longer than %s%s",
                                  mt_format_seconds(limit, process->timeout),
                                  process->output.found
                                      ? "; its time had been printed: it may hang in "
                                        "MPI_Finalize"
                                      : "");
    } else if (process->signal != 0) {
        run->outcome = MT_RUN_SIGNALLED;
        run->signal = process->signal;
        run->reason = mt_asprintf("killed by signal %d (%s)", process->signal,
                                  strsignal(process->signal));
    } else if (process->exit_code != 0) {
        run->outcome = MT_RUN_FAILED;
        run->exit_code = process->exit_code;
        run->reason = mt_asprintf("exit status %d", process->exit_code);
    } else {
        run->reason = read_time(run, launch, job, process);
        run->outcome = run->reason ? MT_RUN_UNREAD : MT_RUN_OK;
    }
}

/* Replace the run's reason; the run takes it over. */
static void set_reason(struct mt_run *run, char *reason)
{
    free(run->reason);
    run->reason = reason;
}

/* If srun does not understand an MPI, only the site can help. */
static void name_kind_of_mpi(struct mt_run *run, const struct mt_cluster *cluster)
{
    const char *mpi = mt_slurm_mpi(cluster), *output = run->output ? run->output : "";
    if (cluster->launcher == MT_LAUNCH_SLURM && run->reason &&
        (strstr(output, "PMI") || strstr(output, "mpi/")))
        set_reason(run, mt_asprintf("%s; srun was given --mpi=%s: 'mpi' in the cluster "
                                    "file says which",
                                    run->reason, mpi ? mpi : "pmi2"));
}

static void fill_common(struct mt_run *run, const struct mt_launch *launch,
                        int repetition, const struct mt_job *job)
{
    const char *preloaded = job->preloaded;
    run->cluster = mt_strdup(launch->cluster->name);
    run->program = mt_strdup(launch->program->name);
    run->configuration =
        mt_need(mt_configuration_format(launch->configuration, launch->cluster));
    /* As "openmpi, patient": with what was preloaded. */
    run->launcher = mt_asprintf("%s%s%s", mt_launcher_name(launch->cluster->launcher),
                                preloaded ? ", " : "", preloaded ? preloaded : "");
    run->size = launch->size;
    run->repetition = repetition;
    run->simulated = mt_cluster_simulated(launch->cluster);
}

void mt_record_ended(struct mt_run *run, const struct mt_launch *launch, int repetition,
                     const struct mt_job *job, const struct mt_process *process)
{
    fill_common(run, launch, repetition, job);
    run->wall = process->wall;
    run->started = (int64_t)time(NULL) - (int64_t)process->wall;
    run->output = mt_output_text(&process->output);
    tell_outcome(run, launch, job, process);
    name_kind_of_mpi(run, launch->cluster);
}

void mt_record_not_started(struct mt_run *run, const struct mt_launch *launch,
                           int repetition, const struct mt_job *job, const char *reason)
{
    fill_common(run, launch, repetition, job);
    run->outcome = MT_RUN_FAILED;
    run->exit_code = NOT_STARTED;
    run->started = (int64_t)time(NULL);
    run->reason = mt_strdup(reason);
}

void mt_record_folder(struct mt_run *run, const char *folder)
{
    if (run->outcome == MT_RUN_OK)
        fprintf(stderr, "motley: the files of the run are in '%s'\n", folder);
    else
        set_reason(run, mt_asprintf("%s; its folder is kept: %s", run->reason, folder));
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

/* Append lines to a file, or create it with the first line, which names the columns:
   all lines, or none on failure. Never through a link. */
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
    struct mt_error err = {.text = "out of memory"};
    char *name = NULL, *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    bool whole = stream != NULL;
    if (stream)
        print_csv(runs, stream);
    whole = whole && fclose(stream) == 0 &&
            asprintf(&name, "%s.rescued.csv", mt_common.db) >= 0;
    if (whole && append_csv(name, text, &err) == MT_OK)
        fprintf(
            stderr,
            "motley: finished runs that store '%s' did not take: %d, now in '%s'; mend "
            "the cause, and import that file once\n",
            mt_common.db, runs->count, name);
    else
        fprintf(stderr, "motley: %s; save these lines and import them:\n", err.text);
    if (text)
        fputs(text, stderr);
    free(text);
    if (whole)
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
    if (((const struct mt_run *)run)->cluster)
        rescue(&(struct mt_runs){.runs = run, .count = 1});
}

/* The caller frees it. */
static char *cause_of(const struct mt_run *run)
{
    char *text = NULL;
    size_t length, kept = 0;
    FILE *stream = mt_memory_open(&text, &length);
    mt_cause_print(run->output ? run->output : run->reason, stream);
    mt_memory_close(stream, &text);
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)text[i])) /* ranks, processes, times */
            text[kept++] = text[i];
    text[kept] = '\0';
    text[strcspn(text, "\n")] = '\0'; /* each rank may repeat it */
    char *cause = mt_asprintf("%s %d %d\n%s", mt_outcome_name(run->outcome),
                              run->exit_code, run->signal, text);
    free(text);
    return cause;
}

void mt_streak_add(struct mt_streak *streak, const struct mt_run *run)
{
    if (run->outcome == MT_RUN_OK)
        streak->succeeded = true;
    if (streak->succeeded)
        return;
    char *cause = cause_of(run);
    const bool same = streak->cause && strcmp(cause, streak->cause) == 0;
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
