/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testbed.h - a testbed: the nodes of a cluster file, made on this machine.
 *
 * A node is a network, UTS, mount and IPC namespace, and a control group that limits
 * the processor time of its processes. The head, one more of the kind, holds the bridge
 * between them. A *holder*, a process that only waits, keeps the namespaces of a node
 * alive. Nothing else is kept anywhere: who kills the processes in the control groups
 * and removes these has removed the testbed.
 */
#ifndef MT_CLI_TESTBED_H
#define MT_CLI_TESTBED_H

#include "groups.h"
#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

struct mt_testbed_node {
    struct mt_place place; /* its host name is place.node */
    int number;            /* its address follows from it; the head's is 0 */
    double cores;          /* 0, on the head: no limit */
    double bandwidth; /* of its link, each direction, bytes/s; the head has none: 0 */
};

/* Zeroed is empty. */
struct mt_testbed {
    struct mt_place place;         /* place.testbed is the cluster's name */
    struct mt_testbed_node *nodes; /* owned; the head is the first */
    int nnodes;
};

/*
 * What the cluster file says. MT_EINVAL for a cluster that is no testbed, and for names
 * that cannot be those of hosts or control groups. `testbed` must be empty.
 */
MT_MUST_CHECK int mt_testbed_init(struct mt_testbed *testbed,
                                  const struct mt_cluster *cluster,
                                  struct mt_error *err);
void mt_testbed_clear(struct mt_testbed *testbed);
/* The node of that name; NULL: the head. MT_EINVAL: there is none. */
MT_MUST_CHECK int mt_testbed_find_node(const struct mt_testbed_node **node,
                                       const struct mt_testbed *testbed,
                                       const char *name, struct mt_error *err);

enum { MT_ADDRESS_SIZE = sizeof "10.77.255.255" };
/* The IPv4 address of the node with this number, in a network with 16 bits for hosts.
   Testbeds cannot see each other, nor the machine's network: all have the same. */
void mt_testbed_address(char address[MT_ADDRESS_SIZE], int number);

/* Make all its nodes. MT_EBUSY: there is such a testbed. On failure nothing is left. */
MT_MUST_CHECK int mt_testbed_up(const struct mt_testbed *testbed, struct mt_error *err);
/* Make one node of a testbed that lacks it. */
MT_MUST_CHECK int mt_testbed_node_up(const struct mt_testbed *testbed,
                                     const struct mt_testbed_node *node,
                                     struct mt_error *err);
/* Kill all processes of the testbed, and remove it. MT_ENOTFOUND: there is none. */
MT_MUST_CHECK int mt_testbed_down(const struct mt_testbed *testbed,
                                  struct mt_error *err);
/* The same for a node, whose link is cut first, as when its power fails. */
MT_MUST_CHECK int mt_testbed_node_down(const struct mt_testbed *testbed,
                                       const struct mt_testbed_node *node,
                                       struct mt_error *err);
/* Print a line a node, or one JSON object; `*complete`: all nodes are up. */
MT_MUST_CHECK int mt_testbed_print_status(const struct mt_testbed *testbed,
                                          bool *complete, struct mt_error *err);

/* Let this process enter a node: its control group and its namespaces. The current
   folder stays. */
MT_MUST_CHECK int mt_testbed_join(const struct mt_place *place, struct mt_error *err);

/* MT_ENOTFOUND says what this machine or this user lacks to make a testbed. */
MT_MUST_CHECK int mt_testbed_supported(struct mt_error *err);

#endif
