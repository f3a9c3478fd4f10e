/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_wanted.h - which runs would make predictions for many more nodes surer.
 */
#ifndef MT_LEARN_WANTED_H
#define MT_LEARN_WANTED_H

#include "sure.h"

#include "motley/learn.h"
#include "motley/shape.h"

/* List the runs, of no more ranks than that (0: of any number). Each is the best after
   those before it; `belief` becomes what it would be after all of them. */
void mt_learn_want_runs(struct mt_learned *learned, const struct mt_learn_tried *fit,
                        struct mt_learn_belief *belief,
                        const struct mt_learn_sample *samples, int nsamples,
                        const struct mt_shape *shape, int most_ranks);

#endif
