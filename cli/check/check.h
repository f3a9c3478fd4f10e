/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - what `motley check` gets to know of a cluster, its nodes and how fast
 * messages go between them, and the steps from there to what it shows.
 */
#ifndef MT_CLI_CHECK_CHECK_H
#define MT_CLI_CHECK_CHECK_H

#include "curve.h"
#include "findings.h"
#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

/* A node, and what the probe said of it. Unknown numbers are NaN. */
struct mt_checked_node {
    const char *name; /* borrowed of the cluster */
    int group;
    bool answers;
    char *reason; /* owned; what was said when it does not; NULL: nothing */
    char *host;   /* owned; what it calls itself; NULL: was not probed */
    char *mpi;    /* owned; its MPI with the version */
    double cores, load;
    double flops, bandwidth; /* per second, of its processor and its memory */
};

/* Messages between two nodes, which are indices. */
struct mt_checked_link {
    int from, to;
    struct mt_curve curve;   /* of the sizes that all links have */
    struct mt_curve between; /* of others, where times jump */
};

/* Zeroed is empty. */
struct mt_check {
    const struct mt_cluster *cluster; /* borrowed */
    struct mt_checked_node *nodes;    /* owned; in the order of the cluster's file */
    int nnodes, nanswer;
    struct mt_checked_link *links; /* owned */
    int nlinks;
    struct mt_curve alltoall; /* bytes to each of the other nodes */
    bool said_all;            /* the latest probe came to its last test */
    bool endless;             /* a probe said all, but did not end by itself */
    struct mt_findings findings;
};

/* Make the list of the cluster's nodes, of which nothing is known yet. The cluster must
   outlive the check. */
MT_MUST_CHECK int mt_check_begin(struct mt_check *check,
                                 const struct mt_cluster *cluster,
                                 struct mt_error *err);
void mt_check_clear(struct mt_check *check);

/*
 * Ask all nodes of the cluster whether they answer, and leave out of it those that do
 * not. Where there is a store `db`, these are down in it from then on, and those that
 * answer are not; that it cannot be written is said, and no failure. MT_EIO: no node
 * answers; a testbed that is not up fails as mt_testbed_check() does.
 */
MT_MUST_CHECK int mt_check_ping(struct mt_check *check, struct mt_cluster *cluster,
                                const char *db, struct mt_error *err);

/* Choose the links to be checked among nodes that answer: each node's with the next one
   and the one before, in a ring, and one for each two groups. */
MT_MUST_CHECK int mt_check_choose_links(struct mt_check *check, struct mt_error *err);

/* Whether a link is between groups g and h, or inside g == h. */
bool mt_check_joins(const struct mt_check *check, const struct mt_checked_link *link,
                    int g, int h);

/* The node on which the probe's rank runs; -1: there is no such rank. */
int mt_check_node_of_rank(const struct mt_check *check, int rank);

/*
 * Run the probe on all nodes that answer, which are those that the cluster has not left
 * out, and take in what it says. Of what an earlier call has measured the better value
 * is kept. On a signal that asks motley to stop `*interrupted` becomes it.
 */
MT_MUST_CHECK int mt_check_probe(struct mt_check *check, int *interrupted,
                                 struct mt_error *err);
/* Take in a line that the probe printed; what is no JSON object of the probe's is
   skipped. MT_EIO: it makes no sense. */
MT_MUST_CHECK int mt_check_read(struct mt_check *check, const char *line,
                                struct mt_error *err);

/* Look for all kinds of findings, and list them anew in `check->findings`. */
MT_MUST_CHECK int mt_check_diagnose(struct mt_check *check, struct mt_error *err);

/*
 * Mark in `out` the values further than `tolerance` from their median, which becomes
 * `*median`, and return how many there are. NaN is no value. Two values that are
 * further than that from each other are both marked, as nobody knows which is wrong.
 */
int mt_outliers(bool *out, double *median, const double *values, int count,
                double tolerance);
/* Mark in `out` the values less than 1/factor of what most reach, which becomes `*most`
   and is, of two values, the larger. Returns how many there are. */
int mt_laggards(bool *out, double *most, const double *values, int count,
                double factor);

/*
 * Keep for each two groups, and inside each, the median of the links that were
 * measured: the latency, the bandwidth of the longest messages, and the times of
 * messages of each length. The store `db` is made where it is not there.
 */
MT_MUST_CHECK int mt_check_keep_links(const struct mt_check *check, const char *db,
                                      struct mt_error *err);

MT_MUST_CHECK int mt_check_print(const struct mt_check *check, struct mt_error *err);
MT_MUST_CHECK int mt_check_print_json(const struct mt_check *check,
                                      struct mt_error *err);
/* Draw bandwidth over the size of messages into `target`, as plot.h has it. */
MT_MUST_CHECK int mt_check_plot(const struct mt_check *check, const char *target,
                                struct mt_error *err);

#endif
