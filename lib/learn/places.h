/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places.h - where else cache steps may be: one after the other is not always the way
 * to the best places for several.
 */
#ifndef MT_LEARN_PLACES_H
#define MT_LEARN_PLACES_H

#include "form.h"

#include "motley/error.h"

/* Two steps, and three; for each set of the machine's caches as many, and one more. */
enum { MT_LEARN_MOST_PLACES = 2 + (2 << MT_MAX_CACHE_STEPS) };

struct mt_learn_place {
    struct mt_learn_form form;
    struct mt_learn_values values;
};

/*
 * Forms like one that was tried, but with other steps, and values to begin with; room
 * for MT_LEARN_MOST_PLACES of them.
 */
MT_MUST_CHECK int mt_learn_find_places(struct mt_learn_place *found, int *count,
                                       const struct mt_learn_place *like,
                                       const struct mt_learn_data *data,
                                       struct mt_error *err);

#endif
