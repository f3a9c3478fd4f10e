/* SPDX-License-Identifier: BSD-3-Clause */
#include "form.h"

#include "lib/input/elapsed.h"

#include <math.h>
#include <string.h>

/* No cost is beyond e^60, but the minimiser may try such values. */
static const double furthest = 60;
static const double nothing =
    1e-20; /* seconds of a message or of a byte: less counts as none */
static const double narrowest =
    1e-9; /* width of a cache step, to avoid a division by 0 */

static bool has_strength(const struct mt_learn_form *form)
{
    return mt_contention_has_strength(form->contention);
}

static bool has_exponent(const struct mt_learn_form *form)
{
    return mt_contention_has_exponent(form->contention) && !form->proportional;
}

int mt_learn_nlaw(const struct mt_learn_form *form)
{
    return has_strength(form) + has_exponent(form);
}

int mt_learn_ncoefficients(const struct mt_learn_form *form)
{
    int count = 1 + 3 * form->ncaches;
    if (form->messages)
        count += 1 + form->latency + form->half + mt_learn_nlaw(form);
    return count;
}

static double logarithm(double value)
{
    return value > exp(-furthest) ? fmin(log(value), furthest) : -furthest;
}

static double exponential(double coefficient)
{
    return exp(fmax(-furthest, fmin(coefficient, furthest)));
}

void mt_learn_pack(double *coefficients, const struct mt_learn_form *form,
                   const struct mt_learn_values *values)
{
    double *next = coefficients;
    *next++ = logarithm(values->cost);
    for (int i = 0; i < form->ncaches; i++)
        *next++ = logarithm(values->grows[i]);
    double end = 0;
    for (int i = 0; i < form->ncaches; i++) {
        *next++ = i == 0 ? values->begins[0] : logarithm(values->begins[i] - end);
        *next++ = logarithm(values->widths[i]);
        end = values->begins[i] + values->widths[i];
    }
    if (!form->messages)
        return;
    *next++ = logarithm(values->byte);
    if (form->latency)
        *next++ = logarithm(values->latency);
    if (form->half)
        *next++ = logarithm(values->per_byte);
    if (form->contention == MT_CONTENTION_SATURATING)
        *next++ = logarithm(values->strength) - logarithm(1 - values->strength);
    else if (has_strength(form))
        *next++ = logarithm(values->strength);
    if (has_exponent(form))
        *next = logarithm(values->exponent);
}

void mt_learn_unpack(struct mt_learn_values *values, const struct mt_learn_form *form,
                     const double *coefficients)
{
    const double *next = coefficients;
    memset(values, 0, sizeof *values);
    values->cost = exponential(*next++);
    for (int i = 0; i < form->ncaches; i++)
        values->grows[i] = exponential(*next++);
    double end = 0;
    for (int i = 0; i < form->ncaches; i++) {
        values->begins[i] = i == 0 ? *next++ : end + exponential(*next++);
        values->widths[i] = fmax(exponential(*next++), narrowest);
        end = values->begins[i] + values->widths[i];
    }
    if (!form->messages)
        return;
    values->byte = exponential(*next++);
    if (form->latency)
        values->latency = exponential(*next++);
    if (form->half)
        values->per_byte = exponential(*next++);
    if (form->contention == MT_CONTENTION_SATURATING)
        values->strength = 1 / (1 + exponential(-*next++));
    else if (has_strength(form))
        values->strength = exponential(*next++);
    if (has_exponent(form))
        values->exponent = exponential(*next);
    if (form->proportional)
        values->exponent = 1;
}

void mt_learn_components(struct mt_components *components,
                         const struct mt_learn_form *form,
                         const struct mt_learn_values *values)
{
    memset(components, 0, sizeof *components);
    components->ncaches = form->ncaches;
    components->costs[0] = values->cost;
    for (int i = 0; i < form->ncaches; i++) {
        components->costs[i + 1] = components->costs[i] + values->grows[i];
        components->caches[i].hit = exp(values->begins[i]);
        components->caches[i].miss = exp(values->begins[i] + values->widths[i]);
    }
    components->overlap = form->overlap;
    components->latency = values->latency > nothing ? values->latency : 0;
    if (!form->messages || values->byte <= nothing)
        return;
    struct mt_bandwidth *bandwidth = &components->bandwidth;
    bandwidth->base = 1 / values->byte;
    bandwidth->half = values->per_byte > nothing ? 1 / values->per_byte : 0;
    bandwidth->contention = form->contention;
    bandwidth->exponent = values->exponent;
    bandwidth->strength = values->strength;
    bandwidth->evens_out = form->evens_out;
    if (form->contention == MT_CONTENTION_SATURATING)
        bandwidth->strength *= pow(2, values->exponent);
}

double mt_learn_ramp(const struct mt_learn_values *values, int cache,
                     double working_set)
{
    if (working_set <= 0)
        return 0;
    const double way = log(working_set) - values->begins[cache];
    return fmax(0, fmin(way / values->widths[cache], 1));
}

double mt_learn_contention(const struct mt_learn_form *form,
                           const struct mt_learn_values *values, double ranks)
{
    if (ranks <= 1)
        return 1;
    switch (form->contention) {
    case MT_CONTENTION_SATURATING:
        return 1 - values->strength * pow(ranks / 2, -values->exponent);
    case MT_CONTENTION_SHARED:
        return fmin(ranks / values->strength, 1);
    case MT_CONTENTION_LOGARITHMIC:
        return pow(log(ranks), values->exponent);
    case MT_CONTENTION_LIMITED:
        return fmax(1, ranks / values->strength);
    case MT_CONTENTION_POWER:
        return pow(ranks, values->exponent);
    default:
        return 1;
    }
}

/* The derivatives of log g(P) by the law's coefficients. */
static void derive_contention(const struct mt_learn_form *form,
                              const struct mt_learn_values *values, double ranks,
                              double *gradient)
{
    if (ranks <= 1)
        return;
    const double s = values->strength, e = values->exponent;
    switch (form->contention) {
    case MT_CONTENTION_SATURATING: {
        const double fades = pow(ranks / 2, -e), g = 1 - s * fades;
        gradient[0] = -fades * s * (1 - s) / g;
        gradient[1] = s * fades * log(ranks / 2) * e / g;
        break;
    }
    case MT_CONTENTION_SHARED:
        gradient[0] = ranks < s ? -1 : 0;
        break;
    case MT_CONTENTION_LIMITED:
        gradient[0] = ranks > s ? -1 : 0;
        break;
    case MT_CONTENTION_LOGARITHMIC:
        gradient[0] = e * log(log(ranks));
        break;
    case MT_CONTENTION_POWER:
        if (has_exponent(form))
            gradient[0] = e * log(ranks);
        break;
    default:
        break;
    }
}

/* Seconds of a step, and their derivatives. */
static double step(const struct mt_learn_form *form,
                   const struct mt_learn_values *values, double working_set,
                   double *gradient)
{
    const int ncaches = form->ncaches;
    double cost = values->cost;
    double moves = 0; /* derivative by a shift of this cache and all after it */
    if (gradient)
        gradient[0] = values->cost;
    for (int i = ncaches - 1; i >= 0; i--) {
        const double ramp = mt_learn_ramp(values, i, working_set);
        cost += values->grows[i] * ramp;
        if (!gradient)
            continue;
        gradient[1 + i] = values->grows[i] * ramp;
        const bool inside = ramp > 0 && ramp < 1;
        const double slope = inside ? values->grows[i] / values->widths[i] : 0;
        double *place = gradient + 1 + ncaches + (size_t)2 * (size_t)i;
        place[1] = values->widths[i] * (moves - slope * ramp);
        moves -= slope;
        const double gap =
            i == 0 ? 1
                   : values->begins[i] - values->begins[i - 1] - values->widths[i - 1];
        place[0] = gap * moves;
    }
    return cost;
}

double mt_learn_bytes(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_demand *demand)
{
    const struct mt_bandwidth bandwidth = {.contention = form->contention,
                                           .strength = values->strength,
                                           .evens_out = form->evens_out};
    return mt_message_bytes(&bandwidth, demand);
}

double mt_learn_seconds(const struct mt_learn_form *form,
                        const struct mt_learn_values *values,
                        const struct mt_demand *demand, double *gradient)
{
    const int ncoefficients = mt_learn_ncoefficients(form),
              nsteps = 1 + 3 * form->ncaches;
    if (gradient)
        memset(gradient, 0, (size_t)ncoefficients * sizeof *gradient);
    const double compute =
        demand->steps * step(form, values, demand->working_set, gradient);
    const double bytes = mt_learn_bytes(form, values, demand);
    double byte = 0, communicate = 0;
    if (form->messages) {
        byte = values->byte * mt_learn_contention(form, values, demand->ranks);
        communicate = demand->messages *
                      (values->latency + bytes * byte * (1 + bytes * values->per_byte));
    }
    const double computes = !form->overlap || compute >= communicate;
    const double communicates = !form->overlap || !computes;
    const double seconds = computes * compute + communicates * communicate;
    if (!gradient)
        return seconds;
    for (int i = 0; i < nsteps; i++)
        gradient[i] *= demand->steps * computes;
    if (!form->messages)
        return seconds;
    double *next = gradient + nsteps;
    const double travel = communicates * demand->messages * bytes * byte;
    const double per_byte = bytes * values->per_byte;
    *next++ = travel * (1 + per_byte);
    if (form->latency)
        *next++ = communicates * demand->messages * values->latency;
    if (form->half)
        *next++ = travel * per_byte;
    derive_contention(form, values, demand->ranks, next);
    for (int i = 0; i < mt_learn_nlaw(form); i++)
        next[i] *= travel * (1 + per_byte);
    return seconds;
}
