/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of surfaces beyond the public headers.
 */
#ifndef MT_SURFACE_INTERNAL_H
#define MT_SURFACE_INTERNAL_H

#include "lib/learn/internal.h"
#include "motley/model.h"
#include "motley/surface.h"

#include <stdbool.h>

/* Queries on surfaces. Sizes and nodes are whole numbers. Sizes that do not fit into
   memory count only where stated. */

const struct mt_machine *mt_surface_machine(const struct mt_surface *surface);
const struct mt_algorithm *mt_surface_algorithm(const struct mt_surface *surface);

/*
 * The points at all sizes and nodes: points[i * nnodes + j] is that at (sizes[i],
 * nodes[j]). 512 x 512 of them take a few milliseconds. Above 1024 points, those whose
 * messages would have to be followed (motley-machine(5)) are computed by a formula.
 */
void mt_surface_grid(const struct mt_surface *surface, const double *sizes, int nsizes,
                     const double *nodes, int nnodes, struct mt_surface_point *points);
/* The largest whole size from `low` to `high` that fits into the memory of `nodes`
   nodes; NaN: not even `low`. `high` where the memory is unknown. */
double mt_surface_memory_limit(const struct mt_surface *surface, double nodes,
                               double low, double high);

/*
 * The ridge: the size of the span with the best efficiency on `nodes` nodes, of those
 * that are valid and fit. Ties go to the largest. False if none. Up to 4096 sizes are
 * all tried, else some in steps of a quarter of a percent, and others around the best
 * of them.
 */
bool mt_best_size(const struct mt_surface *surface, double nodes, struct mt_span sizes,
                  struct mt_surface_point *point, double *size);

/*
 * The speed-up on `nodes` nodes over one node at size `base`: the ratio of operations
 * per second of the whole machine. `*size` is the size that is run. As in the paper's
 * figure 1, memory is assumed to suffice. If several sizes qualify, it is the largest.
 * NaN: not valid, or no size up to 2^53 takes longer or needs more.
 */
double mt_speedup(const struct mt_surface *surface, enum mt_speedup kind, double base,
                  double nodes, double *size);

/*
 * The iso-efficiency function W = f_E(P), in sizes: the smallest and the largest size
 * of the span, fitting into memory, at which the efficiency is at least that. False if
 * none. With efficiency = V / V_ref it is the iso-speed function.
 */
bool mt_iso_efficiency(const struct mt_surface *surface, double efficiency,
                       double nodes, struct mt_span sizes, struct mt_span *found);

/* Add the cliffs for growing sizes on `nodes` nodes, up to the memory. */
MT_MUST_CHECK int mt_cliffs_of_sizes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double nodes,
                                     struct mt_span sizes, struct mt_error *err);
/* Add the cliffs for growing numbers of nodes at that size. */
MT_MUST_CHECK int mt_cliffs_of_nodes(struct mt_cliffs *cliffs,
                                     const struct mt_surface *surface, double size,
                                     struct mt_span nodes, struct mt_error *err);
void mt_cliffs_clear(struct mt_cliffs *cliffs);

/* Surveys, and the comparison of two surfaces. */

enum { MT_MAX_AXIS = 4096 };
/* The span from the first to the last. */
struct mt_span mt_axis_span(const struct mt_axis *axis);
MT_MUST_CHECK int mt_axis_copy(struct mt_axis *copy, const struct mt_axis *axis,
                               struct mt_error *err);
/* The index of the i-th of at most `most` (at least 2) numbers selected from `count`:
   the first, the last, and others evenly between. */
int mt_axis_pick(int i, int count, int most);
/* Keep these alone. */
void mt_axis_thin(struct mt_axis *axis, int most);

/* 1, 2, 4, ... up to `most`. */
MT_MUST_CHECK int mt_axis_of_nodes(struct mt_axis *nodes, double most,
                                   struct mt_error *err);

/*
 * Useful sizes on up to `nodes` nodes: from a sixteenth of the largest that fits into
 * one node's memory to the largest that fits into all; with unknown memory, from the
 * smallest size that the machine was learned from to four times the largest. MT_EINVAL
 * when neither is known.
 */
MT_MUST_CHECK int mt_sizes_of_interest(struct mt_span *span,
                                       const struct mt_surface *surface, double nodes,
                                       struct mt_error *err);
/* Round useful sizes, each about 1.4 times the one before. */
MT_MUST_CHECK int mt_axis_of_sizes(struct mt_axis *sizes,
                                   const struct mt_surface *surface, double nodes,
                                   struct mt_error *err);

/* The number of nodes from which one machine or algorithm is faster than another. */

/* Which of two surfaces is faster (has the smaller T) from `nodes` on. */
struct mt_crossing {
    double nodes; /* the fewest nodes from which b is faster, or no longer faster */
    bool b_faster;
};
/* Empty if zeroed. */
struct mt_crossings {
    struct mt_crossing *crossings; /* owned, by ascending nodes; the first is at the
                                      first number at which both are valid */
    int count;
};

/*
 * Find where one overtakes the other as the nodes of both grow together at one size.
 * Sizes that do not fit count as if they did; numbers of nodes at which one is not
 * valid are skipped. MT_EINVAL when the two do not count the same work.
 */
MT_MUST_CHECK int mt_crossings_find(struct mt_crossings *crossings,
                                    const struct mt_surface *a,
                                    const struct mt_surface *b, double size,
                                    struct mt_span nodes, struct mt_error *err);
void mt_crossings_clear(struct mt_crossings *crossings);

/* Two surfaces at several sizes. Empty if zeroed. */
struct mt_comparison {
    const struct mt_surface *surfaces[2]; /* borrowed */
    struct mt_axis sizes, nodes;
    struct mt_crossings *crossings; /* owned; one for each size */
};

/*
 * Compare at those numbers of nodes and sizes; NULL: up to as many nodes as both
 * machines have, and useful sizes of the first, or else of the second. `comparison`
 * must be empty except for its surfaces. MT_EINVAL as for mt_crossings_find(), or when
 * neither machine gives useful sizes.
 */
MT_MUST_CHECK int mt_comparison_make(struct mt_comparison *comparison,
                                     const struct mt_axis *nodes,
                                     const struct mt_axis *sizes, struct mt_error *err);
void mt_comparison_clear(struct mt_comparison *comparison);

/*
 * A group of nodes as a machine, learned from a program's runs on some of them: the
 * result becomes an algorithm of a machine file.
 */

/*
 * The measured runs to learn a surface from, or to compare it with: those on one group
 * of nodes.
 */

/* Requested numbers. Zeroed: all. */
struct mt_ranges {
    const char *text;      /* borrowed; their text */
    struct mt_span *spans; /* owned */
    int count;
};

/* Read numbers above 0 and ranges, as "8" or "1:8,16"; `text` must outlive `ranges`,
   which must be empty. */
MT_MUST_CHECK int mt_ranges_parse(struct mt_ranges *ranges, const char *text,
                                  struct mt_error *err);
void mt_ranges_clear(struct mt_ranges *ranges);

/* Which runs to take. Pointers are borrowed. */
struct mt_group_runs_query {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_shape *shape; /* its expressions must have values at the runs */
    const char *group;            /* NULL: the only one that ran alone */
    struct mt_ranges processes;   /* on a node */
    struct mt_ranges nodes, sizes;
};

/* Empty if zeroed. */
struct mt_group_runs {
    struct mt_learn_run
        *runs; /* owned; by ranks, then sizes. The fastest of repetitions counts, since
                  disturbances only slow runs down; with simulated noise, which goes
                  both ways, the median */
    int count;
    int made;        /* with repetitions */
    int group;       /* of the cluster */
    int processes;   /* the most on a node */
    char **warnings; /* owned; runs left out and why; NULL, or ended by NULL */
};

/*
 * Take the samples that used one group alone. MT_EINVAL: no such group, they are on
 * several, or the shape has a value at none of them; MT_ENOTFOUND: none. `runs` must be
 * empty.
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

/* Empty if zeroed. */
struct mt_machine_fit {
    const struct mt_cluster *cluster;  /* borrowed */
    double caches[MT_MAX_CACHE_STEPS]; /* of a node, on entry; see mt_learn_nodes */
    int ncaches;                       /* 0: not known */
    struct mt_group_runs runs;
    struct mt_learned learned;
    struct mt_machine machine; /* with the learned algorithm, named after the program */
    enum mt_speed_origin speed_origin;
    char **warnings; /* owned; NULL, or ended by NULL */
};

/*
 * Learn from the samples that match `query`, whose shape is the program's. `speed` is
 * that of a node at its best, operations per second; 0: not given. On entry the fit is
 * empty except for the caches of a node, and its machine may have been read from a
 * file: then the algorithm is added or replaced there. MT_EINVAL when that is another
 * machine, or the program has no `work`; else as mt_group_runs_take() and mt_learn().
 */
MT_MUST_CHECK int mt_machine_fit_make(struct mt_machine_fit *fit,
                                      const struct mt_samples *samples,
                                      const struct mt_group_runs_query *query,
                                      double speed, struct mt_error *err);
void mt_machine_fit_clear(struct mt_machine_fit *fit);

/* The use of the group's nodes for `ranks` processes; zeroed: impossible. */
struct mt_use mt_machine_fit_use(const struct mt_machine_fit *fit, int ranks);

/* Replace the file at `path` by the machine, whole or not at all. MT_EIO when it cannot
   be written. */
MT_MUST_CHECK int mt_machine_fit_write(const struct mt_machine_fit *fit,
                                       const char *path, struct mt_error *err);

/*
 * The accuracy of a surface: the errors of the efficiency at measured runs, and the
 * distance of the best sizes from the predicted ones.
 */

/* A point of the surface that was measured. */
struct mt_measured_point {
    double size;
    int nodes;
    double seconds, efficiency; /* measured: the median of its repetitions */
    double predicted_seconds, predicted_efficiency;
    double error; /* predicted_efficiency / efficiency - 1 */
    bool fits;    /* into the memory of a node */
};

/* The errors of some points. Zeroed: no points. */
struct mt_point_errors {
    int points;
    double mean;                           /* of the absolute values */
    const struct mt_measured_point *worst; /* borrowed; NULL: none */
};

/* The best size on some number of nodes, measured and predicted. */
struct mt_measured_ridge {
    bool found; /* false: fewer than three sizes that fit, not a grid */
    double size, predicted_size;
    int steps;   /* from the best to the predicted size, among the sizes measured
                    there */
    double loss; /* of the measured efficiency, at the predicted size */
};

/* The points of one number of nodes. */
struct mt_nodes_accuracy {
    int nodes;
    struct mt_point_errors errors;
    struct mt_measured_ridge ridge;
};

enum { MT_WORST_POINTS = 5 };

/* Empty if zeroed. */
struct mt_accuracy {
    struct mt_measured_point *points; /* owned; by nodes, then sizes */
    int count;                        /* at least 1 */
    int misfits;                      /* points beyond the memory of a node */
    struct mt_point_errors all;
    struct mt_point_errors learned;  /* up to the nodes of the runs that the surface was
                                        learned from */
    struct mt_point_errors beyond;   /* all, if it was not learned */
    struct mt_nodes_accuracy *nodes; /* owned; ascending */
    int nnodes;
    const struct mt_measured_point *worst[MT_WORST_POINTS]; /* the worst first */
    int nworst;
};

/* Compare. There is at least one run; `accuracy` must be empty. */
MT_MUST_CHECK int mt_accuracy_find(struct mt_accuracy *accuracy,
                                   const struct mt_surface *surface,
                                   const struct mt_group_runs *runs,
                                   struct mt_error *err);
void mt_accuracy_clear(struct mt_accuracy *accuracy);

/* The whole numbers of a span to try: all of a short one, and of a long one some in
   small steps. Surfaces jump, so bisection alone would miss features. */

/* The next whole number; from 2^53 on, the next double. */
double mt_scan_after(double value);
/* The step from `value` to the next number that is tried: 1, or a quarter of a percent.
 */
double mt_scan_step(struct mt_span span, double value);
/* The next number; beyond span.high at the end. span.high is tried last. */
double mt_scan_next(struct mt_span span, double value);

/*
 * Move *nodes up to the first number from itself to `high` at which that size is valid
 * and fits, and give the point there; false if none. Some algorithms take only squares,
 * which steps would skip.
 */
bool mt_scan_possible(const struct mt_surface *surface, double size, double high,
                      double *nodes, struct mt_surface_point *point);

#endif
