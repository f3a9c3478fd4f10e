/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the outcome of a run into an observation. */
#include "observation.h"

#include "probes.h"
#include "runs.h"

#include <math.h>

int mt_design_take_in(struct mt_design *design, const struct mt_proposal *proposal,
                      const struct mt_observation *observation, struct mt_error *err)
{
    const int index = mt_design_find(design, &proposal->configuration, proposal->size);
    const bool is_probe = proposal->phase == MT_PHASE_PROBES;
    const struct mt_past_run run = {.configuration = proposal->configuration,
                                    .size = proposal->size,
                                    .seconds = observation->seconds,
                                    .spent = observation->spent};
    if (index < 0 && !is_probe)
        return mt_fail(err, MT_EINVAL, "there is no such run");
    if (observation->made && (observation->seconds <= 0 || !(observation->spent >= 0)))
        return mt_fail(err, MT_EINVAL, "a run cannot take %g s, or spend %g s",
                       observation->seconds, observation->spent);
    int status = observation->made ? mt_design_remember(design, &run, err) : MT_OK;
    if (status == MT_OK && is_probe)
        status = mt_design_observe_probe(design, proposal, observation, err);
    else if (status == MT_OK && observation->made)
        status = mt_design_count_run(design, index, run.seconds, run.spent, err);
    else if (status == MT_OK)
        design->trials[index].failed = true;
    return status;
}
