/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a cluster file into a testbed's nodes, and checks their names. */
#include "nodes.h"

#include "lib/input/internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Check that a name fits into /etc/hosts, the kernel and the name of a folder. */
static int check_host_name(const char *name, struct mt_error *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-_.";
    if (!name[0] || name[strspn(name, allowed)] || name[0] == '.' || name[0] == '-' ||
        strlen(name) > HOST_NAME_MAX)
        return mt_fail(err, MT_EINVAL,
                       "a testbed's node cannot be called '%s': at most %d letters, "
                       "digits, '-', '_' and '.', the first a letter or digit",
                       name, HOST_NAME_MAX);
    return MT_OK;
}

static int set_place(struct mt_testbed_place *place, const struct mt_cluster *cluster,
                     const char *host, struct mt_error *err)
{
    int status = check_host_name(host, err);
    return status == MT_OK ? mt_place_set(place, cluster->name, host, err) : status;
}

static int check_testbed_name(const char *name, struct mt_error *err)
{
    if (!name[0] || name[0] == '.' || strpbrk(name, "/\n"))
        return mt_fail(err, MT_EINVAL,
                       "a testbed cannot be called '%s': the name of its control group "
                       "has no '/', does not begin with '.' and is not empty",
                       name);
    return MT_OK;
}

static int name_head(struct mt_testbed_place *place, const struct mt_cluster *cluster,
                     struct mt_error *err)
{
    char name[NAME_MAX + sizeof "-head"];
    snprintf(name, sizeof name, "%s-head", cluster->name);
    if (mt_cluster_group_of(cluster, "head") < 0)
        return set_place(place, cluster, "head", err);
    return set_place(place, cluster, name, err);
}

static int add_group(struct mt_testbed *testbed, const struct mt_cluster *cluster,
                     const struct mt_group *group, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < group->nodes; i++) {
        struct mt_testbed_node *node = &testbed->nodes[testbed->nnodes];
        *node = (struct mt_testbed_node){
            .number = testbed->nnodes,
            .cores = group->cores,
            .bandwidth = group->testbed_bandwidth,
        };
        status = set_place(&node->place, cluster, group->hosts[i], err);
        testbed->nnodes++;
    }
    return status;
}

static int fill(struct mt_testbed *testbed, const struct mt_cluster *cluster,
                struct mt_error *err)
{
    long nodes = 1;
    for (int g = 0; g < cluster->ngroups; g++)
        nodes += cluster->groups[g].nodes;
    if (nodes > MT_TESTBED_MOST_NODES)
        return mt_fail(err, MT_EINVAL,
                       "testbed '%s' has %ld nodes with its head: there are addresses "
                       "for %d",
                       cluster->name, nodes, MT_TESTBED_MOST_NODES);
    testbed->nodes = calloc((size_t)nodes, sizeof *testbed->nodes);
    if (!testbed->nodes)
        return mt_fail(err, MT_ENOMEM, "no memory for a testbed");
    testbed->nnodes = 1;
    int status = name_head(&testbed->nodes[0].place, cluster, err);
    for (int g = 0; status == MT_OK && g < cluster->ngroups; g++)
        status = add_group(testbed, cluster, &cluster->groups[g], err);
    return status;
}

int mt_testbed_init(struct mt_testbed *testbed, const struct mt_cluster *cluster,
                    struct mt_error *err)
{
    struct mt_testbed made = {0};
    if (!mt_cluster_is_testbed(cluster))
        return mt_fail(err, MT_EINVAL,
                       "cluster '%s' is not a testbed: its groups lack key 'testbed'",
                       cluster->name);
    int status = check_testbed_name(cluster->name, err);
    if (status == MT_OK)
        status = mt_place_set(&made.place, cluster->name, "", err);
    if (status == MT_OK)
        status = fill(&made, cluster, err);
    if (status == MT_OK)
        *testbed = made;
    else
        mt_testbed_clear(&made);
    return status;
}

void mt_testbed_clear(struct mt_testbed *testbed)
{
    free(testbed->nodes);
    *testbed = (struct mt_testbed){0};
}

int mt_testbed_find_node(const struct mt_testbed_node **node,
                         const struct mt_testbed *testbed, const char *name,
                         struct mt_error *err)
{
    for (int i = 0; i < testbed->nnodes; i++)
        if (!name || !strcmp(testbed->nodes[i].place.node, name)) {
            *node = &testbed->nodes[i];
            return MT_OK;
        }
    return mt_fail(err, MT_EINVAL, "testbed '%s' has no node '%s'",
                   testbed->place.testbed, name);
}
