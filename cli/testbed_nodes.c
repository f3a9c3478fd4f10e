/* SPDX-License-Identifier: BSD-3-Clause */
#include "testbed.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What fits into /etc/hosts, the kernel and the name of a folder. */
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

static int check_testbed_name(const char *name, struct mt_error *err)
{
    if (!name[0] || name[0] == '.' || strpbrk(name, "/\n") || strlen(name) > NAME_MAX)
        return mt_fail(err, MT_EINVAL,
                       "a testbed cannot be called '%s': the name of its control group "
                       "has no '/', does not begin with '.' and is not empty",
                       name);
    return MT_OK;
}

static bool has_host(const struct mt_cluster *cluster, const char *name)
{
    for (int g = 0; g < cluster->ngroups; g++)
        for (int i = 0; i < cluster->groups[g].nodes; i++)
            if (!strcmp(cluster->groups[g].hosts[i], name))
                return true;
    return false;
}

static int name_head(char **name, const struct mt_cluster *cluster,
                     struct mt_error *err)
{
    int made = has_host(cluster, "head") ? asprintf(name, "%s-head", cluster->name)
                                         : asprintf(name, "head");
    if (made >= 0)
        return check_host_name(*name, err);
    *name = NULL;
    return mt_fail(err, MT_ENOMEM, "no memory for a testbed");
}

static int add_group(struct mt_testbed *testbed, const struct mt_group *group,
                     struct mt_error *err)
{
    for (int i = 0; i < group->nodes; i++) {
        int status = check_host_name(group->hosts[i], err);
        char *name = status == MT_OK ? strdup(group->hosts[i]) : NULL;
        if (!name)
            return status ? status : mt_fail(err, MT_ENOMEM, "no memory for a testbed");
        testbed->nodes[testbed->nnodes] = (struct mt_testbed_node){
            .name = name,
            .number = testbed->nnodes,
            .cores = group->cores,
            .bandwidth = group->testbed_bandwidth,
        };
        testbed->nnodes++;
    }
    return MT_OK;
}

static int fill(struct mt_testbed *testbed, const struct mt_cluster *cluster,
                struct mt_error *err)
{
    int nodes = 1;
    for (int g = 0; g < cluster->ngroups; g++)
        nodes += cluster->groups[g].nodes;
    testbed->name = strdup(cluster->name);
    testbed->nodes = calloc((size_t)nodes, sizeof *testbed->nodes);
    if (!testbed->name || !testbed->nodes)
        return mt_fail(err, MT_ENOMEM, "no memory for a testbed");
    testbed->nnodes = 1;
    int status = name_head(&testbed->nodes[0].name, cluster, err);
    for (int g = 0; status == MT_OK && g < cluster->ngroups; g++)
        status = add_group(testbed, &cluster->groups[g], err);
    return status;
}

int mt_testbed_init(struct mt_testbed *testbed, const struct mt_cluster *cluster,
                    struct mt_error *err)
{
    struct mt_testbed made = {0};
    if (!mt_cluster_is_testbed(cluster))
        return mt_fail(err, MT_EINVAL,
                       "cluster '%s' is no testbed: its groups have no key 'testbed'",
                       cluster->name);
    int status = check_testbed_name(cluster->name, err);
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
    for (int i = 0; i < testbed->nnodes; i++)
        free(testbed->nodes[i].name);
    free(testbed->nodes);
    free(testbed->name);
    *testbed = (struct mt_testbed){0};
}

int mt_testbed_find_node(const struct mt_testbed_node **node,
                         const struct mt_testbed *testbed, const char *name,
                         struct mt_error *err)
{
    for (int i = 0; i < testbed->nnodes; i++)
        if (!name || !strcmp(testbed->nodes[i].name, name)) {
            *node = &testbed->nodes[i];
            return MT_OK;
        }
    return mt_fail(err, MT_EINVAL, "testbed '%s' has no node '%s'", testbed->name,
                   name);
}
