/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tune.h - what `motley tune` gets to know, and how it is shown.
 */
#ifndef MT_CLI_TUNE_H
#define MT_CLI_TUNE_H

#include "motley/cluster.h"
#include "motley/error.h"

#include <jansson.h>
#include <stdio.h>

/* Run motley-tune, whose argument vector this is (see argv.h), on this machine; what
   it prints goes to `output`. MT_EIO: it failed. */
MT_MUST_CHECK int mt_tune_here(char *const *command, FILE *output,
                               struct mt_error *err);
/* The same on one node of each group, at the same time. `interrupted` is the signal
   that asked motley to stop, or stays 0. */
MT_MUST_CHECK int mt_tune_nodes(char **command, const struct mt_cluster *cluster,
                                FILE *output, int *interrupted, struct mt_error *err);

/* Read what it has printed: a list of objects, as motley-tune(1) says; the caller
   releases it. MT_EIO: there is none. */
MT_MUST_CHECK int mt_tune_read(json_t **machines, FILE *output, struct mt_error *err);
/* A table of them, on stdout. */
MT_MUST_CHECK int mt_tune_print(const json_t *machines, struct mt_error *err);

#endif
