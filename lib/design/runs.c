/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"

#include "lib/base/array.h"
#include "lib/math/median.h"
#include "probes.h"

#include <math.h>
#include <string.h>

int mt_design_remember(struct mt_design *design, const struct mt_past_run *run,
                       struct mt_error *err)
{
    const int status =
        mt_array_grow(&design->past, design->npast, sizeof *design->past, "runs", err);
    if (status == MT_OK)
        design->past[design->npast++] = *run;
    return status;
}

int mt_design_find(const struct mt_design *design,
                   const struct mt_configuration *configuration, double size)
{
    for (int i = 0; i < design->count; i++)
        if (design->candidates[i].size == size &&
            mt_configuration_equal(&design->candidates[i].configuration, configuration))
            return i;
    return -1;
}

int mt_design_learn(struct mt_design *design, int index, double seconds,
                    struct mt_error *err)
{
    struct mt_candidate_runs *trial = &design->trials[index];
    if (isnan(seconds)) {
        trial->failed = true;
        return MT_OK;
    }
    design->reviewed = false;
    if (trial->runs < MT_KEPT_RUNS)
        trial->seconds[trial->runs] = seconds;
    trial->runs++;
    double sorted[MT_KEPT_RUNS];
    const int kept = trial->runs < MT_KEPT_RUNS ? trial->runs : MT_KEPT_RUNS;
    memcpy(sorted, trial->seconds, sizeof sorted);
    trial->log_seconds = log(mt_median(sorted, kept));
    return mt_posterior_observe(&design->posterior, index, log(seconds), err);
}

int mt_design_count_run(struct mt_design *design, int index, double seconds,
                        double spent, struct mt_error *err)
{
    design->runs++;
    design->spent += spent;
    if (!isnan(seconds)) {
        design->succeeded++;
        mt_estimate_add(&design->overhead, seconds, fmax(spent - seconds, 0));
    }
    return mt_design_learn(design, index, seconds, err);
}

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
