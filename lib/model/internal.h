/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of runs, models and their calibration
 * beyond the public headers.
 */
#ifndef MT_MODEL_INTERNAL_H
#define MT_MODEL_INTERNAL_H

#include "lib/expr/internal.h"
#include "motley/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Runs. */

void mt_link_figures_clear(struct mt_link_figures *links);
/* That of two groups, in either order; NULL: there is none. */
const struct mt_link_figure *mt_link_figures_find(const struct mt_link_figures *links,
                                                  const char *a, const char *b);
/* When the newest was measured; 0: there is none. */
int64_t mt_link_figures_newest(const struct mt_link_figures *links);

/* Whether a configuration was run at that size, and always failed. */
bool mt_samples_failed(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size);

/* What was measured at the sizes of a list (NULL: at all sizes). `list` must be empty.
 */
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

/*
 * Seconds at (size, ranks), or NaN where the model has none: a term without a value, a
 * sum that is not positive, or serial terms that make up less than 0 or more than all
 * of it. A model that saw a single P has none at any other P, and one that saw a single
 * size none at any other size.
 */
double mt_model_seconds(const struct mt_model *model, double size, int ranks);
/* These seconds, `whole`, and the part of them that is serial; both may be NaN. */
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
/* Likewise bounds of the serial part, and of the seconds without it. */
struct mt_range mt_model_serial_range(const struct mt_model *model, double size,
                                      int ranks_low, int ranks_high);
struct mt_range mt_model_parallel_range(const struct mt_model *model, double size,
                                        int ranks_low, int ranks_high);

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

/* Make `copy`, which must be empty, own a copy of the options. */
MT_MUST_CHECK int mt_fit_options_copy(struct mt_fit_options *copy,
                                      const struct mt_fit_options *options,
                                      struct mt_error *err);
/* Free what is owned; empty afterwards. */
void mt_fit_options_clear(struct mt_fit_options *options);

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

/* A model that is refused now and was there `before`, borrowed from `models`; NULL:
 * none. */
const struct mt_refusal *mt_models_lost(const struct mt_models *models,
                                        const struct mt_models *before);
/* Whether a (group, layout) has a model, or was refused one; not for the N-T kind. */
bool mt_models_cover(const struct mt_models *models, const char *group,
                     struct mt_layout layout);

/* Fits. */

/* Which terms models are made of, and for which P they are separate. */

/*
 * What models of a kind are made from, as text, which the caller frees: the terms of
 * the options, the program's, or the default. Auto chooses terms by the program's
 * formulas, its work, memory and surface, when nobody gives any: these are the text
 * then. NULL with the reason in `err` when memory is short.
 */
char *mt_fit_formulas(const struct mt_program *program,
                      const struct mt_fit_options *options, struct mt_error *err);

/* Whether models fitted so are separate for P where the program's split holds: auto
   needs too few runs to have some for both. */
bool mt_fit_splits(const struct mt_program *program,
                   const struct mt_fit_options *options);

/* Calibrations. */

/* Take in one more run. On failure `calibration` is to be cleared. */
MT_MUST_CHECK int mt_calibration_add(struct mt_calibration *calibration,
                                     const struct mt_sample *sample,
                                     struct mt_error *err);

/* What is expected of the logarithms of the true seconds of several configurations
   together. Zeroed is empty. */
struct mt_joint {
    int count;
    double *means;      /* owned */
    double *covariance; /* owned; the lower triangle, by columns */
};

/* At one size; the configurations are different ones. `joint` must be empty. */
MT_MUST_CHECK int mt_calibration_joint(struct mt_joint *joint,
                                       const struct mt_calibration *calibration,
                                       const struct mt_configuration *configurations,
                                       int count, double size, struct mt_error *err);
void mt_joint_clear(struct mt_joint *joint);

#endif
