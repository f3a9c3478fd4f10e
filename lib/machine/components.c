/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost of steps and messages by the components of a machine, and checks of the
   components. */
#include "internal.h"

#include <math.h>
#include <stdio.h>

/* With a larger one, messages between many processes would take no time, or forever. */
enum { MOST_EXPONENT = 16 };

static const char *const contention_names[MT_NCONTENTIONS] = {
    [MT_CONTENTION_NONE] = "none",       [MT_CONTENTION_SATURATING] = "saturating",
    [MT_CONTENTION_SHARED] = "shared",   [MT_CONTENTION_LOGARITHMIC] = "logarithmic",
    [MT_CONTENTION_LIMITED] = "limited", [MT_CONTENTION_POWER] = "power",
    [MT_CONTENTION_STAGES] = "stages",   [MT_CONTENTION_TRUNKS] = "trunks",
};

const char *mt_contention_name(enum mt_contention contention)
{
    return contention_names[contention];
}

bool mt_contention_has_strength(enum mt_contention contention)
{
    return contention == MT_CONTENTION_SATURATING ||
           contention == MT_CONTENTION_SHARED || contention == MT_CONTENTION_LIMITED ||
           contention == MT_CONTENTION_STAGES || contention == MT_CONTENTION_TRUNKS;
}

bool mt_contention_has_exponent(enum mt_contention contention)
{
    return contention == MT_CONTENTION_SATURATING ||
           contention == MT_CONTENTION_LOGARITHMIC || contention == MT_CONTENTION_POWER;
}

/* A number that may be zero, but not negative, infinite or NaN. */
static int check_number(const char *name, double value, struct mt_error *err)
{
    if (isfinite(value) && value >= 0)
        return MT_OK;
    return mt_fail(err, MT_EINVAL,
                   "%s is %.9g; it must be a finite number, not negative", name, value);
}

static int check_costs(const struct mt_components *components, struct mt_error *err)
{
    for (int i = 0; i <= components->ncaches; i++) {
        char name[32];
        snprintf(name, sizeof name, "cost %d", i + 1);
        const int status = check_number(name, components->costs[i], err);
        if (status != MT_OK)
            return status;
        if (i > 0 && components->costs[i] < components->costs[i - 1])
            return mt_fail(err, MT_EINVAL,
                           "cost %d is %.9g s, less than cost %d, %.9g s; a step costs "
                           "more beyond a cache",
                           i + 1, components->costs[i], i, components->costs[i - 1]);
    }
    return MT_OK;
}

static int check_caches(const struct mt_components *components, struct mt_error *err)
{
    for (int i = 0; i < components->ncaches; i++) {
        const struct mt_cache_step *cache = &components->caches[i];
        if (!isfinite(cache->hit) || !(cache->hit > 0))
            return mt_fail(err, MT_EINVAL,
                           "hit of cache %d is %.9g bytes; it must be positive", i + 1,
                           cache->hit);
        if (!isfinite(cache->miss) || cache->miss < cache->hit)
            return mt_fail(err, MT_EINVAL,
                           "miss of cache %d is %.9g bytes; it must be at least its "
                           "hit, %.9g bytes",
                           i + 1, cache->miss, cache->hit);
        if (i > 0 && cache->hit < cache[-1].miss)
            return mt_fail(
                err, MT_EINVAL,
                "hit of cache %d is %.9g bytes; it must be at least the miss "
                "of cache %d, %.9g bytes",
                i + 1, cache->hit, i, cache[-1].miss);
    }
    return MT_OK;
}

static int check_contention(const struct mt_bandwidth *bandwidth, struct mt_error *err)
{
    const enum mt_contention contention = bandwidth->contention;
    if ((unsigned)contention >= MT_NCONTENTIONS)
        return mt_fail(err, MT_EINVAL, "contention number %u is unknown",
                       (unsigned)contention);
    const char *name = contention_names[contention];
    if (!mt_contention_has_strength(contention) && bandwidth->strength != 0)
        return mt_fail(err, MT_EINVAL, "strength is %.9g, but contention '%s' has none",
                       bandwidth->strength, name);
    if (!mt_contention_has_exponent(contention) && bandwidth->exponent != 0)
        return mt_fail(err, MT_EINVAL, "exponent is %.9g, but contention '%s' has none",
                       bandwidth->exponent, name);
    if (bandwidth->strength < 1 &&
        (contention == MT_CONTENTION_SHARED || contention == MT_CONTENTION_LIMITED ||
         contention == MT_CONTENTION_STAGES))
        return mt_fail(
            err, MT_EINVAL,
            "strength is %.9g; contention '%s' is between at least 1 process",
            bandwidth->strength, name);
    if (contention == MT_CONTENTION_TRUNKS && !(bandwidth->strength > 0))
        return mt_fail(err, MT_EINVAL, "strength is %.9g; it must be more than 0",
                       bandwidth->strength);
    if (contention == MT_CONTENTION_SATURATING &&
        !(mt_contention_factor(bandwidth, 2) > 0))
        return mt_fail(err, MT_EINVAL,
                       "strength is %.9g, so that messages between 2 processes take no "
                       "time; with an exponent of %.9g it must be below %.9g",
                       bandwidth->strength, bandwidth->exponent,
                       exp2(bandwidth->exponent));
    if (bandwidth->exponent > MOST_EXPONENT)
        return mt_fail(err, MT_EINVAL, "exponent is %.9g; it can be up to %d",
                       bandwidth->exponent, MOST_EXPONENT);
    return MT_OK;
}

static int check_communication(const struct mt_components *components,
                               struct mt_error *err)
{
    const struct mt_bandwidth *bandwidth = &components->bandwidth;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"near cost", components->near_cost},
        {"latency", components->latency},
        {"hop", components->hop},
        {"base", bandwidth->base},
        {"half", bandwidth->half},
        {"strength", bandwidth->strength},
        {"exponent", bandwidth->exponent},
        {"header", components->wiring.header},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const int status = check_number(numbers[i].name, numbers[i].value, err);
        if (status != MT_OK)
            return status;
    }
    return check_contention(bandwidth, err);
}

static int check_lengths(const struct mt_components *components, struct mt_error *err)
{
    if (components->nlengths < 0 || components->nlengths > MT_MAX_LENGTHS)
        return mt_fail(err, MT_EINVAL, "there are %d lengths; there can be up to %d",
                       components->nlengths, MT_MAX_LENGTHS);
    for (int i = 0; i < components->nlengths; i++) {
        const struct mt_length *length = &components->lengths[i];
        const double before = i > 0 ? length[-1].bytes : 0;
        if (!isfinite(length->bytes) || !(length->bytes > before))
            return mt_fail(err, MT_EINVAL,
                           "length %d is %.9g bytes; it must be more than %.9g", i + 1,
                           length->bytes, before);
        const int status = check_number("'as' of a length", length->as, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

int mt_components_check(const struct mt_components *components, struct mt_error *err)
{
    if (components->ncaches < 0 || components->ncaches > MT_MAX_CACHE_STEPS)
        return mt_fail(err, MT_EINVAL, "there are %d caches; there can be up to %d",
                       components->ncaches, MT_MAX_CACHE_STEPS);
    int status = check_costs(components, err);
    if (status == MT_OK)
        status = check_caches(components, err);
    if (status == MT_OK)
        status = check_lengths(components, err);
    if (status == MT_OK)
        status = check_communication(components, err);
    return status;
}

double mt_step_cost(const struct mt_components *components, double working_set)
{
    for (int i = 0; i < components->ncaches; i++) {
        const struct mt_cache_step *cache = &components->caches[i];
        const double before = components->costs[i], after = components->costs[i + 1];
        if (working_set <= cache->hit)
            return before;
        if (working_set < cache->miss)
            return before + (after - before) * log(working_set / cache->hit) /
                                log(cache->miss / cache->hit);
    }
    return components->costs[components->ncaches];
}

double mt_contention_factor(const struct mt_bandwidth *bandwidth, double together)
{
    if (together <= 1)
        return 1;
    switch (bandwidth->contention) {
    case MT_CONTENTION_SATURATING:
        return 1 - bandwidth->strength * pow(together, -bandwidth->exponent);
    case MT_CONTENTION_SHARED:
        return fmin(together, bandwidth->strength) / bandwidth->strength;
    case MT_CONTENTION_LOGARITHMIC:
        return pow(log(together), bandwidth->exponent);
    case MT_CONTENTION_LIMITED:
    case MT_CONTENTION_STAGES:
    case MT_CONTENTION_TRUNKS:
        return fmax(1, together / bandwidth->strength);
    case MT_CONTENTION_POWER:
        return pow(together, bandwidth->exponent);
    case MT_CONTENTION_NONE:
    case MT_NCONTENTIONS:
        break;
    }
    return 1;
}
