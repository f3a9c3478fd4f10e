/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.h - a run-time model: seconds from problem size N and total processes P.
 *
 * A model is a sum of terms with one coefficient each. It belongs to one (group, layout
 * of its nodes), or, for the N-T kind, to one configuration. Several of them, struct
 * mt_models, predict the time of a configuration.
 */
#ifndef MT_MODEL_H
#define MT_MODEL_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/expr.h"
#include "motley/program.h"

#include <stdbool.h>
#include <stdint.h>

MT_C_BEGIN

/*
 * The runs of one program on one cluster, as fits and plans see them.
 */

/* One successful run. */
struct mt_sample {
    struct mt_configuration configuration;
    double size;
    double seconds; /* > 0 */
};

/* How long messages take between nodes of two groups, or of one (`from` and `to` are
   the same), as `motley check` measured it. Strings are owned. */
struct mt_link_figure {
    char *cluster, *from, *to;
    double latency;   /* seconds of a message of less than 1 KiB */
    double bandwidth; /* of the longest messages, bytes per second */
    bool simulated;
    int64_t measured;             /* when: seconds since 1970-01-01 UTC */
    struct mt_link_point *points; /* owned; by their length */
    int npoints;                  /* 0: not known */
};
/* The newest of each two groups. Zeroed is empty. */
struct mt_link_figures {
    struct mt_link_figure *all; /* owned */
    int count;
};

/* All of them. Zeroed is empty. */
struct mt_samples {
    struct mt_sample *samples; /* owned; the newest last */
    int count;
    struct mt_sample *failed; /* owned; runs that failed, without seconds */
    int nfailed;
    int left_out;       /* runs of configurations that the cluster no longer has */
    int64_t newest_run; /* id in the store; 0: none is there */
    struct mt_link_figures links; /* of the cluster */
    char *store; /* owned; the path of the store they are from, for messages; or NULL */
};

void mt_samples_clear(struct mt_samples *samples);

/* What was measured of a configuration at a size: the median of its runs. */
struct mt_measured {
    struct mt_configuration configuration;
    double size;
    double seconds;
    int runs;
};

/* In ascending order of the sizes. Zeroed is empty. */
struct mt_measured_list {
    struct mt_measured *all; /* owned */
    int count;
};

/* The one of that configuration and size; NULL: it never succeeded. */
const struct mt_measured *mt_measured_at(const struct mt_measured_list *list,
                                         const struct mt_configuration *configuration,
                                         double size);

enum mt_model_kind {
    MT_MODEL_AUTO, /* the default: relative weights, coefficients >= 0 */
    MT_MODEL_NT,   /* one per configuration; terms of N */
    MT_MODEL_PT,   /* one per (group, M): terms of P and of a reference N-T model */
    MT_MODEL_NPT,  /* one per (group, M): terms of N and P */
    MT_NMODEL_KINDS
};

/* "auto", "n-t", "p-t", "np-t". */
const char *mt_model_kind_name(enum mt_model_kind kind);
/* The kind of that name; MT_EINVAL lists the names. */
MT_MUST_CHECK int mt_model_kind_parse(enum mt_model_kind *kind, const char *name,
                                      struct mt_error *err);

/* All members are owned. Zeroed is empty. */
struct mt_model {
    char *configuration;     /* N-T: the canonical text; otherwise NULL */
    char *group;             /* its name; N-T of a mixed configuration: NULL */
    struct mt_layout layout; /* of a node; N-T of a mixed configuration: zeroed */
    int split; /* -1: for every P; 0 or 1: for P where the program's split is false,
                  true */
    struct mt_terms *terms;
    char *terms_text;
    double *coefficients; /* one a term, seconds */
    bool *serial; /* one a term: work that the groups do in turn; NULL: none is */
    struct mt_terms *reference_terms; /* P-T: terms of N of the reference; or NULL */
    char *reference_terms_text;
    double *reference_coefficients; /* or NULL */
    int runs;                       /* that it was fitted from */
    double size_low, size_high;     /* range of N of these runs */
    int ranks_low, ranks_high;      /* range of P of these runs */
    double residual;        /* root mean square relative error over these runs */
    double cross_validated; /* the same over runs that the fit had not seen: each size
                               of the upper half predicted from the runs at smaller
                               sizes, and likewise each P; NaN: too few */
};

/*
 * The models of a program on a cluster, and what they predict together: the time of a
 * configuration is that of its slowest group, as in the papers, T = max over the used
 * groups i of T_i(N, P | M_i).
 *
 * Work that goes round all ranks in turn, as the panels of an LU factorisation, is not
 * waited for like that: each group does its share of it. The terms of such work are
 * marked as serial. What else happens where groups are mixed is learned from runs of
 * several groups. With w_i = P_i M_i / P, the group's share of the ranks, and the
 * parallel and serial seconds p_i and s_i of T_i,
 * T = (1 - lambda) max_i p_i + sum_i w_i (s_i + lambda p_i) + apart K(N, P)
 * where lambda, from 0 to 1, says how far the groups even out instead of waiting for
 * the slowest, K >= 0 is what messages between networks cost, and apart is the share of
 * the pairs of ranks that are on different networks: 1 - sum over networks of (their
 * share of the ranks)^2. For a group alone that is the sum of all terms. The sum of the
 * serial parts is rounded to eleven digits, so that the order of the groups makes no
 * difference.
 */

/* What is learned from runs of several groups at once. All members are owned. Zeroed:
   nothing is: lambda and K are 0. */
struct mt_mixture {
    double lambda;
    struct mt_terms *terms; /* of N and P: what K is a sum of; NULL: K is 0 */
    char *terms_text;
    double *kappa;  /* one a term, seconds, >= 0 */
    char *networks; /* groups that share networks, "a+b, c", as the cluster file said or
                       the runs; NULL: none do */
    int runs;       /* (configuration, size) that it was learned from */
    double size_low, size_high; /* range of N of these runs; 0: not known */
    int ranks_low, ranks_high;  /* range of P of these runs */
    double residual; /* root mean square relative error of these, each predicted as if
                        it had not been run */
    int64_t checked; /* when the newest figure of links was measured that was at hand;
                        0: there was none */
};

/*
 * How models are fitted. Zeroed: the default of the kind, as the program says, nothing
 * left out. Pointers are borrowed where it is a parameter, and owned in a struct
 * mt_models.
 */
struct mt_fit_options {
    enum mt_model_kind kind;
    char *terms;   /* instead of the program's for the kind; NULL: those */
    bool no_split; /* one model for every P, also where the program has a split */
    double *sizes; /* fit from runs at these sizes alone; NULL: at all */
    int nsizes;
    /* A run is a glitch, and left out, when its performance (work / seconds) is at most
       this times the best at any smaller size of the same configuration (N-T) or the
       same P (P-T, NP-T, auto); 0: keep all. Needs the program's work. */
    double glitch_k;
    /* N-T: configurations with more glitches than this get no model. */
    int glitch_tolerance;
    /* N-T: a model whose first term's coefficient is negative is refused. */
    bool refuse_negative;
};

/* A (group, M) or a configuration that got no model, and why. Strings are owned. */
struct mt_refusal {
    char *subject; /* "xeon x2", "xeon x2t4", "xeon:8x1+celeron:2x1", or, of the models
                      that a P-T model is joined from, "N-T of xeon:8x1" */
    char *reason;
};

/* A run that was left out of the fit as a glitch, and why. Strings are owned. */
struct mt_dropped {
    char *configuration;
    double size;
    double seconds;
    char *reason;
};

/* The models of one kind for one program on one cluster. Zeroed is empty. */
struct mt_models {
    enum mt_model_kind kind;
    struct mt_fit_options options; /* that they were fitted with, of the same kind */
    char *formulas; /* owned; the terms or formulas that they were made from */
    char *work; /* owned; the work that was found in the runs, where the program does
                   not say it, as an expression in N; otherwise NULL */
    /* No run had several processes on one node and no other, or none was on several
       nodes: of such configurations only the work is known. */
    bool never_inside, never_across;
    struct mt_model *models; /* owned */
    int count;
    struct mt_refusal *refused; /* owned */
    int nrefused;
    struct mt_dropped *dropped; /* owned */
    int ndropped;
    struct mt_mixture mixture; /* what configurations of several groups cost beside */
    int64_t newest_run;        /* id of the newest run fitted from; 0: unknown */
};

void mt_models_clear(struct mt_models *models);

/*
 * A predicted time: 90 % of measured times are expected within low .. high, which is
 * seconds * exp(-+ 1.645 e). The relative error e is the cross-validated one of the
 * slowest group's model, at least its residual (three times that, and at least 0.1,
 * where there were too few runs to cross-validate), and half of e again for each
 * doubling of N or P beyond the runs behind the model. Where groups are mixed, 0.12 is
 * added to it in quadrature, as much as such runs are usually off; that counts like
 * three runs, beside those that the mixture was learned from with their own error,
 * which grows beyond the N and P of these runs likewise. As long as figures of links
 * are known and runs are few, half the share that K has of the time is added, too.
 * Where the error is so large that the interval says nothing, it is 0 .. INFINITY.
 */
struct mt_prediction {
    double seconds; /* the interval's geometric middle, or as mt_predictor_predict() */
    double low, high;
    bool extrapolated; /* N or P lies outside the runs behind it */
    bool unseen; /* nothing like it was run: not with so many processes on a node, or
                    not on several nodes, or not with several processes on one, or no
                    configuration of these groups ran */
};

/*
 * How likely a run takes no longer than it may: predictions have an interval that holds
 * 90 % of the runs, and so 5 % are expected above it. The logarithm of what a run takes
 * over what is predicted is taken for one of Student's distribution with ten degrees of
 * freedom, as the interval rests on few runs.
 */

/* The seconds that a run does not exceed with this chance, from 0.5 on; a chance of 0
   asks for those that are predicted. Where the prediction has no interval, these, too.
 */
double mt_prediction_seconds_at(const struct mt_prediction *prediction, double chance);

/* The chance that a run takes no longer than these seconds; NaN: the prediction has no
   interval. */
double mt_prediction_chance(const struct mt_prediction *prediction, double seconds);

/* A program on a cluster, and the models that predict its time there. All borrowed. */
struct mt_problem {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_models *models;
};

/*
 * Predict the time of a configuration. MT_ENOTFOUND when a model that is needed is
 * missing or has no value there; the reason says which.
 */
MT_MUST_CHECK int mt_models_predict(const struct mt_problem *problem,
                                    const struct mt_configuration *configuration,
                                    double size, struct mt_prediction *prediction,
                                    struct mt_error *err);

/*
 * Find the coefficients of run-time models by least squares. Pure arithmetic: nothing
 * here reads the store, prints, or starts a program.
 */

/*
 * Fit the models of one kind to runs, as the options say; `models` gets a copy of
 * these. Runs of one (configuration, size) are repetitions. N-T, P-T and NP-T
 * are the papers': ordinary least squares on the seconds; P-T and NP-T leave out the
 * runs on one node. Auto fits all groups together, weighs residuals by 1 / seconds and
 * keeps coefficients >= 0 (Lawson and Hanson): what describes the network has one
 * coefficient for all, what describes the nodes one for each (group, M), and of that
 * the terms that do not shrink with P are serial. A small ridge settles what few runs
 * leave open: two runs of different sizes give a (group, M) its model. What the runs do
 * not determine is refused in `models`, with the reason; MT_ERANK only when every model
 * is refused. Runs that are left out as glitches are listed in `models`; so are the N-T
 * models that a P-T model would have been joined from. MT_ENOTFOUND: no run at all, or
 * none at one of the sizes that the options name; MT_EPARSE, MT_EINVAL: terms of the
 * options that do not parse or do not suit the kind. `models` must be empty; it is
 * unchanged on failure, but for MT_ERANK, when it holds the refusals.
 */
MT_MUST_CHECK int mt_fit(struct mt_models *models, const struct mt_cluster *cluster,
                         const struct mt_program *program,
                         const struct mt_samples *samples,
                         const struct mt_fit_options *options, struct mt_error *err);

/*
 * What runs say about the errors of run-time models, and predictions that are corrected
 * by it.
 *
 * The logarithm of measured over predicted seconds is taken for a Gaussian process over
 * the configurations and sizes. Where groups are mixed, which the models were not
 * fitted from, it is alike for all configurations, the more the more alike they use the
 * cluster: by the groups' shares of the ranks, the processes on a node and P; and where
 * the same group is the slowest, for the same P, and at sizes near each other. What is
 * particular to a set of groups is not known before one configuration of it was run. Of
 * a group alone the models have seen runs: what they get wrong there they get wrong for
 * that group, which says nothing about mixed configurations. The posterior mean
 * corrects a prediction; its spread, with the noise of runs that suits them best, gives
 * the interval. What a run says about other configurations is bounded, so that a single
 * wild run cannot turn a plan over.
 */

/* What is known of one configuration at one size; private to the module. */
struct mt_calibration_point;

/* All members are private to the module. Zeroed is empty. */
struct mt_calibration {
    struct mt_problem problem;           /* whose models' errors they are; borrowed */
    struct mt_calibration_point *points; /* owned */
    int count;
    double noise;             /* variance of the logarithm of a single run's seconds */
    double *factor, *weights; /* owned; of the covariance of the points */
};

/*
 * Calibrate by `nsamples` runs, the newest last (none: NULL and 0). Those that the
 * models cannot predict are passed over, and of very many the oldest. What `problem`
 * points to must outlive `calibration`, which must be empty.
 */
MT_MUST_CHECK int mt_calibration_init(struct mt_calibration *calibration,
                                      const struct mt_problem *problem,
                                      const struct mt_sample *samples, int nsamples,
                                      struct mt_error *err);
void mt_calibration_clear(struct mt_calibration *calibration);

/*
 * As mt_models_predict(), corrected: seconds is the median that is expected now, and
 * low .. high holds 90 % of the measured times that are expected of one run. A
 * configuration that was run at this size is predicted close to its measured time.
 * `deviation`, unless it is NULL, is that of the logarithm of the configuration's true
 * time, without the noise of a single run.
 */
MT_MUST_CHECK int mt_calibration_predict(const struct mt_calibration *calibration,
                                         const struct mt_configuration *configuration,
                                         double size, struct mt_prediction *prediction,
                                         double *deviation, struct mt_error *err);

MT_C_END

#endif
