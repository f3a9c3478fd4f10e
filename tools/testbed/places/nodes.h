/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.h - the nodes of a testbed, as its cluster file names them.
 */
#ifndef MT_TESTBED_NODES_H
#define MT_TESTBED_NODES_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "place.h"

struct mt_testbed_node {
    struct mt_testbed_place place; /* its host name is place.node */
    int number;                    /* its address follows from it; the head's is 0 */
    double cores;                  /* 0, on the head: no limit */
    double bandwidth; /* of its link, each direction, bytes/s; the head has none: 0 */
};

/* Empty if zeroed. */
struct mt_testbed {
    struct mt_testbed_place place; /* place.testbed is the cluster's name */
    struct mt_testbed_node *nodes; /* owned; the head is the first */
    int nnodes;
};

/* Including the head: addresses have 16 bits for hosts, and two are reserved. */
enum { MT_TESTBED_MOST_NODES = 65534 };

/*
 * Read the testbed from the cluster file. MT_EINVAL for a cluster that is not a testbed
 * or has too many nodes, and for names that cannot be those of hosts or control groups.
 * `testbed` must be empty.
 */
MT_MUST_CHECK int mt_testbed_init(struct mt_testbed *testbed,
                                  const struct mt_cluster *cluster,
                                  struct mt_error *err);
void mt_testbed_clear(struct mt_testbed *testbed);
/* The node of that name; NULL: the head. MT_EINVAL if none exists. */
MT_MUST_CHECK int mt_testbed_find_node(const struct mt_testbed_node **node,
                                       const struct mt_testbed *testbed,
                                       const char *name, struct mt_error *err);

#endif
