/* SPDX-License-Identifier: BSD-3-Clause */
#include "learn_fit.h"

#include "learn_cache.h"
#include "learn_minimise.h"
#include "learn_start.h"

#include <math.h>

/* Which runs compute longer than they communicate is settled after so many. */
enum { ROUNDS_OF_OVERLAP = 4 };
/* Of a cost, at the start: the minimiser cannot leave 0. */
static const double least_growth = 1e-3;

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

static int polish(struct mt_learn_values *values, const struct mt_learn_form *form,
                  const struct mt_learn_sample *samples, int nsamples, double *squares,
                  struct mt_error *err)
{
    double coefficients[MT_LEARN_MAX_COEFFICIENTS];
    for (int i = 0; i < form->ncaches; i++)
        values->grows[i] = fmax(values->grows[i], least_growth * values->cost);
    mt_learn_pack(coefficients, form, values);
    const int status =
        mt_learn_minimise(coefficients, form, samples, nsamples, squares, err);
    if (status == MT_OK)
        mt_learn_unpack(values, form, coefficients);
    return status;
}

int mt_learn_fit(struct mt_learn_values *values, const struct mt_learn_form *form,
                 const struct mt_learn_sample *samples, int nsamples, double *squares,
                 struct mt_error *err)
{
    struct mt_learn_form sequential = *form;
    sequential.overlap = false;
    int status =
        mt_learn_scan_law(values, &sequential, samples, nsamples, squares, err);
    for (int i = 0; status == MT_OK && form->overlap && i < ROUNDS_OF_OVERLAP; i++)
        status = mt_learn_solve_linear(values, form, samples, nsamples, squares, err);
    if (status == MT_OK)
        status = polish(values, form, samples, nsamples, squares, err);
    return status;
}

int mt_learn_fit_one_more(struct mt_learn_values *values,
                          const struct mt_learn_form *form,
                          const struct mt_learn_sample *samples, int nsamples,
                          double *squares, struct mt_error *err)
{
    int status = mt_learn_add_cache(values, form, samples, nsamples, err);
    if (status == MT_OK)
        status = mt_learn_fit(values, form, samples, nsamples, squares, err);
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
