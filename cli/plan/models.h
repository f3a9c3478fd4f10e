/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * models.h - models from the store for the commands that predict: as they are stored,
 * or fitted again when there is something new to fit from.
 */
#ifndef MT_CLI_MODELS_H
#define MT_CLI_MODELS_H

#include "cli/common/command.h"

#include "motley/error.h"
#include "motley/fit.h"
#include "motley/model.h"

#include <stdbool.h>

/* The runs of a program on a cluster, as a fit wants them. Zeroed is empty. */
struct mt_samples {
    struct mt_sample *samples; /* owned */
    int count;
    int left_out; /* runs of configurations that the cluster has not got any more */
    struct mt_sample *failed; /* owned; runs that failed, without seconds */
    int nfailed;
    int64_t newest_run;
};

/* Take the runs out of the store that the --db option names. `samples` must be empty;
   that no run is there is not an error. */
MT_MUST_CHECK int mt_samples_load(struct mt_samples *samples,
                                  const struct mt_inputs *inputs, struct mt_error *err);
void mt_samples_clear(struct mt_samples *samples);

/* Whether a configuration was run at that size, and always failed. */
bool mt_samples_failed(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size);
/* The geometric mean of the seconds of a configuration's runs at a size, NaN: there are
   none; and their number. */
double mt_samples_mean(const struct mt_samples *samples,
                       const struct mt_configuration *configuration, double size,
                       int *runs);

/* Whether a (group, processes per node) has a model, or was refused one. */
bool mt_models_cover(const struct mt_models *models, const char *group, int processes);

/*
 * Fit to the runs in the store that the --db option names. As mt_fit(), and
 * MT_ENOTFOUND without a single run; on MT_ERANK, too, `models` is the caller's.
 */
MT_MUST_CHECK int mt_models_fit(struct mt_models *models,
                                const struct mt_inputs *inputs,
                                const struct mt_fit_options *options,
                                struct mt_error *err);
/* Keep the models in that store, instead of those of their kind. */
MT_MUST_CHECK int mt_models_keep(const struct mt_models *models,
                                 const struct mt_inputs *inputs, struct mt_error *err);

/*
 * The runs, and the models of that kind, out of the store that the --db option names.
 * The models are fitted and stored when none are there, and fitted again, with the
 * options that they were fitted with before, when runs were added since, when the
 * program's terms or its split are others now, or the cluster has got a group again; a
 * store that cannot be written does not get them. `models` and `samples` must be empty.
 * MT_ENOTFOUND without a single run, MT_ERANK when the runs determine no model.
 */
MT_MUST_CHECK int mt_models_ready(struct mt_models *models, struct mt_samples *samples,
                                  const struct mt_inputs *inputs,
                                  enum mt_model_kind kind, struct mt_error *err);

#endif
