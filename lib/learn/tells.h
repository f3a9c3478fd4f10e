/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tells.h - whether the runs distinguish the parts of a form from simpler ones, however
 * well it fits; and other places of cache steps, since adding one after the other does
 * not always lead to the best places for several.
 */
#ifndef MT_LEARN_TELLS_H
#define MT_LEARN_TELLS_H

#include "form.h"

#include "motley/error.h"

/* At least `sets_before` (one or two) distinct working sets before the first cache
   step, and two beyond the last; with only one, a plateau may be that of one run, or of
   messages. The last of several steps may have no sets beyond it if there is such a
   plateau before it: runs on more nodes have smaller working sets. */
bool mt_learn_tells_steps(const struct mt_learn_data *data,
                          const struct mt_learn_form *form,
                          const struct mt_learn_values *values, int sets_before);
/* Whether the runs determine the law of contention. An exponent near 0 means no
   contention. A part shared by all nodes of the largest run is a bus, and so is one
   with room for only the smallest number. */
bool mt_learn_tells_law(const struct mt_learn_data *data,
                        const struct mt_learn_form *form,
                        const struct mt_learn_values *values);
/* Whether enough runs have uneven messages to tell if the longest or the mean counts.
 */
bool mt_learn_tells_lengths(const struct mt_learn_data *data);

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
