/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and stops a testbed, and first tests whether the kernel can run one. */
#include "testbed.h"

#include "cli/process/folders.h"
#include "groups.h"
#include "holder.h"
#include "links.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A trial in a network namespace that ends with this process. */
struct attempt {
    const char *tool;
    const char *commands; /* of its batch */
    const char *lacking;
};

static const struct attempt attempts[] = {
    {"ip", "link add bridge0 type bridge\n", "bridges (kernel module 'bridge')"},
    {"ip", "link add port0 type veth peer name eth0\n",
     "pairs of virtual links (kernel module 'veth')"},
    {"tc", "qdisc add dev port0 root tbf rate 1mbit burst 10000 latency 1ms\n",
     "the filter that slows links (kernel module 'sch_tbf')"},
    {NULL, NULL, NULL},
};

static int lack(struct mt_error *err, const char *what, const char *reason)
{
    return mt_fail(err, MT_ENOTFOUND, "no testbed can be made here: %s%s%s", what,
                   reason[0] ? ": " : "", reason);
}

static int check_tools(struct mt_error *err)
{
    static const char *const tools[] = {"ip", "tc", NULL};
    for (int i = 0; tools[i]; i++) {
        char *path = mt_find_tool(tools[i]);
        if (!path)
            return mt_fail(err, MT_ENOTFOUND,
                           "no testbed can be made here: '%s' is not installed; on "
                           "Debian: apt install iproute2",
                           tools[i]);
        free(path);
    }
    return MT_OK;
}

static int check_groups(struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    struct mt_error reason = {0};
    if (mt_hierarchy_find(&hierarchy, &reason) != MT_OK ||
        mt_hierarchy_check(&hierarchy, &reason) != MT_OK)
        return lack(err, reason.text, "");
    return MT_OK;
}

static int check_network(const struct attempt *attempt, struct mt_error *err)
{
    struct mt_error reason = {0};
    int status = mt_links_batch(attempt->tool, attempt->commands, &reason);
    return status == MT_OK ? MT_OK : lack(err, attempt->lacking, reason.text);
}

static int check_support(struct mt_error *err)
{
    if (geteuid() != 0)
        return lack(err, "only root may make one", "");
    int status = check_tools(err);
    if (status == MT_OK)
        status = check_groups(err);
    if (status == MT_OK && unshare(CLONE_NEWNET) != 0)
        return lack(err, "network namespaces", strerror(errno));
    for (int i = 0; status == MT_OK && attempts[i].tool; i++)
        status = check_network(&attempts[i], err);
    return status;
}

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

/* Explain a refusal by the kernel with the reason of check_support(). */
static int explain(int status, struct mt_error *err)
{
    return status == MT_EIO ? mt_fail(err, MT_ENOTFOUND,
                                      "no testbed can be made here: %s", err->text)
                            : status;
}

/* Start the holders of nodes whose groups exist; one not started stays 0. */
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

/* Limit processor time last, so that making the nodes is not slowed. */
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

/* Report the first error. */
static int undo(int status, const struct mt_hierarchy *hierarchy,
                const struct mt_testbed_place *place, struct mt_error *err)
{
    if (mt_group_remove(hierarchy, place, NULL) == MT_OK)
        return status;
    return mt_fail(err, status, "%s; and it could not be taken down", err->text);
}

int mt_testbed_up(const struct mt_testbed *testbed, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = check_support(err);
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
    return status == MT_OK ? MT_OK : undo(status, &hierarchy, &testbed->place, err);
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
    int status = check_support(err);
    if (status == MT_OK)
        status = mt_hierarchy_find(&hierarchy, err);
    if (status == MT_OK)
        status = mt_place_holder(&head, &hierarchy, &testbed->nodes[0].place, err);
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
    return status == MT_OK ? MT_OK : undo(status, &hierarchy, &node->place, err);
}

/* Whether this process may remove the group: it exists, and the process is not in
   it. */
static int check_group(struct mt_hierarchy *hierarchy,
                       const struct mt_testbed_place *place, struct mt_error *err)
{
    struct mt_testbed_place own;
    if (geteuid() != 0)
        return mt_fail(err, MT_EIO, "only root may take a testbed down");
    if (mt_place_own(&own) && !strcmp(own.testbed, place->testbed) &&
        (!place->node[0] || !strcmp(own.node, place->node)))
        return mt_fail(err, MT_EBUSY,
                       "this command runs on the node to be taken down: '%s'",
                       own.node);
    int status = mt_hierarchy_find(hierarchy, err);
    if (status == MT_OK && !mt_group_exists(hierarchy, place))
        return mt_fail(err, MT_ENOTFOUND, "%s'%s' is not up",
                       place->node[0] ? "node " : "testbed ",
                       place->node[0] ? place->node : place->testbed);
    return status;
}

int mt_testbed_down(const struct mt_testbed *testbed, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = check_group(&hierarchy, &testbed->place, err);
    return status == MT_OK ? mt_group_remove(&hierarchy, &testbed->place, err) : status;
}

/* An incomplete node, or one whose holder died, may no longer have a link. */
static int cut_link(const struct mt_testbed *testbed,
                    const struct mt_testbed_node *node,
                    const struct mt_hierarchy *hierarchy, struct mt_error *err)
{
    pid_t head = 0, holder = 0;
    if (mt_place_holder(&head, hierarchy, &testbed->nodes[0].place, NULL) != MT_OK)
        return MT_OK;
    const bool up = mt_place_holder(&holder, hierarchy, &node->place, NULL) == MT_OK;
    const int status = mt_links_cut(node, head, up ? err : NULL);
    return up ? status : MT_OK;
}

int mt_testbed_node_down(const struct mt_testbed *testbed,
                         const struct mt_testbed_node *node, struct mt_error *err)
{
    struct mt_hierarchy hierarchy;
    int status = check_group(&hierarchy, &node->place, err);
    if (status == MT_OK && node->number == 0)
        status =
            mt_fail(err, MT_EINVAL, "the head goes down with the whole testbed only");
    if (status == MT_OK)
        status = cut_link(testbed, node, &hierarchy, err);
    return status == MT_OK ? mt_group_remove(&hierarchy, &node->place, err) : status;
}
