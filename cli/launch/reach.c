/* SPDX-License-Identifier: BSD-3-Clause */
#include "reach.h"

#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "launcher.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* A node of which a launcher has no answer by then has none to give. */
static const double patience_seconds = 20;
/* So many launchers at a time. */
enum { SIDE_BY_SIDE = 16 };

/* A job that asks some of the hosts. */
struct question {
    char *folder; /* owned; of the launcher's files */
    struct mt_job job;
    struct mt_process process;
};

/* A job that does nothing on each of the hosts: on a cluster of these alone. */
static int make_job(struct question *question, const struct mt_cluster *cluster,
                    char **hosts, int count, struct mt_error *err)
{
    int one_process = 1;
    char name[] = "asked", nothing[] = "true", *command[] = {nothing, NULL};
    struct mt_group group = cluster->groups[0]; /* which tells of a testbed */
    group.name = name;
    group.hosts = hosts;
    group.nodes = count;
    group.processes = &one_process;
    group.nprocesses = 1;
    struct mt_cluster asked = *cluster;
    asked.groups = &group;
    asked.ngroups = 1;
    const struct mt_program program = {.name = nothing, .command = command};
    const struct mt_configuration all = {.use = {{.nodes = count, .processes = 1}}};
    const struct mt_launch launch = {.cluster = &asked,
                                     .program = &program,
                                     .configuration = &all,
                                     .size = 1,
                                     .patience = MT_PATIENCE_NEVER,
                                     .folder = question->folder};
    return mt_job_make(&question->job, &launch, err);
}

static int start(struct question *question, const struct mt_cluster *cluster,
                 char **hosts, int count, struct mt_error *err)
{
    int status = mt_scratch_make(&question->folder, err);
    if (status == MT_OK)
        status = make_job(question, cluster, hosts, count, err);
    if (status != MT_OK)
        return status;
    question->process = (struct mt_process){.argv = question->job.argv,
                                            .env = question->job.env,
                                            .queue = {.words = question->job.queue},
                                            .timeout = patience_seconds};
    return mt_process_start(&question->process, err);
}

static bool was_answered(const struct mt_process *process)
{
    return !process->timed_out && process->signal == 0 && process->exit_code == 0;
}

static void stop_all(struct question *questions, int count)
{
    for (int i = 0; i < count; i++)
        if (questions[i].process.pid != 0)
            mt_process_stop(&questions[i].process);
}

/* Wait until all that were started have ended. */
static int wait_for_all(struct question *questions, int count, struct mt_watch *watch,
                        struct mt_error *err)
{
    struct mt_process *running[SIDE_BY_SIDE];
    int status = MT_OK, times = watch->times;
    for (int i = 0; i < count; i++)
        running[i] = &questions[i].process;
    for (bool busy = true; busy && status == MT_OK;) {
        busy = false;
        for (int i = 0; i < count; i++)
            busy = busy || running[i]->pid != 0;
        if (busy)
            status = mt_watch_wait(watch, running, count, patience_seconds, err);
        if (status != MT_OK || watch->times > times)
            stop_all(questions, count);
        times = watch->times;
    }
    return status;
}

/* Ask up to SIDE_BY_SIDE groups of `each` hosts. */
static int ask(bool *answers, const struct mt_cluster *cluster, char **hosts, int count,
               int each, struct mt_watch *watch, struct mt_error *err)
{
    const int jobs = count / each;
    struct question *questions = calloc((size_t)jobs, sizeof *questions);
    if (!questions)
        return mt_fail(err, MT_ENOMEM, "no memory to ask %d nodes", count);
    int status = MT_OK;
    for (int i = 0; i < jobs && status == MT_OK; i++, hosts += each)
        status = start(&questions[i], cluster, hosts, each, err);
    if (status != MT_OK)
        stop_all(questions, jobs);
    const int waited =
        wait_for_all(questions, jobs, watch, status == MT_OK ? err : NULL);
    for (int i = 0; i < count; i++)
        answers[i] =
            watch->interrupted != 0 || was_answered(&questions[i / each].process);
    for (int i = 0; i < jobs; i++) {
        mt_job_clear(&questions[i].job);
        mt_scratch_remove(questions[i].folder);
    }
    free(questions);
    return status != MT_OK ? status : waited;
}

static int ask_all(bool *answers, const struct mt_cluster *cluster, char **hosts,
                   int count, struct mt_watch *watch, struct mt_error *err)
{
    int status = ask(answers, cluster, hosts, count, count, watch, err);
    if (count == 1 || answers[0])
        return status;
    for (int i = 0; i < count && status == MT_OK; i += SIDE_BY_SIDE) {
        const int now = count - i < SIDE_BY_SIDE ? count - i : SIDE_BY_SIDE;
        status = ask(answers + i, cluster, hosts + i, now, 1, watch, err);
    }
    return status;
}

int mt_reach(bool *answers, const struct mt_cluster *cluster, char **hosts, int count,
             struct mt_error *err)
{
    if (mt_cluster_simulated(cluster) || count == 0) {
        for (int i = 0; i < count; i++)
            answers[i] = true;
        return MT_OK;
    }
    struct mt_watch watch;
    int status = mt_watch_begin(&watch, err);
    if (status != MT_OK)
        return status;
    status = ask_all(answers, cluster, hosts, count, &watch, err);
    mt_watch_end(&watch);
    if (watch.interrupted)
        raise(watch.interrupted);
    return status;
}
