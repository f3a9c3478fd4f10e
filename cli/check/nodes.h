/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.h - what `motley check` gets to know of a cluster: its nodes, and how fast
 * messages go between them.
 */
#ifndef MT_CLI_CHECK_NODES_H
#define MT_CLI_CHECK_NODES_H

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
    double clock, clock_error; /* seconds ahead of the first node's */
    double flops, bandwidth;   /* per second, of its processor and its memory */
    double watts;              /* of its processors when all cores are busy */
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

/* Look for all kinds of findings, and list them anew in `check->findings`; in
   diagnose.c. */
MT_MUST_CHECK int mt_check_diagnose(struct mt_check *check, struct mt_error *err);
/* The part of that which looks at messages that are slower than smaller and larger
   ones; in dips.c. */
MT_MUST_CHECK int mt_check_find_dips(struct mt_check *check, struct mt_error *err);

/* The node on which the probe's rank runs; -1: there is no such rank. */
int mt_check_node_of_rank(const struct mt_check *check, int rank);

#endif
