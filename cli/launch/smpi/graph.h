/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph.h - the networks in which messages pass several switches on their way.
 */
#ifndef MT_CLI_SMPI_GRAPH_H
#define MT_CLI_SMPI_GRAPH_H

#include "cli/launch/launcher.h"

#include <stdio.h>

/*
 * Zones of the first group's nodes. Their routers and links are a graph in which
 * SimGrid looks for the shortest way from a node when it sends its first message: far
 * less work than reading a route for each pair.
 */
void mt_platform_write_torus(FILE *stream, const struct mt_launch *launch);
void mt_platform_write_multistage(FILE *stream, const struct mt_launch *launch);

#endif
