/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits one form by non-linear least squares (Levenberg-Marquardt, cminpack). */
#include "fit.h"

#include "pins.h"
#include "start.h"
#include "tuning.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>

/* The least growth of a step's cost at the start, relative to the cost: the minimiser
   works on logarithms and cannot leave 0. */
static const double least_start = 1e-3;
static const double tolerance = 1e-8;
enum { MOST_EVALUATIONS = 100 };

/* A set of at most `most` distinct values. */
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
                         const struct mt_learn_data *data)
{
    if (data->count < mt_learn_nfree(form))
        return false;
    if (!form->messages)
        return true;
    const int nlaw = mt_learn_nlaw(form);
    const bool contention = form->contention != MT_CONTENTION_NONE && !form->known;
    struct distinct ranks = {.most = contention && nlaw == 0 ? 2 : 1 + nlaw};
    struct distinct lengths = {.most = 1 + form->latency + form->half};
    struct distinct hops = {.most = 2 * form->hop};
    for (int i = 0; i < data->count; i++) {
        const struct mt_demand *demand = &data->samples[i].demand;
        if (demand->messages > 0) {
            add_distinct(&ranks, demand->ranks);
            add_distinct(&lengths, demand->bytes);
            add_distinct(&hops, data->samples[i].meeting.hops);
        }
    }
    return ranks.count == ranks.most && lengths.count == lengths.most &&
           hops.count == hops.most;
}

/* Latency, hop and 1 / half below which no run can tell them from 0. */
struct limits {
    double latency, hop, per_byte;
};

static struct limits find_limits(const struct mt_learn_data *data)
{
    struct limits limits = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < data->count; i++) {
        const struct mt_demand *demand = &data->samples[i].demand;
        if (demand->messages <= 0)
            continue;
        limits.latency = fmin(limits.latency,
                              invisible * data->samples[i].seconds / demand->messages);
        limits.hop = fmin(limits.hop, limits.latency / data->samples[i].meeting.hops);
        limits.per_byte = fmin(limits.per_byte, invisible / demand->bytes);
    }
    return limits;
}

struct problem {
    const struct mt_learn_form *form;
    const struct mt_learn_data *data;
    double limit; /* errors beyond it are far */
};

/* The softened residual of a run's relative error, and its derivative by the error. */
static double soften(double error, double limit, double *slope)
{
    const double ratio = error / limit, root = sqrt(1 + ratio * ratio);
    const double soft = copysign(limit * sqrt(2 * (root - 1)), error);
    *slope = fabs(ratio) > 1e-6 ? error / (soft * root) : 1;
    return fabs(ratio) > 1e-6 ? soft : error;
}

/* Append the residuals of the prior on the steps' places to those of the samples. */
static void evaluate_pins(const struct problem *problem,
                          const struct mt_learn_values *values, double *residuals,
                          double *jacobian, int ld)
{
    const int first = problem->data->count,
              count = mt_learn_npinned(problem->form, problem->data);
    double off[MT_LEARN_MOST_PINNED];
    double slopes[MT_LEARN_MOST_PINNED][MT_LEARN_MAX_COEFFICIENTS];
    if (count == 0)
        return;
    mt_learn_pins_off(off, slopes, problem->form, values, problem->data, far_error);
    for (int i = 0; residuals && i < count; i++)
        residuals[first + i] = off[i];
    const int ncoefficients = mt_learn_ncoefficients(problem->form);
    for (int i = 0; jacobian && i < count; i++)
        for (int j = 0; j < ncoefficients; j++)
            jacobian[first + i + (size_t)j * (size_t)ld] = slopes[i][j];
}

/* cminpack's callback: the residuals when `wanted` is 1, else their derivatives, by
   columns. */
static int evaluate_problem(void *context, int nresiduals, int ncoefficients,
                            const double *coefficients, double *residuals,
                            double *jacobian, int ld, int wanted)
{
    const struct problem *problem = context;
    struct mt_learn_values values;
    (void)nresiduals;
    mt_learn_unpack(&values, problem->form, coefficients);
    evaluate_pins(problem, &values, wanted == 1 ? residuals : NULL,
                  wanted == 1 ? NULL : jacobian, ld);
    for (int i = 0; i < problem->data->count; i++) {
        const struct mt_learn_sample *sample = &problem->data->samples[i];
        double gradient[MT_LEARN_MAX_COEFFICIENTS], slope;
        const double seconds = mt_learn_seconds(problem->form, &values, sample,
                                                wanted == 1 ? NULL : gradient);
        const double error = seconds / sample->seconds - 1;
        const bool disturbed = problem->data->disturbed && error < 0;
        const double residual =
            soften(error, disturbed ? disturbed_share * problem->limit : problem->limit,
                   &slope);
        if (wanted == 1)
            residuals[i] = residual;
        for (int j = 0; wanted != 1 && j < ncoefficients; j++)
            jacobian[i + (size_t)j * (size_t)ld] =
                slope * gradient[j] / sample->seconds;
    }
    return 0;
}

/* Bring the coefficients to a minimum of the sum of the squares of predicted / measured
   - 1, in which far-off samples count less. There are at least as many samples as
   coefficients. */
static int minimise(double *coefficients, const struct mt_learn_form *form,
                    const struct mt_learn_data *data, struct mt_error *err)
{
    const int n = mt_learn_ncoefficients(form);
    const int nresiduals = data->count + mt_learn_npinned(form, data);
    const size_t m = (size_t)nresiduals;
    double *numbers = calloc(m * (size_t)n + 2 * m, sizeof *numbers);
    if (!numbers)
        return mt_fail(err, MT_ENOMEM, "no memory to fit %d samples", data->count);
    double *residuals = numbers, *more = numbers + m, *jacobian = numbers + 2 * m;
    double scale[MT_LEARN_MAX_COEFFICIENTS], qtf[MT_LEARN_MAX_COEFFICIENTS];
    double one[MT_LEARN_MAX_COEFFICIENTS], two[MT_LEARN_MAX_COEFFICIENTS];
    double three[MT_LEARN_MAX_COEFFICIENTS];
    int pivots[MT_LEARN_MAX_COEFFICIENTS], evaluations = 0, derivatives = 0;
    for (int i = 0; i < n; i++)
        scale[i] = 1; /* logarithms are of one scale */
    for (int round = 0; round < 2;
         round++) { /* first by squares alone: from a bad start all errors are large */
        struct problem problem = {form, data, round == 0 ? INFINITY : far_error};
        lmder(evaluate_problem, &problem, nresiduals, n, coefficients, residuals,
              jacobian, nresiduals, tolerance, tolerance, 0, MOST_EVALUATIONS, scale, 2,
              0.1, 0, &evaluations, &derivatives, pivots, qtf, one, two, three, more);
    }
    free(numbers);
    return MT_OK;
}

int mt_learn_refit(struct mt_learn_values *values, const struct mt_learn_form *form,
                   const struct mt_learn_data *data, struct mt_error *err)
{
    double coefficients[MT_LEARN_MAX_COEFFICIENTS];
    const struct limits limits = find_limits(data);
    for (int i = 0; i < form->ncaches; i++)
        values->grows[i] = fmax(values->grows[i], least_start * values->cost);
    if (form->near) {
        values->near = fmax(values->near, least_start * values->cost);
        values->cost = fmax(values->cost, least_start * values->near);
    }
    if (form->latency)
        values->latency = fmax(values->latency, 10 * limits.latency);
    if (form->hop)
        values->hop = fmax(values->hop, 10 * limits.hop);
    if (form->half)
        values->per_byte = fmax(values->per_byte, 10 * limits.per_byte);
    mt_learn_pack(coefficients, form, values);
    const int status = minimise(coefficients, form, data, err);
    if (status != MT_OK)
        return status;
    mt_learn_unpack(values, form, coefficients);
    if (values->latency < limits.latency)
        values->latency = 0;
    if (values->hop < limits.hop)
        values->hop = 0;
    if (values->per_byte < limits.per_byte)
        values->per_byte = 0;
    return MT_OK;
}

int mt_learn_fit(struct mt_learn_values *values, const struct mt_learn_form *form,
                 const struct mt_learn_data *data, struct mt_error *err)
{
    struct mt_learn_form sequential = *form;
    double squares = 0;
    sequential.overlap = false;
    int status = mt_learn_scan_law(values, &sequential, data, err);
    for (int i = 0; status == MT_OK && form->overlap && i < ROUNDS_OF_OVERLAP; i++)
        status = mt_learn_solve_linear(values, form, data, &squares, err);
    if (status == MT_OK)
        status = mt_learn_refit(values, form, data, err);
    return status;
}

int mt_learn_fit_one_more(struct mt_learn_values *values,
                          const struct mt_learn_form *form,
                          const struct mt_learn_data *data, struct mt_error *err)
{
    int status = mt_learn_add_cache(values, form, data, err);
    if (status == MT_OK)
        status = mt_learn_fit(values, form, data, err);
    return status;
}

double mt_learn_error(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_data *data)
{
    double sum = 0;
    for (int i = 0; i < data->count; i++) {
        const double seconds = mt_learn_seconds(form, values, &data->samples[i], NULL);
        sum += fabs(seconds / data->samples[i].seconds - 1);
    }
    return sum / data->count;
}
