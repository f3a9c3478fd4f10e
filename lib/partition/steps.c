/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts the time of a product whose ranks advance step by step. */
#include "steps.h"

#include "overlap.h"
#include "spans.h"

#include <math.h>
#include <stdlib.h>

struct walker {
    bool has_left_over;
    int phase;       /* of its messages */
    double began;    /* when they began */
    int open;        /* of these, outstanding ones that it waits for */
    int next, end;   /* messages still to send */
    bool is_sending; /* one after the other */
    bool is_asked;   /* for messages of turn 1, which wait for those of turn 0 */
    double arrived;  /* when its computation has ended, too */
};

/* The ranks' progress through the product, step by step. Ranks with tiles of turn 1
   continue with these once all of them have finished turn 0, without waiting for the
   other ranks. */
struct walk {
    struct mt_partition_prediction *prediction;
    const struct mt_partition_limit *limit; /* NULL: none */
    struct walker *walkers;
    bool *passed; /* of every message, by number */
    double now;
    int phase;       /* of the ranks of turn 1, or else of all */
    int missing;     /* ranks of turn 1 that have not finished the phase */
    double ask_at;   /* when messages of their next phase begin; infinite: none will */
    bool is_held_up; /* some messages of the phase have not begun yet */
};

static bool takes_part(const struct walk *walk, int rank, int turn)
{
    return turn == 0 || walk->walkers[rank].has_left_over;
}

/* The participating ranks wait for each other, then begin their messages. */
static double meet(struct walk *walk, int turn)
{
    struct mt_partition_prediction *prediction = walk->prediction;
    const int ranks = prediction->work.ranks;
    double met = 0;
    int count = 0;
    for (int rank = 0; rank < ranks; rank++)
        if (takes_part(walk, rank, turn)) {
            met = fmax(met, walk->walkers[rank].arrived);
            count++;
        }
    met += mt_partition_barrier_seconds(prediction->network, count);
    for (int rank = 0; rank < ranks; rank++)
        if (takes_part(walk, rank, turn)) {
            struct walker *walker = &walk->walkers[rank];
            prediction->times[rank].waiting += met - walker->arrived;
            walker->began = walker->arrived = met;
        }
    return met;
}

/* The rank's messages, if any, have passed: it computes. The last rank of turn 1 to
   finish lets them all continue. */
static void compute(struct walk *walk, int rank, int phase, double passed)
{
    struct mt_partition_prediction *prediction = walk->prediction;
    struct mt_partition_times *times = &prediction->times[rank];
    struct walker *walker = &walk->walkers[rank];
    const int place = phase * prediction->work.ranks + rank;
    const double seconds = prediction->work.seconds[place],
                 fresh = prediction->work.fresh[place];
    times->communication += passed - walker->began + fresh;
    times->compute += seconds;
    walker->arrived = passed + fresh + seconds;
    if (!walker->has_left_over || --walk->missing > 0 ||
        (phase + 1) % mt_partition_phases_per_step(prediction->partition) == 0)
        return;
    walk->phase++;
    walk->ask_at = meet(walk, 1) + prediction->network->latency;
}

/* A rank begins with messages of turn 1 when those of turn 0 have passed. */
static bool may_send(const struct walk *walk, int rank)
{
    const struct walker *walker = &walk->walkers[rank];
    return mt_partition_turn_of_phase(walk->prediction->partition, walk->phase) == 0 ||
           walker->has_left_over || walker->open == 0;
}

/* In turn 1, a rank sends its own parts immediately, without attending to them. */
static bool is_in_turn(const struct walk *walk,
                       const struct mt_partition_message *message, int phase)
{
    return message->after >= 0 ||
           mt_partition_turn_of_phase(walk->prediction->partition, phase) == 0;
}

static int begin(struct walk *walk, int rank, int message, bool in_turn,
                 struct mt_error *err)
{
    struct mt_partition_prediction *prediction = walk->prediction;
    const struct mt_partition_network *network = prediction->network;
    const struct mt_partition_message *its = &prediction->work.messages[message];
    struct mt_partition_flow flow = {.from = rank,
                                     .to = its->to,
                                     .messages = 1,
                                     .phase = walk->walkers[rank].phase,
                                     .message = message,
                                     .bytes = its->bytes};
    if (in_turn) /* the latency counts as extra bytes of the message */
        flow.bytes += network->latency * network->bandwidth;
    return mt_partition_flows_begin(&prediction->flows, &flow, err);
}

/* Begin messages of the rank, as far as it may send them and has received them. */
static int go_on(struct walk *walk, int rank, struct mt_error *err)
{
    const struct mt_partition_message *messages = walk->prediction->work.messages;
    struct walker *walker = &walk->walkers[rank];
    int status = MT_OK;
    for (; walker->next < walker->end && status == MT_OK; walker->next++) {
        const struct mt_partition_message *message = &messages[walker->next];
        const bool in_turn = is_in_turn(walk, message, walker->phase);
        if (in_turn && walker->is_sending)
            break;
        if (message->after >= 0 && !walk->passed[message->after])
            break;
        walker->is_sending |= in_turn;
        status = begin(walk, rank, walker->next, in_turn, err);
    }
    return status;
}

/* Let the ranks that are asked for messages of the phase begin, if they may send. */
static int send(struct walk *walk, struct mt_error *err)
{
    const struct mt_partition_work *work = &walk->prediction->work;
    const int *starts = work->starts + (size_t)walk->phase * (size_t)work->ranks;
    int status = MT_OK;
    walk->is_held_up = false;
    for (int rank = 0; rank < work->ranks && status == MT_OK; rank++) {
        struct walker *walker = &walk->walkers[rank];
        if (walker->is_asked && may_send(walk, rank)) {
            walker->is_asked = false;
            walker->phase = walk->phase;
            walker->next = starts[rank];
            walker->end = starts[rank + 1];
            status = go_on(walk, rank, err);
        }
        walk->is_held_up |= walker->is_asked;
    }
    return status;
}

/* Request the messages of the phase. Senders for turn 1 need not attend to them. */
static int ask(struct walk *walk, struct mt_error *err)
{
    const struct mt_partition_work *work = &walk->prediction->work;
    const int phase = walk->phase;
    const int turn = mt_partition_turn_of_phase(walk->prediction->partition, phase);
    const int *starts = work->starts + (size_t)phase * (size_t)work->ranks;
    walk->missing = 0;
    walk->ask_at = INFINITY;
    for (int rank = 0; rank < work->ranks; rank++) {
        struct walker *walker = &walk->walkers[rank];
        walk->missing += walker->has_left_over;
        walker->is_asked = starts[rank] < starts[rank + 1];
        for (int i = starts[rank]; i < starts[rank + 1]; i++) {
            walker->open += is_in_turn(walk, &work->messages[i], phase);
            walk->walkers[work->messages[i].to].open++;
        }
    }
    const int status = send(walk, err);
    for (int rank = 0; rank < work->ranks && status == MT_OK; rank++)
        if (takes_part(walk, rank, turn) && walk->walkers[rank].open == 0)
            compute(walk, rank, phase, walk->walkers[rank].began);
    return status;
}

/* One message fewer to wait for; after the last, the rank computes. */
static void close_message(struct walk *walk, int rank, int phase)
{
    if (--walk->walkers[rank].open == 0)
        compute(walk, rank, phase, walk->now);
}

/* A message has passed. */
static int end(struct walk *walk, const struct mt_partition_flow *flow,
               struct mt_error *err)
{
    const struct mt_partition_message *message =
        &walk->prediction->work.messages[flow->message];
    walk->passed[message->number] = true;
    if (is_in_turn(walk, message, flow->phase)) {
        walk->walkers[flow->from].is_sending = false;
        close_message(walk, flow->from, flow->phase);
    }
    close_message(walk, flow->to, flow->phase);
    const int status = go_on(walk, flow->from, err);
    return status == MT_OK ? go_on(walk, flow->to, err) : status;
}

static int make_step(struct walk *walk, int step, struct mt_error *err)
{
    const struct mt_partition *partition = walk->prediction->partition;
    struct mt_partition_flows *flows = &walk->prediction->flows;
    walk->phase = step * mt_partition_phases_per_step(partition);
    walk->ask_at = meet(walk, 0);
    int status = MT_OK;
    for (double next = walk->ask_at; status == MT_OK && isfinite(next);
         next = fmin(walk->ask_at, walk->now + mt_partition_flows_next(flows))) {
        struct mt_partition_flow ended;
        mt_partition_flows_pass(flows, next - walk->now);
        walk->now = next;
        while (mt_partition_flows_take(flows, &ended) && status == MT_OK)
            status = end(walk, &ended, err);
        if (status == MT_OK && walk->is_held_up)
            status = send(walk, err);
        if (status == MT_OK && walk->ask_at <= walk->now)
            status = ask(walk, err);
    }
    return status;
}

/* Whether, before the step, it can no longer end below the limit. */
static bool is_hopeless(const struct walk *walk, int step)
{
    const struct mt_partition_limit *limit = walk->limit;
    double arrived = 0;
    for (int rank = 0; limit && rank < walk->prediction->work.ranks; rank++)
        arrived = fmax(arrived, walk->walkers[rank].arrived);
    return limit && arrived + limit->rest[step] >= limit->seconds;
}

static int walk_all_steps(struct walk *walk, struct mt_error *err)
{
    const struct mt_partition *partition = walk->prediction->partition;
    for (int i = 0; i < partition->ntiles; i++)
        walk->walkers[partition->tiles[i].rank].has_left_over |=
            partition->tiles[i].turn == 1;
    int status = MT_OK, step = 0;
    for (; step < partition->panels && status == MT_OK && !is_hopeless(walk, step);
         step++)
        status = make_step(walk, step, err);
    walk->prediction->seconds = step < partition->panels ? INFINITY : meet(walk, 0);
    return status;
}

/* Predict the product, all ranks advancing together from step to step. */
static int predict_steps(struct mt_partition_prediction *prediction,
                         const struct mt_partition_limit *limit, struct mt_error *err)
{
    const struct mt_partition *partition = prediction->partition;
    struct walk walk = {
        .prediction = prediction,
        .limit = limit,
        .walkers = calloc((size_t)partition->ranks, sizeof *walk.walkers),
        .passed = calloc((size_t)prediction->work.nmessages + 1, sizeof *walk.passed),
    };
    int status =
        walk.walkers && walk.passed
            ? MT_OK
            : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", partition->ranks);
    if (status == MT_OK)
        status = walk_all_steps(&walk, err);
    free(walk.passed);
    free(walk.walkers);
    return status;
}

void mt_partition_forecast_clear(struct mt_partition_forecast *forecast)
{
    free(forecast->ranks);
    *forecast = (struct mt_partition_forecast){0};
}

static void clear(struct mt_partition_prediction *prediction)
{
    mt_partition_work_clear(&prediction->work);
    mt_partition_flows_clear(&prediction->flows);
    free(prediction->times);
}

static int prepare(struct mt_partition_prediction *prediction,
                   const struct mt_partition *partition,
                   const struct mt_partition_task *task, struct mt_error *err)
{
    *prediction = (struct mt_partition_prediction){.partition = partition,
                                                   .network = &task->cluster->network};
    int status = mt_partition_work_init(&prediction->work, partition, task, err);
    if (status == MT_OK)
        status = mt_partition_flows_init(&prediction->flows, partition->ranks,
                                         &task->cluster->network, err);
    if (status != MT_OK)
        return status;
    prediction->times = calloc((size_t)partition->ranks, sizeof *prediction->times);
    return prediction->times
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for %d ranks", partition->ranks);
}

/* See partition.h. */
static double find_least_bytes(const struct mt_partition *partition,
                               const struct mt_partition_product *product,
                               double *shares)
{
    const double m = product->m, n = product->n;
    double lengths = -m - n;
    for (int i = 0; i < partition->ntiles; i++) {
        const struct mt_partition_tile *tile = &partition->tiles[i];
        shares[tile->rank] += (tile->bottom - tile->top) * (tile->right - tile->left);
    }
    for (int rank = 0; rank < partition->ranks; rank++)
        lengths += 2 * sqrt(shares[rank] * m * n);
    return (double)sizeof(double) * product->k * fmax(lengths, 0);
}

static int report(struct mt_partition_forecast *forecast,
                  struct mt_partition_prediction *prediction,
                  const struct mt_partition_product *product, struct mt_error *err)
{
    const struct mt_partition *partition = prediction->partition;
    double *shares = calloc((size_t)partition->ranks, sizeof *shares);
    if (!shares)
        return mt_fail(err, MT_ENOMEM, "no memory for %d ranks", partition->ranks);
    struct mt_partition_forecast made = {
        .seconds = prediction->seconds,
        .ranks = prediction->times,
        .nranks = partition->ranks,
        .bytes = prediction->work.bytes,
        .bound = find_least_bytes(partition, product, shares),
    };
    prediction->times = NULL; /* now the forecast's */
    free(shares);
    *forecast = made;
    return MT_OK;
}

int mt_partition_predict_within(struct mt_partition_forecast *forecast,
                                const struct mt_partition *partition,
                                const struct mt_partition_task *task,
                                const struct mt_partition_limit *limit,
                                struct mt_error *err)
{
    if (partition->ranks != task->cluster->ranks)
        return mt_fail(err, MT_EINVAL, "the partition is for %d ranks, not %d",
                       partition->ranks, task->cluster->ranks);
    struct mt_partition_prediction prediction;
    int status = prepare(&prediction, partition, task, err);
    if (status == MT_OK)
        status = partition->overlap ? mt_partition_predict_overlap(&prediction, err)
                                    : predict_steps(&prediction, limit, err);
    if (status == MT_OK)
        status = report(forecast, &prediction, task->product, err);
    clear(&prediction);
    return status;
}

int mt_partition_predict(struct mt_partition_forecast *forecast,
                         const struct mt_partition *partition,
                         const struct mt_partition_product *product,
                         const struct mt_partition_cluster *cluster,
                         struct mt_error *err)
{
    const struct mt_partition_task task = {product, cluster};
    return mt_partition_predict_within(forecast, partition, &task, NULL, err);
}
