/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * learn_cache.h - where the minimiser begins to look for one cache more.
 */
#ifndef MT_LEARN_CACHE_H
#define MT_LEARN_CACHE_H

#include "form.h"

#include "motley/error.h"

/*
 * The values on entry are those of the form with one cache less. Add one where that
 * leaves the smallest squares: between measured working sets where there is none yet,
 * or as a part of one that is there.
 */
MT_MUST_CHECK int mt_learn_add_cache(struct mt_learn_values *values,
                                     const struct mt_learn_form *form,
                                     const struct mt_learn_sample *samples,
                                     int nsamples, struct mt_error *err);

#endif
