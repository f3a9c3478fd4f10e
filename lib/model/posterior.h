/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posterior.h - what the runs say about the time of any configuration: the default
 * model.
 *
 * The logarithm of a run's seconds is
 *
 *     y = log f_h(x, N; u) + delta(x, N) + mix(x) + e
 *
 * where f_h is one of a few hypotheses (hypotheses, hypotheses.c) with coefficients
 * exp(u), delta is a Gaussian process that says how far any hypothesis is off
 * (discrepancy.c), mix is common to configurations of several groups, and e is the
 * noise of a run. For each hypothesis and each pair (tau, sigma), the deviations of
 * delta and e, u is found by Levenberg and Marquardt's method, with the evidence by
 * Laplace's approximation (laplace.c). The prediction is the mixture of all of them,
 * weighted by evidence.
 */
#ifndef MT_MODEL_POSTERIOR_H
#define MT_MODEL_POSTERIOR_H

#include "motley/model.h"

#include <stdbool.h>

/*
 * Cells.
 */

struct mt_posterior;

/* All runs of one configuration at one size. */
struct mt_cell {
    struct mt_configuration configuration;
    double size;
    int runs;
    double y;       /* the median of the logarithms of their seconds */
    double squares; /* the sum of their squared deviations from it */
};

/* Empty if zeroed. */
struct mt_cells {
    struct mt_cell *all; /* owned; by configuration, then by size */
    int count;
};

/* The cells of `count` runs. At most 500 are kept, spread evenly over each
   configuration's sizes. `cells` must be empty. */
MT_MUST_CHECK int mt_cells_make(struct mt_cells *cells, const struct mt_sample *samples,
                                int count, struct mt_error *err);
void mt_cells_clear(struct mt_cells *cells);

/*
 * Hypotheses.
 */

/* The terms of a hypothesis besides its compute term, which every one has: S in
   the comments is serial work, the others are messages. w: work relative to that at the
   reference size; M: processes on a node. The search for plans relies on this: on
   several nodes, each term is a product of a function of w and P and one of M, does not
   fall with w, the imbalance or the data, and for given ones of these its logarithm is
   concave in log P, as it is where the data are w / P. */
enum mt_term {
    MT_TERM_ONE,         /* S: 1 */
    MT_TERM_WORK,        /* S: w */
    MT_TERM_SURFACE,     /* S: w^(2/3) */
    MT_TERM_LOG,         /* log2 P */
    MT_TERM_RANKS,       /* P - 1 */
    MT_TERM_ROOT,        /* sqrt P */
    MT_TERM_FACES3,      /* (w/P)^(2/3) sqrt M: the faces of a part of a volume */
    MT_TERM_FACES2,      /* (w/P)^(1/2) sqrt M: of a part of a plane */
    MT_TERM_ALL_TO_ALL,  /* (w/P) M between nodes */
    MT_TERM_SURFACE_LOG, /* w^(2/3) log2 P */
    MT_TERM_WORK_LOG,    /* w log2 P */
    MT_TERM_CACHE,       /* a part of the compute term, if a rank's data exceed the
                            step */
    MT_TERMS
};

struct mt_hypothesis {
    unsigned terms;  /* a bit (1 << enum mt_term) each */
    double exponent; /* of the work, N^exponent; 0: known, or only one size ran */
    double step;     /* of the cache term, in doublings of a rank's data */
    int split;       /* number of the split, one of the posterior's, or 0 */
};

/* A split: how far apart groups that ran together are. The logarithm of a message's
   time between two of them over its time inside them, times a parameter of the
   hypothesis. */
struct mt_split {
    double apart[MT_MAX_GROUPS][MT_MAX_GROUPS];
    double mean, deviation; /* of the parameter's prior */
    char text[64];          /* "b apart" */
};

/* A (group, layout of its nodes) that ran: it has a speed of its own. */
struct mt_speed {
    int group;
    struct mt_layout layout;
};

/* The speed of a layout, interpolated between its neighbours, linear in log M. */
struct mt_blend {
    int speed[2];
    double weight[2]; /* they add up to 1 */
};

/* The part of a configuration that is on one group's nodes. */
struct mt_portion {
    int group; /* an index among the groups that ran */
    int processes;
    double share; /* of all ranks */
    int own;      /* its speed if this layout ran, or -1 */
    struct mt_blend compute, serial;
    double terms[MT_TERMS]; /* their values */
};

/* A configuration at a size, as hypotheses see it. */
struct mt_point {
    const struct mt_configuration *configuration; /* borrowed */
    double size, ranks, nodes;
    double log_size;      /* log(N / reference) */
    double doublings;     /* log2 P */
    double work;          /* w of the hypotheses that the point is for */
    double busiest;       /* the part of it that the busiest rank has */
    double data;          /* log2 of a rank's data: its working set if known, else its
                             memory, else its work */
    double axis;          /* place on the size axis of the discrepancy, in doublings */
    double log_processes; /* sum of share * log(M / mean M) */
    struct mt_portion portions[MT_MAX_GROUPS];
    int nportions;
};

/* Set the work by a hypothesis's exponent, and everything that follows from it. */
void mt_point_set_work(struct mt_point *point, const struct mt_posterior *posterior,
                       double exponent);
/* Set the values of the terms for the point's work. */
void mt_point_fill(struct mt_point *point);
/* Give the point another number of ranks, with the same shares; set the work next. */
void mt_point_set_ranks(struct mt_point *point, double ranks);

/* Indices of the parameters u: the speeds come first, then the exponent of the
   compute term, the terms, a deviation of each group's network, messages inside a node
   and their exponent of processes on a node, and the split's where there is one. */
int mt_hypothesis_parameters(const struct mt_posterior *posterior,
                             const struct mt_hypothesis *hypothesis);
/* The derivatives of log f by u: each term has its share of f, and the logarithm of it
   is linear in u. */
enum { MT_MOST_ROWS = 6 };
struct mt_slopes {
    int count; /* rows: the compute term and the others */
    double shares[MT_MOST_ROWS];
    double *rows;     /* owned by the caller: mt_hypothesis_row_count() x parameters */
    double *gradient; /* likewise: of log f */
    int *used;        /* likewise: the parameters that a row depends on, ascending */
    int nused;
};
/* The compute term and the others of a hypothesis: at most MT_MOST_ROWS. */
int mt_hypothesis_row_count(const struct mt_hypothesis *hypothesis);
/* log f at the point; fills `slopes` unless that is NULL. */
double mt_hypothesis_value(const struct mt_posterior *posterior,
                           const struct mt_hypothesis *hypothesis, const double *u,
                           const struct mt_point *point, struct mt_slopes *slopes);
/* The seconds of a rank of each portion; compute is proportional to its share of the
   work. */
struct mt_portion_seconds {
    double compute, serial, messages;
};
void mt_hypothesis_portions(const struct mt_posterior *posterior,
                            const struct mt_hypothesis *hypothesis, const double *u,
                            const struct mt_point *point,
                            struct mt_portion_seconds seconds[MT_MAX_GROUPS]);
/* The rows of a portion, whose sum is f if the portion is the slowest: the logarithm of
   row k is own[k] plus the mean over all ranks of their mean[k], plus apart[k] times
   the split's value. */
struct mt_rows {
    int count; /* the compute term and the others */
    double own[MT_MOST_ROWS], mean[MT_MOST_ROWS], apart[MT_MOST_ROWS];
};
void mt_hypothesis_rows(const struct mt_posterior *posterior,
                        const struct mt_hypothesis *hypothesis, const double *u,
                        const struct mt_point *point, const struct mt_portion *portion,
                        struct mt_rows *rows);
/* Add `factor` times the second derivatives of log f to the lower triangle of a matrix
   of p columns. */
void mt_slopes_add_curvature(const struct mt_slopes *slopes, int p, double factor,
                             double *matrix);
/* The mean and the covariance (by columns) of u before any run is seen, in units of the
   runs. */
void mt_hypothesis_prior(const struct mt_posterior *posterior,
                         const struct mt_hypothesis *hypothesis, double *mean,
                         double *covariance);
/* A hypothesis as text: "work/P + 1 + log2 P". */
void mt_hypothesis_format(char text[MT_HYPOTHESIS_TEXT],
                          const struct mt_posterior *posterior,
                          const struct mt_hypothesis *hypothesis);
/* The hypotheses to average over; returns how many there are. If links were checked,
   all hypotheses have their split. */
enum { MT_MOST_HYPOTHESES = 48 };
int mt_hypotheses_list(const struct mt_posterior *posterior,
                       struct mt_hypothesis hypotheses[MT_MOST_HYPOTHESES]);
/* The same hypothesis with one detail more, for the heaviest few only: a cache step
   between the least and the most data that ran, if these differ enough, or (if
   `splits`) a split, if the hypothesis has messages and groups ran together without
   checked links. Returns how many. */
enum { MT_STEPS = 3, MT_MOST_DETAILS = MT_STEPS + MT_MAX_GROUPS + 1, MT_DETAILED = 6 };
int mt_hypothesis_details(struct mt_posterior *posterior,
                          const struct mt_hypothesis *hypothesis, bool splits,
                          struct mt_hypothesis details[MT_MOST_DETAILS]);

/*
 * The posterior.
 */

/* tau, sigma and, where several groups ran together, the deviation of mixes, are tried
   on a grid. */
enum {
    MT_TAUS = 6,
    MT_SIGMAS = 5,
    MT_MIXES = 4,
    MT_GRID = MT_MIXES * MT_TAUS * MT_SIGMAS
};

/* A hypothesis at a point of the grid. */
struct mt_part {
    struct mt_hypothesis hypothesis;
    int grid;
    double evidence, weight;
    int parameters;
    double *u;          /* owned */
    double *covariance; /* owned; of u, by columns */
    double *correction; /* owned; V^-1 (y - log f), one a cell */
    double *slopes;     /* owned; L^-1 J, by columns of a parameter */
};

/* All parts of one hypothesis together, at their mean parameters. */
struct mt_mean_part {
    struct mt_hypothesis hypothesis;
    double weight;
    double *u; /* owned */
};

/*
 * The posterior mean of the logarithm of the seconds, which plans rank by:
 *
 *     sum over hypotheses of weight * log f(x; u)
 *       + sum over cells i of alike[i] * mt_discrepancy_alike(x, i)
 *       + sum over cells i of mixed[i] * mt_discrepancy_mixed(x, i)
 *
 * It is the mixture's mean without the curvature of log f between the modes of one
 * hypothesis at several points of the grid.
 */
struct mt_mean {
    struct mt_mean_part *parts; /* owned */
    int nparts;
    double *alike, *mixed; /* owned; one a cell */
};

/* Empty if zeroed. */
struct mt_posterior {
    const struct mt_program *program; /* borrowed */
    struct mt_cells cells;            /* owned */
    struct mt_point *points;          /* owned; one a cell */
    struct mt_speed *speeds;          /* owned */
    int nspeeds;
    int groups[MT_MAX_GROUPS]; /* for each group of the cluster: its index among those
                                  that ran, or -1 */
    int ngroups;               /* that ran */
    bool one_size;
    double reference;            /* geometric mean of the sizes */
    double reference_work;       /* 0: the program does not say its work */
    double log_processes;        /* the mean of log M */
    double noise[MT_MAX_GROUPS]; /* of runs on a group that ran, relative to sigma */
    double squares, freedom;     /* of repeated runs, in units of this noise */
    struct mt_split *splits;     /* owned; by the number in a hypothesis, less 1 */
    int nsplits;
    bool checked;               /* the only split is that of checked links */
    double *alike, *mixed;      /* owned; kernels between cells */
    int mixes;                  /* deviations of mixes on the grid: 1 if none ran */
    double *whiteners[MT_GRID]; /* owned; L^-1 of V = L L'; NULL: not needed */
    double log_determinants[MT_GRID]; /* of V, where there is a whitener */
    struct mt_part *parts;            /* owned; the heaviest first */
    int nparts;
    double mark;   /* a hash of the inputs of the parts */
    bool recalled; /* the parts were taken over from the modes */
    struct mt_mean mean;
};

/* What runs are of. */
struct mt_runs_origin {
    const struct mt_program *program;
    const struct mt_cluster *cluster;
    const struct mt_link_figures *links; /* NULL: none were checked */
    const struct mt_modes
        *modes; /* of an earlier fit, perhaps of the same runs; or NULL */
};

/*
 * Learn from runs. What `origin->program` points to must outlive the posterior, which
 * must be empty and is left so on failure. MT_ENOTFOUND: no runs.
 */
MT_MUST_CHECK int mt_posterior_init(struct mt_posterior *posterior,
                                    const struct mt_runs_origin *origin,
                                    const struct mt_sample *samples, int count,
                                    struct mt_error *err);
/* The modes of the fit, for the next fit of the same runs. `modes` must be empty. */
MT_MUST_CHECK int mt_posterior_modes(struct mt_modes *modes,
                                     const struct mt_posterior *posterior,
                                     struct mt_error *err);
void mt_posterior_clear(struct mt_posterior *posterior);

/* A configuration as hypotheses see it; false when a group never ran, or never with
   such threads, binding and GPUs. */
bool mt_point_make(struct mt_point *point, const struct mt_posterior *posterior,
                   const struct mt_configuration *configuration, double size);

/* The splits: one by checked links, otherwise one for each group, and one for groups of
   different networks. */
MT_MUST_CHECK int mt_splits_find(struct mt_posterior *posterior,
                                 const struct mt_runs_origin *origin,
                                 struct mt_error *err);
/* The largest distance between two groups of a point. */
double mt_split_value(const struct mt_split *split, const struct mt_point *point);

/* The discrepancy's covariance between two points for tau = 1, and that of mixes for a
   deviation of 1. The first is a mean over the ranks of each point, and falls by a
   factor of e for each mt_reach doublings of P from one to the other. */
double mt_discrepancy_alike(const struct mt_point *a, const struct mt_point *b);
double mt_discrepancy_mixed(const struct mt_point *a, const struct mt_point *b);
/* The kernels between all cells. */
MT_MUST_CHECK int mt_discrepancy_init(struct mt_posterior *posterior,
                                      struct mt_error *err);
/* L^-1 of V = L L' at a grid point, and log |V|, unless they are there. */
MT_MUST_CHECK int mt_discrepancy_whitener(struct mt_posterior *posterior, int grid,
                                          struct mt_error *err);
double mt_grid_tau(int grid);
double mt_grid_sigma(int grid);
/* The variance of mixes. */
double mt_grid_mixed(const struct mt_posterior *posterior, int grid);
/* log of the prior of a grid point, of the likelihood of the repeats' scatter, and of
   |V|^(-1/2); the whitener must exist. */
double mt_grid_evidence(const struct mt_posterior *posterior, int grid);
/* The noise of a run at a point, relative to sigma. */
double mt_point_noise(const struct mt_posterior *posterior,
                      const struct mt_point *point);

/* Scratch of a hypothesis's fits over the grid. */
struct mt_laplace;
MT_MUST_CHECK int mt_laplace_init(struct mt_laplace **laplace,
                                  const struct mt_posterior *posterior,
                                  const struct mt_hypothesis *hypothesis,
                                  struct mt_error *err);
void mt_laplace_free(struct mt_laplace *laplace);
/* The mode of u at a grid point from where the last one was found, or the prior's mean,
   and its evidence, to which mt_grid_evidence() is to be added. */
MT_MUST_CHECK int mt_laplace_fit(struct mt_laplace *laplace, int grid, double *evidence,
                                 struct mt_error *err);
/* The same at a mode found before. */
MT_MUST_CHECK int mt_laplace_recall(struct mt_laplace *laplace, int grid,
                                    const double *u, double *evidence,
                                    struct mt_error *err);
/* Make the part of the last fit own a copy of its results. */
MT_MUST_CHECK int mt_laplace_part(const struct mt_laplace *laplace,
                                  struct mt_part *part, struct mt_error *err);
void mt_part_clear(struct mt_part *part);

/*
 * Predictions.
 */

/* The posterior mean at a point. */
double mt_posterior_mean(const struct mt_posterior *posterior,
                         const struct mt_point *point);

/* The logarithm of the seconds: a mixture of normal distributions. */
struct mt_normals {
    int count;
    double *weights; /* owned, as the others; they add up to 1 */
    double *means;
    double *deviations; /* of the true time */
    double *noises;     /* of a single run around it */
};

MT_MUST_CHECK int mt_posterior_predict(const struct mt_posterior *posterior,
                                       const struct mt_point *point,
                                       struct mt_normals *normals,
                                       struct mt_error *err);
void mt_normals_clear(struct mt_normals *normals);
/* Where a single run's distribution reaches this probability. */
double mt_normals_quantile(const struct mt_normals *normals, double probability);
/* The probability of a single run up to x. */
double mt_normals_probability(const struct mt_normals *normals, double x);

/* Fill a joint distribution, whose `count` and `columns` are set, for these points,
   which are scratch: means and covariances are those of the mixture. */
struct mt_joint;
MT_MUST_CHECK int mt_posterior_joint(const struct mt_posterior *posterior,
                                     struct mt_point *points, struct mt_joint *joint,
                                     struct mt_error *err);

/* The difference of each cell's logarithm from the prediction of the others, by the
   heaviest part, and, unless NULL, its standard deviation. */
MT_MUST_CHECK int mt_posterior_left_out(const struct mt_posterior *posterior,
                                        double *errors, double *deviations,
                                        struct mt_error *err);

#endif
