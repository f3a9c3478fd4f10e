/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_fit.h - the machine that a group of nodes is, as a program's runs on some of
 * them tell it: what is learned from them becomes an algorithm of a machine file.
 */
#ifndef MT_MACHINE_FIT_H
#define MT_MACHINE_FIT_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/learn.h"
#include "motley/machine.h"
#include "motley/program.h"
#include "motley/samples.h"
#include "motley/shape.h"
#include "motley/surface.h"

MT_C_BEGIN

/*
 * The measured runs that a surface is learned from, or compared with: those on one
 * group of nodes.
 */

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
    struct mt_learn_run
        *runs; /* owned; by ranks, then sizes. Of repetitions the fastest
                  counts, as what else goes on makes runs slower only;
                  simulated noise goes both ways: of these the median */
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

/* The machine that is learned from them. */

/* Where the speed of a node at its best comes from. */
enum mt_speed_origin {
    MT_SPEED_GIVEN,
    MT_SPEED_OF_FILE, /* of the machine as it was */
    MT_SPEED_OF_RUNS  /* the fastest */
};

/* Zeroed is empty. */
struct mt_machine_fit {
    const struct mt_cluster *cluster;  /* borrowed */
    double caches[MT_MAX_CACHE_STEPS]; /* of a node, on entry; see mt_learn_nodes */
    int ncaches;                       /* 0: not known */
    struct mt_group_runs runs;
    struct mt_learned learned;
    struct mt_machine machine; /* with what was learned as the algorithm that is named
                                  after the program */
    enum mt_speed_origin speed_origin;
    char **warnings; /* owned; NULL, or ended by NULL */
};

/*
 * Learn from the samples that `query` asks for; its shape is the program's. `speed` is
 * that of a node at its best, operations per second; 0: not given. On entry the fit is
 * empty, but for the caches of a node, and its machine may have been read from a file:
 * then the algorithm is added or replaced there. MT_EINVAL when that is another
 * machine, or the program does not say its work; else as mt_group_runs_take() and
 * mt_learn().
 */
MT_MUST_CHECK int mt_machine_fit_make(struct mt_machine_fit *fit,
                                      const struct mt_samples *samples,
                                      const struct mt_group_runs_query *query,
                                      double speed, struct mt_error *err);
void mt_machine_fit_clear(struct mt_machine_fit *fit);

/* How the group's nodes hold so many processes; zeroed: they do not. */
struct mt_use mt_machine_fit_use(const struct mt_machine_fit *fit, int ranks);

/* Replace the file at `path` by the machine, all of it or not at all. MT_EIO when it
   cannot be written. */
MT_MUST_CHECK int mt_machine_fit_write(const struct mt_machine_fit *fit,
                                       const char *path, struct mt_error *err);

MT_C_END

#endif
