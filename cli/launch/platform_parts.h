/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform_parts.h - what platforms are made of: nodes, each with a link that is called
 * "link NODE" and leads to what the topology says, and the topologies that need more
 * than a switch.
 */
#ifndef MT_CLI_PLATFORM_PARTS_H
#define MT_CLI_PLATFORM_PARTS_H

#include "platform.h"

/* The host, its link and its loopback; `speed` is that of the group in this run,
   relative to what the cluster file says. */
void mt_platform_write_node(FILE *stream, const struct mt_launch *launch, int group,
                            int index, double speed);
/* How messages between the processes of the node go. Routes follow all that they lead
   to and the links. */
void mt_platform_write_loopback(FILE *stream, int group, int index);
/* The same for all nodes of the first group that the run uses. */
void mt_platform_write_nodes(FILE *stream, const struct mt_launch *launch);
void mt_platform_write_loopbacks(FILE *stream, const struct mt_launch *launch);

/*
 * Zones of the first group's nodes. Their routers and links are a graph in which
 * SimGrid looks for the shortest way from a node when it sends its first message: far
 * less work than reading a route for each pair.
 */
void mt_platform_write_torus(FILE *stream, const struct mt_launch *launch);
void mt_platform_write_multistage(FILE *stream, const struct mt_launch *launch);

#endif
