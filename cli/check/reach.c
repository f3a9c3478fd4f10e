/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include "cli/launch/ping.h"
#include "cli/launch/testbed.h"
#include "motley/store.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int ask_hosts(struct mt_check *check, const struct mt_cluster *cluster,
                     bool *answers, char **hosts, struct mt_error *err)
{
    int count = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            hosts[count++] = cluster->groups[g].hosts[i];
    const int status = mt_ping(answers, cluster, hosts, count, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        check->nodes[i].answers = answers[i];
        check->nanswer += answers[i];
    }
    return status;
}

static int ask(struct mt_check *check, const struct mt_cluster *cluster,
               struct mt_error *err)
{
    const size_t count = (size_t)check->nnodes;
    bool *answers = calloc(count, sizeof *answers);
    char **hosts = calloc(count, sizeof *hosts);
    const int status =
        answers && hosts
            ? ask_hosts(check, cluster, answers, hosts, err)
            : mt_fail(err, MT_ENOMEM, "no memory for %d nodes", check->nnodes);
    free(hosts);
    free(answers);
    return status;
}

static int keep(const struct mt_check *check, const char *db, struct mt_error *err)
{
    struct mt_store *store = NULL;
    if (mt_cluster_simulated(check->cluster) || access(db, F_OK) != 0)
        return MT_OK;
    int status = mt_store_open(&store, db, MT_STORE_WRITE, err);
    if (status != MT_OK)
        return status;
    const char *cluster = check->cluster->name;
    for (int i = 0; i < check->nnodes && status == MT_OK; i++) {
        const struct mt_checked_node *node = &check->nodes[i];
        status = node->answers
                     ? mt_store_clear_absent(store, cluster, node->name, err)
                     : mt_store_set_absent(store, cluster, node->name, time(NULL), err);
    }
    mt_store_close(store);
    return status;
}

int mt_check_reach(struct mt_check *check, struct mt_cluster *cluster, const char *db,
                   struct mt_error *err)
{
    int status = mt_testbed_check(cluster, err);
    if (status == MT_OK)
        status = ask(check, cluster, err);
    if (status == MT_OK && check->nanswer == 0)
        status = mt_fail(err, MT_EIO, "no node of cluster '%s' answers", cluster->name);
    if (status == MT_OK)
        status = keep(check, db, err);
    for (int i = 0; i < check->nnodes && status == MT_OK; i++)
        if (!check->nodes[i].answers)
            mt_cluster_leave_out(cluster, check->nodes[i].name);
    return status;
}
