/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut_predict.h"

#include <math.h>
#include <stdlib.h>

/* The ranks on their way through the product. */
struct walk {
    struct mt_cut_prediction *prediction;
    double *arrived;  /* when the rank has ended its last phase; */
    double *received; /* how long all that it gets in this one takes to come, */
    double *sent;     /* and all that others get from it, to go */
    bool *has_left_over;
};

static bool takes_part(const struct walk *walk, int rank, int turn)
{
    return turn == 0 || walk->has_left_over[rank];
}

/* Those who take part wait for each other. */
static void meet(struct walk *walk, int turn)
{
    struct mt_cut_prediction *prediction = walk->prediction;
    const int ranks = prediction->work.ranks;
    double last = 0;
    int count = 0;
    for (int rank = 0; rank < ranks; rank++)
        if (takes_part(walk, rank, turn)) {
            last = fmax(last, walk->arrived[rank]);
            count++;
        }
    const double met = last + mt_cut_barrier_seconds(prediction->network, count);
    for (int rank = 0; rank < ranks; rank++)
        if (takes_part(walk, rank, turn)) {
            prediction->times[rank].waiting += met - walk->arrived[rank];
            walk->arrived[rank] = met;
        }
}

/* All messages of a phase begin at once. */
static int begin_flows(struct mt_cut_prediction *prediction, int phase,
                       struct mt_error *err)
{
    const struct mt_cut_work *work = &prediction->work;
    const int *starts = work->starts + (size_t)phase * (size_t)work->ranks;
    int status = MT_OK;
    for (int rank = 0; rank < work->ranks; rank++)
        for (int i = starts[rank]; i < starts[rank + 1] && !status; i++) {
            const struct mt_cut_parcel *parcel = &work->parcels[i];
            const struct mt_cut_flow flow = {parcel->from, rank, parcel->messages,
                                             .bytes = parcel->bytes};
            status = mt_cut_flows_begin(&prediction->flows, &flow, err);
        }
    return status;
}

static int exchange(struct walk *walk, int phase, struct mt_error *err)
{
    struct mt_cut_prediction *prediction = walk->prediction;
    struct mt_cut_flows *flows = &prediction->flows;
    const int status = begin_flows(prediction, phase, err);
    if (status)
        return status;
    for (int rank = 0; rank < prediction->work.ranks; rank++)
        walk->received[rank] = walk->sent[rank] = 0;
    double passed = prediction->network->latency;
    while (flows->count > 0) {
        const double seconds = mt_cut_flows_next(flows);
        struct mt_cut_flow ended;
        mt_cut_flows_pass(flows, seconds);
        passed += seconds;
        while (mt_cut_flows_take(flows, &ended))
            walk->received[ended.to] = walk->sent[ended.from] = passed;
    }
    return MT_OK;
}

/* Wait, exchange, multiply. What those of turn 1 need is sent while the others go on.
 */
static int make_phase(struct walk *walk, int phase, struct mt_error *err)
{
    struct mt_cut_prediction *prediction = walk->prediction;
    const int ranks = prediction->work.ranks;
    const int turn = mt_cut_turn_of_phase(prediction->cut, phase);
    meet(walk, turn);
    const int status = exchange(walk, phase, err);
    for (int rank = 0; rank < ranks && !status; rank++) {
        if (!takes_part(walk, rank, turn))
            continue;
        const double communication = turn == 0
                                         ? fmax(walk->received[rank], walk->sent[rank])
                                         : walk->received[rank];
        const double compute = prediction->work.seconds[phase * ranks + rank];
        prediction->times[rank].communication += communication;
        prediction->times[rank].compute += compute;
        walk->arrived[rank] += communication + compute;
    }
    return status;
}

int mt_cut_predict_steps(struct mt_cut_prediction *prediction, struct mt_error *err)
{
    const struct mt_cut *cut = prediction->cut;
    const size_t ranks = (size_t)cut->ranks;
    struct walk walk = {.prediction = prediction};
    walk.arrived = calloc(3 * ranks, sizeof *walk.arrived);
    walk.has_left_over = calloc(ranks, sizeof *walk.has_left_over);
    int status = MT_OK;
    if (!walk.arrived || !walk.has_left_over) {
        status = mt_fail(err, MT_ENOMEM, "no memory for %d ranks", cut->ranks);
        goto done;
    }
    walk.received = walk.arrived + ranks;
    walk.sent = walk.received + ranks;
    for (int i = 0; i < cut->ntiles; i++)
        walk.has_left_over[cut->tiles[i].rank] |= cut->tiles[i].turn == 1;
    for (int phase = 0; phase < prediction->work.phases && !status; phase++)
        status = make_phase(&walk, phase, err);
    meet(&walk, 0);
    prediction->seconds = walk.arrived[0];
done:
    free(walk.has_left_over);
    free(walk.arrived);
    return status;
}
