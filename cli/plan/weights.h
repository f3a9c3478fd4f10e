/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weights.h - the common part of `weights` and `run --weights`: uneven parts for the
 * user's question.
 */
#ifndef MT_CLI_PLAN_WEIGHTS_H
#define MT_CLI_PLAN_WEIGHTS_H

#include "cli/common/inputs.h"
#include "lib/weights/weights.h"

/* Empty if zeroed. */
struct mt_weighing {
    struct mt_weights weights;
    double *list; /* owned; the weight of each rank */
    int ranks;
};

/* Weigh by the default models in the store that the --db option names: the best
   configuration, or the one that --configuration names (NULL: none). `weighing` must be
   empty. */
MT_MUST_CHECK int mt_weighing_make(struct mt_weighing *weighing,
                                   const struct mt_inputs *inputs, double size,
                                   const char *configuration, struct mt_error *err);
void mt_weighing_clear(struct mt_weighing *weighing);

#endif
