/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strassen_tasks.h - which runs tell what a plan of a product needs to know of a
 * cluster: how fast each group's nodes multiply, and what lies between them.
 */
#ifndef MT_CLI_STRASSEN_TASKS_H
#define MT_CLI_STRASSEN_TASKS_H

#include "cli/measure/campaign.h"
#include "programs.h"

#include "motley/cluster.h"
#include "motley/error.h"

/* One node of the group with so many processes, on which products are measured. */
struct mt_configuration mt_strassen_alone(int group, int processes);

/* The places between which messages are measured. Zeroed is empty. */
struct mt_strassen_pairs {
    struct mt_configuration pairs[2 * MT_MAX_GROUPS];
    int count;
};
/*
 * A process on each of two nodes: of each group that has two, and of the first group
 * and each other one, so that every group's connection is among them. Where there is
 * but one node: two processes on it, if it takes them.
 */
struct mt_strassen_pairs mt_strassen_pairs(const struct mt_cluster *cluster);

/* What is measured of messages: matrices of these sizes. */
enum { MT_STRASSEN_SMALL = 100, MT_STRASSEN_LARGE = 1000 };

/* Add all runs of one kind, `repeat` of each. `sizes` are those of products. */
MT_MUST_CHECK int mt_strassen_tasks(struct mt_tasks *tasks,
                                    enum mt_strassen_probe probe,
                                    const struct mt_cluster *cluster,
                                    const double *sizes, int nsizes, int repeat,
                                    struct mt_error *err);

#endif
