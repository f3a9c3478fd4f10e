/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group_runs.h - the measured runs that a surface is learned from, or compared with:
 * those on one group of nodes.
 */
#ifndef MT_GROUP_RUNS_H
#define MT_GROUP_RUNS_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/learn.h"
#include "motley/program.h"
#include "motley/samples.h"
#include "motley/shape.h"
#include "motley/surface.h"

/* Numbers that are asked for. Zeroed: all. */
struct mt_ranges {
    const char *text;      /* borrowed; what they were read from */
    struct mt_span *spans; /* owned */
    int count;
};
/* Read numbers above 0 and ranges, as "8" or "1:8,16"; `text` must outlive `ranges`,
   which must be empty. */
MT_MUST_CHECK int mt_ranges_parse(struct mt_ranges *ranges, const char *text,
                                  struct mt_error *err);
void mt_ranges_clear(struct mt_ranges *ranges);

/* Which runs are taken. Pointers are borrowed. */
struct mt_group_runs_query {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_shape *shape; /* whose expressions have values at the runs */
    const char *group;            /* NULL: the only one that was run alone */
    struct mt_ranges processes;   /* on a node */
    struct mt_ranges nodes, sizes;
};

/* Zeroed is empty. */
struct mt_group_runs {
    struct mt_learn_run *runs; /* owned; by ranks, then sizes, of each one: the median
                                  of the repetitions */
    int count;
    int made;        /* with repetitions */
    int group;       /* of the cluster */
    int processes;   /* the most on a node */
    char **warnings; /* owned; what was left out and why; NULL, or ended by NULL */
};

/*
 * Take the samples that used one group alone. MT_EINVAL: there is no such group, they
 * are on several, or the shape has a value at none of them; MT_ENOTFOUND: there are
 * none. `runs` must be empty.
 */
MT_MUST_CHECK int mt_group_runs_take(struct mt_group_runs *runs,
                                     const struct mt_samples *samples,
                                     const struct mt_group_runs_query *query,
                                     struct mt_error *err);
void mt_group_runs_clear(struct mt_group_runs *runs);

#endif
