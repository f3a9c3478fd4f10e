/* SPDX-License-Identifier: BSD-3-Clause */
/* Learns the components of a machine from runs. */
#include "internal.h"

#include "around.h"
#include "choose.h"
#include "confidence.h"
#include "findings.h"
#include "lib/machine/elapsed.h"
#include "lib/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_runs(const void *a, const void *b)
{
    const struct mt_learn_run *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->ranks > y->ranks) - (x->ranks < y->ranks);
}

static int make_sample(struct mt_learn_sample *sample, const struct mt_shape *shape,
                       const struct mt_learn_run *run, struct mt_error *err)
{
    if (!(run->seconds > 0) || isinf(run->seconds))
        return mt_fail(err, MT_EINVAL, "the run of size %g on %d nodes took %g seconds",
                       run->size, run->ranks, run->seconds);
    if (!mt_shape_valid(shape, run->size, run->ranks))
        return mt_fail(err, MT_EINVAL, "the run of size %g on %d nodes is not valid",
                       run->size, run->ranks);
    sample->size = run->size;
    sample->seconds = run->seconds;
    const int status =
        mt_shape_demand(&sample->demand, shape, run->size, run->ranks, err);
    if (status == MT_OK && !(sample->demand.steps > 0))
        return mt_fail(err, MT_EINVAL, "a run of size %g on %d nodes computes nothing",
                       run->size, run->ranks);
    return status;
}

/* One sample for each (size, ranks), with the median of its times. */
static int make_samples(struct mt_learn_sample *samples, int *nsamples,
                        const struct mt_shape *shape, struct mt_learn_run *runs,
                        int nruns, struct mt_error *err)
{
    qsort(runs, (size_t)nruns, sizeof *runs, compare_runs);
    *nsamples = 0;
    double *seconds = calloc((size_t)nruns, sizeof *seconds);
    int status = seconds || nruns == 0
                     ? MT_OK
                     : mt_fail(err, MT_ENOMEM, "no memory for %d runs", nruns);
    for (int i = 0, next = 0; status == MT_OK && i < nruns; i = next) {
        for (; next < nruns && runs[next].size == runs[i].size &&
               runs[next].ranks == runs[i].ranks;
             next++)
            seconds[next - i] = runs[next].seconds;
        struct mt_learn_run middle = runs[i];
        middle.seconds = mt_median(seconds, next - i);
        status = make_sample(&samples[*nsamples], shape, &middle, err);
        *nsamples += status == MT_OK;
    }
    free(seconds);
    return status;
}

/* The contention that follows from the wiring before anything is learned. */
static struct mt_bandwidth shared_by(const struct mt_wiring *wiring)
{
    struct mt_bandwidth shared = {.base = 1};
    if (mt_has_trunks(wiring))
        shared.contention = MT_CONTENTION_TRUNKS;
    else if (wiring->topology == MT_TOPOLOGY_MULTISTAGE)
        shared.contention = MT_CONTENTION_STAGES;
    else if (wiring->topology == MT_TOPOLOGY_BUS || mt_room(wiring) > 0)
        shared.contention = MT_CONTENTION_LIMITED;
    if (shared.contention != MT_CONTENTION_NONE)
        shared.strength = fmax(1, mt_room(wiring));
    return shared;
}

/* Put runs whose messages must be followed (relay.h) behind the others, and leave them
   out if the others are at least half of all: their time can be simulated, but not
   fitted. */
static void leave_out_followed(struct mt_learn_data *data,
                               struct mt_learn_sample *samples)
{
    const struct mt_bandwidth shared = shared_by(&data->wiring);
    int kept = 0;
    for (int i = 0; i < data->count; i++)
        if (!mt_is_followed(&shared, &data->wiring, &samples[i].demand)) {
            const struct mt_learn_sample sample = samples[i];
            samples[i] = samples[kept];
            samples[kept++] = sample;
        }
    if (2 * kept >= data->count)
        data->count = kept;
}

/* Convert the times of runs whose messages are followed to times by the formula, using
   the current components; returns whether there are any. */
static bool correct_followed(struct mt_learn_sample *samples, int count,
                             const struct mt_components *components)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        const struct mt_demand *demand = &samples[i].demand;
        if (!mt_is_followed(&components->bandwidth, &components->wiring, demand))
            continue;
        struct mt_conditions conditions = mt_find_conditions(components, demand);
        const double followed =
            mt_components_time_at(components, demand, &conditions).total;
        conditions.roughly = true;
        samples[i].seconds *=
            mt_components_time_at(components, demand, &conditions).total / followed;
        any = true;
    }
    return any;
}

static void tell_origin(struct mt_learned_from *from, const struct mt_learn_run *runs,
                        int nruns)
{
    *from = (struct mt_learned_from){.runs = nruns,
                                     .size_low = runs[0].size, /* they are sorted */
                                     .size_high = runs[nruns - 1].size};
    for (int i = 0; i < nruns; i++) {
        if (runs[i].ranks > from->nodes)
            from->nodes = runs[i].ranks;
    }
}

/* Root mean square of predicted / measured - 1. */
static double residual(const struct mt_components *components,
                       const struct mt_learn_data *data)
{
    double sum = 0;
    for (int i = 0; i < data->count; i++) {
        const struct mt_demand *demand = &data->samples[i].demand;
        struct mt_conditions conditions = mt_find_conditions(components, demand);
        conditions.roughly = true; /* the sample's time is by the formula, too */
        const double predicted =
            mt_components_time_at(components, demand, &conditions).total;
        sum += pow(predicted / data->samples[i].seconds - 1, 2);
    }
    return sqrt(sum / data->count);
}

/* Six digits: more than the runs determine, and few enough to read. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

static void round_all(struct mt_components *components)
{
    struct mt_bandwidth *bandwidth = &components->bandwidth;
    components->hop = rounded(components->hop);
    for (int i = 0; i <= components->ncaches; i++)
        components->costs[i] = rounded(components->costs[i]);
    for (int i = 0; i < components->ncaches; i++) {
        components->caches[i].hit = rounded(components->caches[i].hit);
        components->caches[i].miss = rounded(components->caches[i].miss);
    }
    components->near_cost = rounded(components->near_cost);
    components->latency = rounded(components->latency);
    bandwidth->base = rounded(bandwidth->base);
    bandwidth->half = rounded(bandwidth->half);
    bandwidth->strength = rounded(bandwidth->strength);
    bandwidth->exponent = rounded(bandwidth->exponent);
}

/* Use the measured messages between two nodes if the form does, or if no run sends
   any. */
static void take_link(struct mt_components *components,
                      const struct mt_learn_form *form,
                      const struct mt_learn_link *link, const struct mt_shape *shape)
{
    const bool unknown = !form->messages && shape->messages && link->byte > 0;
    if (unknown) {
        components->latency = rounded(link->latency);
        components->bandwidth.base = rounded(1 / link->byte);
    }
    if (!unknown && !form->lengths)
        return;
    components->nlengths = link->nlengths;
    for (int i = 0; i < link->nlengths; i++)
        components->lengths[i] =
            (struct mt_length){link->lengths[i].bytes, rounded(link->lengths[i].as)};
}

static int choose_components(struct mt_components *components,
                             struct mt_learn_choice *choice,
                             const struct mt_shape *shape,
                             const struct mt_learn_data *data, struct mt_error *err)
{
    const int status = mt_learn_choose(choice, data, err);
    if (status != MT_OK)
        return status;
    const struct mt_learn_tried *fit = &choice->tried[choice->chosen];
    mt_learn_components(components, &fit->form, &fit->values);
    components->wiring = data->wiring;
    take_link(components, &fit->form, &data->link, shape);
    return MT_OK;
}

/* All samples, some of which the data may leave out, and the most ranks to predict. */
struct samples {
    struct mt_learn_sample *samples; /* borrowed */
    int count, most_ranks;
};

/* The samples that were left out follow those of `data`, up to `nsamples`. */
static int learn(struct mt_learned *learned, struct mt_learn_choice *choice,
                 const struct mt_shape *shape, struct mt_learn_data *data,
                 struct samples all, struct mt_error *err)
{
    struct mt_learn_posterior posterior;
    int status = choose_components(&learned->components, choice, shape, data, err);
    if (status == MT_OK &&
        correct_followed(all.samples, all.count, &learned->components)) {
        data->count = all.count;
        *choice = (struct mt_learn_choice){0};
        status = choose_components(&learned->components, choice, shape, data, err);
    }
    if (status != MT_OK)
        return status;
    const struct mt_learn_tried *fit = &choice->tried[choice->chosen];
    learned->residual = residual(&learned->components, data);
    learned->from.error = rounded(fit->error);
    status = mt_learn_find_posterior(&posterior, fit, data, err);
    if (status != MT_OK)
        return status;
    mt_learn_list_parameters(learned, fit, &posterior);
    if (shape->near_steps && !fit->form.near) /* no run has any */
        learned->components.near_cost = learned->components.costs[0];
    round_all(&learned->components);
    mt_learn_list_warnings(learned, choice, data, shape, all.most_ranks);
    mt_learn_want_runs(learned, fit, &posterior, data, shape, all.most_ranks);
    mt_learn_want_around(learned, data, shape);
    return mt_learn_list_trials(learned, choice, err);
}

/* Whether the wiring is useless without known senders and receivers. */
static bool needs_shift(const struct mt_wiring *wiring)
{
    return wiring->topology == MT_TOPOLOGY_TORUS ||
           wiring->topology == MT_TOPOLOGY_MULTISTAGE || mt_has_trunks(wiring);
}

int mt_learn(struct mt_learned *learned, const struct mt_shape *shape,
             const struct mt_learn_run *runs, int nruns,
             const struct mt_learn_nodes *nodes, struct mt_error *err)
{
    if (nruns < 1)
        return mt_fail(err, MT_ERANK, "no runs to learn from");
    int status = MT_OK;
    struct mt_learned found = {0};
    struct mt_learn_run *sorted = malloc((size_t)nruns * sizeof *sorted);
    struct mt_learn_sample *samples = calloc((size_t)nruns, sizeof *samples);
    struct mt_learn_choice *choice = calloc(1, sizeof *choice);
    struct mt_learn_data data = {.samples = samples,
                                 .has_mean = shape->mean_bytes != NULL};
    if (nodes && (shape->shift || !needs_shift(&nodes->wiring)))
        data.wiring = nodes->wiring;
    data.disturbed = nodes && nodes->disturbed;
    if (nodes && shape->working_set) {
        data.caches = nodes->caches;
        data.ncaches = nodes->ncaches;
    }
    if (nodes)
        mt_learn_find_link(&data.link, nodes->points, nodes->npoints);
    if (!sorted || !samples || !choice)
        status = mt_fail(err, MT_ENOMEM, "no memory to learn from %d runs", nruns);
    if (status == MT_OK) {
        memcpy(sorted, runs, (size_t)nruns * sizeof *sorted);
        status = make_samples(samples, &data.count, shape, sorted, nruns, err);
    }
    if (status == MT_OK) {
        const struct samples all = {samples, data.count, nodes ? nodes->most_ranks : 0};
        for (int i = 0; i < all.count; i++)
            mt_learn_meet(&samples[i], &data);
        leave_out_followed(&data, samples);
        tell_origin(&found.from, sorted, nruns);
        status = learn(&found, choice, shape, &data, all, err);
    }
    if (status == MT_OK) {
        mt_learned_clear(learned);
        *learned = found;
    } else {
        mt_learned_clear(&found);
    }
    free(choice);
    free(samples);
    free(sorted);
    return status;
}

void mt_learned_clear(struct mt_learned *learned)
{
    free(learned->trials);
    *learned = (struct mt_learned){0};
}
