/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * store_fit.h - the row that the models of one (cluster, program, kind) hang on: the
 * newest run behind them and the options that they were fitted with.
 */
#ifndef MT_STORE_FIT_H
#define MT_STORE_FIT_H

#include "motley/store.h"

#include <stdint.h>

/* Replace the row; what belonged to the old one goes with it. `fit` is its id. */
MT_MUST_CHECK int mt_store_put_fit(struct mt_store *store, const char *cluster,
                                   const char *program, const struct mt_models *models,
                                   int64_t *fit, struct mt_error *err);
/* Find the row for models->kind, and fill in models->newest_run and its options. */
MT_MUST_CHECK int mt_store_get_fit(struct mt_store *store, const char *cluster,
                                   const char *program, struct mt_models *models,
                                   int64_t *fit, struct mt_error *err);

#endif
