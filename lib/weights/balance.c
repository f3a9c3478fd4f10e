/* SPDX-License-Identifier: BSD-3-Clause */
/* The shares of the work with which all ranks end together. Under each hypothesis a
   rank's seconds are linear in its share: compute is proportional to it; serial work
   and messages do not change. */
#include "balance.h"

#include "lib/input/internal.h"
#include "lib/model/internal.h"
#include "lib/model/posterior.h"
#include "tuning.h"

#include <math.h>
#include <stdlib.h>

/* Halvings of a memory limit's interval: the bits of a double's mantissa. */
enum { HALVINGS = 53 };
/* Relative width at which the search for the common end time stops. */
static const double precision = 1e-15;

/*
 * Memory.
 */

static bool fits(const struct mt_terms *memory, const struct mt_group *group,
                 int processes, double size, double share)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = 1 / share, [MT_M] = processes};
    double bytes;
    mt_terms_values(memory, values, &bytes);
    return processes * bytes <= group->memory;
}

static double find_limit(const struct mt_terms *memory, const struct mt_group *group,
                         int processes, double size)
{
    double low = 0, high = 1;
    if (!memory || group->memory == 0 || fits(memory, group, processes, size, 1))
        return 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        *(fits(memory, group, processes, size, middle) ? &low : &high) = middle;
    }
    return low;
}

int mt_balancer_init(struct mt_balancer *balancer, const struct mt_problem *problem,
                     double size, struct mt_error *err)
{
    const struct mt_expr *memory = problem->program->memory;
    struct mt_terms *terms = NULL;
    *balancer = (struct mt_balancer){.problem = *problem, .size = size};
    int status =
        memory ? mt_terms_parse_smooth(&terms, mt_expr_text(memory), err) : MT_OK;
    for (int g = 0; g < problem->cluster->ngroups && status == MT_OK; g++) {
        const struct mt_group *group = &problem->cluster->groups[g];
        double *limits = calloc((size_t)group->nlayouts + 1, sizeof *limits);
        if (!limits)
            status = mt_fail(err, MT_ENOMEM, "no memory for the limits of shares");
        for (int i = 0; limits && i < group->nlayouts; i++)
            limits[i] = find_limit(terms, group, group->layouts[i].processes, size);
        balancer->limits[g] = limits;
    }
    mt_terms_free(terms);
    return status;
}

void mt_balancer_clear(struct mt_balancer *balancer)
{
    for (int g = 0; g < MT_MAX_GROUPS; g++)
        free(balancer->limits[g]);
    *balancer = (struct mt_balancer){0};
}

/* The limit of a layout; 1, that is none, if the group does not list it. */
static double limit_of(const struct mt_balancer *balancer, int g,
                       struct mt_layout layout)
{
    const struct mt_group *group = &balancer->problem.cluster->groups[g];
    for (int i = 0; i < group->nlayouts; i++)
        if (mt_layout_compare(group->layouts[i], layout) == 0)
            return balancer->limits[g][i];
    return 1;
}

/*
 * Shares.
 */

/* The ranks of a group: the seconds of one of them, averaged over the hypotheses. */
struct part {
    int group, ranks;
    double all_work, rest; /* seconds for all of the work, and independent of the
                              share */
    double least, most;    /* share */
};

/* A configuration. */
struct parts {
    struct part all[MT_MAX_GROUPS];
    int count, ranks;
    /* For a rank with an equal share, by hypothesis. */
    struct mt_portion_seconds seconds[MT_MOST_HYPOTHESES][MT_MAX_GROUPS];
};

static void find_part_seconds(struct parts *parts, const struct mt_posterior *posterior,
                              struct mt_point *point)
{
    for (int s = 0; s < posterior->mean.nparts; s++) {
        const struct mt_mean_part *part = &posterior->mean.parts[s];
        struct mt_portion_seconds *seconds = parts->seconds[s];
        mt_point_set_work(point, posterior, part->hypothesis.exponent);
        mt_hypothesis_portions(posterior, &part->hypothesis, part->u, point, seconds);
        for (int i = 0; i < parts->count; i++) {
            parts->all[i].all_work += part->weight * seconds[i].compute * parts->ranks;
            parts->all[i].rest +=
                part->weight * (seconds[i].serial + seconds[i].messages);
        }
    }
}

static int find_parts(struct parts *parts, const struct mt_balancer *balancer,
                      const struct mt_configuration *configuration,
                      struct mt_error *err)
{
    const struct mt_posterior *posterior = balancer->problem.models->posterior;
    struct mt_point point;
    double room = 0;
    *parts = (struct parts){.ranks = mt_configuration_ranks(configuration)};
    for (int g = 0; g < balancer->problem.cluster->ngroups; g++) {
        const struct mt_use *use = &configuration->use[g];
        if (use->nodes == 0)
            continue;
        const double most = limit_of(balancer, g, use->layout);
        struct part *part = &parts->all[parts->count++];
        *part = (struct part){.group = g,
                              .ranks = use->nodes * use->layout.processes,
                              .least = fmin(least_part / parts->ranks, most),
                              .most = most};
        room += part->ranks * most;
        if (most == 0)
            return mt_fail(err, MT_EINFEASIBLE,
                           "the memory of '%s' has no room for any part of N = %g",
                           balancer->problem.cluster->groups[g].name, balancer->size);
    }
    if (room < 1 - 1e-12)
        return mt_fail(err, MT_EINFEASIBLE,
                       "the memory of the nodes has room for %.3g %% of N = %g",
                       100 * room, balancer->size);
    if (!mt_point_make(&point, posterior, configuration, balancer->size))
        return mt_fail(err, MT_ENOTFOUND, "no run tells of the configuration");
    find_part_seconds(parts, posterior, &point);
    return MT_OK;
}

/* The share of a rank that ends at that time, and of all ranks together. */
static double share_at(const struct part *part, double seconds)
{
    const double share = (seconds - part->rest) / part->all_work;
    return fmin(fmax(share, part->least), part->most);
}

static double sum_at(const struct parts *parts, double seconds)
{
    double sum = 0;
    for (int i = 0; i < parts->count; i++)
        sum += parts->all[i].ranks * share_at(&parts->all[i], seconds);
    return sum;
}

static void find_shares(struct mt_balance *balance, const struct parts *parts)
{
    double low = 0, high = 0;
    for (int i = 0; i < parts->count; i++)
        high = fmax(high, parts->all[i].rest + parts->all[i].all_work);
    while (high - low > precision * high) {
        const double middle = (low + high) / 2;
        if (middle <= low || middle >= high)
            break;
        *(sum_at(parts, middle) < 1 ? &low : &high) = middle;
    }
    for (int i = 0; i < parts->count; i++) {
        const struct part *part = &parts->all[i];
        const double share = share_at(part, high);
        balance->share[part->group] = share;
        balance->full[part->group] = part->most < 1 && share >= part->most;
    }
}

/* The logarithm of the seconds with these shares over those with equal ones. */
static double log_gain(const struct mt_balance *balance, const struct parts *parts,
                       const struct mt_mean *mean)
{
    double sum = 0;
    for (int s = 0; s < mean->nparts; s++) {
        const struct mt_portion_seconds *seconds = parts->seconds[s];
        double even = 0, weighted = 0;
        for (int i = 0; i < parts->count; i++) {
            const double share = balance->share[parts->all[i].group] * parts->ranks;
            const double rest = seconds[i].serial + seconds[i].messages;
            even = fmax(even, seconds[i].compute + rest);
            weighted = fmax(weighted, seconds[i].compute * share + rest);
        }
        sum += mean->parts[s].weight * log(weighted / even);
    }
    return sum;
}

int mt_balance_find(struct mt_balance *balance, const struct mt_balancer *balancer,
                    const struct mt_configuration *configuration, struct mt_error *err)
{
    struct mt_balance found = {0};
    struct parts parts;
    int status = mt_models_seconds(&balancer->problem, configuration, balancer->size,
                                   &found.even, err);
    if (status == MT_OK)
        status = find_parts(&parts, balancer, configuration, err);
    if (status != MT_OK)
        return status;
    find_shares(&found, &parts);
    found.seconds =
        found.even *
        exp(log_gain(&found, &parts, &balancer->problem.models->posterior->mean));
    if (!(found.seconds > 0 && isfinite(found.seconds)))
        return mt_fail(err, MT_ENOTFOUND,
                       "the auto models have no time at N = %g, P = %d", balancer->size,
                       parts.ranks);
    *balance = found;
    return MT_OK;
}
