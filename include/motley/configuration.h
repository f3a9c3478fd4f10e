/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * configuration.h - which nodes of a cluster a run uses: for every group the number of
 * nodes and of processes on each, written "xeon:8x2+celeron:8x1"
 * (group:NODESxPROCESSES), with threads "xeon:8x2t4" (tTHREADS of each process), with
 * GPUs "xeon:8x2g1" (of each process, too), with a binding "xeon:8x2@core"; or all of
 * these, "xeon:8x2t4g1@core". Groups left out are unused.
 */
#ifndef MT_CONFIGURATION_H
#define MT_CONFIGURATION_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

MT_C_BEGIN

/* How one group is used; zeroed: not at all. */
struct mt_use {
    int nodes;
    struct mt_layout layout; /* of each */
};

/* The most threads that a text may give a process, and the processes of a node
   together. */
enum { MT_MOST_THREADS = 4096, MT_MOST_NODE_THREADS = 65536 };

/* A plain value: copy it, zero it (uses nothing). Entry i belongs to group i. */
struct mt_configuration {
    struct mt_use use[MT_MAX_GROUPS];
};

/*
 * Read the text of a configuration of `cluster`, which may use nodes that were left
 * out. MT_EPARSE for text of another form or a group that comes twice, MT_EINVAL for a
 * group, a number of nodes, of processes per node or of GPUs that the cluster has not
 * got, and for threads beyond the limits above; the reason says which. Threads need not
 * be among the group's layouts.
 */
MT_MUST_CHECK int mt_configuration_parse(struct mt_configuration *configuration,
                                         const struct mt_cluster *cluster,
                                         const char *text, struct mt_error *err);
/*
 * The canonical text (groups in the cluster's order): a string that the caller frees,
 * or NULL when memory is short. Uses nothing: "-".
 */
char *mt_configuration_format(const struct mt_configuration *configuration,
                              const struct mt_cluster *cluster);

/* So many nodes with a layout; zeroed: none. */
struct mt_use mt_use_nodes(int nodes, struct mt_layout layout);
/* Whether some process has several threads. */
bool mt_configuration_has_threads(const struct mt_configuration *configuration);
/* Total processes, P. */
int mt_configuration_ranks(const struct mt_configuration *configuration);
/* Total nodes. */
int mt_configuration_nodes(const struct mt_configuration *configuration);
/* The only group used, or -1 when none or several are. */
int mt_configuration_only_group(const struct mt_configuration *configuration);
bool mt_configuration_equal(const struct mt_configuration *a,
                            const struct mt_configuration *b);

/* Whether enough nodes answer for it; MT_EINFEASIBLE names the group of which there are
   too few, as some were left out. */
MT_MUST_CHECK int mt_configuration_find_nodes(
    const struct mt_configuration *configuration, const struct mt_cluster *cluster,
    struct mt_error *err);

/* Whether the cluster's launcher can start it; MT_EINVAL says what its groups have to
   agree on. */
MT_MUST_CHECK int mt_configuration_check(const struct mt_configuration *configuration,
                                         const struct mt_cluster *cluster,
                                         struct mt_error *err);

/* Whether it uses a group that is to be used alone together with others, or the
   launcher cannot start it. Such runs can be read, but are never proposed. */
bool mt_configuration_forbidden(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster);

/*
 * Step to the next configuration of the cluster in a fixed order, those that are
 * forbidden left out; from a zeroed one to the first. Returns false, and zeroes it,
 * after the last.
 */
bool mt_configuration_next(struct mt_configuration *configuration,
                           const struct mt_cluster *cluster);
/* How many there are: for each binding, and each number of threads that groups have to
   agree on, prod(1 + nodes * layouts) - 1 over the groups
   that may be mixed, and nodes * layouts of each other, as a double because large
   clusters have more than an integer holds. */
double mt_configuration_count(const struct mt_cluster *cluster);

MT_C_END

#endif
