/* SPDX-License-Identifier: BSD-3-Clause */
#include "motley/learn.h"

#include "choose.h"
#include "lib/math/median.h"
#include "sure.h"
#include "wanted.h"
#include "warn.h"

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
        return mt_fail(err, MT_EINVAL,
                       "there is a run of size %g on %d nodes, which is not valid",
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

static int compare_trials(const void *a, const void *b)
{
    const struct mt_trial *x = a, *y = b;
    if (x->chosen != y->chosen)
        return x->chosen ? -1 : 1;
    if (isnan(x->error) || isnan(y->error))
        return (isnan(x->error) != 0) - (isnan(y->error) != 0);
    return (x->error > y->error) - (x->error < y->error);
}

static int list_trials(struct mt_learned *learned, const struct mt_learn_choice *choice,
                       struct mt_error *err)
{
    learned->trials = calloc((size_t)choice->count, sizeof *learned->trials);
    if (!learned->trials)
        return mt_fail(err, MT_ENOMEM, "no memory for %d trials", choice->count);
    learned->ntrials = choice->count;
    for (int i = 0; i < choice->count; i++) {
        const struct mt_learn_form *form = &choice->tried[i].form;
        learned->trials[i] = (struct mt_trial){
            .ncaches = form->ncaches,
            .contention = form->contention,
            .latency = form->latency,
            .half = form->half,
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

/* Root mean square of predicted / measured - 1. */
static double residual(const struct mt_components *components,
                       const struct mt_learn_sample *samples, int nsamples)
{
    double sum = 0;
    for (int i = 0; i < nsamples; i++) {
        const double predicted =
            mt_components_time(components, &samples[i].demand).total;
        sum += pow(predicted / samples[i].seconds - 1, 2);
    }
    return sqrt(sum / nsamples);
}

/* To so many digits as nobody knows it better, and people still read it. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

static void round_all(struct mt_components *components)
{
    struct mt_bandwidth *bandwidth = &components->bandwidth;
    for (int i = 0; i <= components->ncaches; i++)
        components->costs[i] = rounded(components->costs[i]);
    for (int i = 0; i < components->ncaches; i++) {
        components->caches[i].hit = rounded(components->caches[i].hit);
        components->caches[i].miss = rounded(components->caches[i].miss);
    }
    components->latency = rounded(components->latency);
    bandwidth->base = rounded(bandwidth->base);
    bandwidth->half = rounded(bandwidth->half);
    bandwidth->strength = rounded(bandwidth->strength);
    bandwidth->exponent = rounded(bandwidth->exponent);
}

static int learn(struct mt_learned *learned, struct mt_learn_choice *choice,
                 const struct mt_shape *shape, const struct mt_learn_sample *samples,
                 int nsamples, int most_ranks, struct mt_error *err)
{
    int status = mt_learn_choose(choice, samples, nsamples, err);
    if (status != MT_OK)
        return status;
    const struct mt_learn_tried *fit = &choice->tried[choice->chosen];
    mt_learn_components(&learned->components, &fit->form, &fit->values);
    learned->residual = residual(&learned->components, samples, nsamples);
    learned->from.error = rounded(fit->error);
    struct mt_learn_belief belief;
    status = mt_learn_believe(&belief, fit, samples, nsamples, err);
    if (status != MT_OK)
        return status;
    mt_learn_list_parameters(learned, fit, &belief);
    round_all(&learned->components);
    mt_learn_warn(learned, choice, samples, nsamples, shape);
    mt_learn_want_runs(learned, fit, &belief, samples, nsamples, shape, most_ranks);
    return list_trials(learned, choice, err);
}

int mt_learn(struct mt_learned *learned, const struct mt_shape *shape,
             const struct mt_learn_run *runs, int nruns, int most_ranks,
             struct mt_error *err)
{
    if (nruns < 1)
        return mt_fail(err, MT_ERANK, "there are no runs to learn from");
    int status = MT_OK, nsamples = 0;
    struct mt_learned found = {0};
    struct mt_learn_run *sorted = malloc((size_t)nruns * sizeof *sorted);
    struct mt_learn_sample *samples = calloc((size_t)nruns, sizeof *samples);
    struct mt_learn_choice *choice = calloc(1, sizeof *choice);
    if (!sorted || !samples || !choice) {
        status = mt_fail(err, MT_ENOMEM, "no memory to learn from %d runs", nruns);
        goto done;
    }
    memcpy(sorted, runs, (size_t)nruns * sizeof *sorted);
    status = make_samples(samples, &nsamples, shape, sorted, nruns, err);
    if (status != MT_OK)
        goto done;
    tell_origin(&found.from, sorted, nruns);
    status = learn(&found, choice, shape, samples, nsamples, most_ranks, err);
    if (status != MT_OK)
        goto done;
    mt_learned_clear(learned);
    *learned = found;
    found = (struct mt_learned){0};
done:
    mt_learned_clear(&found);
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
