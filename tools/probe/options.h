/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - what the probe is asked for.
 */
#ifndef MT_PROBE_OPTIONS_H
#define MT_PROBE_OPTIONS_H

#include "apps/common/arguments.h"

#include <stdbool.h>

#define PROBE_NAME "motley-probe"

/* Two ranks that send each other messages. */
struct pair {
    int from, to;
};

/* Zeroed is valid and empty. */
struct options {
    struct pair *pairs; /* owned */
    int npairs;
    int max_bytes; /* of a message */
    bool compute, alltoall;
};

/* Read them after MPI_Init: ranks of pairs must exist. */
enum arguments_outcome options_read(struct options *options, int argc, char **argv);
void options_clear(struct options *options);

#endif
