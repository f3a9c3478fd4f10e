/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_runs.h - the measured runs that a surface is learned from, or compared with:
 * those on one group of nodes.
 */
#ifndef MT_CLI_SURFACE_RUNS_H
#define MT_CLI_SURFACE_RUNS_H

#include "cli/common/command.h"

#include "motley/error.h"
#include "motley/learn.h"
#include "motley/shape.h"

/* Zeroed is empty. */
struct mt_surface_runs {
    struct mt_learn_run *runs; /* owned; by ranks, then sizes, of each one: the median
                                  of the repetitions */
    int count;
    int made;      /* with repetitions */
    int group;     /* of the cluster */
    int processes; /* the most on a node */
};

/*
 * The successful runs of the program on the cluster, out of the store of --db, that the
 * options --group, --processes, --nodes and --size ask for, and at which the shape has
 * values. What is left out, as the shape has none there, is added to `warnings` (see
 * argv.h). MT_EINVAL: they are on several groups; MT_ENOTFOUND: there are none.
 * `runs` must be empty.
 */
MT_MUST_CHECK int mt_surface_runs_load(struct mt_surface_runs *runs,
                                       const struct mt_inputs *inputs,
                                       const struct mt_shape *shape, char ***warnings,
                                       struct mt_error *err);
void mt_surface_runs_clear(struct mt_surface_runs *runs);

/* Print each as a warning on stderr. */
void mt_surface_warn(char *const *warnings);

#endif
