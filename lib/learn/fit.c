/* SPDX-License-Identifier: BSD-3-Clause */
#include "fit.h"

#include "cache.h"
#include "minimise.h"
#include "start.h"

#include <math.h>

/* Which runs compute longer than they communicate is settled after so many. */
enum { ROUNDS_OF_OVERLAP = 4 };
/* The minimiser cannot leave 0: of a cost, what a step adds at least at the start. */
static const double least_start = 1e-3;
/* Of a run's time, or of that of its bytes, what makes no difference. */
static const double invisible = 1e-4;

/* Values of one kind, each once, up to as many as are asked for. */
struct distinct {
    double values[8];
    int count, most;
};

static void add_distinct(struct distinct *distinct, double value)
{
    for (int i = 0; i < distinct->count; i++) {
        if (distinct->values[i] == value)
            return;
    }
    if (distinct->count < distinct->most)
        distinct->values[distinct->count++] = value;
}

bool mt_learn_determined(const struct mt_learn_form *form,
                         const struct mt_learn_sample *samples, int nsamples)
{
    const int ncoefficients = mt_learn_ncoefficients(form);
    if (nsamples < ncoefficients)
        return false;
    if (!form->messages)
        return true;
    const int nlaw = mt_learn_nlaw(form);
    const bool contention = form->contention != MT_CONTENTION_NONE;
    struct distinct ranks = {.most = contention && nlaw == 0 ? 2 : 1 + nlaw};
    struct distinct lengths = {.most = 1 + form->latency + form->half};
    for (int i = 0; i < nsamples; i++) {
        const struct mt_demand *demand = &samples[i].demand;
        if (demand->messages > 0) {
            add_distinct(&ranks, demand->ranks);
            add_distinct(&lengths, demand->bytes);
        }
    }
    return ranks.count == ranks.most && lengths.count == lengths.most;
}

/* The seconds of a message and the bytes that no run can tell from none. */
struct limits {
    double latency, per_byte;
};

static struct limits find_limits(const struct mt_learn_sample *samples, int nsamples)
{
    struct limits limits = {INFINITY, INFINITY};
    for (int i = 0; i < nsamples; i++) {
        const struct mt_demand *demand = &samples[i].demand;
        if (demand->messages <= 0)
            continue;
        limits.latency =
            fmin(limits.latency, invisible * samples[i].seconds / demand->messages);
        limits.per_byte = fmin(limits.per_byte, invisible / demand->bytes);
    }
    return limits;
}

int mt_learn_refit(struct mt_learn_values *values, const struct mt_learn_form *form,
                   const struct mt_learn_sample *samples, int nsamples,
                   struct mt_error *err)
{
    double coefficients[MT_LEARN_MAX_COEFFICIENTS];
    const struct limits limits = find_limits(samples, nsamples);
    for (int i = 0; i < form->ncaches; i++)
        values->grows[i] = fmax(values->grows[i], least_start * values->cost);
    if (form->latency)
        values->latency = fmax(values->latency, 10 * limits.latency);
    if (form->half)
        values->per_byte = fmax(values->per_byte, 10 * limits.per_byte);
    mt_learn_pack(coefficients, form, values);
    const int status = mt_learn_minimise(coefficients, form, samples, nsamples, err);
    if (status != MT_OK)
        return status;
    mt_learn_unpack(values, form, coefficients);
    if (values->latency < limits.latency)
        values->latency = 0;
    if (values->per_byte < limits.per_byte)
        values->per_byte = 0;
    return MT_OK;
}

int mt_learn_fit(struct mt_learn_values *values, const struct mt_learn_form *form,
                 const struct mt_learn_sample *samples, int nsamples,
                 struct mt_error *err)
{
    struct mt_learn_form sequential = *form;
    double squares = 0;
    sequential.overlap = false;
    int status = mt_learn_scan_law(values, &sequential, samples, nsamples, err);
    for (int i = 0; status == MT_OK && form->overlap && i < ROUNDS_OF_OVERLAP; i++)
        status = mt_learn_solve_linear(values, form, samples, nsamples, &squares, err);
    if (status == MT_OK)
        status = mt_learn_refit(values, form, samples, nsamples, err);
    return status;
}

int mt_learn_fit_one_more(struct mt_learn_values *values,
                          const struct mt_learn_form *form,
                          const struct mt_learn_sample *samples, int nsamples,
                          struct mt_error *err)
{
    int status = mt_learn_add_cache(values, form, samples, nsamples, err);
    if (status == MT_OK)
        status = mt_learn_fit(values, form, samples, nsamples, err);
    return status;
}

double mt_learn_error(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_sample *samples, int nsamples)
{
    double sum = 0;
    for (int i = 0; i < nsamples; i++) {
        const double seconds = mt_learn_seconds(form, values, &samples[i].demand, NULL);
        sum += fabs(seconds / samples[i].seconds - 1);
    }
    return sum / nsamples;
}
