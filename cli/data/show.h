/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * show.h - the two halves of the show command: runs and models.
 */
#ifndef MT_CLI_SHOW_H
#define MT_CLI_SHOW_H

#include "cli/common/command.h"
#include "motley/error.h"
#include "motley/store.h"

#include <stdbool.h>

/* Print the runs of the store that pass the filter; with `failed_only`, those of them
   that failed. */
MT_MUST_CHECK int mt_show_runs(struct mt_store *store,
                               const struct mt_run_filter *filter, bool failed_only,
                               struct mt_error *err);
/* Print the models of the store, what was refused one, and the runs left out. */
MT_MUST_CHECK int mt_show_models(struct mt_store *store, const struct mt_stored *stored,
                                 struct mt_error *err);

#endif
