/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of a run under a form, and its derivatives. */
#include "form.h"

#include "lib/machine/elapsed.h"
#include "lib/machine/internal.h"
#include "tuning.h"

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
    return mt_contention_has_strength(form->contention) && !form->proportional &&
           form->room == 0;
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
    int count = 1 + 3 * form->ncaches + form->near;
    if (form->messages)
        count += 1 + form->latency + form->hop + form->half + mt_learn_nlaw(form);
    return count;
}

int mt_learn_nfree(const struct mt_learn_form *form)
{
    int count = mt_learn_ncoefficients(form);
    for (int i = 0; i < form->ncaches; i++)
        count -= form->pins[i] ? 2 : 0;
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
    if (form->near)
        *next++ = logarithm(values->near);
    if (!form->messages)
        return;
    *next++ = logarithm(values->byte);
    if (form->latency)
        *next++ = logarithm(values->latency);
    if (form->hop)
        *next++ = logarithm(values->hop);
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
        values->widths[i] = fmin(fmax(exponential(*next++), narrowest), widest);
        end = values->begins[i] + values->widths[i];
    }
    if (form->near)
        values->near = exponential(*next++);
    if (!form->messages)
        return;
    values->byte = exponential(*next++);
    if (form->latency)
        values->latency = exponential(*next++);
    if (form->hop)
        values->hop = exponential(*next++);
    if (form->half)
        values->per_byte = exponential(*next++);
    if (form->contention == MT_CONTENTION_SATURATING)
        values->strength = 1 / (1 + exponential(-*next++));
    else if (has_strength(form))
        values->strength = exponential(*next++);
    if (has_exponent(form))
        values->exponent = exponential(*next);
    if (form->proportional && form->contention == MT_CONTENTION_STAGES)
        values->strength = 1;
    else if (form->proportional)
        values->exponent = 1;
    if (form->room > 0)
        values->strength = form->room;
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
    components->near_cost = values->near;
    components->overlap = form->overlap;
    components->latency = values->latency > nothing ? values->latency : 0;
    components->hop = values->hop > nothing ? values->hop : 0;
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
    if (form->contention == MT_CONTENTION_STAGES)
        bandwidth->strength = fmax(1, values->strength);
}

double mt_learn_ramp(const struct mt_learn_values *values, int cache,
                     double working_set)
{
    if (working_set <= 0)
        return 0;
    const double way = log(working_set) - values->begins[cache];
    return fmax(0, fmin(way / values->widths[cache], 1));
}

static struct mt_bandwidth bandwidth_of(const struct mt_learn_form *form,
                                        const struct mt_learn_values *values)
{
    return (struct mt_bandwidth){.contention = form->contention,
                                 .strength = values->strength,
                                 .evens_out = form->evens_out};
}

void mt_learn_meet(struct mt_learn_sample *sample, const struct mt_learn_data *data)
{
    const struct mt_demand *demand = &sample->demand;
    const struct mt_wiring *wiring = &data->wiring;
    const struct mt_learn_link *link = &data->link;
    const struct mt_demand as = mt_as_lengths(link->lengths, link->nlengths, demand);
    sample->as_bytes = as.bytes;
    sample->as_mean = as.mean_bytes;
    sample->shared = mt_length_of_bytes(link->lengths, link->nlengths, demand->bytes);
    sample->header = wiring->header;
    mt_meeting_find(&sample->meeting, wiring, demand);
}

/* The sample's demand, its messages as long as the form counts them. */
static struct mt_demand as_counted(const struct mt_learn_form *form,
                                   const struct mt_learn_sample *sample)
{
    struct mt_demand demand = sample->demand;
    if (form->lengths) {
        demand.bytes = sample->as_bytes;
        demand.mean_bytes = sample->as_mean;
    }
    return mt_with_headers(demand, sample->header);
}

/* The bytes of the sample's longest message, as the form counts them. */
static double shared_bytes(const struct mt_learn_form *form,
                           const struct mt_learn_sample *sample)
{
    return sample->header + (form->lengths ? sample->shared : sample->demand.bytes);
}

/* g(K). */
static double contention_of(const struct mt_learn_form *form,
                            const struct mt_learn_values *values,
                            const struct mt_learn_sample *sample)
{
    const double ranks = mt_together(&sample->demand);
    if (ranks <= 1 && !mt_are_counted(form->contention))
        return 1;
    switch (form->contention) {
    case MT_CONTENTION_SATURATING:
        return 1 - values->strength * pow(ranks / 2, -values->exponent);
    case MT_CONTENTION_SHARED:
        return fmin(ranks / values->strength, 1);
    case MT_CONTENTION_LOGARITHMIC:
        return pow(log(ranks), values->exponent);
    case MT_CONTENTION_LIMITED:
        return mt_limited_factor(ranks / values->strength, shared_bytes(form, sample),
                                 as_counted(form, sample).bytes);
    case MT_CONTENTION_POWER:
        return pow(ranks, values->exponent);
    case MT_CONTENTION_STAGES:
        return mt_meeting_factor(&sample->meeting, fmax(1, values->strength));
    case MT_CONTENTION_TRUNKS:
        return mt_meeting_factor(&sample->meeting, values->strength);
    default:
        return 1;
    }
}

/* The derivative of g(K) by the logarithm of the strength of stages, of trunks, or of a
   switch that is too tight. */
static double derive_strength(const struct mt_learn_form *form,
                              const struct mt_learn_values *values,
                              const struct mt_learn_sample *sample)
{
    const struct mt_meeting *meeting = &sample->meeting;
    const double strength = values->strength;
    double slope = 0;
    if (form->contention == MT_CONTENTION_LIMITED) {
        const double as = as_counted(form, sample).bytes;
        const double crowded = mt_together(&sample->demand) / strength;
        const bool shares = crowded > 1 && mt_together(&sample->demand) > 1 && as > 0;
        return shares ? -crowded * shared_bytes(form, sample) / as : 0;
    }
    if (strength < 1 && form->contention != MT_CONTENTION_TRUNKS)
        return 0;
    for (int k = 1; k <= meeting->most; k++)
        slope -= k > strength ? meeting->shares[k] * k / strength : 0;
    return slope;
}

/* The derivatives of log g(K) by the law's coefficients. */
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
                      const struct mt_learn_sample *sample)
{
    const struct mt_demand demand = as_counted(form, sample);
    const struct mt_bandwidth bandwidth = bandwidth_of(form, values);
    return mt_message_bytes(&bandwidth, &demand);
}

double mt_learn_reach(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_sample *sample)
{
    return mt_learn_bytes(form, values, sample) * contention_of(form, values, sample);
}

double mt_learn_seconds(const struct mt_learn_form *form,
                        const struct mt_learn_values *values,
                        const struct mt_learn_sample *sample, double *gradient)
{
    const struct mt_demand *demand = &sample->demand;
    const int ncoefficients = mt_learn_ncoefficients(form),
              nsteps = 1 + 3 * form->ncaches + form->near;
    if (gradient)
        memset(gradient, 0, (size_t)ncoefficients * sizeof *gradient);
    const double far = mt_far_steps(demand), near = demand->near_steps * values->near;
    const double compute =
        near + far * step(form, values, demand->working_set, gradient);
    for (int i = 0; gradient && i < nsteps; i++)
        gradient[i] *= far;
    if (gradient && form->near)
        gradient[nsteps - 1] = near;
    if (!form->messages)
        return compute;
    const double bytes = mt_learn_bytes(form, values, sample);
    const double per_byte = bytes * values->per_byte;
    const double unit = demand->messages * values->byte * (1 + per_byte);
    const double travel = unit * mt_learn_reach(form, values, sample);
    const double start = demand->messages * values->latency;
    const double hops = demand->messages * values->hop * sample->meeting.hops;
    const double communicate = start + hops + travel;
    const bool computes = !form->overlap || compute >= communicate,
               travels = !form->overlap || !computes;
    const double seconds = computes * compute + travels * communicate;
    if (!gradient)
        return seconds;
    for (int i = 0; i < nsteps; i++)
        gradient[i] *= computes;
    double *next = gradient + nsteps;
    *next++ = travels * travel;
    if (form->latency)
        *next++ = travels * start;
    if (form->hop)
        *next++ = travels * hops;
    if (form->half)
        *next++ = travels * travel * per_byte / (1 + per_byte);
    if (mt_are_counted(form->contention) || form->contention == MT_CONTENTION_LIMITED) {
        if (has_strength(form))
            *next = travels * unit * bytes * derive_strength(form, values, sample);
        return seconds;
    }
    derive_contention(form, values, mt_together(demand), next);
    for (int i = 0; i < mt_learn_nlaw(form); i++)
        next[i] *= travels * travel;
    return seconds;
}
