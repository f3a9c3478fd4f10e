/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop "propose, run, observe". */
#include "experiment.h"

/* A proposal that was declined by stopping is open: it may be made another time. */
static bool was_answered(const struct mt_observation *observation)
{
    return observation->made || !observation->stop;
}

int mt_experiment(const struct mt_proposer *proposer,
                  const struct mt_experimenter *experimenter, enum mt_end *end,
                  struct mt_error *err)
{
    for (;;) {
        struct mt_proposal next;
        struct mt_observation observation = {0};
        enum mt_end why = MT_END_NONE;
        int status = proposer->next(proposer->self, &next, &why, err);
        if (status == MT_OK && why == MT_END_NONE)
            status = experimenter->run(experimenter->context, &next, &observation, err);
        if (status == MT_OK && why == MT_END_NONE && was_answered(&observation))
            status = proposer->observe(proposer->self, &next, &observation, err);
        if (status != MT_OK)
            return status;
        if (observation.stop)
            why = MT_END_STOPPED;
        if (why != MT_END_NONE) {
            *end = why;
            return MT_OK;
        }
    }
}
