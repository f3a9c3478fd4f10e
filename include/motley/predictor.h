/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predictor.h - all that predicts the times of a program on a cluster: the runs in a
 * store, the models that are fitted to them, and the calibration of these models by
 * runs beyond the training.
 */
#ifndef MT_PREDICTOR_H
#define MT_PREDICTOR_H

#include "motley/calibration.h"
#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/model.h"
#include "motley/program.h"
#include "motley/samples.h"
#include "motley/store.h"

#include <stdbool.h>

MT_C_BEGIN

/* Zeroed is empty. It must not be moved: `problem` points to the models. */
struct mt_predictor {
    struct mt_problem problem; /* the cluster and the program are borrowed */
    struct mt_models models;
    struct mt_samples samples;
    struct mt_measured_list measured; /* what came of these runs */
    /* Operations per second of one node of each group alone, the best of these runs; 0:
       never ran alone, or the program does not say its work. */
    double speed_alone[MT_MAX_GROUPS];
    struct mt_calibration calibration;
    int repeats;     /* how often most of the training was run */
    int corrections; /* runs beyond the training; 0: the models are taken as they are */
    bool fitted; /* the models are not the store's, which are missing or out of date */
    struct mt_refusal
        *missing; /* owned; each (group, layout) that is left
                     out for want of a model, and why; not of N-T models */
    int nmissing;
};

/*
 * Take the runs and the models of that kind out of the store. The models are fitted
 * when none are there, and fitted again, with the options that they were fitted with
 * before, when runs were added since, when the program's terms or its split are others
 * now, or the cluster has got a group again. Nothing is written: new ones are kept for
 * the next time by mt_store_put_models().
 *
 * Auto models are calibrated by the runs beyond the training: of several groups at
 * once, which they are not fitted from; at sizes that are not measure sizes of the
 * program, which are few among the runs that they are; and of a group alone at a
 * measure size more often than most of the training was run, as verifying a plan does
 * it, unless all sizes that the program plans for are larger. The other kinds stay as
 * the papers have them.
 *
 * The cluster and the program must outlive `predictor`, which must be empty, and is to
 * be cleared in any case: on failure it says which runs there were. MT_ENOTFOUND
 * without a single run, MT_ERANK when the runs determine no model.
 */
MT_MUST_CHECK int mt_predictor_load(struct mt_predictor *predictor,
                                    struct mt_store *store,
                                    const struct mt_cluster *cluster,
                                    const struct mt_program *program,
                                    enum mt_model_kind kind, struct mt_error *err);
/* The same from runs that are in no store, which are taken over also on failure, and by
   models that are fitted to them as the options say. */
MT_MUST_CHECK int mt_predictor_fit(struct mt_predictor *predictor,
                                   const struct mt_cluster *cluster,
                                   const struct mt_program *program,
                                   struct mt_samples *samples,
                                   const struct mt_fit_options *options,
                                   struct mt_error *err);
void mt_predictor_clear(struct mt_predictor *predictor);

/* As mt_models_predict(), corrected where there are runs to correct by. `deviation` is
   that of mt_calibration_predict(), NULL or set to 0 where nothing is corrected. */
MT_MUST_CHECK int mt_predictor_correct(const struct mt_predictor *predictor,
                                       const struct mt_configuration *configuration,
                                       double size, struct mt_prediction *prediction,
                                       double *deviation, struct mt_error *err);

/* Whether more than the models is known for plans of that size: runs beyond the
   training, or any run at this size. */
bool mt_predictor_knows(const struct mt_predictor *predictor, double size);

/*
 * The time that plans rank, prove and print. A configuration that ran at this size
 * takes the median of its runs, with its interval around it. Where
 * mt_predictor_knows() more than the models, any other one takes what is corrected and
 * half its deviation. A guess of mt_predictor_guesses() is `unseen`.
 */
MT_MUST_CHECK int mt_predictor_predict(const struct mt_predictor *predictor,
                                       const struct mt_configuration *configuration,
                                       double size, struct mt_prediction *prediction,
                                       struct mt_error *err);

/* Whether nothing like a configuration ran, at any size: groups that never ran
   together, or a group alone on less than half the fewest, or more than twice the most
   processes that it ran with. Only for auto models; the papers' are as they are. */
bool mt_predictor_guesses(const struct mt_predictor *predictor,
                          const struct mt_configuration *configuration);

/*
 * Whether run i of the samples is in the calibration: it is beyond the training, or it
 * is one of several at its configuration and size, unless all sizes that are planned
 * for are larger, or a run of several groups at this size came before it. So what was
 * run to verify a plan calibrates, too, where the models are fitted from it.
 */
bool mt_predictor_calibrated_by(const struct mt_predictor *predictor, int i);

/* How many of the corrections were made at this size. */
int mt_predictor_corrections_at(const struct mt_predictor *predictor, double size);

MT_C_END

#endif
