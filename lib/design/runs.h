/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs.h - what a design takes in of the runs that were made.
 */
#ifndef MT_DESIGN_RUNS_H
#define MT_DESIGN_RUNS_H

#include "internal.h"
#include "state.h"

/* The index of a candidate; -1: it is none. */
int mt_design_find(const struct mt_design *design,
                   const struct mt_configuration *configuration, double size);

/* Keep what a run came to among all that is known. */
MT_MUST_CHECK int mt_design_remember(struct mt_design *design,
                                     const struct mt_past_run *run,
                                     struct mt_error *err);
/* Learn the time of a run of a candidate; NaN: it failed. */
MT_MUST_CHECK int mt_design_learn(struct mt_design *design, int index, double seconds,
                                  struct mt_error *err);
/* A run of a candidate has ended: learn its time, and what runs spend. Seconds of NaN:
   it failed. */
MT_MUST_CHECK int mt_design_count_run(struct mt_design *design, int index,
                                      double seconds, double spent,
                                      struct mt_error *err);

#endif
