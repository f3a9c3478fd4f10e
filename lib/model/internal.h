/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of runs and models beyond the public
 * headers.
 */
#ifndef MT_MODEL_INTERNAL_H
#define MT_MODEL_INTERNAL_H

#include "lib/expr/internal.h"
#include "motley/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Runs. */

void mt_link_figures_clear(struct mt_link_figures *links);
/* The link figure of two groups, in either order; NULL: not measured. */
const struct mt_link_figure *mt_link_figures_find(const struct mt_link_figures *links,
                                                  const char *a, const char *b);

bool mt_sizes_contain(const double *sizes, int count, double size);

/* Whether a configuration was run at that size, and always failed. */
bool mt_samples_failed(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size);

/* The measurements at the sizes of a list (NULL: at all sizes). `list` must be
   empty. */
MT_MUST_CHECK int mt_measured_find(struct mt_measured_list *list,
                                   const struct mt_samples *samples,
                                   const double *sizes, int nsizes,
                                   struct mt_error *err);
void mt_measured_clear(struct mt_measured_list *list);
/* Whether anything was measured at that size. */
bool mt_measured_any(const struct mt_measured_list *list, double size);

/* Models. */

/* A model with more terms has no value anywhere; mt_fit() refuses to make one. */
enum { MT_MAX_TERMS = 64 };

void mt_model_clear(struct mt_model *model);

/* The sum of the terms at (size, ranks), which may be negative, or NaN where a term has
   no value. A model that saw a single P has none at any other P, and one that saw a
   single size none at any other size. */
double mt_model_value(const struct mt_model *model, double size, int ranks);
/* The same in seconds: NaN where it is not positive. */
double mt_model_seconds(const struct mt_model *model, double size, int ranks);
/* A lower bound of mt_model_seconds() for all ranks from low to high, by interval
   arithmetic; INFINITY: it has no value there. */
double mt_model_least(const struct mt_model *model, double size, int low, int high);
/* Seconds of a P-T model's reference N-T model, which may be negative where that model
   does not hold; 0 for the other kinds. */
double mt_model_reference(const struct mt_model *model, double size);

/* Terms used when a program gives none (those of the papers for HPL). */
extern const char mt_default_terms_nt[];  /* "N^3, N^2, N, 1" */
extern const char mt_default_terms_pt[];  /* "T/P, P*T, 1" */
extern const char mt_default_terms_npt[]; /* "N^3/P, N^2/P, N/P, 1/P, P*N^2, ..." */

/* Make `copy`, which must be empty, own a copy of the options. */
MT_MUST_CHECK int mt_fit_options_copy(struct mt_fit_options *copy,
                                      const struct mt_fit_options *options,
                                      struct mt_error *err);
/* Free what is owned; empty afterwards. */
void mt_fit_options_clear(struct mt_fit_options *options);

/* The `split` of struct mt_model in the model for P: -1 for programs without a split,
   otherwise 0 or 1. */
int mt_models_split(const struct mt_program *program, int ranks);
/* The model that answers for (group, layout) at `ranks` total processes of `program`,
   or NULL; not for the N-T kind. */
const struct mt_model *mt_models_find(const struct mt_models *models,
                                      const struct mt_program *program,
                                      const char *group, struct mt_layout layout,
                                      int ranks);

/* A refusal in `models` (borrowed) of a model in `before`; NULL: none. */
const struct mt_refusal *mt_models_lost(const struct mt_models *models,
                                        const struct mt_models *before);
/* Whether a (group, layout) has a model, or was refused one; not for the N-T kind. */
bool mt_models_cover(const struct mt_models *models, const char *group,
                     struct mt_layout layout);

/* Fits. */

/* The formulas behind models of a kind, as text, which the caller frees: the terms of
   the options, the program's, or the default; for auto, the program's work. NULL with
   the reason in `err` when memory is short. */
char *mt_fit_formulas(const struct mt_program *program,
                      const struct mt_fit_options *options, struct mt_error *err);

/* Whether such a fit has separate models for P where the program's split holds; auto
   has not. */
bool mt_fit_splits(const struct mt_program *program,
                   const struct mt_fit_options *options);

/* Predictions. */

/* The seconds that plans minimise, at a hundredth of the cost of mt_models_predict():
   for auto models the exponential of the posterior mean of the logarithm, otherwise the
   predicted seconds. */
MT_MUST_CHECK int mt_models_seconds(const struct mt_problem *problem,
                                    const struct mt_configuration *configuration,
                                    double size, double *seconds, struct mt_error *err);

/* T = max T_i of the papers' models, where all groups of the configuration have one and
   its terms have values; as in the thesis, it may be negative. NaN: undefined. */
double mt_models_maximum(const struct mt_problem *problem,
                         const struct mt_configuration *configuration, double size);

/* The deviation of the logarithm of the true seconds, without the noise of a single
   run, by auto models. */
MT_MUST_CHECK int mt_models_deviation(const struct mt_problem *problem,
                                      const struct mt_configuration *configuration,
                                      double size, double *deviation,
                                      struct mt_error *err);

/* The joint distribution of the logarithms of the true seconds of several runs. Empty
   if zeroed. */
struct mt_joint {
    int count, columns;
    double *means;      /* owned */
    double *variances;  /* owned */
    double *covariance; /* owned; count x columns: with the first `columns` of them */
    double noise;       /* the deviation of a single run's logarithm */
};

/* The joint prediction of auto models for `count` runs whose configurations and sizes
   are set; no two of the first `columns` are the same. `joint` must be empty.
   MT_ENOTFOUND as of mt_models_predict(). */
MT_MUST_CHECK int mt_models_joint(struct mt_joint *joint,
                                  const struct mt_problem *problem,
                                  const struct mt_sample *runs, int count, int columns,
                                  struct mt_error *err);
void mt_joint_clear(struct mt_joint *joint);

#endif
