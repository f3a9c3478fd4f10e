/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a design on expected times, to tell beforehand what it would do. */
#include "motley/design.h"

#include "probes.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>

/* Who only writes down what is proposed. */
struct rehearsal {
    struct mt_forecast *forecast;
    bool known; /* how long runs take */
    bool whole; /* also what follows the probes */
};

/* Where no time is known, the first run is given one, which makes the others relative
   to it. */
static int write_down(void *context, const struct mt_proposal *proposal,
                      struct mt_observation *observation, struct mt_error *err)
{
    const struct rehearsal *rehearsal = context;
    struct mt_forecast *forecast = rehearsal->forecast;
    (void)err;
    observation->stop = proposal->phase == MT_PHASE_FURTHER && !rehearsal->whole;
    if (observation->stop)
        return MT_OK;
    const bool first = isnan(proposal->spent);
    *observation = (struct mt_observation){.made = true,
                                           .seconds = first ? 1 : proposal->seconds,
                                           .spent = first ? 1 : proposal->spent};
    forecast->seconds += observation->spent;
    if (proposal->phase == MT_PHASE_PROBES) {
        forecast->probes++;
        forecast->size = proposal->size;
        return MT_OK;
    }
    forecast->cheap += proposal->phase == MT_PHASE_BASE;
    forecast->runs[forecast->count] = *proposal;
    if (!rehearsal->known)
        forecast->runs[forecast->count].spent = NAN;
    forecast->count++;
    return MT_OK;
}

/* The design as it is now, to be carried on with expected times. */
static int copy_design(struct mt_design **copy, const struct mt_design *design,
                       struct mt_error *err)
{
    const struct mt_design_case of = {
        .cluster = design->cluster,
        .program = design->program,
        .candidates = design->candidates,
        .count = design->count,
        .no_probes = design->no_probes,
        /* Limits cannot be compared with times of which nothing is known. */
        .limits = {.seconds = design->succeeded > 0 ? design->limits.seconds : 0,
                   .runs = design->limits.runs}};
    int status = mt_design_make(copy, &of, err);
    if (status != MT_OK)
        return status;
    (*copy)->rehearsal = true;
    status = mt_design_recall(*copy, design->past, design->npast, err);
    for (int i = 0; i < design->count; i++)
        (*copy)->trials[i].failed = design->trials[i].failed;
    (*copy)->settled = design->settled;
    (*copy)->probing.begun = design->probing.begun;
    (*copy)->probing.over = design->probing.over;
    (*copy)->probing.only_several = design->probing.only_several;
    return status;
}

int mt_design_forecast(struct mt_forecast *forecast, const struct mt_design *design,
                       struct mt_error *err)
{
    struct mt_forecast made = {0};
    struct mt_design *copy = NULL;
    struct mt_design_state state = {0};
    enum mt_end end;
    struct rehearsal rehearsal = {.forecast = &made,
                                  .known = design->succeeded > 0,
                                  .whole =
                                      design->succeeded > 0 || design->limits.runs > 0};
    const struct mt_experimenter writer = {.run = write_down, .context = &rehearsal};
    made.runs = calloc((size_t)design->count + 1, sizeof *made.runs);
    if (!made.runs)
        return mt_fail(err, MT_ENOMEM, "no memory for %d runs", design->count);
    int status = copy_design(&copy, design, err);
    if (status == MT_OK)
        status = mt_design_run(copy, &writer, &end, err);
    if (status == MT_OK)
        status = mt_design_state(copy, &state, err);
    if (status == MT_OK && made.probes == 0)
        made.size = mt_design_probe_size(copy);
    mt_design_free(copy);
    if (status != MT_OK) {
        mt_forecast_clear(&made);
        return status;
    }
    if (!rehearsal.known)
        made.seconds = NAN;
    made.cheap = made.cheap > 1 ? made.cheap / 2 : 1;
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
