/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow.h - nodes that reports on late ranks show to be slow.
 */
#ifndef MT_CLI_LATENESS_SLOW_H
#define MT_CLI_LATENESS_SLOW_H

#include "motley/cluster.h"
#include "report.h"

#include <stdio.h>

/* A node, and by what part longer its ranks take between their calls. */
struct mt_slow_node {
    const char *host, *group; /* of the cluster */
    double extra;
};

/* The node that falls behind the others of its group most, which are taken to have as
   much to do. False: none does by a tenth, or the ranks shared cores, so that it cannot
   be told. */
bool mt_slow_node_find(struct mt_slow_node *slow, const struct mt_report *report,
                       const struct mt_cluster *cluster);

/* Print a line if the newest report on the program says that a node of the cluster is
   slow; `hint` is its end, what to do about it. That the store cannot be read is no
   failure. */
void mt_slow_node_print(const struct mt_cluster *cluster, const char *program,
                        const char *store_path, const char *hint, FILE *stream);

#endif
