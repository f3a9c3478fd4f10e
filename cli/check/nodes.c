/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#include <math.h>
#include <stdlib.h>

int mt_check_begin(struct mt_check *check, const struct mt_cluster *cluster,
                   struct mt_error *err)
{
    int count = 0;
    for (int g = 0; g < cluster->ngroups; g++)
        count += cluster->groups[g].nodes;
    struct mt_checked_node *nodes = calloc((size_t)count + 1, sizeof *nodes);
    if (!nodes)
        return mt_fail(err, MT_ENOMEM, "no memory for %d nodes", count);
    *check = (struct mt_check){.cluster = cluster, .nodes = nodes, .nnodes = count};
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            *nodes++ = (struct mt_checked_node){.name = cluster->groups[g].hosts[i],
                                                .group = g,
                                                .cores = NAN,
                                                .load = NAN,
                                                .clock = NAN,
                                                .clock_error = NAN,
                                                .flops = NAN,
                                                .bandwidth = NAN};
    return MT_OK;
}

void mt_check_clear(struct mt_check *check)
{
    for (int i = 0; i < check->nnodes; i++) {
        free(check->nodes[i].host);
        free(check->nodes[i].mpi);
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

int mt_check_choose_links(struct mt_check *check, struct mt_error *err)
{
    const int groups = check->cluster->ngroups;
    const int most = check->nnodes + groups * (groups - 1) / 2;
    check->links = calloc((size_t)most, sizeof *check->links);
    if (!check->links)
        return mt_fail(err, MT_ENOMEM, "no memory for %d pairs of nodes", most);
    for (int rank = 0; rank < check->nanswer; rank++)
        add_link(check, mt_check_node_of_rank(check, rank),
                 mt_check_node_of_rank(check, (rank + 1) % check->nanswer));
    for (int g = 0; g < groups; g++)
        for (int h = g + 1; h < groups; h++)
            add_link(check, first_of_group(check, g), first_of_group(check, h));
    return MT_OK;
}
