/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects what was learned: parameters, forms that were tried, warnings. */
#include "findings.h"
#include "lib/machine/internal.h"

#include "around.h"
#include "tuning.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Append a parameter, unless it is 0, which means that the form lacks it. */
static void append(struct mt_learned *learned, const char *name, int unit, double value)
{
    if (!(value > 0) || isinf(value))
        return;
    struct mt_parameter *parameter = &learned->parameters[learned->nparameters++];
    *parameter = (struct mt_parameter){.value = value, .low = NAN, .high = NAN};
    parameter->unit = unit;
    snprintf(parameter->name, sizeof parameter->name, "%s", name);
}

static void append_all(struct mt_learned *learned)
{
    const struct mt_components *components = &learned->components;
    char name[32];
    learned->nparameters = 0;
    for (int i = 0; i <= components->ncaches; i++) {
        snprintf(name, sizeof name, "cost %d", i + 1);
        append(learned, name, MT_PARAMETER_SECONDS, components->costs[i]);
    }
    append(learned, "near cost", MT_PARAMETER_SECONDS, components->near_cost);
    for (int i = 0; i < components->ncaches; i++) {
        snprintf(name, sizeof name, "cache %d hit", i + 1);
        append(learned, name, MT_PARAMETER_BYTES, components->caches[i].hit);
        snprintf(name, sizeof name, "cache %d miss", i + 1);
        append(learned, name, MT_PARAMETER_BYTES, components->caches[i].miss);
    }
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    append(learned, "latency", MT_PARAMETER_SECONDS, components->latency);
    append(learned, "hop", MT_PARAMETER_SECONDS, components->hop);
    append(learned, "bandwidth", MT_PARAMETER_BYTES_PER_SECOND, bandwidth->base);
    append(learned, "half", MT_PARAMETER_BYTES, bandwidth->half);
    append(learned, "strength", MT_PARAMETER_NONE, bandwidth->strength);
    append(learned, "exponent", MT_PARAMETER_NONE, bandwidth->exponent);
}

void mt_learn_list_parameters(struct mt_learned *learned,
                              const struct mt_learn_tried *fit,
                              const struct mt_learn_posterior *posterior)
{
    const double step = 1e-5;
    const int n = posterior->count;
    double coefficients[MT_LEARN_MAX_COEFFICIENTS];
    double slopes[MT_MAX_PARAMETERS][MT_LEARN_MAX_COEFFICIENTS] = {0};
    append_all(learned);
    mt_learn_pack(coefficients, &fit->form, &fit->values);
    for (int j = 0; j < n;
         j++) { /* derivatives of the parameters' logarithms by the coefficients */
        struct mt_learned moved = {0};
        struct mt_learn_values values;
        const double at = coefficients[j];
        coefficients[j] = at + step;
        mt_learn_unpack(&values, &fit->form, coefficients);
        coefficients[j] = at;
        mt_learn_components(&moved.components, &fit->form, &values);
        append_all(&moved);
        for (int i = 0; i < learned->nparameters; i++)
            slopes[i][j] =
                log(moved.parameters[i].value / learned->parameters[i].value) / step;
    }
    for (int i = 0; i < learned->nparameters; i++) {
        double variance = 0;
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++)
                variance += slopes[i][j] * slopes[i][k] * posterior->covariance[j][k];
        }
        struct mt_parameter *parameter = &learned->parameters[i];
        const double deviation = sqrt(variance);
        if (!(deviation < unknown) || isinf(posterior->quantile))
            continue;
        const double factor = exp(deviation * posterior->quantile);
        parameter->low = parameter->value / factor;
        parameter->high = parameter->value * factor;
    }
}

static int compare_trials(const void *a, const void *b)
{
    const struct mt_learn_trial *x = a, *y = b;
    if (x->chosen != y->chosen)
        return x->chosen ? -1 : 1;
    if (isnan(x->error) || isnan(y->error))
        return (isnan(x->error) != 0) - (isnan(y->error) != 0);
    return (x->error > y->error) - (x->error < y->error);
}

int mt_learn_list_trials(struct mt_learned *learned,
                         const struct mt_learn_choice *choice, struct mt_error *err)
{
    learned->trials = calloc((size_t)choice->count, sizeof *learned->trials);
    if (!learned->trials)
        return mt_fail(err, MT_ENOMEM, "no memory for %d trials", choice->count);
    learned->ntrials = choice->count;
    for (int i = 0; i < choice->count; i++) {
        const struct mt_learn_form *form = &choice->tried[i].form;
        learned->trials[i] = (struct mt_learn_trial){
            .ncaches = form->ncaches,
            .contention = form->contention,
            .latency = form->latency,
            .hop = form->hop,
            .half = form->half,
            .lengths = form->lengths,
            .overlap = form->overlap,
            .evens_out = form->evens_out,
            .error = choice->tried[i].error,
            .chosen = i == choice->chosen,
        };
    }
    qsort(learned->trials, (size_t)choice->count, sizeof *learned->trials,
          compare_trials);
    return MT_OK;
}

static void __attribute__((format(printf, 2, 3)))
warn(struct mt_learned *learned, const char *format, ...)
{
    if (learned->nwarnings == MT_MAX_WARNINGS)
        return;
    char *text = learned->warnings[learned->nwarnings++];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof learned->warnings[0], format, arguments);
    va_end(arguments);
}

/* P, if the run sends messages; else 0. */
static double ranks_of_messages(const struct mt_learn_sample *sample)
{
    const struct mt_demand *demand = &sample->demand;
    return demand->messages * demand->bytes > 0 ? demand->ranks : 0;
}

static double working_set(const struct mt_learn_sample *sample)
{
    return sample->demand.working_set;
}

/* The number of different values other than 0 among the samples, at most ENOUGH_SETS.
 */
static int count_distinct(double (*value)(const struct mt_learn_sample *),
                          const struct mt_learn_data *data)
{
    double values[ENOUGH_SETS];
    int count = 0;
    for (int i = 0; i < data->count && count < ENOUGH_SETS; i++) {
        const double new = value(&data->samples[i]);
        bool known = new == 0;
        for (int j = 0; j < count; j++)
            known = known || values[j] == new;
        if (!known)
            values[count++] = new;
    }
    return count;
}

static void warn_of_network(struct mt_learned *learned, const struct mt_shape *shape,
                            int nranks, bool known, bool checked)
{
    if (!shape->messages)
        warn(learned,
             "the program does not say its messages ('messages' and 'bytes', below "
             "'surface'): they are assumed to cost nothing");
    else if (nranks == 0 && checked)
        warn(learned,
             "no run sends messages of any length; they are assumed to cost what "
             "'motley check' measured: run on several nodes");
    else if (nranks == 0)
        warn(learned, "no run sends messages of any length; they are assumed to cost "
                      "nothing: run on several nodes");
    else if (nranks == 1 && !known)
        warn(learned,
             "messages were sent on one number of nodes only; they are assumed "
             "to be as fast on more: run on others");
    else if (nranks == 2 && !known)
        warn(learned, "messages were sent on two numbers of nodes only, which fit many "
                      "laws of contention: run on a third");
}

/* Whether a form with more caches fits far better, but too few sizes support it. */
static bool misses_step(const struct mt_learn_choice *choice)
{
    const struct mt_learn_tried *chosen = &choice->tried[choice->chosen];
    if (chosen->misfit < large_misfit)
        return false;
    for (int i = 0; i < choice->count; i++) {
        const struct mt_learn_tried *tried = &choice->tried[i];
        if (tried->determined && !tried->steps_told &&
            tried->form.ncaches > chosen->form.ncaches &&
            tried->misfit < clear_step * chosen->misfit)
            return true;
    }
    return false;
}

static void warn_of_steps(struct mt_learned *learned,
                          const struct mt_learn_choice *choice,
                          const struct mt_learn_data *data,
                          const struct mt_shape *shape)
{
    const int nsets = count_distinct(working_set, data);
    if (!shape->working_set)
        warn(learned,
             "the program does not say its working set ('working_set', below "
             "'surface'): a step is assumed to cost the same whatever the caches "
             "are");
    else if (nsets < ENOUGH_SETS)
        warn(learned,
             "too few different working sets to show a cache step (%d); none is "
             "assumed: run at least %d",
             nsets, ENOUGH_SETS);
    else if (misses_step(choice))
        warn(learned, "there seems to be another cache step, but too few sizes lie "
                      "before or beyond it; it is left out: run smaller and larger "
                      "sizes");
}

/* Warn of the step that grows most between two neighbouring working sets, if it is
   large: it may be anywhere in between, and steep. */
static void warn_of_gap(struct mt_learned *learned, const struct mt_learn_data *data)
{
    const struct mt_learn_gap gap = mt_learn_find_gap(&learned->components, data);
    if (gap.grows > large_step)
        warn(
            learned,
            "steps cost %.1f times as much somewhere between working sets of %.1f and "
            "%.1f KiB, where no run lies; predictions there may be off: run such sizes",
            gap.grows, gap.low / 1024, gap.high / 1024);
}

static void warn_of_near_steps(struct mt_learned *learned,
                               const struct mt_learn_form *form,
                               const struct mt_shape *shape)
{
    if (shape->near_steps && !form->near)
        warn(learned, "no run has steps that are independent of caches; they are "
                      "assumed to cost as much as others in the first cache");
}

/* The sample moved to `ranks` ranks, as far as contention matters: the messages under
   way together are a power of the ranks. */
static struct mt_learn_sample moved_to(const struct mt_learn_sample *sample,
                                       double ranks)
{
    struct mt_learn_sample moved = *sample;
    struct mt_demand *demand = &moved.demand;
    if (demand->ranks > 1 && demand->together > 1)
        demand->together = pow(ranks, log(demand->together) / log(demand->ranks));
    else
        demand->together = ranks;
    demand->ranks = ranks;
    return moved;
}

/* The largest factor by which `other` changes the time of a run on `ranks` nodes. */
static double largest_ratio(const struct mt_learn_tried *other,
                            const struct mt_learn_tried *chosen, double ranks,
                            const struct mt_learn_data *data)
{
    double largest = 1;
    for (int i = 0; i < data->count; i++) {
        const struct mt_learn_sample there = moved_to(&data->samples[i], ranks);
        const double ratio =
            mt_learn_seconds(&other->form, &other->values, &there, NULL) /
            mt_learn_seconds(&chosen->form, &chosen->values, &there, NULL);
        if (fabs(log(ratio)) > fabs(log(largest)))
            largest = ratio;
    }
    return largest;
}

/* Warn of laws that fit as well, but predict other times on many nodes. */
static void warn_of_laws(struct mt_learned *learned,
                         const struct mt_learn_choice *choice,
                         const struct mt_learn_data *data)
{
    const struct mt_learn_tried *chosen = &choice->tried[choice->chosen];
    const double far = beyond_nodes * learned->from.nodes;
    if (chosen->form.room > 0)
        return;
    bool told[MT_NCONTENTIONS] = {false};
    told[chosen->form.contention] = true;
    for (int i = 0; i < choice->count && chosen->form.messages; i++) {
        const struct mt_learn_tried *tried = &choice->tried[i];
        if (told[tried->form.contention] || !mt_learn_rivals(choice, i) ||
            tried->form.half != chosen->form.half ||
            tried->form.lengths != chosen->form.lengths)
            continue;
        const double ratio = largest_ratio(tried, chosen, far, data);
        if (fabs(log(ratio)) < same_law)
            continue;
        told[tried->form.contention] = true;
        warn(learned,
             "contention '%s' fits about as well as '%s'; among %.0f nodes messages "
             "then make runs up to %.1f times as %s: run on more nodes",
             mt_contention_name(tried->form.contention),
             mt_contention_name(chosen->form.contention), far, fmax(ratio, 1 / ratio),
             ratio > 1 ? "slow" : "fast");
    }
}

/* Warn if the law keeps growing. It may level off right after the runs, if no more
   processes than these share a part of the network. */
static void warn_of_growth(struct mt_learned *learned,
                           const struct mt_learn_tried *chosen,
                           const struct mt_learn_data *data)
{
    const double far = beyond_nodes * learned->from.nodes;
    double least = 1;
    if (chosen->form.known)
        return;
    for (int i = 0; i < data->count && chosen->form.messages; i++) {
        const struct mt_learn_sample here =
            moved_to(&data->samples[i], learned->from.nodes);
        const struct mt_learn_sample there = moved_to(&data->samples[i], far);
        if (here.demand.messages > 0)
            least = fmin(
                least,
                mt_learn_seconds(&chosen->form, &chosen->values, &here, NULL) /
                    mt_learn_seconds(&chosen->form, &chosen->values, &there, NULL));
    }
    if (least < same_growth)
        warn(learned,
             "messages slowed down with every node, up to %d; if that ends there, runs "
             "on %.0f are up to %.1f times as fast: run on more nodes",
             learned->from.nodes, far, 1 / least);
}

/* Two forms that were fitted to the same runs. */
struct rivals {
    const struct mt_learn_tried *other, *chosen;
    const struct mt_shape *shape;
    const struct mt_learn_data *data;
};

/* The factor by which the other form changes the time of a run on `ranks` nodes; 1: the
   shape has no such run. */
static double ratio_at(const struct rivals *rivals, double size, int ranks)
{
    const struct mt_shape *shape = rivals->shape;
    struct mt_learn_sample sample = {0};
    size = ceil(size / ranks) * ranks;
    if (!mt_shape_valid(shape, size, ranks) ||
        mt_shape_demand(&sample.demand, shape, size, ranks, NULL) != MT_OK)
        return 1;
    mt_learn_meet(&sample, rivals->data);
    return mt_learn_seconds(&rivals->other->form, &rivals->other->values, &sample,
                            NULL) /
           mt_learn_seconds(&rivals->chosen->form, &rivals->chosen->values, &sample,
                            NULL);
}

/* The ratio furthest from 1, and its number of ranks. */
struct furthest {
    double ratio, ranks;
};

static void look_at(struct furthest *furthest, const struct rivals *rivals,
                    const struct mt_learned_from *from, int ranks)
{
    double size = from->size_low;
    while (size <= from->size_high) {
        const double ratio = ratio_at(rivals, size, ranks);
        if (fabs(log(ratio)) > fabs(log(furthest->ratio)))
            *furthest = (struct furthest){ratio, ranks};
        size *= 2;
    }
}

/* Try `most_ranks` nodes, and all squares below, which suit most programs. */
static void look_further(struct furthest *furthest, const struct rivals *rivals,
                         const struct mt_learned_from *from, int most_ranks)
{
    for (int edge = 2; edge * edge <= most_ranks; edge++)
        look_at(furthest, rivals, from, edge * edge);
    look_at(furthest, rivals, from, most_ranks);
}

/* Warn if forms with other parameters of the wiring fit about as well, but predict
   other times on all nodes. */
static void warn_of_wiring(struct mt_learned *learned,
                           const struct mt_learn_choice *choice,
                           const struct mt_learn_data *data,
                           const struct mt_shape *shape)
{
    const struct mt_learn_tried *chosen = &choice->tried[choice->chosen];
    struct furthest furthest = {1, 0};
    for (int i = 0; i < choice->count; i++) {
        const struct mt_learn_tried *tried = &choice->tried[i];
        if (mt_learn_rivals(choice, i) && tried->form.half == chosen->form.half)
            look_further(&furthest, &(struct rivals){tried, chosen, shape, data},
                         &learned->from, data->wiring.nodes);
    }
    const double largest = furthest.ratio;
    if (fabs(log(largest)) > same_law)
        warn(learned,
             "the runs hardly tell %s: on %.0f nodes they may be up to %.2f "
             "times as %s as predicted: run on more nodes",
             data->wiring.topology == MT_TOPOLOGY_TORUS ? "what nodes on the way cost"
                                                        : "how much passes a switch",
             furthest.ranks, fmax(largest, 1 / largest), largest > 1 ? "slow" : "fast");
}

/* Whether contention stops growing beyond some number of messages. */
static bool levels_off(enum mt_contention contention)
{
    return contention == MT_CONTENTION_NONE || contention == MT_CONTENTION_SHARED ||
           contention == MT_CONTENTION_SATURATING;
}

/* Warn if the runs show no growing contention, but far fewer messages were under way
   than is possible: the switch may have room for no more. */
static void warn_of_room(struct mt_learned *learned,
                         const struct mt_learn_tried *chosen,
                         const struct mt_learn_data *data, const struct mt_shape *shape,
                         int most_ranks)
{
    struct furthest furthest = {1, 0};
    double seen = 1;
    for (int i = 0; i < data->count; i++)
        seen = fmax(seen, mt_together(&data->samples[i].demand));
    struct mt_learn_tried full = *chosen;
    full.form.contention = MT_CONTENTION_LIMITED;
    full.values.strength = seen;
    look_further(&furthest, &(struct rivals){&full, chosen, shape, data},
                 &learned->from, most_ranks);
    if (log(furthest.ratio) > same_law)
        warn(learned,
             "no more than %.0f messages were under way at a time; if switches pass no "
             "more, %.0f nodes take up to %.1f times as long: run on more, or say "
             "'switch_bandwidth'",
             seen, furthest.ranks, furthest.ratio);
}

/* Warn if all runs were on one switch of several. */
static void warn_of_trunks(struct mt_learned *learned,
                           const struct mt_learn_tried *chosen,
                           const struct mt_learn_data *data)
{
    if (chosen->form.contention != MT_CONTENTION_TRUNKS &&
        learned->from.nodes <= data->wiring.ports)
        warn(learned,
             "no run used more than one switch (%d nodes): the cost of messages "
             "between switches is unknown, and assumed to be nothing: run on more "
             "nodes, or say 'trunk_bandwidth'",
             data->wiring.ports);
}

/* The mean relative excess of the measured over the predicted time, of the runs on
   `ranks` nodes that spend most of their time in messages; 0 if there are too few. */
static double offset_of(const struct mt_learn_tried *chosen, double ranks,
                        const struct mt_learn_data *data)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < data->count; i++) {
        struct mt_learn_sample silent = data->samples[i];
        if (silent.demand.ranks != ranks)
            continue;
        silent.demand.messages = 0;
        const double alone =
            mt_learn_seconds(&chosen->form, &chosen->values, &silent, NULL);
        const double all =
            mt_learn_seconds(&chosen->form, &chosen->values, &data->samples[i], NULL);
        if (alone < all / 2) {
            sum += data->samples[i].seconds / all - 1;
            count++;
        }
    }
    return count < FEW_RUNS ? 0 : sum / count;
}

/* If all sizes on some number of nodes are off the same way, the law is wrong. */
static void warn_of_offset(struct mt_learned *learned,
                           const struct mt_learn_tried *chosen,
                           const struct mt_learn_data *data)
{
    double largest = 0, where = 0;
    for (int i = 0; i < data->count && chosen->form.messages; i++) {
        const double ranks = data->samples[i].demand.ranks;
        const double offset = offset_of(chosen, ranks, data);
        if (fabs(offset) > fabs(largest)) {
            largest = offset;
            where = ranks;
        }
    }
    if (fabs(largest) > far_off)
        warn(learned,
             "messages among %.0f nodes make runs %.0f %% %s than predicted, on "
             "average: perhaps no law of contention known here describes this network",
             where, 100 * fabs(largest), largest > 0 ? "longer" : "shorter");
}

void mt_learn_list_warnings(struct mt_learned *learned,
                            const struct mt_learn_choice *choice,
                            const struct mt_learn_data *data,
                            const struct mt_shape *shape, int most_ranks)
{
    warn_of_network(learned, shape, count_distinct(ranks_of_messages, data),
                    choice->tried[choice->chosen].form.known, data->link.byte > 0);
    warn_of_steps(learned, choice, data, shape);
    warn_of_gap(learned, data);
    warn_of_near_steps(learned, &choice->tried[choice->chosen].form, shape);
    warn_of_laws(learned, choice, data);
    warn_of_growth(learned, &choice->tried[choice->chosen], data);
    if (mt_has_trunks(&data->wiring))
        warn_of_trunks(learned, &choice->tried[choice->chosen], data);
    else if (data->wiring.topology == MT_TOPOLOGY_SWITCHES &&
             choice->tried[choice->chosen].form.messages &&
             levels_off(choice->tried[choice->chosen].form.contention))
        warn_of_room(learned, &choice->tried[choice->chosen], data, shape, most_ranks);
    if (data->wiring.topology == MT_TOPOLOGY_TORUS ||
        (data->wiring.topology == MT_TOPOLOGY_MULTISTAGE &&
         choice->tried[choice->chosen].form.room == 0))
        warn_of_wiring(learned, choice, data, shape);
    warn_of_offset(learned, &choice->tried[choice->chosen], data);
    if (learned->from.error > poor)
        warn(learned,
             "runs that were left out are predicted with an error of %.1f %%: these "
             "components do not describe the program well",
             100 * learned->from.error);
}
