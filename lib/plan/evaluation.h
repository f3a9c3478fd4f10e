/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * evaluation.h - how good the choices of a model are: for every size with measured
 * configurations, the one that the model would choose among them against the fastest
 * one.
 *
 * A model is fitted in memory, from the training runs alone: those at the training
 * sizes, which are the program's measure sizes unless the options say others. So no run
 * at a size beyond them, and no run of a mixed configuration (except with the N-T
 * models, which have one model for each configuration), helps it.
 */
#ifndef MT_EVALUATION_H
#define MT_EVALUATION_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"

#include <stdbool.h>

/* The input of an evaluation. All borrowed. */
struct mt_truth {
    const struct mt_cluster *cluster;
    const struct mt_program *program;
    const struct mt_samples *samples;        /* all runs, to train models by */
    const struct mt_measured_list *measured; /* at the sizes at which to choose */
    bool as_in_paper; /* the papers' models choose the least max T_i, also where the
                         time of a group is not positive */
};

/* A model's choice at one size. Strings are owned. */
struct mt_verdict {
    double size;
    int measured;    /* configurations that were measured */
    double possible; /* configurations that the program may run on */
    int skipped;     /* measured, and passed over for a time that is not positive */
    char *chosen;    /* predicted to be the fastest of those */
    double predicted_seconds;
    double chosen_seconds; /* measured */
    char *best;            /* really the fastest */
    double best_seconds;
    char *unmeasured; /* the choice of a plan over all configurations, if it was not
                         measured; otherwise NULL */
};

/* chosen_seconds / best_seconds - 1. */
double mt_verdict_regret(const struct mt_verdict *verdict);
/* predicted_seconds / chosen_seconds - 1. */
double mt_verdict_error(const struct mt_verdict *verdict);

/* The verdicts on one kind of model. Empty if zeroed. */
struct mt_evaluation {
    enum mt_model_kind kind;
    int training_runs;           /* without those that the kind leaves out */
    int fitted, refused;         /* models */
    int dropped;                 /* training runs left out as glitches */
    int count;                   /* verdicts */
    double training_seconds;     /* that the training runs took, all together */
    double fit_seconds;          /* of this computer: to fit the models */
    double choose_seconds;       /* likewise: to choose at every size */
    struct mt_verdict *verdicts; /* owned; ascending sizes */
};

/*
 * Fit the models as the options say and judge their choice at every size that was
 * measured. MT_ENOTFOUND: no training runs, or no prediction for any measured
 * configuration of a size. MT_ERANK: the training runs do not determine the models.
 * `evaluation` must be empty.
 */
MT_MUST_CHECK int mt_evaluate(struct mt_evaluation *evaluation,
                              const struct mt_truth *truth,
                              const struct mt_fit_options *options,
                              struct mt_error *err);
void mt_evaluation_clear(struct mt_evaluation *evaluation);

/* A summary of verdicts first .. count - 1. */
struct mt_summary {
    double worst_regret, mean_regret;
    double worst_error; /* with its sign */
    double mean_error;  /* of the absolute values */
};
struct mt_summary mt_evaluation_summary(const struct mt_evaluation *evaluation,
                                        int first);
/* The first verdict of the upper half of the sizes. */
int mt_evaluation_upper_half(const struct mt_evaluation *evaluation);

#endif
