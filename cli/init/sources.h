/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sources.h - the nodes that 'motley init' finds, and where it finds them. `found` must
 * be empty; on failure it holds what was found so far.
 */
#ifndef MT_INIT_SOURCES_H
#define MT_INIT_SOURCES_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <stdbool.h>

/* A node. Strings are owned. */
struct mt_found_node {
    char *host;
    int slots;        /* as many processes make sense */
    bool guessed;     /* nothing tells them */
    int cores;        /* that they may use; 0: unknown */
    int fast_cores;   /* of a hybrid processor; 0: all are alike */
    double memory;    /* bytes; 0: unknown */
    char *features;   /* words separated by commas that tell kinds of nodes apart; NULL:
                         none */
    char *partitions; /* of a scheduler that it is in, likewise */
};

/* Zeroed is empty. */
struct mt_found_nodes {
    enum mt_launcher launcher;
    struct mt_found_node *nodes; /* owned */
    int count;
    void *by_host; /* owned; where each is, for tsearch() */
};

void mt_found_clear(struct mt_found_nodes *found);

/*
 * A hostfile as Open MPI ("host slots=4"), MPICH ("host:4") or anybody ("host 4", or
 * one host a line, once for each slot) writes it.
 */
MT_MUST_CHECK int mt_init_from_hostfile(struct mt_found_nodes *found, const char *path,
                                        struct mt_error *err);
/* Slurm's nodes, as sinfo lists them. MT_ENOTFOUND: there is no sinfo; MT_EIO: it does
   not answer. */
MT_MUST_CHECK int mt_init_from_slurm(struct mt_found_nodes *found,
                                     struct mt_error *err);
/* This machine, as hwloc sees it. */
MT_MUST_CHECK int mt_init_from_machine(struct mt_found_nodes *found,
                                       struct mt_error *err);

#endif
