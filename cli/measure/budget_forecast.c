/* SPDX-License-Identifier: BSD-3-Clause */
#include "budget.h"

#include <math.h>
#include <stdlib.h>

static bool knows_times(const struct mt_budget *budget)
{
    for (int i = 0; i < budget->nruns; i++)
        if (!isnan(budget->runs[i].seconds))
            return true;
    return false;
}

/* The design as it is now, to be played on with expected times. */
static int copy_design(struct mt_design **copy, const struct mt_budget *budget,
                       struct mt_error *err)
{
    struct mt_design_limits limits = budget->limits;
    if (!knows_times(
            budget)) /* cannot be compared with times of which nothing is known */
        limits.seconds = 0;
    int status =
        mt_design_make(copy, budget->campaign->cluster, budget->campaign->program,
                       budget->candidates, budget->count, &limits, err);
    for (int i = 0; i < budget->nruns && status == MT_OK; i++) {
        const struct mt_budget_run *run = &budget->runs[i];
        status =
            mt_design_observe(*copy, run->candidate, run->seconds, run->spent, err);
    }
    for (int i = 0; i < budget->probes && status == MT_OK; i++)
        mt_design_probed(*copy, budget->probes_spent / budget->probes);
    return status;
}

/* Put in the probes, which cannot be told one by one. */
static void play_probes(struct mt_forecast *forecast, struct mt_design *design)
{
    const struct mt_design_probes probes = mt_design_probes(design);
    forecast->probes = probes.left;
    forecast->size = probes.size;
    forecast->seconds += probes.left * probes.expected;
    for (int i = 0; i < probes.left; i++)
        mt_design_probed(design, probes.expected);
}

/* Play on, to the end or to that of the base. Where no time is known, the first run is
   given one, which makes the others relative to it. */
static int play(struct mt_forecast *forecast, struct mt_design *design,
                const struct mt_budget *budget, bool only_base, struct mt_error *err)
{
    while (forecast->count < budget->count && !budget->settled) {
        struct mt_proposal *next = &forecast->runs[forecast->count];
        int status = mt_design_next(design, next, err);
        if (status != MT_OK)
            return status;
        if (next->index < 0 || (only_base && !next->base))
            return MT_OK;
        if (isnan(next->expected))
            next->expected = next->seconds = 1;
        status =
            mt_design_observe(design, next->index, next->seconds, next->expected, err);
        if (status != MT_OK)
            return status;
        forecast->count++;
    }
    return MT_OK;
}

/* Where no time is known, only the base and the probes can be told, or as many runs as
   there may be. */
static int play_all(struct mt_forecast *forecast, struct mt_design *design,
                    const struct mt_budget *budget, struct mt_error *err)
{
    int status = play(forecast, design, budget, true, err);
    if (status != MT_OK)
        return status;
    if (!budget->settled || budget->probes == 0)
        play_probes(forecast, design);
    return knows_times(budget) || budget->limits.runs > 0
               ? play(forecast, design, budget, false, err)
               : MT_OK;
}

/* Add up, and take back times that are only relative. */
static void sum_up(struct mt_forecast *forecast, bool unknown)
{
    int base = 0;
    for (int i = 0; i < forecast->count; i++) {
        forecast->seconds += forecast->runs[i].expected;
        base += forecast->runs[i].base;
        if (unknown)
            forecast->runs[i].expected = NAN;
    }
    forecast->cheap = base > 1 ? base / 2 : 1;
    if (unknown)
        forecast->seconds = NAN;
}

int mt_forecast_make(struct mt_forecast *forecast, const struct mt_budget *budget,
                     struct mt_error *err)
{
    struct mt_forecast made = {0};
    struct mt_design *design = NULL;
    struct mt_design_state state = {0};
    made.runs = calloc((size_t)budget->count + 1, sizeof *made.runs);
    if (!made.runs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", budget->count);
    int status = copy_design(&design, budget, err);
    if (status == MT_OK)
        status = play_all(&made, design, budget, err);
    if (status == MT_OK)
        status = mt_design_state(design, &state, err);
    mt_design_free(design);
    if (status != MT_OK) {
        mt_forecast_clear(&made);
        return status;
    }
    sum_up(&made, !knows_times(budget));
    made.classes = state.classes;
    made.uncovered = state.uncovered;
    *forecast = made;
    return MT_OK;
}

void mt_forecast_clear(struct mt_forecast *forecast)
{
    free(forecast->runs);
    *forecast = (struct mt_forecast){0};
}
