/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cluster.h - a random cluster.
 */
#ifndef BLIND_CLUSTER_H
#define BLIND_CLUSTER_H

#include <stdint.h>
#include <stdio.h>

/* What programs are made for. */
struct drawn_cluster {
    double flops;  /* of all cores together, per second */
    double memory; /* of the smallest node, bytes */
    int ranks;     /* most of them */
};

struct drawn_cluster draw_cluster(FILE *stream, uint64_t seed);

#endif
