/* SPDX-License-Identifier: BSD-3-Clause */
/* One of the papers' models: a sum of terms. */
#include "motley/model.h"

#include "internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[MT_NMODEL_KINDS] = {
    [MT_MODEL_AUTO] = "auto",
    [MT_MODEL_NT] = "n-t",
    [MT_MODEL_PT] = "p-t",
    [MT_MODEL_NPT] = "np-t",
};

const char *mt_model_kind_name(enum mt_model_kind kind)
{
    return kind_names[kind];
}

int mt_model_kind_parse(enum mt_model_kind *kind, const char *name,
                        struct mt_error *err)
{
    for (int i = 0; i < MT_NMODEL_KINDS; i++) {
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (enum mt_model_kind)i;
            return MT_OK;
        }
    }
    return mt_fail(err, MT_EINVAL,
                   "unknown kind of model: '%s' (known: auto, n-t, p-t, np-t)", name);
}

void mt_model_clear(struct mt_model *model)
{
    free(model->configuration);
    free(model->group);
    mt_terms_free(model->terms);
    free(model->terms_text);
    free(model->coefficients);
    mt_terms_free(model->reference_terms);
    free(model->reference_terms_text);
    free(model->reference_coefficients);
    *model = (struct mt_model){0};
}

/* A term with coefficient 0 adds nothing, whether it has a value or not. */
static double sum_terms(const struct mt_terms *terms, const double *coefficients,
                        const double values[MT_NVARIABLES])
{
    double row[MT_MAX_TERMS], sum = 0;
    const int count = mt_terms_count(terms);
    if (count > MT_MAX_TERMS)
        return NAN;
    mt_terms_values(terms, values, row);
    for (int i = 0; i < count; i++) {
        if (coefficients[i] != 0)
            sum += coefficients[i] * row[i];
    }
    return sum;
}

double mt_model_reference(const struct mt_model *model, double size)
{
    if (!model->reference_terms)
        return 0;
    const double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = model->ranks_low, [MT_M] = model->layout.processes};
    return sum_terms(model->reference_terms, model->reference_coefficients, values);
}

double mt_model_value(const struct mt_model *model, double size, int ranks)
{
    const bool another_size = model->size_low > 0 &&
                              model->size_low == model->size_high &&
                              size != model->size_low;
    if ((model->ranks_low == model->ranks_high && ranks != model->ranks_low) ||
        another_size)
        return NAN;
    const double values[MT_NVARIABLES] = {[MT_N] = size,
                                          [MT_P] = ranks,
                                          [MT_M] = model->layout.processes,
                                          [MT_T] = mt_model_reference(model, size)};
    const double sum = sum_terms(model->terms, model->coefficients, values);
    return fabs(sum) <= DBL_MAX ? sum : NAN;
}

double mt_model_least(const struct mt_model *model, double size, int low, int high)
{
    const int count = mt_terms_count(model->terms);
    const double reference = mt_model_reference(model, size),
                 m = model->layout.processes;
    const struct mt_range box[MT_NVARIABLES] = {[MT_N] = {size, size},
                                                [MT_P] = {low, high},
                                                [MT_M] = {m, m},
                                                [MT_T] = {reference, reference}};
    struct mt_range row[MT_MAX_TERMS];
    double least = 0, most = 0, roundings = 0;
    if (model->ranks_low == model->ranks_high && low < high)
        return model->ranks_low >= low && model->ranks_low <= high
                   ? mt_model_least(model, size, model->ranks_low, model->ranks_low)
                   : INFINITY;
    if (low == high || count > MT_MAX_TERMS) {
        const double seconds = mt_model_seconds(model, size, low);
        return isnan(seconds) ? INFINITY : seconds;
    }
    mt_terms_ranges(model->terms, box, row);
    for (int i = 0; i < count; i++) {
        const double c = model->coefficients[i];
        if (c == 0)
            continue;
        least += c * (c > 0 ? row[i].low : row[i].high);
        most += c * (c > 0 ? row[i].high : row[i].low);
        roundings += fabs(c) * fmax(fabs(row[i].low), fabs(row[i].high));
    }
    roundings *= MT_MAX_TERMS * DBL_EPSILON;
    if (!isfinite(least) || !isfinite(most))
        return 0;
    return most + roundings > 0 ? fmax(0, least - roundings) : INFINITY;
}

double mt_model_seconds(const struct mt_model *model, double size, int ranks)
{
    const double seconds = mt_model_value(model, size, ranks);
    return seconds > 0 ? seconds : NAN;
}
