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
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/expr.h"
#include "motley/program.h"

#include <stdbool.h>
#include <stdint.h>

MT_C_BEGIN

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

/* A model with more terms has no value anywhere; mt_fit() refuses to make one. */
enum { MT_MAX_TERMS = 64 };

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

void mt_model_clear(struct mt_model *model);

/*
 * Seconds at (size, ranks), or NaN where the model has none: a term without a value, a
 * sum that is not positive, or serial terms that make up less than 0 or more than all
 * of it. A model that saw a single P has none at any other P, and one that saw a single
 * size none at any other size.
 */
double mt_model_seconds(const struct mt_model *model, double size, int ranks);
/* The part of these seconds that is serial; NaN where mt_model_seconds() is.
 */
double mt_model_serial(const struct mt_model *model, double size, int ranks);
/* Both at once, `whole` and the part of it that is serial. */
void mt_model_parts(const struct mt_model *model, double size, int ranks, double *whole,
                    double *serial);
/* Seconds of a P-T model's reference N-T model, which may be negative where that model
   does not hold; 0 for the other kinds. */
double mt_model_reference(const struct mt_model *model, double size);
/*
 * Bounds of mt_model_seconds() over ranks_low <= P <= ranks_high at one size: no value
 * there is outside. The low bound is at least 0; both NaN: nothing is known; both
 * INFINITY: it has no value there.
 */
struct mt_range mt_model_range(const struct mt_model *model, double size, int ranks_low,
                               int ranks_high);
/* Likewise bounds of mt_model_serial(), and of the seconds without it. */
struct mt_range mt_model_serial_range(const struct mt_model *model, double size,
                                      int ranks_low, int ranks_high);
struct mt_range mt_model_parallel_range(const struct mt_model *model, double size,
                                        int ranks_low, int ranks_high);

/*
 * The models of a program on a cluster, and what they predict together: the
 * time of a configuration is that of its slowest group, as in the papers,
 * T = max over the used groups i of T_i(N, P | M_i).
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

/* What a group's messages go through: which of the groups are on the same network. */
struct mt_networks {
    int count;             /* how many there are */
    int of[MT_MAX_GROUPS]; /* of each group of the cluster, 0 .. count-1 */
};

void mt_mixture_clear(struct mt_mixture *mixture);
/*
 * The networks of the cluster's groups: by `network:` in its file, where any group has
 * it, otherwise as the mixture found; a group of which neither says anything is on a
 * network of its own.
 */
void mt_mixture_networks(const struct mt_mixture *mixture,
                         const struct mt_cluster *cluster,
                         struct mt_networks *networks);
/* Whether K was learned for the networks that the cluster's file names, if it does. */
bool mt_mixture_current(const struct mt_mixture *mixture,
                        const struct mt_cluster *cluster);
/* The share of the pairs of ranks that are on different networks, 0 <= apart < 1. */
double mt_networks_apart(const struct mt_networks *networks,
                         const struct mt_configuration *configuration);
/* K: seconds; NaN where a term that counts has no value. */
double mt_mixture_between(const struct mt_mixture *mixture, double size, int ranks);
/* Bounds of K over ranks_low <= P <= ranks_high at one size, the low one at least 0;
   both NaN: nothing is known. */
struct mt_range mt_mixture_between_range(const struct mt_mixture *mixture, double size,
                                         int ranks_low, int ranks_high);

/* Terms used when a program gives none (those of the papers for HPL). */
extern const char mt_default_terms_nt[];  /* "N^3, N^2, N, 1" */
extern const char mt_default_terms_pt[];  /* "T/P, P*T, 1" */
extern const char mt_default_terms_npt[]; /* "N^3/P, N^2/P, N/P, 1/P, P*N^2, ..." */

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

/* Make `copy`, which must be empty, own a copy of the options. */
MT_MUST_CHECK int mt_fit_options_copy(struct mt_fit_options *copy,
                                      const struct mt_fit_options *options,
                                      struct mt_error *err);
/* Free what is owned; empty afterwards. */
void mt_fit_options_clear(struct mt_fit_options *options);

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
    char *formulas; /* owned; that they were made from: mt_fit_formulas() */
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

/* What struct mt_model's `split` has to be for a model to answer for P: -1 for programs
   without a split, otherwise 0 or 1. */
int mt_models_split(const struct mt_program *program, int ranks);
/* The model that answers for (group, layout) where that is the split, or NULL; not for
   the N-T kind. */
const struct mt_model *mt_models_find_split(const struct mt_models *models,
                                            const char *group, struct mt_layout layout,
                                            int split);
/* The model that answers for (group, layout) at `ranks` total processes of `program`,
   or NULL; not for the N-T kind. */
const struct mt_model *mt_models_find(const struct mt_models *models,
                                      const struct mt_program *program,
                                      const char *group, struct mt_layout layout,
                                      int ranks);

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
                    not on several nodes, or not with several processes on one, or as
                    mt_predictor_guesses() says */
};

/* A program on a cluster, and the models that predict its time there. All borrowed. */
struct mt_problem {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_models *models;
};

/* A model that is refused now and was there `before`, borrowed from `models`; NULL:
 * none. */
const struct mt_refusal *mt_models_lost(const struct mt_models *models,
                                        const struct mt_models *before);
/* Whether a (group, layout) has a model, or was refused one; not for the N-T kind. */
bool mt_models_cover(const struct mt_models *models, const char *group,
                     struct mt_layout layout);

/*
 * Predict the time of a configuration. MT_ENOTFOUND when a model that is needed is
 * missing or has no value there; the reason says which.
 */
MT_MUST_CHECK int mt_models_predict(const struct mt_problem *problem,
                                    const struct mt_configuration *configuration,
                                    double size, struct mt_prediction *prediction,
                                    struct mt_error *err);

MT_C_END

#endif
