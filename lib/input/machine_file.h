/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_file.h - a machine file as it is written, before its values are checked and
 * understood. What is not given is NULL, 0 or false.
 */
#ifndef MT_MACHINE_FILE_H
#define MT_MACHINE_FILE_H

#include "yaml_file.h"

#include "motley/error.h"
#include "motley/machine.h"

#include <cyaml/cyaml.h>

#include <stdbool.h>

struct file_cache_step {
    char *hit;
    char *miss;
};

struct file_compute {
    char *steps;
    char *working_set;
    char *imbalance;
    char **costs;
    unsigned ncosts;
    struct file_cache_step *caches;
    unsigned ncaches;
};

struct file_bandwidth {
    char *base;
    char *half;
    char *contention;
    double strength;
    double exponent;
    bool evens_out;
};

struct file_communication {
    char *messages;
    char *bytes;
    char *mean_bytes;
    char *latency;
    struct file_bandwidth bandwidth;
    bool overlap;
};

struct file_learned {
    int runs;
    int nodes;
    double *sizes;
    unsigned nsizes;
    double error;
};

struct file_algorithm {
    char *name;
    char *work;
    char *memory;
    char *valid;
    struct file_compute compute;
    struct file_communication communication;
    struct file_learned learned;
};

struct file_machine {
    char *name;
    int nodes;
    char *speed;
    char *memory;
    bool simulated;
    struct file_algorithm *algorithms;
    unsigned nalgorithms;
};

/* Of a pointer to struct file_machine. */
extern const struct cyaml_schema_value mt_machine_schema;

/*
 * Parse the expressions of an algorithm, which is the node `map` of the file, into
 * `shape`, and check that they have values on up to `nodes` nodes. On failure `shape`
 * holds what was done so far.
 */
MT_MUST_CHECK int mt_machine_read_shape(struct mt_shape *shape,
                                        const struct file_algorithm *from, int nodes,
                                        const struct mt_yaml *yaml, int map,
                                        struct mt_error *err);
/* Check the numbers of an algorithm, and bring them into `components`. */
MT_MUST_CHECK int mt_machine_read_components(struct mt_components *components,
                                             const struct file_algorithm *from,
                                             const struct mt_yaml *yaml, int map,
                                             struct mt_error *err);

#endif
