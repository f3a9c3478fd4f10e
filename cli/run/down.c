/* SPDX-License-Identifier: BSD-3-Clause */
#include "down.h"

#include "cli/common/command.h"
#include "cli/common/format.h"
#include "cli/process/memory.h"
#include "lib/base/hostlist.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"
#include "ping.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Whether some node answers is found out by asking no more than so many. */
enum { MOST_WITNESSES = 16 };

/* Names of nodes, with what they answered. */
struct roll {
    char **hosts;              /* owned; the names are borrowed */
    struct mt_answer *answers; /* owned */
    int count;
};

static void clear(struct roll *roll)
{
    free(roll->hosts);
    free(roll->answers);
    *roll = (struct roll){0};
}

/* Room for up to `most` names. */
static void init(struct roll *roll, int most)
{
    roll->hosts = mt_calloc((size_t)most, sizeof *roll->hosts);
    roll->answers = mt_calloc((size_t)most, sizeof *roll->answers);
}

static int call(struct roll *roll, const struct mt_cluster *cluster,
                struct mt_error *err)
{
    return mt_ping(roll->answers, cluster, roll->hosts, roll->count, err);
}

static int count_answers(const struct roll *roll)
{
    int answers = 0;
    for (int i = 0; i < roll->count; i++)
        answers += roll->answers[i].answers;
    return answers;
}

/* The nodes that the configuration uses, or, up to `most`, those that it does not. */
static void list_nodes(struct roll *roll, const struct mt_cluster *cluster,
                       const struct mt_configuration *configuration, bool used,
                       int most)
{
    for (int g = 0; g < cluster->ngroups; g++) {
        const struct mt_group *group = &cluster->groups[g];
        const int nodes = configuration->use[g].nodes;
        const int first = used ? 0 : nodes, end = used ? nodes : group->nodes;
        for (int i = first; i < end && roll->count < most; i++)
            roll->hosts[roll->count++] = group->hosts[i];
    }
}

/* Text of all names that do not answer. The caller frees it. */
static char *name_down(const struct roll *roll, const char *before, const char *between,
                       const char *after)
{
    char *text;
    size_t length;
    const char *separator = "";
    FILE *stream = mt_memory_open(&text, &length);
    for (int i = 0; i < roll->count; i++)
        if (!roll->answers[i].answers) {
            fprintf(stream, "%s%s%s%s", separator, before, roll->hosts[i], after);
            separator = between;
        }
    mt_memory_close(stream);
    return text;
}

/* What the launcher said of the first node that does not answer; "" when nothing. */
static const char *find_reason(const struct roll *roll)
{
    for (int i = 0; i < roll->count; i++)
        if (!roll->answers[i].answers)
            return roll->answers[i].reason;
    return "";
}

/* Say in the run which of its nodes do not answer. */
static void describe(struct mt_run *run, const struct roll *roll, bool any_answers)
{
    const int down = roll->count - count_answers(roll);
    char *names = name_down(roll, "'", ", ", "'"), *reason;
    const char *why = find_reason(roll), *colon = why[0] ? ": " : "";
    run->down = name_down(roll, "", " ", "");
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

/* Keep that they are down, and leave them out. */
static int give_up(const struct roll *roll, struct mt_cluster *cluster,
                   struct mt_store *store, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < roll->count && status == MT_OK; i++)
        if (!roll->answers[i].answers) {
            status = mt_store_set_down(store, cluster->name, roll->hosts[i],
                                       (int64_t)time(NULL), err);
            mt_cluster_leave_out(cluster, roll->hosts[i]);
        }
    return status;
}

/* Whether a node answers that had nothing to do with the run. */
static int find_witness(bool *found, const struct mt_cluster *cluster,
                        const struct mt_configuration *configuration,
                        struct mt_error *err)
{
    struct roll others = {0};
    init(&others, MOST_WITNESSES);
    list_nodes(&others, cluster, configuration, false, MOST_WITNESSES);
    const int status = call(&others, cluster, err);
    *found = status == MT_OK && count_answers(&others) > 0;
    clear(&others);
    return status;
}

/* A run that has failed, and what is to be known of its nodes. */
struct failure {
    struct mt_run *run;
    struct mt_cluster *cluster;
    struct mt_store *store;
    const struct mt_configuration *configuration;
};

static int ask_nodes(struct roll *roll, const struct failure *failure, int *gone,
                     struct mt_error *err)
{
    const struct mt_configuration *configuration = failure->configuration;
    list_nodes(roll, failure->cluster, configuration, true,
               mt_configuration_nodes(configuration));
    if (call(roll, failure->cluster, NULL) != MT_OK)
        return MT_OK; /* who cannot ask knows nothing of the nodes */
    const int answers = count_answers(roll);
    bool any_answers = answers > 0;
    if (answers == roll->count)
        return MT_OK;
    if (!any_answers &&
        find_witness(&any_answers, failure->cluster, configuration, NULL) != MT_OK)
        return MT_OK;
    describe(failure->run, roll, any_answers);
    if (!any_answers)
        return MT_OK;
    *gone = roll->count - answers;
    return give_up(roll, failure->cluster, failure->store, err);
}

/* Those that were left out, too. */
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
    const struct failure failure = {run, cluster, store, configuration};
    struct roll roll = {0};
    *gone = 0;
    if (mt_cluster_simulated(cluster) || count_nodes(cluster) < 2)
        return MT_OK;
    init(&roll, mt_configuration_nodes(configuration));
    const int status = ask_nodes(&roll, &failure, gone, err);
    clear(&roll);
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
    struct mt_error reason;
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, &reason);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status != MT_OK)
        return mt_fail(err, status, "%s", reason.text);
    status = mt_down_leave_out(cluster, store, NULL, err);
    mt_store_close(store);
    return status;
}

int mt_down_ping_again(const struct mt_cluster *cluster, struct mt_store *store,
                       struct mt_error *err)
{
    struct mt_down_nodes list = {0};
    struct roll roll = {0};
    int status = mt_store_down_nodes(store, &list, cluster->name, err);
    init(&roll, list.count);
    for (int i = 0; i < list.count && status == MT_OK; i++)
        if (mt_cluster_has_node(cluster, list.nodes[i].host))
            roll.hosts[roll.count++] = list.nodes[i].host;
    /* Who cannot ask, as inside a job that has not got them, knows nothing new. */
    if (status == MT_OK && call(&roll, cluster, NULL) != MT_OK)
        roll.count = 0;
    for (int i = 0; i < roll.count && status == MT_OK; i++)
        if (roll.answers[i].answers) {
            fprintf(stderr, "motley: %s answers again\n", roll.hosts[i]);
            status = mt_store_set_up(store, cluster->name, roll.hosts[i], err);
        }
    clear(&roll);
    mt_down_nodes_clear(&list);
    return status;
}

int mt_down_ping_known(const struct mt_cluster *cluster, struct mt_error *err)
{
    struct mt_store *store = NULL;
    struct mt_down_nodes list = {0};
    int status = mt_store_open(&store, mt_common.db, MT_STORE_READ, err);
    if (status == MT_ENOTFOUND)
        return MT_OK;
    if (status == MT_OK)
        status = mt_store_down_nodes(store, &list, cluster->name, err);
    mt_store_close(store);
    store = NULL;
    if (status == MT_OK && list.count > 0)
        status = mt_store_open(&store, mt_common.db, MT_STORE_WRITE, err);
    if (store)
        status = mt_down_ping_again(cluster, store, err);
    mt_store_close(store);
    mt_down_nodes_clear(&list);
    return status;
}
