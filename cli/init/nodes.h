/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.h - the nodes that 'motley init' finds.
 */
#ifndef MT_INIT_NODES_H
#define MT_INIT_NODES_H

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

/* Add a node of another host than those that are there; the strings are copied.
   MT_EPARSE: its host has no name of a host, as "x,y". */
MT_MUST_CHECK int mt_found_add(struct mt_found_nodes *found,
                               const struct mt_found_node *node, struct mt_error *err);
/* The node of that host, or NULL. */
struct mt_found_node *mt_found_find(const struct mt_found_nodes *found,
                                    const char *host);
void mt_found_clear(struct mt_found_nodes *found);

#endif
