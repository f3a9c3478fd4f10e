/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tells.h - whether the runs tell the parts of a form from simpler ones, however well
 * it fits.
 */
#ifndef MT_LEARN_TELLS_H
#define MT_LEARN_TELLS_H

#include "form.h"

/* At least so many distinct working sets, one or two, before the first cache step, and
   two beyond the last; with one a plateau may be that of one run, or of messages. Of
   several steps it may be seen that the last begins, beyond such a plateau before it:
   runs on more nodes have smaller working sets. */
bool mt_learn_tells_steps(const struct mt_learn_data *data,
                          const struct mt_learn_form *form,
                          const struct mt_learn_values *values, int sets_before);
/* The law of contention. An exponent near 0 is no contention. A part that is shared by
   as many nodes as were ever run is a bus, and so is one with room for no more than the
   fewest. */
bool mt_learn_tells_law(const struct mt_learn_data *data,
                        const struct mt_learn_form *form,
                        const struct mt_learn_values *values);
/* Whether enough runs have uneven messages to tell if the longest or the mean counts.
 */
bool mt_learn_tells_lengths(const struct mt_learn_data *data);

#endif
