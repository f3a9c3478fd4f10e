/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - what `motley check` gets to know of a cluster, its nodes and how fast
 * messages go between them, and the steps from there to what it shows.
 */
#ifndef MT_CLI_CHECK_CHECK_H
#define MT_CLI_CHECK_CHECK_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* How long messages take over their size, and the sizes at which they take too long
   (links.c). */

enum { MT_CURVE_POINTS = 128 };

/* Points by ascending size. Zeroed is empty. A plain value that owns nothing. */
struct mt_curve {
    int count;
    double bytes[MT_CURVE_POINTS];
    double seconds[MT_CURVE_POINTS]; /* the shortest time */
    double medians[MT_CURVE_POINTS];
};

/* Add the times of messages of a size. For two entries of one size the shorter times
   are kept. Returns false if the curve is full. */
bool mt_curve_add(struct mt_curve *curve, double bytes, double seconds, double median);
/* Bytes per second of a point. */
double mt_curve_bandwidth(const struct mt_curve *curve, int point);
/* The median time of messages of less than 1 KiB; NaN if none. */
double mt_curve_latency(const struct mt_curve *curve);
/* The bandwidth of the largest messages; NaN if the curve is empty. */
double mt_curve_last_bandwidth(const struct mt_curve *curve);
/* The longest message before the step where an MPI begins to wait for the receiver
   (rendezvous): all longer ones take more than a latency longer than the next size, at
   most a quarter larger, would take at its bandwidth. NaN if no step was found. */
double mt_curve_eager(const struct mt_curve *curve);
/* The point of that size, or -1. */
int mt_curve_find(const struct mt_curve *curve, double bytes);

/* Points `first` to `last`, whose bandwidth is at most `lowest`, while smaller and
   larger messages reach `around`. */
struct mt_curve_dip {
    int first, last;
    double lowest, around;
};

/*
 * The first dip that begins at point `start` or later; false if none. At each of two or
 * more neighbouring sizes messages have less than half the bandwidth that both some
 * smaller and some larger ones have, both by the shortest times and by the medians: now
 * and then a message is lucky. Steps of a few latencies do not count: MPIs make them
 * where they change to another protocol.
 */
bool mt_curve_next_dip(struct mt_curve_dip *dip, const struct mt_curve *curve,
                       int start);

/* Kinds of findings; how they are called in JSON, and what can be done about them, is
   in diagnose.c. */
enum mt_finding_kind {
    MT_FOUND_DOWN,
    MT_FOUND_HOST,
    MT_FOUND_MPI,
    MT_FOUND_LOAD,
    MT_FOUND_COMPUTE,
    MT_FOUND_MEMORY,
    MT_FOUND_LINK,
    MT_FOUND_DIP,
    MT_FOUND_MTU,
    MT_FOUND_EAGER,
    MT_FOUND_END
};

/* What is wrong with a cluster. */
struct mt_finding {
    enum mt_finding_kind kind;
    const char *name;   /* of the kind, in JSON */
    const char *advice; /* what can be done about it: a sentence */
    bool measured;      /* so that it may have been bad luck */
    char *text;         /* owned */
    int *nodes;         /* owned; indices of the nodes it is about */
    int nnodes;
    double smallest, largest; /* bytes of the messages it is about; 0: about all */
};

/* Zeroed is empty. */
struct mt_findings {
    struct mt_finding *list; /* owned */
    int count;
};

void mt_findings_clear(struct mt_findings *findings);

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
    char *interface;         /* owned; that messages leave by; NULL: unknown */
    double mtu;              /* of the interface, bytes */
    double eager, buffer;    /* the MPI's eager limit and TCP buffer, bytes */
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
void mt_check_begin(struct mt_check *check, const struct mt_cluster *cluster);
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
void mt_check_choose_links(struct mt_check *check);

/* Whether a link is between groups g and h, or inside g == h. */
bool mt_check_joins(const struct mt_check *check, const struct mt_checked_link *link,
                    int g, int h);

/* The node on which the probe's rank runs; -1 if the rank does not exist. */
int mt_check_node_of_rank(const struct mt_check *check, int rank);

/*
 * Run the probe on all nodes that answer, which are those that the cluster has not left
 * out, and take in what it says. The better of the new value and one from an earlier
 * call is kept. On a signal that asks motley to stop `*interrupted` becomes it.
 */
MT_MUST_CHECK int mt_check_probe(struct mt_check *check, int *interrupted,
                                 struct mt_error *err);
/* Take in a line that the probe printed; what is no JSON object of the probe's is
   skipped. MT_EIO: it makes no sense. */
MT_MUST_CHECK int mt_check_read(struct mt_check *check, const char *line,
                                struct mt_error *err);

/* Look for all kinds of findings, and list them anew in `check->findings`. */
void mt_check_diagnose(struct mt_check *check);

/*
 * Mark in `out` the values further than `tolerance` from their median, which becomes
 * `*median`, and return how many there are. NaN values are ignored. Two values that are
 * further than that from each other are both marked, as either may be wrong.
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

void mt_check_print(const struct mt_check *check);
void mt_check_print_json(const struct mt_check *check);

#endif
