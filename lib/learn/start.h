/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.h - starting points of the minimiser: linear values (costs, seconds of a
 * message and of a byte) by non-negative least squares, in a scan over positions of
 * caches and numbers of a contention law.
 */
#ifndef MT_LEARN_START_H
#define MT_LEARN_START_H

#include "form.h"

#include "motley/error.h"

/*
 * Replace the linear values by their non-negative least squares, the others being
 * fixed. With overlap, a sample counts for the computation or for the messages,
 * whichever takes longer by the values on entry. `*squares` is the sum of the squares
 * of predicted / measured - 1.
 */
MT_MUST_CHECK int mt_learn_solve_linear(struct mt_learn_values *values,
                                        const struct mt_learn_form *form,
                                        const struct mt_learn_data *data,
                                        double *squares, struct mt_error *err);
/* Replace the numbers of the contention law, and the linear values, by the best of
   those tried; those on entry are among them. */
MT_MUST_CHECK int mt_learn_scan_law(struct mt_learn_values *values,
                                    const struct mt_learn_form *form,
                                    const struct mt_learn_data *data,
                                    struct mt_error *err);

/*
 * The values on entry are those of the form with one cache fewer. Add one where it
 * leaves the smallest squares: between measured working sets, or as a part of an
 * existing one.
 */
MT_MUST_CHECK int mt_learn_add_cache(struct mt_learn_values *values,
                                     const struct mt_learn_form *form,
                                     const struct mt_learn_data *data,
                                     struct mt_error *err);

/*
 * Place the two steps of a form where they leave the smallest squares, trying all pairs
 * of a few places. `placed` is false with too few working sets; the values are
 * unchanged then.
 */
MT_MUST_CHECK int mt_learn_place_pair(struct mt_learn_values *values, bool *placed,
                                      const struct mt_learn_form *form,
                                      const struct mt_learn_data *data,
                                      struct mt_error *err);

/* Move each cache step that is not pinned, in turn, to the place with the smallest
   squares, between measured working sets, at most a factor of 2 away. */
MT_MUST_CHECK int mt_learn_move_caches(struct mt_learn_values *values,
                                       const struct mt_learn_form *form,
                                       const struct mt_learn_data *data,
                                       struct mt_error *err);

#endif
