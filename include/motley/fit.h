/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - find the coefficients of run-time models by least squares.
 * Pure arithmetic: nothing here reads the store, prints, or starts a program.
 */
#ifndef MT_FIT_H
#define MT_FIT_H

#include "motley/cluster.h"
#include "motley/configuration.h"
#include "motley/error.h"
#include "motley/expr.h"
#include "motley/model.h"
#include "motley/program.h"

#include <stdbool.h>

/* One successful run, as a fit sees it. */
struct mt_sample {
    struct mt_configuration configuration;
    double size;
    double seconds; /* > 0 */
};

/* Zeroed: the default of the kind, nothing removed. */
struct mt_fit_options {
    enum mt_model_kind kind;
    /* A run is a glitch, and left out, when its performance (work / seconds) is at most
       this times the best at any smaller size of the same configuration (N-T) or the
       same P (P-T, NP-T, auto); 0: keep all. Needs the program's work. */
    double glitch_k;
    /* N-T: configurations with more glitches than this get no model. */
    int glitch_tolerance;
    /* N-T: a model whose first term's coefficient is negative is refused. */
    bool refuse_negative;
};

/* Terms used when a program gives none (papers.md, A: the HPL row). */
extern const char mt_default_terms_nt[];  /* "N^3, N^2, N, 1" */
extern const char mt_default_terms_pt[];  /* "T/P, P*T, 1" */
extern const char mt_default_terms_npt[]; /* "N^3/P, N^2/P, N/P, 1/P, P*N^2, ..." */
extern const char
    mt_default_terms_auto[]; /* the same with ceil(log2(P)) for P: trees */

/*
 * The terms that models of a kind are made of: the program's, or NULL where it gives
 * none; then `*defaults` is the text of the default terms. Auto takes the program's
 * np-t terms before its default.
 */
const struct mt_terms *mt_fit_terms(const struct mt_program *program,
                                    enum mt_model_kind kind, const char **defaults);

/*
 * Fit the models of one kind to `nsamples` runs; runs of one (configuration, size) are
 * repetitions. N-T, P-T and NP-T are the papers': ordinary least squares on the
 * seconds; P-T and NP-T leave out the runs on one node. Auto weighs residuals by 1 /
 * seconds and keeps coefficients >= 0 (Lawson and Hanson); terms that grow with P
 * describe the network and have one coefficient for all groups with that M, the others
 * describe the nodes and each (group, M) has its own. What the runs do not determine is
 * refused in `models`, with the reason; MT_ERANK only when every model is refused.
 * `models` must be empty; it is unchanged on failure, but for MT_ERANK, when it holds
 * the refusals.
 */
MT_MUST_CHECK int mt_fit(struct mt_models *models, const struct mt_cluster *cluster,
                         const struct mt_program *program,
                         const struct mt_sample *samples, int nsamples,
                         const struct mt_fit_options *options, struct mt_error *err);

#endif
