/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * speeds.h - the measurements of a cluster that a plan of a product needs: the speed of
 * each group's nodes, and the network; and their runs in the store.
 */
#ifndef MT_PARTITION_SPEEDS_H
#define MT_PARTITION_SPEEDS_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/partition.h"
#include "motley/store.h"

/* What is measured. */
enum mt_strassen_probe {
    MT_PROBE_PRODUCT,  /* an N x N product on each process, by the BLAS */
    MT_PROBE_STRASSEN, /* the same with one level of Strassen's method */
    MT_PROBE_TRANSFER, /* an N x N matrix from one process to another */
    MT_PROBE_AGAIN,    /* the same into memory that was used before */
    MT_PROBE_EXCHANGE, /* the same in both directions at once */
    MT_PROBE_OVERLAP   /* time of exchanges and products together, each of which takes a
                          second alone: 2 - overlap, see struct mt_partition_network */
};
enum { MT_PROBES = MT_PROBE_OVERLAP + 1 };

/* The program's name in the store. */
const char *mt_strassen_probe_name(enum mt_strassen_probe probe);

/* One node of the group with `processes` processes, on which products are measured. */
struct mt_configuration mt_strassen_alone(int group, int processes);

/* The pairs of processes between which messages are measured. Empty if zeroed. */
struct mt_strassen_pairs {
    struct mt_configuration pairs[2 * MT_MAX_GROUPS];
    int count;
};
/*
 * A process on each of two nodes: of each group that has two, and of the first group
 * and each other one, so that every group's connection is covered. On a single node:
 * two processes, if it takes them.
 */
struct mt_strassen_pairs mt_strassen_pairs(const struct mt_cluster *cluster);

/* Sizes of the matrices whose transfer is measured. */
enum { MT_STRASSEN_SMALL = 100, MT_STRASSEN_LARGE = 1000 };

struct mt_strassen_calibration {
    struct mt_strassen_speed speeds[MT_MAX_GROUPS]; /* of a process; of used groups */
    struct mt_partition_network network; /* of the slowest pair of nodes measured */
};

/*
 * Read the calibration of the configuration's nodes, with its processes on each.
 * MT_ENOTFOUND names a missing measurement.
 */
MT_MUST_CHECK int mt_strassen_calibrate(struct mt_strassen_calibration *calibration,
                                        struct mt_store *store,
                                        const struct mt_cluster *cluster,
                                        const struct mt_configuration *configuration,
                                        struct mt_error *err);

#endif
