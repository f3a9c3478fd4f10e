/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit_models.h - what a fit works on, and building up the models that come out.
 */
#ifndef MT_FIT_MODELS_H
#define MT_FIT_MODELS_H

#include "motley/model.h"

/* A run as the fit uses it. */
struct mt_fit_run {
    const struct mt_sample *sample; /* borrowed */
    int group;                      /* the only one used; -1: several are */
    struct mt_layout layout;        /* of a node; zeroed when several groups are used */
    int nodes, ranks;
    int split;    /* as in struct mt_model */
    int glitches; /* runs of this configuration that were left out */
};

/* Runs sorted by group, layout, split, P, configuration, N: those of one model and
   those of one configuration are neighbours. Zeroed is empty. */
struct mt_fit_runs {
    struct mt_fit_run *all; /* owned */
    int count;
};

/* What a fit works on. All borrowed. */
struct mt_fit_task {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_fit_options *options;
    struct mt_fit_runs *runs;
    struct mt_models *models; /* receives what comes out */
};

/* Add an element at the end; text is copied, `model` is taken over (and zeroed). */
MT_MUST_CHECK int mt_models_add(struct mt_models *models, struct mt_model *model,
                                struct mt_error *err);
/* Refuse the N-T model of a configuration, for a P-T model to be joined from it. */
MT_MUST_CHECK int mt_models_refuse_nt(struct mt_models *models,
                                      const struct mt_fit_task *task,
                                      const struct mt_fit_run *of, const char *reason,
                                      struct mt_error *err);
/* Add a model that was made (status MT_OK), or refuse it for the reason that there is
   none; MT_ENOMEM is a failure. */
MT_MUST_CHECK int mt_models_add_or_refuse(const struct mt_fit_task *task,
                                          struct mt_model *model,
                                          const struct mt_fit_run *of, int status,
                                          const struct mt_error *reason,
                                          struct mt_error *err);
MT_MUST_CHECK int mt_models_drop(struct mt_models *models,
                                 const struct mt_cluster *cluster,
                                 const struct mt_sample *sample, const char *reason,
                                 struct mt_error *err);

/*
 * Fill in an empty model for `count` runs of one class (or, for the N-T kind,
 * of one configuration): names, ranges, the terms of `kind`. Its coefficients are
 * 0.
 */
MT_MUST_CHECK int mt_model_prepare(struct mt_model *model,
                                   const struct mt_fit_task *task,
                                   enum mt_model_kind kind,
                                   const struct mt_fit_run *runs, int count,
                                   struct mt_error *err);
/*
 * Write the values of the model's terms at an run to `row`. MT_EINVAL when one
 * has no value there.
 */
MT_MUST_CHECK int mt_model_row(const struct mt_model *model,
                               const struct mt_fit_run *run, double *row,
                               struct mt_error *err);

MT_MUST_CHECK int mt_fit_nt(const struct mt_fit_task *task, struct mt_error *err);
MT_MUST_CHECK int mt_fit_pt(const struct mt_fit_task *task, struct mt_error *err);
MT_MUST_CHECK int mt_fit_npt(const struct mt_fit_task *task, struct mt_error *err);

#endif
