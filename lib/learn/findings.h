/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h - the results for people: the parameters and their intervals, the forms
 * that were tried, and what the runs cannot tell.
 */
#ifndef MT_LEARN_FINDINGS_H
#define MT_LEARN_FINDINGS_H

#include "choose.h"
#include "confidence.h"
#include "motley/error.h"

/* List the parameters of the components with their intervals. */
void mt_learn_list_parameters(struct mt_learned *learned,
                              const struct mt_learn_tried *fit,
                              const struct mt_learn_posterior *posterior);
/* List the forms, the best first. */
MT_MUST_CHECK int mt_learn_list_trials(struct mt_learned *learned,
                                       const struct mt_learn_choice *choice,
                                       struct mt_error *err);
/* List the warnings about predictions on up to `most_ranks` ranks; 0: as ran. */
void mt_learn_list_warnings(struct mt_learned *learned,
                            const struct mt_learn_choice *choice,
                            const struct mt_learn_data *data,
                            const struct mt_shape *shape, int most_ranks);

#endif
