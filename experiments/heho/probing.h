/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probing.h - the probes that end the base of a training, runs of several groups, as
 * `motley measure --runs` makes them.
 */
#ifndef HEHO_PROBING_H
#define HEHO_PROBING_H

#include "training.h"

#include "motley/design.h"

/*
 * Make the probes that are left to the design, at the largest size up to its own for
 * which there is truth, and add them to `training`, which has room for them. None where
 * there is no such truth, or the models fitted to the training so far do not predict
 * it.
 */
MT_MUST_CHECK int probing_run(struct training *training, const struct replay *replay,
                              struct mt_design *design, struct mt_error *err);

#endif
