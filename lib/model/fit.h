/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - what a fit works on, for the files that share it.
 */
#ifndef MT_MODEL_FIT_H
#define MT_MODEL_FIT_H

#include "motley/model.h"

/* A run as the fit uses it. */
struct mt_fit_run {
    const struct mt_sample *sample; /* borrowed */
    int group;                      /* the only group used; -1: several */
    struct mt_layout layout;        /* of a node; zeroed when several groups are used */
    int nodes, ranks;
    int split;    /* as in struct mt_model */
    int glitches; /* runs of this configuration that were left out */
};

/* A fit. What is not owned is borrowed. */
struct mt_fit_task {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_link_figures *links;
    const struct mt_fit_options *options;
    struct mt_models *models; /* receives what comes out */
    struct mt_fit_run *runs;  /* owned; by group, layout, split, P, configuration, N:
                                 those of one model are neighbours */
    int count;
};

/* Take the runs at the sizes that the options name; MT_ENOTFOUND: none has one. */
MT_MUST_CHECK int mt_fit_take_runs(struct mt_fit_task *task,
                                   const struct mt_samples *samples,
                                   struct mt_error *err);
/* Take the glitches out, and list them in the models. */
MT_MUST_CHECK int mt_fit_drop_glitches(struct mt_fit_task *task, struct mt_error *err);
/* The end of the neighbours of `first` that share its configuration, or its group,
   layout and split. */
int mt_configuration_end(const struct mt_fit_run *all, int count, int first);
int mt_class_end(const struct mt_fit_run *all, int count, int first);

/* Add a model, which is taken over (and zeroed). */
MT_MUST_CHECK int mt_models_add(struct mt_models *models, struct mt_model *model,
                                struct mt_error *err);

/* Fit the models of one of the papers' kinds. */
MT_MUST_CHECK int mt_fit_papers(const struct mt_fit_task *task, struct mt_error *err);

/* Find the coefficients of a model, whose terms are set, by least squares. MT_ENOMEM is
   a failure; any other status says why the runs do not give this model. */
MT_MUST_CHECK int mt_model_regress(struct mt_model *model,
                                   const struct mt_fit_run *runs, int count,
                                   struct mt_error *err);

#endif
