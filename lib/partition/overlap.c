/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlap.h"

#include <math.h>
#include <stdlib.h>

/* A rank multiplies in a phase while what it needs in the next one is on its way;
   slower, as far as its messages need its processor. */
struct racing_rank {
    int phase;   /* that it computes; -1: before the first one */
    double left; /* of that; seconds of a rank without messages */
    double
        idle_at; /* when it has, or had, computed that, if messages stay as they are */
    double ask_at; /* when the messages for the next phase begin; infinite: they have */
    int expected;  /* messages for the next phase that have not come */
    double sent_at; /* when the last of its own messages had gone */
};

struct race {
    struct mt_partition_prediction *prediction;
    struct racing_rank *runners;
    double now;
};

static const int *find_parcels(const struct mt_partition_work *work, int rank,
                               int phase)
{
    return work->starts + (size_t)phase * (size_t)work->ranks + (size_t)rank;
}

/* Ask for what the rank needs in the phase after the one that it begins. */
static void ask(struct race *race, int rank)
{
    const struct mt_partition_work *work = &race->prediction->work;
    struct racing_rank *runner = &race->runners[rank];
    if (runner->phase + 1 == work->phases)
        return;
    const int *parcels = find_parcels(work, rank, runner->phase + 1);
    runner->expected = parcels[1] - parcels[0];
    if (runner->expected > 0)
        runner->ask_at = race->now + race->prediction->network->latency;
}

/* Begin with phases as long as all is there that they need. */
static void go_on(struct race *race, int rank)
{
    const struct mt_partition_work *work = &race->prediction->work;
    struct racing_rank *runner = &race->runners[rank];
    while (runner->expected == 0 && runner->idle_at <= race->now &&
           runner->phase + 1 < work->phases) {
        runner->phase++;
        const double seconds = work->seconds[runner->phase * work->ranks + rank];
        race->prediction->times[rank].compute += seconds;
        runner->left = seconds;
        runner->idle_at = race->now + seconds;
        ask(race, rank);
    }
}

static int begin_flows(struct race *race, int rank, struct mt_error *err)
{
    const struct mt_partition_work *work = &race->prediction->work;
    struct racing_rank *runner = &race->runners[rank];
    const int *parcels = find_parcels(work, rank, runner->phase + 1);
    int status = MT_OK;
    for (int i = parcels[0]; i < parcels[1] && status == MT_OK; i++) {
        const struct mt_partition_parcel *parcel = &work->parcels[i];
        const struct mt_partition_flow flow = {parcel->from, rank, parcel->messages,
                                               .bytes = parcel->bytes};
        status = mt_partition_flows_begin(&race->prediction->flows, &flow, err);
    }
    runner->ask_at = INFINITY;
    return status;
}

/* When something happens next; infinite: all have come to the end. */
static double find_next(const struct race *race)
{
    double next = race->now + mt_partition_flows_next(&race->prediction->flows);
    for (int rank = 0; rank < race->prediction->work.ranks; rank++) {
        const struct racing_rank *runner = &race->runners[rank];
        next = fmin(next, runner->ask_at);
        if (runner->idle_at > race->now)
            next = fmin(next, runner->idle_at);
    }
    return next;
}

/* How fast the rank computes beside its messages. */
static double find_pace(struct race *race, int rank)
{
    struct mt_partition_prediction *prediction = race->prediction;
    const double overlap = fmax(prediction->network->overlap, 0); /* NaN becomes 0 */
    return overlap >= 1
               ? 1
               : 1 - (1 - overlap) * mt_partition_flows_use(&prediction->flows, rank);
}

/* Until the next event, at the pace that is set by the messages there are. */
static void compute(struct race *race, double next)
{
    for (int rank = 0; rank < race->prediction->work.ranks; rank++) {
        struct racing_rank *runner = &race->runners[rank];
        if (runner->idle_at > next)
            runner->left -= (next - race->now) * find_pace(race, rank);
        else
            runner->left = 0;
    }
}

/* Messages have begun or ended: who computes gets on faster or slower. */
static void set_pace(struct race *race)
{
    for (int rank = 0; rank < race->prediction->work.ranks; rank++) {
        struct racing_rank *runner = &race->runners[rank];
        if (runner->left > 0)
            runner->idle_at = race->now + runner->left / find_pace(race, rank);
    }
}

static int happen(struct race *race, double next, struct mt_error *err)
{
    struct mt_partition_flows *flows = &race->prediction->flows;
    struct mt_partition_flow ended;
    compute(race, next);
    mt_partition_flows_pass(flows, next - race->now);
    race->now = next;
    while (mt_partition_flows_take(flows, &ended)) {
        race->runners[ended.to].expected--;
        race->runners[ended.from].sent_at = next;
    }
    int status = MT_OK;
    for (int rank = 0; rank < race->prediction->work.ranks && status == MT_OK; rank++) {
        if (race->runners[rank].ask_at <= next)
            status = begin_flows(race, rank, err);
        go_on(race, rank);
    }
    set_pace(race);
    return status;
}

/* The rank has ended when it has computed, and sent what others want. */
static double find_end(const struct racing_rank *runner)
{
    return fmax(runner->idle_at, runner->sent_at);
}

static void finish(struct race *race)
{
    struct mt_partition_prediction *prediction = race->prediction;
    const int ranks = prediction->work.ranks;
    for (int rank = 0; rank < ranks; rank++)
        prediction->seconds = fmax(prediction->seconds, find_end(&race->runners[rank]));
    prediction->seconds += mt_partition_barrier_seconds(prediction->network, ranks);
    for (int rank = 0; rank < ranks; rank++) {
        struct mt_partition_times *times = &prediction->times[rank];
        const double end = find_end(&race->runners[rank]);
        times->communication = end - times->compute;
        times->waiting = prediction->seconds - end;
    }
}

int mt_partition_predict_overlap(struct mt_partition_prediction *prediction,
                                 struct mt_error *err)
{
    const int ranks = prediction->work.ranks;
    struct race race = {.prediction = prediction};
    race.runners = calloc((size_t)ranks, sizeof *race.runners);
    if (!race.runners)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++) {
        race.runners[rank] = (struct racing_rank){.phase = -1, .ask_at = INFINITY};
        ask(&race, rank);
        go_on(&race, rank);
    }
    int status = MT_OK;
    for (double next; status == MT_OK && isfinite(next = find_next(&race));)
        status = happen(&race, next, err);
    finish(&race);
    free(race.runners);
    return status;
}
