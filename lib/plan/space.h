/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * space.h - what a plan may choose from: every (group, layout of its nodes) that
 * has a model, with its predicted time at P, or bounds of it over a range of P.
 */
#ifndef MT_PLAN_SPACE_H
#define MT_PLAN_SPACE_H

#include "lib/model/internal.h"
#include "motley/plan.h"
#include "rank.h"

#include <stdint.h>

/* One way to use the nodes of a group. */
struct mt_option {
    int group;
    struct mt_layout layout;
    const struct mt_model *model[2]; /* where the program's split is false, true */
};

/* All groups that may be mixed; a group that is to be used alone is an island. */
enum { MT_MAINLAND = -1 };

/* What all configurations of a space have in common. */
struct mt_region {
    int island;        /* the group alone, or MT_MAINLAND */
    enum mt_bind bind; /* of all layouts */
    int threads;       /* of each process; 0: any */
};

/* Zeroed is empty. */
struct mt_space {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_question *question;
    struct mt_region region;
    struct mt_option *options; /* owned; a group's stand together, layouts descending */
    int noptions;
    int64_t takes[MT_RESOURCES][MT_MAX_GROUPS]; /* of a node of each group */
    enum mt_resource least; /* what the objective is to have least of */
    int most_ranks;         /* if all nodes are used with most processes; < INT_MAX */
    double evaluated;
};

/* The options of a region: there may be none. */
MT_MUST_CHECK int mt_space_init(struct mt_space *space,
                                const struct mt_problem *problem,
                                const struct mt_question *question,
                                struct mt_region region, struct mt_error *err);
void mt_space_clear(struct mt_space *space);

/*
 * Write the predicted seconds of every option at `ranks` total processes; INFINITY for
 * one that has no model there, does not fit into memory or misses the deadline. Returns
 * false when no configuration of so many processes may run.
 */
bool mt_space_seconds(struct mt_space *space, int ranks, double *seconds);
/* The same over a range of P: lower bounds; INFINITY where it is so at each P. */
bool mt_space_least_seconds(struct mt_space *space, int low, int high, double *seconds);

#endif
