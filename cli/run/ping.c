/* SPDX-License-Identifier: BSD-3-Clause */
#include "ping.h"

#include "cli/launch/job.h"
#include "cli/process/cause.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "lib/base/argv.h"
#include "lib/input/template.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_listed(const char *host, char *const *hosts, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(host, hosts[i]) == 0)
            return true;
    return false;
}

/* The cluster with these hosts alone, one process on each. */
struct asked {
    struct mt_cluster cluster;
    struct mt_group groups[MT_MAX_GROUPS];
    struct mt_configuration all;
    char **hosts; /* owned; of all groups */
};

static void select_hosts(struct asked *asked, const struct mt_cluster *cluster,
                         char **hosts, int count)
{
    static struct mt_layout one_process = {.processes = 1};
    int listed = 0;
    asked->hosts = mt_calloc((size_t)count + 1, sizeof *asked->hosts);
    asked->cluster = *cluster;
    asked->cluster.groups = asked->groups;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        const int first = listed;
        for (int i = 0; i < group->nodes + group->down && listed < count; i++)
            if (is_listed(group->hosts[i], hosts, count))
                asked->hosts[listed++] = group->hosts[i];
        asked->groups[g] = *group;
        asked->groups[g].hosts = asked->hosts + first;
        asked->groups[g].nodes = listed - first;
        asked->groups[g].down = 0;
        asked->groups[g].layouts = &one_process;
        asked->groups[g].nlayouts = 1;
        asked->all.use[g] = (struct mt_use){.nodes = listed - first,
                                            .layout.processes = listed > first};
    }
}

/* A job that does nothing on each of the hosts. */
static int make_job(struct ping *ping, const struct mt_cluster *cluster, char **hosts,
                    int count, struct mt_error *err)
{
    struct asked asked = {0};
    char name[] = "asked", **command = NULL, *path = mt_find_tool("true");
    if (!path)
        return mt_fail(err, MT_ENOTFOUND, "'true', which asks nodes, is not on PATH");
    int status = mt_template_add(&command, path, err);
    select_hosts(&asked, cluster, hosts, count);
    const struct mt_program program = {.name = name, .command = command};
    const struct mt_launch launch = {.cluster = &asked.cluster,
                                     .program = &program,
                                     .configuration = &asked.all,
                                     .size = 1,
                                     .patience = MT_PATIENCE_NEVER,
                                     .immediate = true,
                                     .folder = ping->folder};
    if (status == MT_OK)
        status = mt_job_make(&ping->job, &launch, err);
    free(asked.hosts);
    mt_argv_free(command);
    free(path);
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

/* Where the launcher refuses to ask, nothing is known against the nodes. */
static bool was_answered(const struct mt_process *process)
{
    return process->pending.refused ||
           (!process->timed_out && process->signal == 0 && process->exit_code == 0);
}

static void read_answer(struct mt_answer *answer, const struct mt_process *process)
{
    *answer = (struct mt_answer){.answers = was_answered(process)};
    if (answer->answers)
        return;
    char *text = mt_output_text(&process->output);
    mt_cause_line(answer->reason, sizeof answer->reason, text);
    mt_text_clean(answer->reason); /* of which a character may have been cut */
    free(text);
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
    struct mt_answer *answers;
    int count;
    bool refused; /* becomes whether the launcher would not ask some of them */
};

/* Ping up to SIDE_BY_SIDE groups of `each` hosts at a time. */
static int ask(struct round *round, int each, struct mt_watch *watch,
               struct mt_error *err)
{
    const int jobs = round->count / each;
    struct ping *pings = mt_calloc((size_t)jobs, sizeof *pings);
    int status = MT_OK;
    for (int i = 0; i < jobs && status == MT_OK; i++)
        status = start(&pings[i], round->cluster, round->hosts + (ptrdiff_t)i * each,
                       each, err);
    if (status != MT_OK)
        stop_all(pings, jobs);
    const int waited = wait_for_all(pings, jobs, watch, status == MT_OK ? err : NULL);
    for (int i = 0; i < round->count; i++)
        if (watch->interrupted != 0)
            round->answers[i] = (struct mt_answer){.answers = true};
        else
            read_answer(&round->answers[i], &pings[i / each].process);
    for (int i = 0; i < jobs; i++) {
        round->refused = round->refused || pings[i].process.pending.refused;
        mt_job_clear(&pings[i].job);
        mt_scratch_remove(pings[i].folder);
    }
    free(pings);
    return status != MT_OK ? status : waited;
}

static int ask_all(struct round *all, struct mt_watch *watch, struct mt_error *err)
{
    int status = ask(all, all->count, watch, err);
    if (all->count == 1 || (all->answers[0].answers && !all->refused))
        return status;
    for (int i = 0; i < all->count && status == MT_OK; i += SIDE_BY_SIDE) {
        const int left = all->count - i;
        struct round some = {.cluster = all->cluster,
                             .hosts = all->hosts + i,
                             .answers = all->answers + i,
                             .count = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE};
        status = ask(&some, 1, watch, err);
    }
    return status;
}

int mt_ping(struct mt_answer *answers, const struct mt_cluster *cluster, char **hosts,
            int count, struct mt_error *err)
{
    if (mt_cluster_simulated(cluster) || count == 0) {
        for (int i = 0; i < count; i++)
            answers[i] = (struct mt_answer){.answers = true};
        return MT_OK;
    }
    struct mt_watch watch;
    int status = mt_watch_begin(&watch, err);
    if (status != MT_OK)
        return status;
    struct round all = {cluster, hosts, answers, count, false};
    status = ask_all(&all, &watch, err);
    mt_watch_end(&watch);
    if (watch.interrupted)
        raise(watch.interrupted);
    return status;
}
