/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joint.h - the least-squares problem of the default models: all groups and processes
 * per node together.
 *
 * Few runs give few unknowns. What describes the network is common to all. Work that is
 * no part of the program's main one takes longer on slower groups, and has one unknown
 * for all. The main work has one for each group and all of its layouts that differ in
 * processes at most, and from each further number of processes on, and below it,
 * another: what was not measured lies between its neighbours.
 */
#ifndef MT_MODEL_JOINT_H
#define MT_MODEL_JOINT_H

#include "fit_models.h"
#include "library.h"
#include "selection.h"

/* An unknown: a term's coefficient for some of the models. */
struct mt_unknown {
    int term;
    int group;                    /* -1: all */
    const struct mt_layout *like; /* of layouts that differ from it in processes at
                                     most; borrowed; NULL: of any */
    int from, below;              /* for so many processes on a node; 0: all */
};

/* One model that is made: a (group, layout), and its runs. */
struct mt_class {
    int group;
    struct mt_layout layout;
    int first, end;  /* runs; first == end: it has none */
    double slowness; /* relative to the fastest: seconds for an operation */
};

struct mt_joint_fit {
    const struct mt_fit_task *task;
    struct mt_library library; /* owned, as all that follows */
    struct mt_fit_run *runs;   /* those that are fitted to; the runs are borrowed */
    int nruns;
    double *values; /* nruns x terms */
    struct mt_class *classes;
    int nclasses;
    struct mt_unknown *unknowns;
    int *set; /* of each unknown */
    int nunknowns;
    bool *fixed, *begun; /* of each set: taken in any case, to begin with */
    int nsets;
    bool *held;   /* nfolds x nruns */
    bool *judged; /* likewise: of those held out, whose errors are to be expected */
    int nfolds;
    struct mt_sparse_row *rows;
    int *row_columns;
    double *row_values;
    struct mt_selected selected;
};

void mt_joint_fit_clear(struct mt_joint_fit *joint);
/* MT_ENOMEM, in words. */
int mt_joint_fit_no_memory(const struct mt_joint_fit *joint, struct mt_error *err);

/* Take the runs of one group each; the models of groups that have too few are refused.
 */
MT_MUST_CHECK int mt_joint_fit_take_runs(struct mt_joint_fit *joint,
                                         struct mt_error *err);
/* With a library: refuse the models that need a term without a value at their runs. */
MT_MUST_CHECK int mt_joint_fit_refuse_without_value(struct mt_joint_fit *joint,
                                                    struct mt_error *err);
/* Find the terms' values, the classes, the unknowns and the rows. */
MT_MUST_CHECK int mt_joint_fit_prepare(struct mt_joint_fit *joint,
                                       struct mt_error *err);
/* Divide the runs for cross-validation: see folds.c. */
MT_MUST_CHECK int mt_joint_fit_make_folds(struct mt_joint_fit *joint,
                                          struct mt_error *err);

/* The class of a run. */
const struct mt_class *mt_joint_fit_class(const struct mt_joint_fit *joint, int run);
/* The factor of an unknown in the coefficient of a term, in the model of a class: of
   its own, or, of what the cores of a node share, of the one that a single core has. */
double mt_joint_fit_share(const struct mt_joint_fit *joint,
                          const struct mt_unknown *unknown,
                          const struct mt_class *class, int term);

#endif
