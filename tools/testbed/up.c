/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"
#include "holder.h"
#include "links.h"
#include "testbed.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The text of /etc/hosts, which the caller frees; NULL: no memory. */
static char *list_hosts(const struct mt_testbed *testbed)
{
    char *text = NULL, address[MT_ADDRESS_SIZE];
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    fputs("127.0.0.1 localhost\n", stream);
    for (int i = 0; i < testbed->nnodes; i++) {
        mt_testbed_address(address, testbed->nodes[i].number);
        fprintf(stream, "%s %s\n", address, testbed->nodes[i].place.node);
    }
    return fclose(stream) == 0 ? text : NULL;
}

/* What the kernel refused, as mt_testbed_supported() says it. */
static int explain(int status, struct mt_error *err)
{
    return status == MT_EIO ? mt_fail(err, MT_ENOTFOUND,
                                      "no testbed can be made here: %s", err->text)
                            : status;
}

/* Start the holders of nodes whose groups are there; one not started stays 0. */
static int start_nodes(const struct mt_testbed *testbed,
                       const struct mt_testbed_node *nodes, int nnodes,
                       const struct mt_hierarchy *hierarchy, struct mt_holder *holders,
                       struct mt_error *err)
{
    char *hosts = list_hosts(testbed);
    int status = hosts ? MT_OK : mt_fail(err, MT_ENOMEM, "no memory for /etc/hosts");
    for (int i = 0; status == MT_OK && i < nnodes; i++)
        status = mt_holder_start(&holders[i], hierarchy, &nodes[i].place, hosts, err);
    for (int i = 0; status == MT_OK && i < nnodes; i++)
        status = mt_holder_ready(&holders[i], err);
    free(hosts);
    return explain(status, err);
}

/* Slow the processors last: what makes the nodes is not to wait for them. */
static int finish_nodes(const struct mt_testbed_node *nodes, int nnodes,
                        const struct mt_hierarchy *hierarchy, struct mt_holder *holders,
                        struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < nnodes; i++) {
        if (nodes[i].cores > 0)
            status = mt_group_limit(hierarchy, &nodes[i].place, nodes[i].cores, err);
        if (status == MT_OK)
            status = mt_holder_release(&holders[i], err);
    }
    return status;
}

static int make_all(const struct mt_testbed *testbed,
                    const struct mt_hierarchy *hierarchy, struct mt_holder *holders,
                    struct mt_error *err)
{
    const struct mt_testbed_node *nodes = testbed->nodes;
    const int nnodes = testbed->nnodes;
    int status = MT_OK;
    for (int i = 0; status == MT_OK && i < nnodes; i++)
        status = explain(mt_group_make(hierarchy, &nodes[i].place, err), err);
    if (status == MT_OK)
        status = start_nodes(testbed, nodes, nnodes, hierarchy, holders, err);
    if (status == MT_OK)
        status = mt_links_make_head(holders[0].pid, err);
    for (int i = 1; status == MT_OK && i < nnodes; i++)
        status = mt_links_make_node(&nodes[i], holders[0].pid, holders[i].pid, err);
    if (status == MT_OK)
        status = finish_nodes(nodes, nnodes, hierarchy, holders, err);
    return status;
}

/* Why it failed is to be told, not what may fail now. */
static int undo(int status, const struct mt_hierarchy *hierarchy,
                const struct mt_place *place, struct mt_error *err)
{
    if (mt_group_remove(hierarchy, place, NULL) == MT_OK)
        return status;
    return mt_fail(err, status, "%s; and it could not be taken down", err->text);
}

int mt_testbed_up(const struct mt_testbed *testbed, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = mt_testbed_supported(err);
    if (status == MT_OK)
        status = mt_hierarchy_find(&hierarchy, err);
    if (status == MT_OK)
        status = explain(mt_group_make(&hierarchy, &testbed->place, err), err);
    if (status == MT_EBUSY)
        return mt_fail(err, MT_EBUSY,
                       "testbed '%s' is up, or something of it was left behind: "
                       "'motley testbed down' ends both",
                       testbed->place.testbed);
    if (status != MT_OK)
        return status;

    struct mt_holder *holders = calloc((size_t)testbed->nnodes, sizeof *holders);
    status = holders ? make_all(testbed, &hierarchy, holders, err)
                     : mt_fail(err, MT_ENOMEM, "no memory for a testbed");
    for (int i = 0; holders && i < testbed->nnodes; i++)
        if (holders[i].pid > 0)
            close(holders[i].socket);
    free(holders);
    return status ? undo(status, &hierarchy, &testbed->place, err) : MT_OK;
}

static int make_node(const struct mt_testbed *testbed,
                     const struct mt_testbed_node *node, pid_t head,
                     const struct mt_hierarchy *hierarchy, struct mt_error *err)
{
    struct mt_holder holder = {0};
    int status = start_nodes(testbed, node, 1, hierarchy, &holder, err);
    if (status == MT_OK)
        status = mt_links_make_node(node, head, holder.pid, err);
    if (status == MT_OK)
        status = finish_nodes(node, 1, hierarchy, &holder, err);
    if (holder.pid > 0)
        close(holder.socket);
    return status;
}

int mt_testbed_node_up(const struct mt_testbed *testbed,
                       const struct mt_testbed_node *node, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    pid_t head = 0;
    int status = mt_testbed_supported(err);
    if (status == MT_OK)
        status = mt_hierarchy_find(&hierarchy, err);
    if (status == MT_OK)
        status = mt_holder_find(&head, &hierarchy, &testbed->nodes[0].place, err);
    if (status == MT_OK)
        status = explain(mt_group_make(&hierarchy, &node->place, err), err);
    if (status == MT_EBUSY)
        return mt_fail(err, MT_EBUSY,
                       "node '%s' of testbed '%s' is up, or something of it was left "
                       "behind: 'motley testbed down --node %s' ends both",
                       node->place.node, node->place.testbed, node->place.node);
    if (status != MT_OK)
        return status;
    status = make_node(testbed, node, head, &hierarchy, err);
    return status ? undo(status, &hierarchy, &node->place, err) : MT_OK;
}
