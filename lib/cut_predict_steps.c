/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut_predict.h"

#include <math.h>
#include <stdlib.h>

struct walker {
    bool has_left_over;
    double began;   /* when it began with the messages of its phase */
    int open;       /* of these, those that have not passed */
    bool is_asked;  /* for messages of turn 1, which wait until those of turn 0 are sent
                     */
    double arrived; /* when it has computed, too */
};

/* The ranks on their way through the product, step by step. Those that have tiles of
   turn 1 go on with these as soon as they all have done those of turn 0, whatever the
   other ranks do. */
struct walk {
    struct mt_cut_prediction *prediction;
    struct walker *walkers;
    double now;
    int phase;       /* that the ranks of turn 1 are in, or else all */
    int missing;     /* ranks of turn 1 that have not done the phase */
    double ask_at;   /* when messages of their next phase begin; infinite: none will */
    bool is_held_up; /* some of the phase have not begun yet */
};

static bool takes_part(const struct walk *walk, int rank, int turn)
{
    return turn == 0 || walk->walkers[rank].has_left_over;
}

/* Those who take part wait for each other, and begin with their messages. */
static double meet(struct walk *walk, int turn)
{
    struct mt_cut_prediction *prediction = walk->prediction;
    const int ranks = prediction->work.ranks;
    double met = 0;
    int count = 0;
    for (int rank = 0; rank < ranks; rank++)
        if (takes_part(walk, rank, turn)) {
            met = fmax(met, walk->walkers[rank].arrived);
            count++;
        }
    met += mt_cut_barrier_seconds(prediction->network, count);
    for (int rank = 0; rank < ranks; rank++)
        if (takes_part(walk, rank, turn)) {
            struct walker *walker = &walk->walkers[rank];
            prediction->times[rank].waiting += met - walker->arrived;
            walker->began = walker->arrived = met;
        }
    return met;
}

/* The rank's messages, if it has any, have passed: it computes. The last one of turn 1
   to have done so lets them go on. */
static void compute(struct walk *walk, int rank, int phase, double passed)
{
    struct mt_cut_prediction *prediction = walk->prediction;
    struct mt_cut_times *times = &prediction->times[rank];
    struct walker *walker = &walk->walkers[rank];
    const double seconds =
        prediction->work.seconds[phase * prediction->work.ranks + rank];
    times->communication += passed - walker->began;
    times->compute += seconds;
    walker->arrived = passed + seconds;
    if (!walker->has_left_over || --walk->missing > 0 ||
        (phase + 1) % mt_cut_phases_per_step(prediction->cut) == 0)
        return;
    walk->phase++;
    walk->ask_at = meet(walk, 1) + prediction->network->latency;
}

/* A rank begins with messages of turn 1 when those of turn 0 have passed. */
static bool may_send(const struct walk *walk, int rank)
{
    const struct walker *walker = &walk->walkers[rank];
    return mt_cut_turn_of_phase(walk->prediction->cut, walk->phase) == 0 ||
           walker->has_left_over || walker->open == 0;
}

/* Let messages of the phase begin, of all ranks that are asked for them and may send.
 */
static int send(struct walk *walk, struct mt_error *err)
{
    const struct mt_cut_work *work = &walk->prediction->work;
    const int *starts = work->starts + (size_t)walk->phase * (size_t)work->ranks;
    int status = MT_OK;
    for (int rank = 0; rank < work->ranks; rank++)
        for (int i = starts[rank]; i < starts[rank + 1] && !status; i++) {
            const struct mt_cut_parcel *parcel = &work->parcels[i];
            const struct mt_cut_flow flow = {parcel->from, rank, parcel->messages,
                                             .phase = walk->phase,
                                             .bytes = parcel->bytes};
            if (walk->walkers[parcel->from].is_asked && may_send(walk, parcel->from))
                status = mt_cut_flows_begin(&walk->prediction->flows, &flow, err);
        }
    walk->is_held_up = false;
    for (int rank = 0; rank < work->ranks; rank++) {
        struct walker *walker = &walk->walkers[rank];
        walker->is_asked = walker->is_asked && !may_send(walk, rank);
        walk->is_held_up |= walker->is_asked;
    }
    return status;
}

/* Ask for the messages of the phase. Who sends for turn 1 need not attend. */
static int ask(struct walk *walk, struct mt_error *err)
{
    const struct mt_cut_work *work = &walk->prediction->work;
    const int phase = walk->phase;
    const int turn = mt_cut_turn_of_phase(walk->prediction->cut, phase);
    const int *starts = work->starts + (size_t)phase * (size_t)work->ranks;
    walk->missing = 0;
    walk->ask_at = INFINITY;
    for (int rank = 0; rank < work->ranks; rank++) {
        walk->missing += walk->walkers[rank].has_left_over;
        for (int i = starts[rank]; i < starts[rank + 1]; i++) {
            struct walker *sender = &walk->walkers[work->parcels[i].from];
            sender->is_asked = true;
            sender->open += turn == 0;
            walk->walkers[rank].open++;
        }
    }
    const int status = send(walk, err);
    for (int rank = 0; rank < work->ranks && !status; rank++)
        if (takes_part(walk, rank, turn) && walk->walkers[rank].open == 0)
            compute(walk, rank, phase, walk->walkers[rank].began);
    return status;
}

/* Nothing more to wait for? */
static void close_message(struct walk *walk, int rank, int phase)
{
    if (--walk->walkers[rank].open == 0)
        compute(walk, rank, phase, walk->now);
}

static int make_step(struct walk *walk, int step, struct mt_error *err)
{
    const struct mt_cut *cut = walk->prediction->cut;
    struct mt_cut_flows *flows = &walk->prediction->flows;
    walk->phase = step * mt_cut_phases_per_step(cut);
    walk->ask_at = meet(walk, 0) + walk->prediction->network->latency;
    int status = MT_OK;
    for (double next = walk->ask_at; !status && isfinite(next);
         next = fmin(walk->ask_at, walk->now + mt_cut_flows_next(flows))) {
        struct mt_cut_flow ended;
        mt_cut_flows_pass(flows, next - walk->now);
        walk->now = next;
        while (mt_cut_flows_take(flows, &ended)) {
            close_message(walk, ended.to, ended.phase);
            if (mt_cut_turn_of_phase(cut, ended.phase) == 0)
                close_message(walk, ended.from, ended.phase);
        }
        if (walk->is_held_up)
            status = send(walk, err);
        if (!status && walk->ask_at <= walk->now)
            status = ask(walk, err);
    }
    return status;
}

int mt_cut_predict_steps(struct mt_cut_prediction *prediction, struct mt_error *err)
{
    const struct mt_cut *cut = prediction->cut;
    struct walk walk = {.prediction = prediction};
    walk.walkers = calloc((size_t)cut->ranks, sizeof *walk.walkers);
    if (!walk.walkers)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", cut->ranks);
    for (int i = 0; i < cut->ntiles; i++)
        walk.walkers[cut->tiles[i].rank].has_left_over |= cut->tiles[i].turn == 1;
    int status = MT_OK;
    for (int step = 0; step < cut->panels && !status; step++)
        status = make_step(&walk, step, err);
    prediction->seconds = meet(&walk, 0);
    free(walk.walkers);
    return status;
}
