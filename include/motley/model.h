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
/* The newest of each two groups. Empty if zeroed. */
struct mt_link_figures {
    struct mt_link_figure *all; /* owned */
    int count;
};

/* All of them. Empty if zeroed. */
struct mt_samples {
    struct mt_sample *samples; /* owned; the newest last */
    int count;
    struct mt_sample *failed; /* owned; runs that failed, without seconds */
    int nfailed;
    int left_out;       /* runs of configurations that the cluster no longer has */
    int64_t newest_run; /* id in the store; 0: none */
    struct mt_link_figures links; /* of the cluster */
    char *store;                  /* owned; the store's path, for messages; or NULL */
};

void mt_samples_clear(struct mt_samples *samples);

/* What was measured of a configuration at a size: the median of its runs. */
struct mt_measured {
    struct mt_configuration configuration;
    double size;
    double seconds;
    int runs;
};

/* In ascending order of the sizes. Empty if zeroed. */
struct mt_measured_list {
    struct mt_measured *all; /* owned */
    int count;
};

/* The measured time of the configuration at the size; NULL: no run succeeded. */
const struct mt_measured *mt_measured_at(const struct mt_measured_list *list,
                                         const struct mt_configuration *configuration,
                                         double size);

enum mt_model_kind {
    MT_MODEL_AUTO, /* the default: an average of hypotheses, weighted by evidence */
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

/* All members are owned. Empty if zeroed. */
struct mt_model {
    char *configuration;     /* N-T: the canonical text; otherwise NULL */
    char *group;             /* its name; N-T of a mixed configuration: NULL */
    struct mt_layout layout; /* of a node; N-T of a mixed configuration: zeroed */
    int split; /* -1: for every P; 0 or 1: for P where the program's split is false,
                  true */
    struct mt_terms *terms;
    char *terms_text;
    double *coefficients;             /* one a term, seconds */
    struct mt_terms *reference_terms; /* P-T: terms of N of the reference; or NULL */
    char *reference_terms_text;
    double *reference_coefficients; /* or NULL */
    int runs;                       /* that it was fitted from */
    double size_low, size_high;     /* range of N of these runs */
    int ranks_low, ranks_high;      /* range of P of these runs */
    double residual;        /* root mean square relative error over these runs */
    double cross_validated; /* the same in cross-validation: each size of the upper half
                               predicted from the runs at smaller sizes, and likewise
                               each P; NaN: too few runs */
};

/*
 * How models are fitted. Zeroed: the terms of the program or the kind's default,
 * nothing left out. Pointers are borrowed where it is a parameter, and owned in a
 * struct mt_models.
 */
struct mt_fit_options {
    enum mt_model_kind kind;
    char *terms;   /* in place of the program's terms for the kind; NULL: the
                      program's */
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
    char *subject; /* "xeon x2", "xeon x2t4", "xeon:8x1+celeron:2x1", or, for an N-T
                      model that a P-T model uses, "N-T of xeon:8x1" */
    char *reason;
};

/* A run that was left out of the fit as a glitch, and why. Strings are owned. */
struct mt_dropped {
    char *configuration;
    double size;
    double seconds;
    char *reason;
};

/*
 * The models of one kind for one program on one cluster. Empty if zeroed.
 *
 * N-T, P-T and NP-T are the papers': the time of a configuration is that of its slowest
 * group, T = max over the used groups i of T_i(N, P | M_i). Auto learns from the runs
 * of all configurations together.
 */
struct mt_posterior;

/* The modes that an auto fit found, from which the next fit of the same runs starts.
   Empty if zeroed. */
struct mt_modes {
    double *values; /* owned */
    int count;
};

struct mt_models {
    enum mt_model_kind kind;
    struct mt_fit_options options;  /* that they were fitted with, of the same kind */
    char *formulas;                 /* owned; the texts of their terms or formulas */
    struct mt_posterior *posterior; /* owned; auto: all predictions use it; `models`
                                       then has only the runs behind each (group,
                                       layout), and their errors */
    struct mt_modes modes;          /* auto */
    struct mt_model *models;        /* owned */
    int count;
    struct mt_refusal *refused; /* owned */
    int nrefused;
    struct mt_dropped *dropped; /* owned */
    int ndropped;
    int64_t newest_run; /* id of the newest run fitted from; 0: unknown */
};

void mt_models_clear(struct mt_models *models);

/*
 * A predicted time. Auto: half of single runs are expected below seconds, 5 % below
 * low, and 5 % above high. The
 * papers' kinds: low .. high is seconds * exp(-+ 1.645 e), where the relative error e
 * is the cross-validated one of the slowest group's model, at least its residual (three
 * times that, and at least 0.1, where there were too few runs to cross-validate), and
 * half of e again for each doubling of N or P beyond the runs behind the model. Where
 * the error is so large that the interval says nothing, it is 0 .. INFINITY.
 */
struct mt_prediction {
    double seconds;
    double low, high;
    bool extrapolated; /* N or P lies outside the runs behind it */
    bool unseen; /* no similar run exists: none with as many processes on a node, none
                    on several nodes, none with several processes on a node, or none at
                    this size */
};

/* The seconds that a run does not exceed with this chance (at least 0.5; 0: the
   predicted seconds). The logarithm is assumed normal on either side of its median,
   fitting the interval's ends. Without an interval, the predicted seconds. */
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
 * Predict the time of a configuration. MT_ENOTFOUND: a model that is needed is missing
 * or has no value there; the reason names it.
 */
MT_MUST_CHECK int mt_models_predict(const struct mt_problem *problem,
                                    const struct mt_configuration *configuration,
                                    double size, struct mt_prediction *prediction,
                                    struct mt_error *err);

/* Replace probabilities, each between 0 and 1, by the seconds that a single run does
   not exceed with them, by auto models. Failures as of mt_models_predict(); MT_EINVAL:
   the models are of another kind, or a probability is not between 0 and 1. */
MT_MUST_CHECK int mt_models_quantiles(const struct mt_problem *problem,
                                      const struct mt_configuration *configuration,
                                      double size, double *values, int count,
                                      struct mt_error *err);

/* One of the hypotheses that auto models average over. */
enum { MT_HYPOTHESIS_TEXT = 128 };
struct mt_weighted_hypothesis {
    char text[MT_HYPOTHESIS_TEXT]; /* "work/P + 1 + log2 P": terms without coefficients;
                                      M: processes on a node */
    double weight;                 /* posterior probability */
};
/* A summary of auto models. Empty if zeroed. */
struct mt_explanation {
    struct mt_weighted_hypothesis *hypotheses; /* owned; the heaviest first */
    int count;
    double discrepancy; /* the standard deviation of the true time's logarithm from a
                           hypothesis, for a doubling of P away from the runs */
    double noise;       /* the standard deviation of a run's logarithm */
    double size; /* the largest size that ran on the most processes, and shares of the
                    slowest group's time there: */
    int ranks;
    double compute, serial, messages;
};

/* MT_ENOTFOUND: the models are not auto models, or come from a store. */
MT_MUST_CHECK int mt_models_explain(struct mt_explanation *explanation,
                                    const struct mt_models *models,
                                    struct mt_error *err);
void mt_explanation_clear(struct mt_explanation *explanation);

/*
 * Fits. Pure arithmetic: nothing here reads the store, prints, or starts a program.
 */

/*
 * Fit the models of one kind to runs, as the options say; `models` gets a copy of
 * these. Runs of one (configuration, size) are repetitions. N-T, P-T and NP-T are the
 * papers': ordinary least squares on the seconds; P-T and NP-T leave out the runs on
 * one node. Auto takes every run, and has no terms of its own. What the runs do not
 * determine is refused in `models`, with the reason; MT_ERANK only when every model is
 * refused. Runs that are left out as glitches are listed in `models`; so are the N-T
 * models that a P-T model would have been joined from. MT_ENOTFOUND: no run at all, or
 * none at one of the sizes that the options name; MT_EPARSE, MT_EINVAL: terms of the
 * options that do not parse or do not suit the kind. The program must outlive `models`,
 * which must be empty except for its modes: an auto fit of the same runs starts from
 * them. On failure it has nothing but modes, or is empty, except with MT_ERANK, when it
 * holds the refusals.
 */
MT_MUST_CHECK int mt_fit(struct mt_models *models, const struct mt_cluster *cluster,
                         const struct mt_program *program,
                         const struct mt_samples *samples,
                         const struct mt_fit_options *options, struct mt_error *err);

MT_C_END

#endif
