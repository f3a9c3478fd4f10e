/* SPDX-License-Identifier: BSD-3-Clause */
/* The seconds of a share of the work, and the shares with which all ranks of a
   configuration end together. */
#include "balance.h"

#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "lib/model/library.h"
#include "lib/model/mix.h"

#include <math.h>
#include <stdlib.h>

/* Between two of them a curve is taken for straight: the error is below a millionth of
   the seconds where these grow as a power of the share. */
enum { SHARES = 4096 };
/* Of the interval in which the memory ends. */
enum { HALVINGS = 40 };
/* The smallest share is this part of that of a rank when all nodes are used. */
static const double least_part = 1.0 / 64;

static double most_ranks(const struct mt_cluster *cluster)
{
    double ranks = 1;
    for (int g = 0; g < cluster->ngroups; g++) {
        int most = 1;
        for (int i = 0; i < cluster->groups[g].nlayouts; i++)
            if (cluster->groups[g].layouts[i].processes > most)
                most = cluster->groups[g].layouts[i].processes;
        ranks += (double)cluster->groups[g].nodes * most;
    }
    return ranks;
}

void mt_curves_init(struct mt_curves *curves, const struct mt_problem *problem,
                    double size)
{
    *curves = (struct mt_curves){.problem = *problem, .size = size};
}

static void curve_clear(struct mt_curve *curve)
{
    free(curve->shares);
    free(curve->seconds);
}

void mt_curves_clear(struct mt_curves *curves)
{
    for (int i = 0; i < curves->count; i++)
        curve_clear(&curves->all[i]);
    free(curves->all);
    *curves = (struct mt_curves){0};
}

/* The formulas of a curve, in which P may be any number. */
struct formulas {
    const struct mt_group *group;
    const struct mt_curve *curve;
    double size;
    struct mt_terms *terms;  /* owned */
    struct mt_terms *memory; /* owned; NULL: unknown */
};

/* The values of terms when each of P ranks gets the share 1/P. */
static void values_at(const struct formulas *formulas, const struct mt_terms *terms,
                      double share, double *row)
{
    const double values[MT_NVARIABLES] = {[MT_N] = formulas->size,
                                          [MT_P] = 1 / share,
                                          [MT_M] = formulas->curve->layout.processes};
    mt_terms_values(terms, values, row);
}

/* Whether messages are shorter on 64 nodes than on two: as those of a part's faces are,
   but not broadcasts. */
static bool shrinks(const struct mt_curve *curve, int term, double size)
{
    double few[MT_MAX_TERMS], many[MT_MAX_TERMS];
    double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_M] = curve->layout.processes, [MT_P] = 2};
    values[MT_P] *= values[MT_M];
    mt_terms_values(curve->model->terms, values, few);
    values[MT_P] *= 32;
    mt_terms_values(curve->model->terms, values, many);
    return many[term] < few[term] * (1 - 1e-9);
}

static bool depends(const struct mt_curve *curve, int term, double size)
{
    const struct mt_model *model = curve->model;
    if (model->coefficients[term] == 0 || (model->serial && model->serial[term]))
        return false;
    return !mt_library_is_network(mt_terms_text(model->terms, term)) ||
           (curve->across && shrinks(curve, term, size));
}

/* The seconds of the terms that depend on the share; INFINITY: they have no value. */
static double seconds_of(const struct formulas *formulas, double share)
{
    const struct mt_model *model = formulas->curve->model;
    double row[MT_MAX_TERMS], sum = 0;
    values_at(formulas, formulas->terms, share, row);
    for (int i = 0; i < mt_terms_count(model->terms); i++)
        if (formulas->curve->has[i])
            sum += model->coefficients[i] * row[i];
    return isfinite(sum) ? sum : INFINITY;
}

static bool fits(const struct formulas *formulas, double share)
{
    double bytes;
    if (formulas->group->memory == 0 || !formulas->memory)
        return true;
    values_at(formulas, formulas->memory, share, &bytes);
    return formulas->curve->layout.processes * bytes <= formulas->group->memory;
}

/* The largest share that fits, between one that does and one that does not. */
static double find_limit(const struct formulas *formulas, double low, double high)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        *(fits(formulas, middle) ? &low : &high) = middle;
    }
    return low;
}

/* Where P is very large, or 1, a term may have no value: such shares are not possible.
 */
static void trace(struct mt_curve *curve, const struct formulas *formulas, double least)
{
    double before = 0;
    for (int i = 0; i < SHARES && !curve->limited; i++) {
        double share = pow(least, 1 - i / (SHARES - 1.0));
        curve->limited = !fits(formulas, share);
        if (curve->limited && curve->count == 0)
            return;
        if (curve->limited)
            share = find_limit(formulas, curve->shares[curve->count - 1], share);
        const double seconds = seconds_of(formulas, share);
        if (isinf(seconds) && curve->count > 0)
            return;
        if (isinf(seconds))
            continue;
        before = fmax(before, seconds);
        curve->shares[curve->count] = share;
        curve->seconds[curve->count++] = before;
    }
}

static int fill(struct mt_curve *curve, const struct mt_curves *curves,
                struct mt_error *err)
{
    const struct mt_cluster *cluster = curves->problem.cluster;
    const struct mt_expr *memory = curves->problem.program->memory;
    struct formulas formulas = {
        .group = &cluster->groups[curve->group], .curve = curve, .size = curves->size};
    curve->shares = calloc(SHARES, sizeof *curve->shares);
    curve->seconds = calloc(SHARES, sizeof *curve->seconds);
    if (!curve->shares || !curve->seconds)
        return mt_fail(err, MT_ENOMEM, "no memory for the seconds of shares");
    if (mt_terms_count(curve->model->terms) > MT_MAX_TERMS)
        return MT_OK;
    for (int i = 0; i < mt_terms_count(curve->model->terms); i++)
        curve->has[i] = depends(curve, i, curves->size);
    int status = mt_terms_parse_smooth(&formulas.terms, curve->model->terms_text, err);
    if (status == MT_OK && memory)
        status = mt_terms_parse_smooth(&formulas.memory, mt_expr_text(memory), err);
    if (status == MT_OK)
        trace(curve, &formulas, least_part / most_ranks(cluster));
    mt_terms_free(formulas.terms);
    mt_terms_free(formulas.memory);
    return status;
}

int mt_curves_get(const struct mt_curve **curve, struct mt_curves *curves, int group,
                  struct mt_layout layout, bool across, struct mt_error *err)
{
    for (int i = 0; i < curves->count; i++)
        if (curves->all[i].group == group && curves->all[i].across == across &&
            mt_layout_compare(curves->all[i].layout, layout) == 0) {
            *curve = &curves->all[i];
            return MT_OK;
        }
    const struct mt_problem *problem = &curves->problem;
    struct mt_curve made = {
        .group = group,
        .layout = layout,
        .across = across,
        .model = mt_models_find(problem->models, problem->program,
                                problem->cluster->groups[group].name, layout, 1)};
    int status = mt_array_grow(&curves->all, curves->count, sizeof made,
                               "seconds of shares", err);
    if (status == MT_OK && made.model)
        status = fill(&made, curves, err);
    if (status != MT_OK) {
        curve_clear(&made);
        return status;
    }
    curves->all[curves->count] = made;
    *curve = &curves->all[curves->count++];
    return MT_OK;
}

/* The value of y at x between the places i - 1 and i. */
static double between(const double *xs, const double *ys, int i, double x)
{
    const double width = xs[i] - xs[i - 1];
    return width > 0 ? ys[i - 1] + (ys[i] - ys[i - 1]) * ((x - xs[i - 1]) / width)
                     : ys[i];
}

/* How many of the rising values are at most x. */
static int count_up_to(const double *values, int count, double x)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (values[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double mt_curve_share(const struct mt_curve *curve, double seconds)
{
    const int i = count_up_to(curve->seconds, curve->count, seconds);
    if (i == 0)
        return 0;
    return i == curve->count ? curve->shares[i - 1]
                             : between(curve->seconds, curve->shares, i, seconds);
}

double mt_curve_seconds(const struct mt_curve *curve, double share)
{
    const int i = count_up_to(curve->shares, curve->count, share);
    if (i == 0)
        return curve->seconds[0];
    return i == curve->count ? curve->seconds[i - 1]
                             : between(curve->shares, curve->seconds, i, share);
}

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
