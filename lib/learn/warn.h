/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_warn.h - what the runs cannot tell, in words.
 */
#ifndef MT_LEARN_WARN_H
#define MT_LEARN_WARN_H

#include "choose.h"

#include "motley/learn.h"
#include "motley/shape.h"

/* List the warnings. */
void mt_learn_warn(struct mt_learned *learned, const struct mt_learn_choice *choice,
                   const struct mt_learn_sample *samples, int nsamples,
                   const struct mt_shape *shape);

#endif
