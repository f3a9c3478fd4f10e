/* SPDX-License-Identifier: BSD-3-Clause */
#include "balance.h"

#include "lib/input/internal.h"
#include "lib/model/mix.h"

#include <math.h>

/* Of the interval that holds the seconds at which all end, this is left. */
static const double precision = 1e-13;

/* The ranks of a group. */
struct part {
    int group, ranks;
    struct mt_curve curve;   /* whose seconds are borrowed */
    double messages, serial; /* seconds of a rank, whatever its share */
};

struct parts {
    struct part all[MT_MAX_GROUPS];
    int count;
    int ranks; /* of all */
};

/* What does not depend on a rank's share. */
static int find_constant(struct part *part, const struct mt_curves *curves, int ranks,
                         struct mt_error *err)
{
    const struct mt_model *model = part->curve.model;
    const double values[MT_NVARIABLES] = {
        [MT_N] = curves->size, [MT_P] = ranks, [MT_M] = part->curve.layout.processes};
    double row[MT_MAX_TERMS];
    if (isnan(mt_model_seconds(model, curves->size, ranks)))
        return mt_fail(err, MT_ENOTFOUND,
                       "the model of '%s' has no value at N = %g, P = %d", model->group,
                       curves->size, ranks);
    mt_terms_values(model->terms, values, row);
    for (int i = 0; i < mt_terms_count(model->terms); i++) {
        if (model->coefficients[i] == 0 || part->curve.has[i])
            continue;
        if (model->serial && model->serial[i])
            part->serial += model->coefficients[i] * row[i];
        else
            part->messages += model->coefficients[i] * row[i];
    }
    return MT_OK;
}

static int take_group(struct parts *parts, struct mt_curves *curves, int group,
                      const struct mt_use *use, struct mt_error *err)
{
    char layout[MT_LAYOUT_LENGTH];
    const char *name = curves->problem.cluster->groups[group].name;
    const struct mt_curve *curve;
    const int status = mt_curves_get(&curve, curves, group, use->layout,
                                     parts->ranks > use->layout.processes, err);
    if (status != MT_OK)
        return status;
    mt_layout_format(layout, use->layout);
    if (!curve->model)
        return mt_fail(err, MT_ENOTFOUND, "no auto model of '%s x%s'", name, layout);
    if (curve->count == 0 && curve->limited)
        return mt_fail(err, MT_EINFEASIBLE,
                       "the memory of '%s' has no room for any part of N = %g", name,
                       curves->size);
    if (curve->count == 0)
        return mt_fail(err, MT_ENOTFOUND,
                       "the auto model of '%s x%s' has no value for parts of N = %g",
                       name, layout, curves->size);
    struct part *part = &parts->all[parts->count++];
    *part = (struct part){
        .group = group, .ranks = use->nodes * use->layout.processes, .curve = *curve};
    return find_constant(part, curves, parts->ranks, err);
}

/* The share of a rank that is to end then, and of all ranks together. */
static double share_at(const struct part *part, double seconds)
{
    return mt_curve_share(&part->curve, seconds - part->messages);
}

static double sum_at(const struct parts *parts, double seconds)
{
    double sum = 0;
    for (int i = 0; i < parts->count; i++)
        sum += parts->all[i].ranks * share_at(&parts->all[i], seconds);
    return sum;
}

/* The seconds before which some rank could not have anything to do, and those after
   which nothing more fits into any. */
static void find_interval(const struct parts *parts, double *first, double *last)
{
    *first = *last = 0;
    for (int i = 0; i < parts->count; i++) {
        const struct part *part = &parts->all[i];
        *first = fmax(*first, part->messages + part->curve.seconds[0]);
        *last =
            fmax(*last, part->messages + part->curve.seconds[part->curve.count - 1]);
    }
}

/* Where many shares take as long, the shares jump with the seconds: what lies between
   those before and behind the jump adds up to the whole. */
static void set_shares(struct mt_balance *balance, const struct parts *parts,
                       double before, double behind)
{
    const double low = sum_at(parts, before), high = sum_at(parts, behind);
    const double way = high > low ? (1 - low) / (high - low) : 0;
    for (int i = 0; i < parts->count; i++) {
        const struct part *part = &parts->all[i];
        const double a = share_at(part, before), b = share_at(part, behind);
        const double share = low >= 1 ? a / low : a + way * (b - a);
        balance->share[part->group] = share;
        balance->full[part->group] =
            part->curve.limited &&
            share >= part->curve.shares[part->curve.count - 1] * (1 - 1e-9);
    }
}

/* The seconds that a configuration with these shares takes, as struct mt_models says.
 */
static int find_seconds(struct mt_balance *balance, const struct parts *parts,
                        const struct mt_curves *curves,
                        const struct mt_configuration *configuration,
                        struct mt_error *err)
{
    const struct mt_mixture *mixture = &curves->problem.models->mixture;
    struct mt_mix mix = {0};
    struct mt_networks networks;
    for (int i = 0; i < parts->count; i++) {
        const struct part *part = &parts->all[i];
        double serial = part->serial;
        double parallel = part->messages +
                          mt_curve_seconds(&part->curve, balance->share[part->group]);
        mt_mix_even_out(mixture->lambda, &parallel, &serial);
        mt_mix_add(&mix, parallel, serial, (double)part->ranks / parts->ranks);
    }
    mt_mixture_networks(mixture, curves->problem.cluster, &networks);
    const double apart = mt_networks_apart(&networks, configuration);
    if (parts->count > 1 && apart > 0)
        mix.between = apart * mt_mixture_between(mixture, curves->size, parts->ranks);
    balance->seconds = mt_mix_seconds(&mix);
    return balance->seconds > 0 && isfinite(balance->seconds)
               ? MT_OK
               : mt_fail(err, MT_ENOTFOUND,
                         "the auto models have no time at N = %g, "
                         "P = %d",
                         curves->size, parts->ranks);
}

/* All that is possible adds up to `most` of the work. */
static int refuse(const struct parts *parts, const struct mt_curves *curves,
                  double most, struct mt_error *err)
{
    for (int i = 0; i < parts->count; i++)
        if (parts->all[i].curve.limited)
            return mt_fail(err, MT_EINFEASIBLE,
                           "the memory of the nodes has room for %.3g %% of N = %g",
                           100 * most, curves->size);
    return mt_fail(err, MT_ENOTFOUND,
                   "the auto models have no value for parts as large as %d ranks need "
                   "at N = %g",
                   parts->ranks, curves->size);
}

int mt_balance_find(struct mt_balance *balance, struct mt_curves *curves,
                    const struct mt_configuration *configuration, struct mt_error *err)
{
    struct parts parts = {.ranks = mt_configuration_ranks(configuration)};
    struct mt_balance found = {0};
    int status = MT_OK;
    for (int g = 0; g < curves->problem.cluster->ngroups && status == MT_OK; g++)
        if (configuration->use[g].nodes > 0)
            status = take_group(&parts, curves, g, &configuration->use[g], err);
    if (status != MT_OK)
        return status;
    double before, behind;
    find_interval(&parts, &before, &behind);
    if (sum_at(&parts, behind) < 1 - 1e-12)
        return refuse(&parts, curves, sum_at(&parts, behind), err);
    while (sum_at(&parts, before) < 1 && behind - before > precision * behind) {
        const double middle = (before + behind) / 2;
        if (middle <= before || middle >= behind)
            break;
        *(sum_at(&parts, middle) < 1 ? &before : &behind) = middle;
    }
    set_shares(&found, &parts, before, behind);
    status = find_seconds(&found, &parts, curves, configuration, err);
    if (status == MT_OK)
        *balance = found;
    return status;
}
