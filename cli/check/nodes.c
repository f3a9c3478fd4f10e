/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of the cluster: pings them, and chooses the links to measure. */
#include "check.h"
#include "lib/input/internal.h"
#include "lib/store/internal.h"

#include "cli/launch/job.h"
#include "cli/process/memory.h"
#include "cli/run/down.h"
#include "lib/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void mt_check_begin(struct mt_check *check, const struct mt_cluster *cluster)
{
    int count = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        count += cluster->groups[g].nodes;
    struct mt_checked_node *nodes = mt_calloc((size_t)count + 1, sizeof *nodes);
    *check = (struct mt_check){.cluster = cluster, .nodes = nodes, .nnodes = count};
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            *nodes++ = (struct mt_checked_node){.name = cluster->groups[g].hosts[i],
                                                .group = g,
                                                .cores = NAN,
                                                .load = NAN,
                                                .flops = NAN,
                                                .bandwidth = NAN,
                                                .mtu = NAN,
                                                .eager = NAN,
                                                .buffer = NAN};
}

void mt_check_clear(struct mt_check *check)
{
    for (int i = 0; i < check->nnodes; i++) {
        free(check->nodes[i].reason);
        free(check->nodes[i].host);
        free(check->nodes[i].mpi);
        free(check->nodes[i].interface);
    }
    free(check->nodes);
    free(check->links);
    mt_findings_clear(&check->findings);
    *check = (struct mt_check){0};
}

int mt_check_node_of_rank(const struct mt_check *check, int rank)
{
    for (int i = 0; i < check->nnodes && rank >= 0; i++)
        if (check->nodes[i].answers && rank-- == 0)
            return i;
    return -1;
}

static int ping_nodes(struct mt_check *check, const struct mt_cluster *cluster,
                      struct mt_error *err)
{
    const int count = check->nnodes;
    struct mt_asked_node *asked = mt_calloc((size_t)count, sizeof *asked);
    for (int i = 0; i < count; i++)
        asked[i].host = check->nodes[i].name;
    int status = mt_ping(asked, count, cluster, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        check->nodes[i].answers = asked[i].answers;
        if (asked[i].reason[0])
            check->nodes[i].reason = mt_strdup(asked[i].reason);
        check->nanswer += asked[i].answers;
    }
    if (status == MT_OK && check->nanswer == 0)
        status =
            mt_fail(err, MT_EIO, "no node of cluster '%s' answers%s%s", cluster->name,
                    asked[0].reason[0] ? ": " : "", asked[0].reason);
    free(asked);
    return status;
}

static int keep_answers(const struct mt_check *check, const char *db,
                        struct mt_error *err)
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
                     ? mt_store_set_up(store, cluster, node->name, err)
                     : mt_store_set_down(store, cluster, node->name, time(NULL), err);
    }
    mt_store_close(store);
    return status;
}

int mt_check_ping(struct mt_check *check, struct mt_cluster *cluster, const char *db,
                  struct mt_error *err)
{
    int status = mt_testbed_check(cluster, err);
    if (status == MT_OK)
        status = ping_nodes(check, cluster, err);
    struct mt_error reason;
    if (status == MT_OK && keep_answers(check, db, &reason) != MT_OK) {
        mt_text_clean_line(reason.text);
        fprintf(stderr, "motley: which nodes answer is not kept: %s\n", reason.text);
    }
    for (int i = 0; i < check->nnodes && status == MT_OK; i++)
        if (!check->nodes[i].answers)
            mt_cluster_leave_out(cluster, check->nodes[i].name);
    return status;
}

static bool is_linked(const struct mt_check *check, int a, int b)
{
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        if ((link->from == a && link->to == b) || (link->from == b && link->to == a))
            return true;
    }
    return false;
}

static void add_link(struct mt_check *check, int from, int to)
{
    if (from >= 0 && to >= 0 && from != to && !is_linked(check, from, to))
        check->links[check->nlinks++] =
            (struct mt_checked_link){.from = from, .to = to};
}

/* The first node of the group that answers, or -1. */
static int first_of_group(const struct mt_check *check, int group)
{
    for (int i = 0; i < check->nnodes; i++)
        if (check->nodes[i].group == group && check->nodes[i].answers)
            return i;
    return -1;
}

void mt_check_choose_links(struct mt_check *check)
{
    const int groups = check->cluster->ngroups;
    const int most = check->nnodes + groups * (groups - 1) / 2;
    check->links = mt_calloc((size_t)most, sizeof *check->links);
    for (int rank = 0; rank < check->nanswer; rank++)
        add_link(check, mt_check_node_of_rank(check, rank),
                 mt_check_node_of_rank(check, (rank + 1) % check->nanswer));
    for (int g = 0; g < groups; g++)
        for (int h = g + 1; h < groups; h++)
            add_link(check, first_of_group(check, g), first_of_group(check, h));
}

bool mt_check_joins(const struct mt_check *check, const struct mt_checked_link *link,
                    int g, int h)
{
    const int from = check->nodes[link->from].group, to = check->nodes[link->to].group;
    return (from == g && to == h) || (from == h && to == g);
}
