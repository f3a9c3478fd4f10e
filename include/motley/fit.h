/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit.h - find the coefficients of run-time models by least squares.
 * Pure arithmetic: nothing here reads the store, prints, or starts a program.
 */
#ifndef MT_FIT_H
#define MT_FIT_H

#include "motley/cluster.h"
#include "motley/error.h"
#include "motley/expr.h"
#include "motley/model.h"
#include "motley/program.h"
#include "motley/samples.h"

#include <stdbool.h>

MT_C_BEGIN

/*
 * Fit the models of one kind to runs, as the options say; `models` gets a copy of
 * these. Runs of one (configuration, size) are repetitions. N-T, P-T and NP-T
 * are the papers': ordinary least squares on the seconds; P-T and NP-T leave out the
 * runs on one node. Auto fits all groups together, weighs residuals by 1 / seconds and
 * keeps coefficients >= 0 (Lawson and Hanson): what describes the network has one
 * coefficient for all, what describes the nodes one for each (group, M), and of that
 * the terms that do not shrink with P are serial. A small ridge settles what few runs
 * leave open: two runs of different sizes give a (group, M) its model. What the runs do
 * not determine is refused in `models`, with the reason; MT_ERANK only when every model
 * is refused. Runs that are left out as glitches are listed in `models`; so are the N-T
 * models that a P-T model would have been joined from. MT_ENOTFOUND: no run at all, or
 * none at one of the sizes that the options name; MT_EPARSE, MT_EINVAL: terms of the
 * options that do not parse or do not suit the kind. `models` must be empty; it is
 * unchanged on failure, but for MT_ERANK, when it holds the refusals.
 */
MT_MUST_CHECK int mt_fit(struct mt_models *models, const struct mt_cluster *cluster,
                         const struct mt_program *program,
                         const struct mt_samples *samples,
                         const struct mt_fit_options *options, struct mt_error *err);

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

MT_C_END

#endif
