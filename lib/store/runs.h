/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.h - adding runs that may be in the store already.
 */
#ifndef MT_STORE_RUNS_H
#define MT_STORE_RUNS_H

#include "motley/store.h"

/* Add those runs that the store does not have: with the same times, not only of the
   same things. All of them, or none on failure; `*added` grows by the number of the
   new. */
MT_MUST_CHECK int mt_runs_add_new(struct mt_store *store, const struct mt_runs *runs,
                                  int *added, struct mt_error *err);

#endif
