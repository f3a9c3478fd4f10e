/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks squeue, sbatch and scancel. */
#include "queue.h"

#include "cli/process/child.h"
#include "cli/process/memory.h"
#include "lib/base/argv.h"
#include "lib/base/line.h"
#include "lib/base/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ask a tool without its own variables, which begin with `prefix`. */
static int ask(const char *prefix, FILE **output, char *const *argv,
               struct mt_error *err)
{
    char **env = mt_environment_without(prefix);
    const int status = mt_child_ask(output, argv, env, err);
    mt_argv_free(env);
    return status;
}

static enum mt_queue_state state_of(const char *word)
{
    static const char *const pending[] = {"PENDING", "CONFIGURING", "REQUEUED",
                                          "REQUEUE_HOLD", "SPECIAL_EXIT"};
    static const char *const running[] = {"RUNNING",  "COMPLETING", "SUSPENDED",
                                          "STOPPED",  "RESIZING",   "SIGNALING",
                                          "STAGE_OUT"};
    for (size_t i = 0; i < sizeof pending / sizeof *pending; i++)
        if (strcmp(word, pending[i]) == 0)
            return MT_QUEUE_PENDING;
    for (size_t i = 0; i < sizeof running / sizeof *running; i++)
        if (strcmp(word, running[i]) == 0)
            return MT_QUEUE_RUNNING;
    return MT_QUEUE_ENDED;
}

/* A required node may be reserved for another job or for maintenance for some time;
   nodes that are down, drained or do not answer are listed. Limits on one job differ
   from limits on all jobs together. */
static bool is_in_vain(const char *reason)
{
    static const char unavailable[] = "UnavailableNodes:";
    static const char *const reasons[] = {
        "PartitionDown",      "PartitionInactive",
        "PartitionNodeLimit", "PartitionTimeLimit",
        "PartitionConfig",    "JobHeld",
        "JobHoldMaxRequeue",  "launch failed requeued held",
        "BadConstraints",     "InvalidAccount",
        "InvalidQOS",         "AccountNotAllowed",
        "QOSNotAllowed",      "QOSMin",
        "MaxMemPerLimit",     "DependencyNeverSatisfied"};
    const char *nodes = strstr(reason, unavailable);
    if (nodes && nodes[sizeof unavailable - 1] != '\0')
        return true;
    if (strstr(reason, "PerJob"))
        return true;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strncmp(reason, reasons[i], strlen(reasons[i])) == 0)
            return true;
    return false;
}

/* "12+0|PENDING|Priority": a heterogeneous job has the state of its first component,
   but waits for the reason of any. */
static void read_line(struct mt_queued *jobs, int count, char *line)
{
    char *end;
    const long number = strtol(line, &end, 10);
    const bool further = *end == '+' && strtol(end + 1, &end, 10) != 0;
    char *word = strchr(line, '|'), *reason = word ? strchr(word + 1, '|') : NULL;
    if (!reason)
        return;
    *reason++ = '\0';
    reason[strcspn(reason, "\n")] = '\0';
    word++;
    mt_text_clean_line(word);
    mt_text_clean_line(reason);
    for (int i = 0; i < count; i++) {
        struct mt_queued *job = &jobs[i];
        if (job->job != number)
            continue;
        if (!further) {
            job->state = state_of(word);
            snprintf(job->word, sizeof job->word, "%s", word);
        }
        if (strcmp(job->reason, "") == 0 || strcmp(job->reason, "None") == 0 ||
            is_in_vain(reason))
            snprintf(job->reason, sizeof job->reason, "%s", reason);
    }
}

/* Ask for all jobs of this user, also in hidden partitions, because squeue fails if a
   listed job has gone. */
int mt_queue_look(struct mt_queued *jobs, int count, struct mt_error *err)
{
    char name[] = "squeue", header[] = "--noheader", mine[] = "--me",
         hidden[] = "--all", states[] = "--states=all", format[] = "--format=%i|%T|%r";
    char *const argv[] = {name, header, mine, hidden, states, format, NULL};
    FILE *output;
    struct mt_line line = {0};
    int status = ask("SQUEUE_", &output, argv, err);
    if (status != MT_OK)
        return status;
    for (int i = 0; i < count; i++) {
        jobs[i].state = MT_QUEUE_GONE;
        jobs[i].word[0] = jobs[i].reason[0] = '\0';
    }
    while (status == MT_OK && !line.ended) {
        status = mt_line_read(&line, output, err);
        if (status == MT_OK && !line.ended)
            read_line(jobs, count, line.text);
    }
    mt_line_clear(&line);
    fclose(output);
    return status;
}

bool mt_queue_in_vain(const struct mt_queued *job)
{
    return job->state == MT_QUEUE_PENDING && is_in_vain(job->reason);
}

/* The number of the last line that begins with one: sites may print other lines. */
static int read_number(long *job, FILE *output, struct mt_error *err)
{
    struct mt_line line = {0};
    int status = MT_OK;
    *job = 0;
    while (status == MT_OK && !line.ended) {
        status = mt_line_read(&line, output, err);
        char *end = line.text;
        const long number =
            status == MT_OK && !line.ended ? strtol(line.text, &end, 10) : 0;
        if (number >= 1 && (*end == '\0' || strchr(";+\n", *end)))
            *job = number;
    }
    mt_line_clear(&line);
    return status;
}

int mt_queue_find(long *job, const char *name, struct mt_error *err)
{
    char **argv = NULL;
    FILE *output;
    mt_words_add_all(&argv, "squeue", "--noheader", "--me", "--all", "--states=all",
                     "--format=%i", NULL);
    mt_words_add(&argv, "--name=%s", name);
    int status = ask("SQUEUE_", &output, argv, err);
    mt_argv_free(argv);
    if (status != MT_OK)
        return status;
    status = read_number(job, output, err);
    fclose(output);
    return status;
}

/* Whether Slurm does not answer, as opposed to a refusal. */
static bool is_silent(const char *complaint)
{
    return strstr(complaint, "Unable to contact slurm controller") ||
           strstr(complaint, "Socket timed out");
}

int mt_queue_add(long *job, char *const *argv, char *const *env, struct mt_error *err)
{
    FILE *output;
    struct mt_error reason;
    /* Ctrl-C also reaches sbatch, whose job must not exist without a known number. */
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGQUIT);
    sigaddset(&stop, SIGHUP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    int status = mt_child_ask(&output, argv, env, &reason);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (status != MT_OK)
        return mt_fail(
            err, status == MT_EIO && !is_silent(reason.text) ? MT_EINFEASIBLE : status,
            "%s", reason.text);
    status = read_number(job, output, err);
    if (status == MT_OK && *job == 0)
        status = mt_fail(err, MT_EIO, "'sbatch' does not tell the number of its job");
    fclose(output);
    return status;
}

int mt_queue_cancel(const long *jobs, int count, struct mt_error *err)
{
    char **argv = NULL;
    FILE *output;
    mt_words_add(&argv, "scancel");
    for (int i = 0; i < count; i++)
        mt_words_add(&argv, "%ld", jobs[i]);
    const int status = ask("SCANCEL_", &output, argv, err);
    if (status == MT_OK)
        fclose(output);
    mt_argv_free(argv);
    return status;
}
