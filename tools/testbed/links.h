/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * links.h - the network of a testbed, made by iproute2's commands: a bridge on
 * the head, and a pair of virtual links for each node, slowed at both ends.
 *
 * All functions leave this process in another network namespace.
 */
#ifndef MT_TESTBED_LINKS_H
#define MT_TESTBED_LINKS_H

#include "motley/error.h"
#include "tools/testbed/places/nodes.h"

#include <sys/types.h>

enum { MT_ADDRESS_SIZE = sizeof "10.77.255.255" };
/* The IPv4 address of the node with this number, in a network with 16 bits for hosts.
   Testbeds cannot see each other, nor the machine's network: all have the same. */
void mt_testbed_address(char address[MT_ADDRESS_SIZE], int number);

/* Run "TOOL -batch -" on lines of commands, in the namespace where this process is. */
MT_MUST_CHECK int mt_links_batch(const char *tool, const char *commands,
                                 struct mt_error *err);

/* Make `holder` the process that keeps the head's namespaces. */
MT_MUST_CHECK int mt_links_make_head(pid_t holder, struct mt_error *err);
MT_MUST_CHECK int mt_links_make_node(const struct mt_testbed_node *node,
                                     pid_t head_holder, pid_t holder,
                                     struct mt_error *err);
/* Remove the link of a node. */
MT_MUST_CHECK int mt_links_cut(const struct mt_testbed_node *node, pid_t head_holder,
                               struct mt_error *err);

#endif
