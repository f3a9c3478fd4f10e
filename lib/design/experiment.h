/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * experiment.h - the one loop "propose, run, observe", for whatever proposes runs.
 */
#ifndef MT_DESIGN_EXPERIMENT_H
#define MT_DESIGN_EXPERIMENT_H

#include "internal.h"

/* Who chooses the runs. */
struct mt_proposer {
    void *self;
    /* `*end` is MT_END_NONE when there is a proposal. */
    int (*next)(void *self, struct mt_proposal *next, enum mt_end *end,
                struct mt_error *err);
    /* Also of a run that was not made. */
    int (*observe)(void *self, const struct mt_proposal *proposal,
                   const struct mt_observation *observation, struct mt_error *err);
};

/* Until nothing is proposed, the experimenter asks to stop, or one of them fails. */
MT_MUST_CHECK int mt_experiment(const struct mt_proposer *proposer,
                                const struct mt_experimenter *experimenter,
                                enum mt_end *end, struct mt_error *err);

#endif
