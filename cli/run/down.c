/* SPDX-License-Identifier: BSD-3-Clause */
/* Pings nodes by jobs that do nothing, and records in the store which do not answer. */
#include "down.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/launch/job.h"
#include "cli/process/folders.h"
#include "cli/process/memory.h"
#include "cli/process/process.h"
#include "cli/process/scratch.h"
#include "lib/base/argv.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"
#include "lib/input/template.h"
#include "lib/store/internal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A node that has not answered by then is taken to be down. */
static const double longest_seconds = 20;
enum {
    SIDE_BY_SIDE = 16,  /* launchers that run at the same time */
    MOST_WITNESSES = 16 /* to find out whether any node answers, this many are asked */
};

/* A job that pings some of the nodes. */
struct ping {
    char *folder; /* owned; of the launcher's files */
    struct mt_job job;
    struct mt_process process;
};

static bool is_listed(const char *host, const struct mt_asked_node *nodes, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(host, nodes[i].host) == 0)
            return true;
    return false;
}

/* The cluster with these nodes alone, one process on each. */
struct asked {
    struct mt_cluster cluster;
    struct mt_group groups[MT_MAX_GROUPS];
    struct mt_configuration all;
    char **hosts; /* owned; of all groups */
};

static void select_nodes(struct asked *asked, const struct mt_cluster *cluster,
                         const struct mt_asked_node *nodes, int count)
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
            if (is_listed(group->hosts[i], nodes, count))
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

/* A job that does nothing on each of the nodes. */
static int make_job(struct ping *ping, const struct mt_cluster *cluster,
                    const struct mt_asked_node *nodes, int count, struct mt_error *err)
{
    struct asked asked = {0};
    char name[] = "asked", **command = NULL, *path = mt_find_tool("true");
    if (!path)
        return mt_fail(err, MT_ENOTFOUND, "'true', which asks nodes, is not on PATH");
    int status = mt_template_add(&command, path, err);
    select_nodes(&asked, cluster, nodes, count);
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

static int start(struct ping *ping, const struct mt_cluster *cluster,
                 const struct mt_asked_node *nodes, int count, struct mt_error *err)
{
    int status = mt_scratch_make(&ping->folder, err);
    if (status == MT_OK)
        status = make_job(ping, cluster, nodes, count, err);
    if (status != MT_OK)
        return status;
    ping->process = (struct mt_process){.timeout = longest_seconds};
    mt_job_process(&ping->job, &ping->process);
    return mt_process_start(&ping->process, err);
}

/* If the launcher refuses to ask, the nodes are not to blame. */
static void read_answer(struct mt_asked_node *node, const struct mt_process *process)
{
    node->reason[0] = '\0';
    node->answers =
        process->pending.refused ||
        (!process->timed_out && process->signal == 0 && process->exit_code == 0);
    if (node->answers)
        return;
    char *text = mt_output_text(&process->output);
    mt_cause_line(node->reason, sizeof node->reason, text);
    mt_text_clean(node->reason); /* of which a character may have been cut */
    free(text);
}

/* The nodes to ask, and the launcher that asks them. All borrowed. */
struct round {
    const struct mt_cluster *cluster;
    struct mt_asked_node *nodes;
    int count;
    struct mt_watch *watch;
    bool refused; /* set if the launcher refused to ask some of them */
};

/* Ping up to SIDE_BY_SIDE groups of `each` nodes at a time. */
static int ask(struct round *round, int each, struct mt_error *err)
{
    const int jobs = round->count / each;
    struct ping *pings = mt_calloc((size_t)jobs, sizeof *pings);
    struct mt_process *running[SIDE_BY_SIDE];
    int status = MT_OK;
    for (int i = 0; i < jobs; i++) {
        running[i] = &pings[i].process;
        if (status == MT_OK)
            status = start(&pings[i], round->cluster,
                           round->nodes + (ptrdiff_t)i * each, each, err);
    }
    if (status != MT_OK)
        mt_processes_stop(running, jobs);
    const int waited =
        mt_watch_all(round->watch, running, jobs, status == MT_OK ? err : NULL);
    for (int i = 0; i < round->count; i++)
        if (round->watch->interrupted != 0)
            round->nodes[i].answers = true;
        else
            read_answer(&round->nodes[i], running[i / each]);
    for (int i = 0; i < jobs; i++) {
        round->refused = round->refused || pings[i].process.pending.refused;
        mt_job_clear(&pings[i].job);
        mt_scratch_remove(pings[i].folder);
    }
    free(pings);
    return status != MT_OK ? status : waited;
}

static int ask_all(struct round *all, struct mt_error *err)
{
    int status = ask(all, all->count, err);
    if (all->count == 1 || (all->nodes[0].answers && !all->refused))
        return status;
    for (int i = 0; i < all->count && status == MT_OK; i += SIDE_BY_SIDE) {
        const int left = all->count - i;
        struct round some = *all;
        some.nodes += i;
        some.count = left < SIDE_BY_SIDE ? left : SIDE_BY_SIDE;
        status = ask(&some, 1, err);
    }
    return status;
}

int mt_ping(struct mt_asked_node *nodes, int count, const struct mt_cluster *cluster,
            struct mt_error *err)
{
    struct mt_watch watch;
    if (mt_cluster_simulated(cluster)) {
        for (int i = 0; i < count; i++)
            nodes[i].answers = true;
        return MT_OK;
    }
    int status = count > 0 ? mt_watch_begin(&watch, err) : MT_OK;
    if (status != MT_OK || count == 0)
        return status;
    struct round all = {cluster, nodes, count, &watch, false};
    status = ask_all(&all, err);
    mt_watch_end(&watch);
    if (watch.interrupted)
        raise(watch.interrupted);
    return status;
}

static int count_down(const struct mt_asked_node *nodes, int count)
{
    int down = 0;
    for (int i = 0; i < count; i++)
        down += !nodes[i].answers;
    return down;
}

/* Text of all names that do not answer. The caller frees it. */
static char *name_down(const struct mt_asked_node *nodes, int count, const char *quote,
                       const char *between)
{
    char *text;
    size_t length;
    const char *separator = "";
    FILE *stream = mt_memory_open(&text, &length);
    for (int i = 0; i < count; i++)
        if (!nodes[i].answers) {
            fprintf(stream, "%s%s%s%s", separator, quote, nodes[i].host, quote);
            separator = between;
        }
    mt_memory_close(stream, &text);
    return text;
}

/* The launcher's message on the first node that does not answer; "": none. */
static const char *find_reason(const struct mt_asked_node *nodes, int count)
{
    for (int i = 0; i < count; i++)
        if (!nodes[i].answers)
            return nodes[i].reason;
    return "";
}

/* Note in the run which of its nodes do not answer. */
static void describe(struct mt_run *run, const struct mt_asked_node *nodes, int count,
                     bool any_answers)
{
    const int down = count_down(nodes, count);
    char *names = name_down(nodes, count, "'", ", "), *reason;
    const char *why = find_reason(nodes, count), *colon = why[0] ? ": " : "";
    run->down = name_down(nodes, count, "", " ");
    if (!any_answers)
        reason = mt_asprintf("%s; no node answers%s%s", run->reason, colon, why);
    else
        reason =
            mt_asprintf("%s; node%s %s do%s not answer%s%s", run->reason,
                        down == 1 ? "" : "s", names, down == 1 ? "es" : "", colon, why);
    free(names);
    free(run->reason);
    run->reason = reason;
}

/* List the nodes that the configuration uses, or, up to `most`, those that it does not.
   Returns their number. */
static int list_nodes(struct mt_asked_node *nodes, int most,
                      const struct mt_cluster *cluster,
                      const struct mt_configuration *configuration, bool used)
{
    int count = 0;
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        const int in_use = configuration->use[g].nodes;
        const int first = used ? 0 : in_use, end = used ? in_use : group->nodes;
        for (int i = first; i < end && count < most; i++)
            nodes[count++].host = group->hosts[i];
    }
    return count;
}

/* Whether a node outside the run answers; false if we cannot ask. */
static int find_witness(bool *found, const struct mt_cluster *cluster,
                        const struct mt_configuration *configuration)
{
    struct mt_asked_node others[MOST_WITNESSES] = {0};
    const int count = list_nodes(others, MOST_WITNESSES, cluster, configuration, false);
    const int status = mt_ping(others, count, cluster, NULL);
    *found = status == MT_OK && count_down(others, count) < count;
    return status;
}

/* Includes nodes that were left out. */
static int count_nodes(const struct mt_cluster *cluster)
{
    int nodes = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        nodes += cluster->groups[g].nodes + cluster->groups[g].down;
    return nodes;
}

int mt_down_find(struct mt_run *run, int *gone, struct mt_cluster *cluster,
                 struct mt_store *store, const struct mt_configuration *configuration,
                 struct mt_error *err)
{
    const int count = mt_configuration_nodes(configuration);
    int status = MT_OK;
    *gone = 0;
    if (mt_cluster_simulated(cluster) || count_nodes(cluster) < 2)
        return MT_OK;
    struct mt_asked_node *nodes = mt_calloc((size_t)count, sizeof *nodes);
    list_nodes(nodes, count, cluster, configuration, true);
    const bool asked = mt_ping(nodes, count, cluster, NULL) == MT_OK;
    const int down = asked ? count_down(nodes, count) : 0;
    bool any_answers = down < count;
    if (down > 0 &&
        (any_answers || find_witness(&any_answers, cluster, configuration) == MT_OK)) {
        describe(run, nodes, count, any_answers);
        *gone = any_answers ? down : 0;
    }
    const int lost = *gone;
    for (int i = 0; lost > 0 && i < count && status == MT_OK; i++)
        if (!nodes[i].answers) {
            status = mt_store_set_down(store, cluster->name, nodes[i].host,
                                       (int64_t)time(NULL), err);
            mt_cluster_leave_out(cluster, nodes[i].host);
        }
    free(nodes);
    return status;
}

static void say_left_out(const struct mt_cluster *cluster,
                         const struct mt_down_nodes *list)
{
    char when[MT_QUANTITY_TEXT];
    const int count = list->count;
    int64_t since = INT64_MAX;
    char **hosts = mt_calloc((size_t)count, sizeof *hosts);
    for (int i = 0; i < count; i++) {
        hosts[i] = list->nodes[i].host;
        since = list->nodes[i].since < since ? list->nodes[i].since : since;
    }
    char *names = mt_need(mt_hostlist_format(hosts, count));
    free(hosts);
    fprintf(stderr,
            "motley: left out, as %s not answered since %s UTC: %s; 'motley check %s' "
            "asks again\n",
            count == 1 ? "it has" : "they have", mt_format_date(when, since), names,
            cluster->path);
    free(names);
}

int mt_down_leave_out(struct mt_cluster *cluster, struct mt_store *store, int *count,
                      struct mt_error *err)
{
    struct mt_down_nodes list = {0};
    const int status = mt_store_leave_out_down(store, cluster, &list, err);
    if (list.count > 0)
        say_left_out(cluster, &list);
    if (status == MT_OK && count)
        *count = list.count;
    mt_down_nodes_clear(&list);
    return status;
}

int mt_down_leave_out_known(struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_store *store = NULL;
    if (access(mt_common.db, F_OK) != 0)
        return MT_OK;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status == MT_OK)
        status = mt_down_leave_out(cluster, store, NULL, err);
    mt_store_close(store);
    return status;
}

int mt_down_ping_again(const struct mt_cluster *cluster, struct mt_store *store,
                       struct mt_error *err)
{
    struct mt_down_nodes list = {0};
    int count = 0, status = mt_store_down_nodes(store, &list, cluster->name, err);
    struct mt_asked_node *nodes = mt_calloc((size_t)list.count, sizeof *nodes);
    for (int i = 0; i < list.count && status == MT_OK; i++)
        if (mt_cluster_group_of(cluster, list.nodes[i].host) >= 0)
            nodes[count++].host = list.nodes[i].host;
    /* Slurm cannot be asked about nodes that the job does not own: keep the state. */
    if (status == MT_OK && mt_ping(nodes, count, cluster, NULL) != MT_OK)
        count = 0;
    for (int i = 0; i < count && status == MT_OK; i++)
        if (nodes[i].answers) {
            fprintf(stderr, "motley: %s answers again\n", nodes[i].host);
            status = mt_store_set_up(store, cluster->name, nodes[i].host, err);
        }
    free(nodes);
    mt_down_nodes_clear(&list);
    return status;
}

int mt_down_ping_known(const struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_store *store = NULL;
    if (access(mt_common.db, F_OK) != 0)
        return MT_OK;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_WRITE, err);
    if (status == MT_OK)
        status = mt_down_ping_again(cluster, store, err);
    mt_store_close(store);
    return status;
}
