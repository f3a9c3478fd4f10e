/* SPDX-License-Identifier: BSD-3-Clause */
#include "sure.h"

#include "lib/math/least_squares.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Before the runs, the standard deviation of a coefficient; a parameter that is not
   surer than `unsure` after them is one of which they say nothing. */
static const double prior = 10, unsure = 3;
/* Even repeated runs agree no better than that. */
static const double least_noise = 1e-4;

/* The 95 % quantile of Student's distribution. */
static double student_quantile(int freedom)
{
    static const double few[] = {6.314, 2.920, 2.353, 2.132, 2.015};
    const double z = 1.6449;
    if (freedom < 1)
        return INFINITY;
    if (freedom <= 5)
        return few[freedom - 1];
    return z + (z * z * z + z) / (4.0 * freedom) +
           (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96.0 * freedom * freedom);
}

int mt_learn_believe(struct mt_learn_belief *belief, const struct mt_learn_tried *fit,
                     const struct mt_learn_sample *samples, int nsamples,
                     struct mt_error *err)
{
    const int n = mt_learn_ncoefficients(&fit->form);
    const int freedom = nsamples - n;
    belief->count = n;
    /* of a normal distribution, from the mean of its absolute values */
    const double deviation =
        fit->misfit * sqrt(M_PI_2 * nsamples / (freedom > 0 ? freedom : 1));
    belief->noise = fmax(deviation, least_noise);
    belief->quantile = student_quantile(freedom);
    double precision[MT_LEARN_MAX_COEFFICIENTS * MT_LEARN_MAX_COEFFICIENTS] = {0};
    for (int j = 0; j < n; j++)
        precision[j * n + j] = 1 / (prior * prior);
    for (int i = 0; i < nsamples; i++) {
        double gradient[MT_LEARN_MAX_COEFFICIENTS];
        mt_learn_seconds(&fit->form, &fit->values, &samples[i].demand, gradient);
        const double scale = 1 / (samples[i].seconds * belief->noise);
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++)
                precision[j * n + k] += gradient[j] * gradient[k] * scale * scale;
        }
    }
    int status = mt_factor_cholesky(precision, n, err);
    for (int j = 0; j < n && status == MT_OK; j++) {
        double *row = belief->covariance[j];
        memset(row, 0, sizeof belief->covariance[j]);
        row[j] = 1;
        status = mt_solve_cholesky(precision, n, row, err);
    }
    return status;
}

/* Append a parameter; what it is not is not listed. */
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
        append(learned, name, MT_UNIT_SECONDS, components->costs[i]);
    }
    for (int i = 0; i < components->ncaches; i++) {
        snprintf(name, sizeof name, "cache %d hit", i + 1);
        append(learned, name, MT_UNIT_BYTES, components->caches[i].hit);
        snprintf(name, sizeof name, "cache %d miss", i + 1);
        append(learned, name, MT_UNIT_BYTES, components->caches[i].miss);
    }
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    append(learned, "latency", MT_UNIT_SECONDS, components->latency);
    append(learned, "bandwidth", MT_UNIT_BYTES_PER_SECOND, bandwidth->base);
    append(learned, "half", MT_UNIT_BYTES, bandwidth->half);
    append(learned, "strength", MT_UNIT_NONE, bandwidth->strength);
    append(learned, "exponent", MT_UNIT_NONE, bandwidth->exponent);
}

void mt_learn_list_parameters(struct mt_learned *learned,
                              const struct mt_learn_tried *fit,
                              const struct mt_learn_belief *belief)
{
    const double step = 1e-5;
    const int n = belief->count;
    double coefficients[MT_LEARN_MAX_COEFFICIENTS];
    double slopes[MT_MAX_PARAMETERS][MT_LEARN_MAX_COEFFICIENTS] = {0};
    append_all(learned);
    mt_learn_pack(coefficients, &fit->form, &fit->values);
    for (int j = 0; j < n; j++) { /* the parameters' logarithms by the coefficients */
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
                variance += slopes[i][j] * slopes[i][k] * belief->covariance[j][k];
        }
        struct mt_parameter *parameter = &learned->parameters[i];
        const double deviation = sqrt(variance);
        if (!(deviation < unsure) || isinf(belief->quantile))
            continue;
        const double factor = exp(deviation * belief->quantile);
        parameter->low = parameter->value / factor;
        parameter->high = parameter->value * factor;
    }
}
