/* SPDX-License-Identifier: BSD-3-Clause */
#include "ping.h"

#include "cli/process/folders.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "job.h"

#include <signal.h>
#include <stdlib.h>

/* A node that has not answered by then is taken to be down. */
static const double longest_seconds = 20;
/* Launchers that run at the same time. */
enum { SIDE_BY_SIDE = 16 };

/* A job that pings some of the hosts. */
struct ping {
    char *folder; /* owned; of the launcher's files */
    struct mt_job job;
    struct mt_process process;
};

/* A job that does nothing on each of the hosts: on a cluster of these alone. */
static int make_job(struct ping *ping, const struct mt_cluster *cluster, char **hosts,
                    int count, struct mt_error *err)
{
    int one_process = 1;
    char name[] = "asked", *command[] = {mt_find_tool("true"), NULL};
    if (!command[0])
        return mt_fail(err, MT_ENOTFOUND, "'true', which asks nodes, is not on PATH");
    struct mt_group group = cluster->groups[0]; /* which tells of a testbed */
    group.name = name;
    group.hosts = hosts;
    group.nodes = count;
    group.processes = &one_process;
    group.nprocesses = 1;
    struct mt_cluster asked = *cluster;
    asked.groups = &group;
    asked.ngroups = 1;
    const struct mt_program program = {.name = name, .command = command};
    const struct mt_configuration all = {.use = {{.nodes = count, .processes = 1}}};
    const struct mt_launch launch = {.cluster = &asked,
                                     .program = &program,
                                     .configuration = &all,
                                     .size = 1,
                                     .yielding = MT_YIELDING_NEVER,
                                     .folder = ping->folder};
    const int status = mt_job_make(&ping->job, &launch, err);
    free(command[0]);
    return status;
}

static int start(struct ping *ping, const struct mt_cluster *cluster, char **hosts,
                 int count, struct mt_error *err)
{
    int status = mt_scratch_make(&ping->folder, err);
    if (status == MT_OK)
        status = make_job(ping, cluster, hosts, count, err);
    if (status != MT_OK)
        return status;
    ping->process = (struct mt_process){.argv = ping->job.argv,
                                        .env = ping->job.env,
                                        .pending = {.phrases = ping->job.pending},
                                        .timeout = longest_seconds};
    return mt_process_start(&ping->process, err);
}

static bool was_answered(const struct mt_process *process)
{
    return !process->timed_out && process->signal == 0 && process->exit_code == 0;
}

static void stop_all(struct ping *pings, int count)
{
    for (int i = 0; i < count; i++)
        if (pings[i].process.pid != 0)
            mt_process_stop(&pings[i].process);
}

/* Wait until all that were started have ended. */
static int wait_for_all(struct ping *pings, int count, struct mt_watch *watch,
                        struct mt_error *err)
{
    struct mt_process *running[SIDE_BY_SIDE];
    int status = MT_OK, times = watch->times;
    for (int i = 0; i < count; i++)
        running[i] = &pings[i].process;
    for (bool busy = true; busy && status == MT_OK;) {
        busy = false;
        for (int i = 0; i < count; i++)
            busy = busy || running[i]->pid != 0;
        if (busy)
            status = mt_watch_wait(watch, running, count, longest_seconds, err);
        if (status != MT_OK || watch->times > times)
            stop_all(pings, count);
        times = watch->times;
    }
    return status;
}

/* Who is asked, and what they say. All borrowed. */
struct round {
    const struct mt_cluster *cluster;
    char **hosts;
    bool *answers;
    int count;
};

/* Ping up to SIDE_BY_SIDE groups of `each` hosts at a time. */
static int ask(const struct round *round, int each, struct mt_watch *watch,
               struct mt_error *err)
{
    const int jobs = round->count / each;
    struct ping *pings = calloc((size_t)jobs, sizeof *pings);
    if (!pings)
        return mt_fail(err, MT_ENOMEM, "no memory to ask %d nodes", round->count);
    int status = MT_OK;
    for (int i = 0; i < jobs && status == MT_OK; i++)
        status = start(&pings[i], round->cluster, round->hosts + (ptrdiff_t)i * each,
                       each, err);
    if (status != MT_OK)
        stop_all(pings, jobs);
    const int waited = wait_for_all(pings, jobs, watch, status == MT_OK ? err : NULL);
    for (int i = 0; i < round->count; i++)
        round->answers[i] =
            watch->interrupted != 0 || was_answered(&pings[i / each].process);
    for (int i = 0; i < jobs; i++) {
        mt_job_clear(&pings[i].job);
        mt_scratch_remove(pings[i].folder);
    }
    free(pings);
    return status != MT_OK ? status : waited;
}

static int ask_all(const struct round *all, struct mt_watch *watch,
                   struct mt_error *err)
{
    int status = ask(all, all->count, watch, err);
    if (all->count == 1 || all->answers[0])
        return status;
    for (int i = 0; i < all->count && status == MT_OK; i += SIDE_BY_SIDE) {
        const int left = all->count - i;
        const struct round some = {.cluster = all->cluster,
                                   .hosts = all->hosts + i,
                                   .answers = all->answers + i,
                                   .count = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE};
        status = ask(&some, 1, watch, err);
    }
    return status;
}

int mt_ping(bool *answers, const struct mt_cluster *cluster, char **hosts, int count,
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
    const struct round all = {cluster, hosts, answers, count};
    status = ask_all(&all, &watch, err);
    mt_watch_end(&watch);
    if (watch.interrupted)
        raise(watch.interrupted);
    return status;
}
