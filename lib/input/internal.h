/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of clusters, programs and shapes beyond
 * the public headers.
 */
#ifndef MT_INPUT_INTERNAL_H
#define MT_INPUT_INTERNAL_H

#include "motley/cluster.h"
#include "motley/program.h"

#include <math.h>
#include <stdbool.h>

/* Clusters. */

/* The index of the group of that name, or -1. */
int mt_cluster_find_group(const struct mt_cluster *cluster, const char *name);
/* The index of the group of the node of that name, unless the node was left out;
   otherwise -1. Either name may lack its domain: "x01" is "x01.site.org". */
int mt_cluster_group_of(const struct mt_cluster *cluster, const char *host);

/*
 * Leave out the node of that name, which does not answer: its group has a node less,
 * perhaps none. Configurations that were run with it can still be read. Returns false
 * when the cluster has no such node, or has left it out already.
 */
bool mt_cluster_leave_out(struct mt_cluster *cluster, const char *host);
/* Whether its nodes are containers of this machine, made by 'motley testbed'. */
bool mt_cluster_is_testbed(const struct mt_cluster *cluster);
/* Whether a layout with several threads leaves cores idle that another layout of the
   group with as many GPUs uses: it is measured only on request. */
bool mt_group_leaves_cores(const struct mt_group *group, struct mt_layout layout);
/* Iterates over the numbers of threads that all processes with this binding must share,
   since MPICH binds all ranks to equally many cores: steps from `*threads`, at first
   -1, to the next number, or once to 0 if groups may differ. Returns false after the
   last. */
bool mt_cluster_next_threads(const struct mt_cluster *cluster, enum mt_bind bind,
                             int *threads);
/* Threads of each process, at least 1; and of all processes of a node together. */
int mt_layout_threads(struct mt_layout layout);
int mt_layout_cores(struct mt_layout layout);
/* Below, at or above 0: by processes, then by threads, by binding, and by GPUs. */
int mt_layout_compare(struct mt_layout a, struct mt_layout b);
enum { MT_LAYOUT_LENGTH = 48 };
/* Write it as in a configuration's text behind the 'x': "8", with threads "8t16", with
   a GPU each "8g1", with a binding "8@core", or all: "8t16g1@core". Returns `text`. */
const char *mt_layout_format(char text[MT_LAYOUT_LENGTH], struct mt_layout layout);
/* Read the layout at the start of *text, in that form, and step over it. False, with
   both unchanged, if no layout starts there. An invalid 0 of threads becomes -1. */
bool mt_layout_read(struct mt_layout *layout, const char **text);

/* The launcher's name as cluster files write it. */
const char *mt_launcher_name(enum mt_launcher launcher);
/* The topology's name, likewise. */
const char *mt_topology_name(enum mt_topology topology);

/* Configurations. */

/* The most threads of a process in a text, and of all processes of a node together. */
enum { MT_MOST_THREADS = 4096, MT_MOST_NODE_THREADS = 65536 };

/* The use of `nodes` nodes with a layout; zeroed: none. */
struct mt_use mt_use_nodes(int nodes, struct mt_layout layout);
/* Whether some process has several threads. */
bool mt_configuration_has_threads(const struct mt_configuration *configuration);
/* Total processes, P. */
int mt_configuration_ranks(const struct mt_configuration *configuration);
/* Total nodes. */
int mt_configuration_nodes(const struct mt_configuration *configuration);
/* The only group used, or -1 when none or several are. */
int mt_configuration_only_group(const struct mt_configuration *configuration);
/* Whether two use the same groups. */
bool mt_configuration_same_groups(const struct mt_configuration *a,
                                  const struct mt_configuration *b);
bool mt_configuration_equal(const struct mt_configuration *a,
                            const struct mt_configuration *b);

/* Whether enough of its nodes answer; MT_EINFEASIBLE names the group with too few, as
   some were left out. */
MT_MUST_CHECK int mt_configuration_find_nodes(
    const struct mt_configuration *configuration, const struct mt_cluster *cluster,
    struct mt_error *err);

/* Whether the cluster's launcher can start it; MT_EINVAL: the reason names what its
   groups must have in common. */
MT_MUST_CHECK int mt_configuration_check(const struct mt_configuration *configuration,
                                         const struct mt_cluster *cluster,
                                         struct mt_error *err);

/* Whether it mixes a group that may only be used alone with others, or the launcher
   cannot start it. Such runs can be read, but are never proposed. */
bool mt_configuration_forbidden(const struct mt_configuration *configuration,
                                const struct mt_cluster *cluster);

/*
 * Step to the next configuration of the cluster in a fixed order, without forbidden
 * ones; from a zeroed one to the first. Returns false, and zeroes it, after the last.
 */
bool mt_configuration_next(struct mt_configuration *configuration,
                           const struct mt_cluster *cluster);
/* How many there are: for each binding, and each number of threads that groups have to
   agree on, prod(1 + nodes * layouts) - 1 over the groups that may be mixed, and nodes
   * layouts of each other, a double, since large clusters exceed an integer. */
double mt_configuration_count(const struct mt_cluster *cluster);

/* Shapes of programs and algorithms. */

/* The demand of a run on its busiest process. */
struct mt_demand {
    double steps;       /* that it computes */
    double near_steps;  /* those of them that caches do not affect */
    double working_set; /* bytes that it goes through again and again */
    double messages;    /* m, one after the other */
    double bytes;       /* L, of a message, of the longest if they differ */
    double mean_bytes;  /* the mean of those under way together, if they differ; else
                           L */
    double ranks;       /* P */
    double together;    /* K: messages under way together; 0: as many as ranks */
    double shift;       /* ranks from a sender to its receiver; 0: unknown */
    double across;      /* 1: of a square grid, from column to column; 0: none */
    double rows;        /* N/K, if messages differ: the mean number of rows in each,
                           dealt as evenly as possible; 0: they do not differ, or
                           unknown */
};

/* K. */
static inline double mt_together(const struct mt_demand *demand)
{
    return demand->together > 0 ? demand->together : demand->ranks;
}

/* N/K, if the lengths of messages are those of N/K rows, and differ; else 0. */
static inline double mt_uneven_rows(const struct mt_demand *demand, double size)
{
    const double rows = size / mt_together(demand);
    const double longest = demand->bytes * rows,
                 whole = demand->mean_bytes * ceil(rows);
    return rows > floor(rows) && fabs(longest - whole) <= 1e-9 * longest ? rows : 0;
}

/* Whether near steps do not exceed the steps, except by rounding: expressions meant to
   be equal may differ in the last digits. */
static inline bool mt_are_steps(double near_steps, double steps)
{
    return near_steps <= steps * (1 + 1e-9);
}

void mt_shape_clear(struct mt_shape *shape);
/* Make `copy`, which must be empty, own a copy. */
MT_MUST_CHECK int mt_shape_copy(struct mt_shape *copy, const struct mt_shape *shape,
                                struct mt_error *err);

/*
 * Whether two shapes count the same work: `work` has the same value, to nine digits, at
 * all of a dozen sizes between 16 and 2^20. Speeds and efficiencies can be compared
 * only then.
 */
bool mt_shape_same_work(const struct mt_shape *a, const struct mt_shape *b);

/* Whether (size, ranks) may run. */
bool mt_shape_valid(const struct mt_shape *shape, double size, double ranks);

/*
 * The demand of a run on its busiest process (its steps include the imbalance).
 * MT_EINVAL, with the expression, N and P: an expression has no value or a negative
 * one.
 */
MT_MUST_CHECK int mt_shape_demand(struct mt_demand *demand,
                                  const struct mt_shape *shape, double size,
                                  double ranks, struct mt_error *err);

/* Programs. */

/* Whether its runs have a folder of their own, or one that the file names, rather than
   the current one. */
bool mt_program_has_folder(const struct mt_program *program);

/* Whether (size, ranks) may run: `valid` holds or is not given. */
bool mt_program_valid(const struct mt_program *program, double size, int ranks);
/* Bytes that one process needs; 0 when the program does not say, infinite where its
   expression has no value. */
double mt_program_memory(const struct mt_program *program, double size, int ranks,
                         int processes);
/* The pattern of its time or rate; NULL: its wall time is taken. */
const char *mt_program_pattern(const struct mt_program *program);
/* The seconds of a run whose pattern found this number. NaN: a rate without work. */
double mt_program_seconds(const struct mt_program *program, double number, double size,
                          int ranks);
const char *mt_time_unit_name(enum mt_time_unit unit);
double mt_time_unit_seconds(enum mt_time_unit unit);

#endif
