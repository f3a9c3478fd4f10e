/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs that a design knows. */
#include "runs.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/stats/stats.h"

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
    if (trial->runs < MT_KEPT_RUNS)
        trial->seconds[trial->runs] = seconds;
    trial->runs++;
    double sorted[MT_KEPT_RUNS];
    const int kept = trial->runs < MT_KEPT_RUNS ? trial->runs : MT_KEPT_RUNS;
    memcpy(sorted, trial->seconds, sizeof sorted);
    trial->log_seconds = log(mt_median(sorted, kept));
    return mt_variance_observe(&design->posterior, index, log(seconds), err);
}

int mt_design_count_run(struct mt_design *design, int index, double seconds,
                        double spent, struct mt_error *err)
{
    design->runs++;
    design->unreviewed++;
    design->spent += spent;
    if (!isnan(seconds)) {
        design->succeeded++;
        mt_estimate_add(&design->overhead, seconds, fmax(spent - seconds, 0));
    }
    return mt_design_learn(design, index, seconds, err);
}
