/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check.h - what `motley check` learns about a cluster's nodes and the messages between
 * them, and the steps to its report.
 */
#ifndef MT_CLI_CHECK_CHECK_H
#define MT_CLI_CHECK_CHECK_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>
#include <stdio.h>

/* Times of messages over their size, and the sizes at which they take too long
   (links.c). */

enum { MT_CURVE_POINTS = 128 };

/* Points by ascending size. Empty if zeroed. A plain value that owns nothing. */
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
   (rendezvous); NaN if none. All longer ones take at least a latency more than the next
   size, at most a quarter larger, would take at this message's bandwidth. */
double mt_curve_eager(const struct mt_curve *curve);
/* The point of that size, or -1. */
int mt_curve_find(const struct mt_curve *curve, double bytes);

/* A dip: points `first` to `last` have a bandwidth of at most `lowest`, while smaller
   and larger messages reach `around`. */
struct mt_curve_dip {
    int first, last;
    double lowest, around;
};

/*
 * The first dip that begins at point `start` or later; false if none. A dip has two or
 * more neighbouring sizes, whose bandwidth is less than half of what both smaller and
 * larger messages reach, by the shortest times and by the medians, since single
 * messages may be lucky. Steps of a few latencies do not count: an MPI's change of
 * protocol causes them.
 */
bool mt_curve_next_dip(struct mt_curve_dip *dip, const struct mt_curve *curve,
                       int start);

/* Kinds of findings; their names in JSON and their remedies are in diagnose.c. */
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

/* A finding. */
struct mt_finding {
    enum mt_finding_kind kind;
    const char *name;   /* of the kind, in JSON */
    const char *advice; /* the remedy, a sentence */
    bool measured;      /* so it may be due to chance */
    char *text;         /* owned */
    int *nodes;         /* owned; indices of its nodes */
    int nnodes;
    double smallest, largest; /* bytes of its messages; 0: all */
};

/* Empty if zeroed. */
struct mt_findings {
    struct mt_finding *list; /* owned */
    int count;
};

void mt_findings_clear(struct mt_findings *findings);

/* A node, and the probe's report on it. Unknown numbers are NaN. */
struct mt_checked_node {
    const char *name; /* borrowed of the cluster */
    int group;
    bool answers;
    char *reason; /* owned; the launcher's message if it does not answer, or NULL */
    char *host;   /* owned; the host name by the probe; NULL: not probed */
    char *mpi;    /* owned; its MPI with the version */
    double cores, load;
    double flops, bandwidth; /* per second, of its processor and its memory */
    char *interface;         /* owned; the interface that messages use; NULL: unknown */
    double mtu;              /* of the interface, bytes */
    double eager, buffer;    /* the MPI's eager limit and TCP buffer, bytes */
};

/* Messages between two nodes, which are indices. */
struct mt_checked_link {
    int from, to;
    struct mt_curve curve;   /* of the sizes measured on all links */
    struct mt_curve between; /* of further sizes, where times jump */
};

/* Empty if zeroed. */
struct mt_check {
    const struct mt_cluster *cluster; /* borrowed */
    struct mt_checked_node *nodes;    /* owned; in the order of the cluster's file */
    int nnodes, nanswer;
    struct mt_checked_link *links; /* owned */
    int nlinks;
    struct mt_curve alltoall; /* bytes to each of the other nodes */
    bool said_all;            /* the latest probe reached its last test */
    bool endless;             /* a probe finished its tests, but did not exit by
                                 itself */
    struct mt_findings findings;
};

/* List the cluster's nodes, without any data yet. The cluster must outlive the
   check. */
void mt_check_begin(struct mt_check *check, const struct mt_cluster *cluster);
void mt_check_clear(struct mt_check *check);

/*
 * Ping all nodes of the cluster, and leave out of it those that do not answer. If there
 * is a store `db`, it records these as down, and the others as up; a failure to write
 * it is only a warning. MT_EIO: no node answers; a testbed that is not up fails as in
 * mt_testbed_check().
 */
MT_MUST_CHECK int mt_check_ping(struct mt_check *check, struct mt_cluster *cluster,
                                const char *db, struct mt_error *err);

/* Choose the links to check between nodes that answer: a ring of all nodes, and one
   link for each two groups. */
void mt_check_choose_links(struct mt_check *check);

/* Whether a link is between groups g and h, or inside g if they are equal. */
bool mt_check_joins(const struct mt_check *check, const struct mt_checked_link *link,
                    int g, int h);

/* The node on which the probe's rank runs; -1 if the rank does not exist. */
int mt_check_node_of_rank(const struct mt_check *check, int rank);

/*
 * Run the probe on all nodes that the cluster has not left out, and read its report. It
 * keeps the better of the new value and that of an earlier call. `*interrupted` becomes
 * a signal that asks motley to stop.
 */
MT_MUST_CHECK int mt_check_probe(struct mt_check *check, int *interrupted,
                                 struct mt_error *err);
/* Read a line of the probe; anything else than a JSON object of the probe is skipped.
   MT_EIO: the object is invalid. */
MT_MUST_CHECK int mt_check_read(struct mt_check *check, const char *line,
                                struct mt_error *err);

/* Search for all kinds of findings, and replace `check->findings`. */
void mt_check_diagnose(struct mt_check *check);

/*
 * Mark in `out` the values further than `tolerance` from their median, which becomes
 * `*median`, and return their number. NaN values are ignored. If there are just two
 * values, and they differ by more than that, both are marked, as either may be wrong.
 */
int mt_outliers(bool *out, double *median, const double *values, int count,
                double tolerance);
/* Mark in `out` the values less than 1/factor of the typical value (of two values, the
   larger), which `*most` receives. Returns their number. */
int mt_laggards(bool *out, double *most, const double *values, int count,
                double factor);

/*
 * Store, for each two groups and inside each, the medians of the measured links:
 * latency, bandwidth of the longest messages, and times of messages of each length.
 * Creates the store `db` if it does not exist.
 */
MT_MUST_CHECK int mt_check_keep_links(const struct mt_check *check, const char *db,
                                      struct mt_error *err);

void mt_check_print(const struct mt_check *check);
void mt_check_print_json(const struct mt_check *check);

#endif
