/* SPDX-License-Identifier: BSD-3-Clause */
#include "warn.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Laws that make runs differ by less on so many times the nodes are the same to us. */
static const double beyond = 32, same_law = 0.1;
static const double same_growth = 0.67;
/* Runs on a number of nodes that are off by so much together, if they are so many. */
static const double far_off = 0.055;
enum { FEW = 3 };
/* A cache step is there that leaves so much of the misfit, where there is much of it.
 */
static const double clear_step = 0.7, much = 0.015;
static const double poor = 0.1;
/* A step shows in working sets, two before it and two beyond it; a law in fewer numbers
   of nodes. */
enum { ENOUGH = 4 };

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

/* How many different values other than 0 the samples have, up to ENOUGH. */
static int count_distinct(double (*value)(const struct mt_learn_sample *),
                          const struct mt_learn_sample *samples, int nsamples)
{
    double values[ENOUGH];
    int count = 0;
    for (int i = 0; i < nsamples && count < ENOUGH; i++) {
        const double new = value(&samples[i]);
        bool known = new == 0;
        for (int j = 0; j < count; j++)
            known = known || values[j] == new;
        if (!known)
            values[count++] = new;
    }
    return count;
}

static void warn_of_network(struct mt_learned *learned, const struct mt_shape *shape,
                            int nranks)
{
    if (!shape->messages)
        warn(learned,
             "the program says nothing of its messages; they are taken to cost "
             "nothing");
    else if (nranks == 0)
        warn(learned, "no run sends messages of any length; they are taken to cost "
                      "nothing: run on several nodes");
    else if (nranks == 1)
        warn(learned, "messages were sent on one number of nodes only; they are taken "
                      "to be as fast on more: run on others");
    else if (nranks == 2)
        warn(learned, "messages were sent on two numbers of nodes only, which fit many "
                      "laws of contention: run on a third");
}

/* A form with more caches that fits far better, but was not to be trusted. */
static bool misses_step(const struct mt_learn_choice *choice)
{
    const struct mt_learn_tried *chosen = &choice->tried[choice->chosen];
    if (chosen->misfit < much)
        return false;
    for (int i = 0; i < choice->count; i++) {
        const struct mt_learn_tried *tried = &choice->tried[i];
        if (tried->determined && !tried->sees_steps &&
            tried->form.ncaches > chosen->form.ncaches &&
            tried->misfit < clear_step * chosen->misfit)
            return true;
    }
    return false;
}

static void warn_of_steps(struct mt_learned *learned,
                          const struct mt_learn_choice *choice,
                          const struct mt_learn_sample *samples, int nsamples,
                          const struct mt_shape *shape)
{
    const int nsets = count_distinct(working_set, samples, nsamples);
    if (!shape->working_set)
        warn(learned, "the program says nothing of its working set; a step is taken to "
                      "cost the same whatever the caches are");
    else if (nsets < ENOUGH)
        warn(learned,
             "different working sets are too few to tell a cache step, %d; there is "
             "taken to be none: run at least %d",
             nsets, ENOUGH);
    else if (misses_step(choice))
        warn(learned, "there seems to be another cache step, but too few sizes lie "
                      "before or beyond it; it is left out: run smaller and larger "
                      "sizes");
}

/* By what factor `other` makes that run longer which it changes most, or shorter, were
   its messages among so many nodes. */
static double largest_ratio(const struct mt_learn_tried *other,
                            const struct mt_learn_tried *chosen, double ranks,
                            const struct mt_learn_sample *samples, int nsamples)
{
    double largest = 1;
    for (int i = 0; i < nsamples; i++) {
        struct mt_demand demand = samples[i].demand;
        demand.ranks = ranks;
        const double ratio =
            mt_learn_seconds(&other->form, &other->values, &demand, NULL) /
            mt_learn_seconds(&chosen->form, &chosen->values, &demand, NULL);
        if (fabs(log(ratio)) > fabs(log(largest)))
            largest = ratio;
    }
    return largest;
}

/* Another law that fits as well, and says something else on many nodes. */
static void warn_of_laws(struct mt_learned *learned,
                         const struct mt_learn_choice *choice,
                         const struct mt_learn_sample *samples, int nsamples)
{
    const struct mt_learn_tried *chosen = &choice->tried[choice->chosen];
    const double far = beyond * learned->from.nodes;
    bool told[MT_NCONTENTIONS] = {false};
    told[chosen->form.contention] = true;
    for (int i = 0; i < choice->count && chosen->form.messages; i++) {
        const struct mt_learn_tried *tried = &choice->tried[i];
        if (told[tried->form.contention] || !mt_learn_rivals(choice, i) ||
            tried->form.half != chosen->form.half)
            continue;
        const double ratio = largest_ratio(tried, chosen, far, samples, nsamples);
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

/* A law that goes on growing might as well end where the runs do: that many processes
   would share a part then. */
static void warn_of_growth(struct mt_learned *learned,
                           const struct mt_learn_tried *chosen,
                           const struct mt_learn_sample *samples, int nsamples)
{
    const double far = beyond * learned->from.nodes;
    double least = 1;
    for (int i = 0; i < nsamples && chosen->form.messages; i++) {
        struct mt_demand here = samples[i].demand, there = here;
        here.ranks = learned->from.nodes;
        there.ranks = far;
        if (here.messages > 0)
            least = fmin(
                least,
                mt_learn_seconds(&chosen->form, &chosen->values, &here, NULL) /
                    mt_learn_seconds(&chosen->form, &chosen->values, &there, NULL));
    }
    if (least < same_growth)
        warn(learned,
             "messages slow down up to the %d nodes that were run on; should that end "
             "there, runs on %.0f are up to %.1f times as fast: run on more nodes",
             learned->from.nodes, far, 1 / least);
}

/* How much longer than predicted the runs took whose messages take most of the time, on
   so many nodes: the mean; 0 where they are few. */
static double offset_of(const struct mt_learn_tried *chosen, double ranks,
                        const struct mt_learn_sample *samples, int nsamples)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < nsamples; i++) {
        struct mt_demand silent = samples[i].demand;
        if (silent.ranks != ranks)
            continue;
        silent.messages = 0;
        const double alone =
            mt_learn_seconds(&chosen->form, &chosen->values, &silent, NULL);
        const double all =
            mt_learn_seconds(&chosen->form, &chosen->values, &samples[i].demand, NULL);
        if (alone < all / 2) {
            sum += samples[i].seconds / all - 1;
            count++;
        }
    }
    return count < FEW ? 0 : sum / count;
}

/* Where what is off is so for all sizes, it is the law that is wrong. */
static void warn_of_offset(struct mt_learned *learned,
                           const struct mt_learn_tried *chosen,
                           const struct mt_learn_sample *samples, int nsamples)
{
    double largest = 0, where = 0;
    for (int i = 0; i < nsamples && chosen->form.messages; i++) {
        const double ranks = samples[i].demand.ranks;
        const double offset = offset_of(chosen, ranks, samples, nsamples);
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

void mt_learn_warn(struct mt_learned *learned, const struct mt_learn_choice *choice,
                   const struct mt_learn_sample *samples, int nsamples,
                   const struct mt_shape *shape)
{
    warn_of_network(learned, shape,
                    count_distinct(ranks_of_messages, samples, nsamples));
    warn_of_steps(learned, choice, samples, nsamples, shape);
    warn_of_laws(learned, choice, samples, nsamples);
    warn_of_growth(learned, &choice->tried[choice->chosen], samples, nsamples);
    warn_of_offset(learned, &choice->tried[choice->chosen], samples, nsamples);
    if (learned->from.error > poor)
        warn(learned,
             "runs that were left out are predicted with an error of %.0f %%: these "
             "components do not describe the program well",
             100 * learned->from.error);
}
