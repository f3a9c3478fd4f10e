/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * truth.h - the true times of a random program on a random cluster: simulated without
 * noise when they are asked for, and kept in a file that later runs share.
 */
#ifndef BLIND_TRUTH_H
#define BLIND_TRUTH_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/program.h"
#include "motley/samples.h"

#include <stdint.h>

/* Zeroed is empty. */
struct truth {
    uint64_t seed;
    struct mt_cluster cluster;
    struct mt_program program;
    char *path;               /* owned; of the file */
    char *scratch;            /* owned; a folder for the simulation */
    struct mt_sample *points; /* owned; NaN: the run failed */
    int count;
    double noise;   /* of its runs: standard deviation of the seconds' logarithm */
    int simulated;  /* how many of the points now, ... */
    double seconds; /* ... and how long that took */
};

/*
 * The case of that seed and program (one of draw.h's). Its files are written into
 * FOLDER/SEED, and its truth into FOLDER/SEED/PROGRAM-VERSION.csv, where the version
 * depends on what the files say. Several processes may add to it at the same time.
 * `truth` must be empty.
 */
MT_MUST_CHECK int truth_open(struct truth *truth, const char *folder, uint64_t seed,
                             const char *program, struct mt_error *err);
void truth_close(struct truth *truth);

/* Whether the program may run so. */
bool truth_allows(const struct truth *truth,
                  const struct mt_configuration *configuration, double size);

/* The seconds; NaN: the run fails. */
MT_MUST_CHECK int truth_seconds(struct truth *truth,
                                const struct mt_configuration *configuration,
                                double size, double *seconds, struct mt_error *err);

/* The seconds of a run with noise; NaN: it fails. The repetition says which run. */
MT_MUST_CHECK int truth_run(struct truth *truth,
                            const struct mt_configuration *configuration, double size,
                            int repetition, double *seconds, struct mt_error *err);

#endif
