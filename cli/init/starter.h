/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * starter.h - what 'motley init' finds out about a cluster, and the files that it
 * writes for users to go on from.
 */
#ifndef MT_CLI_STARTER_H
#define MT_CLI_STARTER_H

#include "motley/cluster.h"
#include "motley/error.h"

/* A node. Strings are owned. */
struct mt_starter_node {
    char *host;
    int slots;        /* as many processes make sense */
    int cores;        /* that they may use; 0: unknown */
    int fast_cores;   /* of a hybrid processor; 0: all are alike */
    double memory;    /* bytes; 0: unknown */
    char *features;   /* words separated by commas that tell kinds of nodes apart; NULL:
                         none */
    char *partitions; /* of a scheduler that it is in, likewise */
};

/* Zeroed is empty. */
struct mt_starter {
    enum mt_launcher launcher;
    struct mt_starter_node *nodes; /* owned */
    int count;
};

/* Add a node; the strings are copied. */
MT_MUST_CHECK int mt_starter_add(struct mt_starter *starter,
                                 const struct mt_starter_node *node,
                                 struct mt_error *err);
/* The node of that host, or NULL. */
struct mt_starter_node *mt_starter_find(const struct mt_starter *starter,
                                        const char *host);
void mt_starter_clear(struct mt_starter *starter);

/* The launcher that is installed, Open MPI before MPICH; Open MPI when none is. */
enum mt_launcher mt_starter_launcher(void);

/*
 * The sources: `starter` must be empty, and holds what was found so far on failure.
 *
 * A hostfile as Open MPI ("host slots=4"), MPICH ("host:4") or anybody (one host a
 * line, once for each slot) writes it.
 */
MT_MUST_CHECK int mt_starter_from_hostfile(struct mt_starter *starter, const char *path,
                                           struct mt_error *err);
/* Slurm's nodes, as sinfo lists them. MT_ENOTFOUND: there is no sinfo; MT_EIO: it does
   not answer. */
MT_MUST_CHECK int mt_starter_from_slurm(struct mt_starter *starter,
                                        struct mt_error *err);
/* This machine, as hwloc sees it. */
MT_MUST_CHECK int mt_starter_from_machine(struct mt_starter *starter,
                                          struct mt_error *err);

/*
 * Write a cluster file with comments that explain it: nodes with the same cores,
 * memory, features and partitions make a group. `origin` is for a comment: "this
 * machine". MT_EINVAL for a file that is there already, which is left as it is, and for
 * more than MT_MAX_GROUPS groups. What was written is read again as a check.
 */
MT_MUST_CHECK int mt_starter_write_cluster(const struct mt_starter *starter,
                                           const char *path, const char *origin,
                                           struct mt_error *err);
/* Likewise a program file. */
MT_MUST_CHECK int mt_starter_write_program(const char *path, struct mt_error *err);

#endif
