/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testbed.h - a testbed: the nodes of a cluster file, made on this machine.
 *
 * A node is a network, UTS, mount and IPC namespace, and a control group that limits
 * the processor time of its processes. The head, another such node, holds the bridge
 * between them. A *holder*, a process that only waits, keeps the namespaces of a node
 * alive. Nothing else is stored: killing the processes in the control groups and
 * removing these removes the testbed.
 */
#ifndef MT_TESTBED_H
#define MT_TESTBED_H

#include "motley/error.h"
#include "tools/testbed/places/nodes.h"

/* Make all its nodes. MT_EBUSY: the testbed already exists; MT_ENOTFOUND says what this
   machine or this user lacks to make one. On failure nothing is left. */
MT_MUST_CHECK int mt_testbed_up(const struct mt_testbed *testbed, struct mt_error *err);
/* Make one node of a testbed that lacks it. */
MT_MUST_CHECK int mt_testbed_node_up(const struct mt_testbed *testbed,
                                     const struct mt_testbed_node *node,
                                     struct mt_error *err);
/* Kill all processes of the testbed, and remove it. MT_ENOTFOUND: not up. */
MT_MUST_CHECK int mt_testbed_down(const struct mt_testbed *testbed,
                                  struct mt_error *err);
/* The same for a node, whose link is cut first, as in a power failure. */
MT_MUST_CHECK int mt_testbed_node_down(const struct mt_testbed *testbed,
                                       const struct mt_testbed_node *node,
                                       struct mt_error *err);
#endif
