/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine.h - a machine of equal nodes, and what algorithms cost on it; read from a
 * YAML file, see motley-machine(5). The surface of surface.h is made of it.
 */
#ifndef MT_MACHINE_H
#define MT_MACHINE_H

#include "motley/components.h"
#include "motley/error.h"
#include "motley/shape.h"

#include <stdbool.h>
#include <stdio.h>

MT_C_BEGIN

enum { MT_MOST_NODES = 1000000 }; /* of a machine, as of a cluster */

/* The runs that components were learned from. Zeroed: they were not learned. */
struct mt_learned_from {
    int runs;
    int nodes; /* the most that a run used */
    double size_low, size_high;
    double error; /* mean of |predicted / measured - 1| in cross-validation */
};

/* What one algorithm is and costs. All pointers are owned. */
struct mt_algorithm {
    char *name;
    struct mt_shape shape; /* `work` is always there */
    struct mt_components components;
    struct mt_learned_from learned;
};

/* Zeroed is empty; mt_machine_clear() makes it empty again. All members are owned. */
struct mt_machine {
    char *name;
    char *path;              /* of the file, for messages; NULL: none */
    bool simulated;          /* its parameters come from a simulated cluster */
    int nodes;               /* one process on each */
    double speed;            /* V_ref: of one node at its best, operations per second */
    double memory;           /* of a node, bytes; 0: unknown, everything fits */
    struct mt_wiring wiring; /* its nodes are those of the machine; the components of
                                all algorithms have it, too */
    struct mt_algorithm *algorithms;
    int nalgorithms; /* at least 1 */
};

/*
 * Read and check the machine file at `path` into `machine`, which must be empty. Errors
 * as for mt_cluster_load(): unknown or doubled keys, wrong types, units that are
 * missing or of another kind, what mt_components_check() refuses, expressions that do
 * not parse or have no value where the algorithm is valid.
 */
MT_MUST_CHECK int mt_machine_load(struct mt_machine *machine, const char *path,
                                  struct mt_error *err);
void mt_machine_clear(struct mt_machine *machine);
/* The algorithm of that name; NULL, the first. MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_machine_find(const struct mt_algorithm **algorithm,
                                  const struct mt_machine *machine, const char *name,
                                  struct mt_error *err);
/*
 * Write the machine as a file that mt_machine_load() reads to the same numbers. MT_EIO
 * when writing fails.
 */
MT_MUST_CHECK int mt_machine_write(const struct mt_machine *machine, FILE *stream,
                                   struct mt_error *err);

MT_C_END

#endif
