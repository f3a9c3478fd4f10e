/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform.h - SimGrid's picture of the nodes that a run uses: the nodes and
 * what their links lead to.
 */
#ifndef MT_CLI_SMPI_PLATFORM_H
#define MT_CLI_SMPI_PLATFORM_H

#include "cli/launch/launcher.h"

#include <stdio.h>

/* Write the platform (XML) of the launch's configuration. */
MT_MUST_CHECK int mt_platform_write(const struct mt_launch *launch, FILE *stream,
                                    struct mt_error *err);

/*
 * Its networks in which messages pass several switches on their way, in graph.c: zones
 * of the first group's nodes, whose routers and links are a graph in which SimGrid
 * looks for the shortest way from a node when it sends its first message: far less work
 * than reading a route for each pair.
 */
void mt_platform_write_torus(FILE *stream, const struct mt_launch *launch);
void mt_platform_write_multistage(FILE *stream, const struct mt_launch *launch);

#endif
