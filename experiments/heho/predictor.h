/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predictor.h - fitted models, and the calibration that corrects them.
 */
#ifndef HEHO_PREDICTOR_H
#define HEHO_PREDICTOR_H

#include "replay.h"
#include "training.h"

#include "motley/calibration.h"
#include "motley/model.h"

/* What is tried. */
struct trial_options {
    enum mt_model_kind kind;
    enum training_design design;
    int runs;   /* of a designed training; 0: no limit */
    int verify; /* runs at each plan size before auto's choice; 0: none */
};

/* Zeroed is empty. The replay is borrowed, the rest owned. */
struct predictor {
    const struct replay *replay;
    struct training training;
    struct mt_problem problem; /* with these models, so that it must not be moved */
    struct mt_models models;
    struct mt_calibration calibration;
    bool calibrated; /* predictions are corrected */
};

/* Make the training runs and fit to them; auto's predictions are corrected by the
   probes. `predictor` must be empty; clear it in any case. */
MT_MUST_CHECK int predictor_init(struct predictor *predictor,
                                 const struct replay *replay,
                                 const struct trial_options *options,
                                 struct mt_error *err);
void predictor_clear(struct predictor *predictor);

/* Calibrate the models from now on. At first that is the probes: as in
   `motley plan`, the runs that the models were fitted from are none. */
MT_MUST_CHECK int predictor_calibrate(struct predictor *predictor,
                                      struct mt_error *err);

MT_MUST_CHECK int predictor_predict(const struct predictor *predictor, int point,
                                    struct mt_prediction *prediction,
                                    struct mt_error *err);

#endif
