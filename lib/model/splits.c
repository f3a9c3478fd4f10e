/* SPDX-License-Identifier: BSD-3-Clause */
/* How far groups are apart: messages between two of them may take longer than those
   inside each, because a trunk joins their switches. All ranks wait for the slowest. */
#include "posterior.h"

#include "internal.h"
#include "lib/base/array.h"
#include "lib/input/internal.h"
#include "tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The logarithm of a link's time for messages of all lengths, up to a constant; NaN: it
   was not measured. */
static double cost_of(const struct mt_runs_origin *origin, int a, int b)
{
    const struct mt_link_figure *link =
        mt_link_figures_find(origin->links, origin->cluster->groups[a].name,
                             origin->cluster->groups[b].name);
    return link ? (log(link->latency) - log(link->bandwidth)) / 2 : NAN;
}

/* A group of which one node was checked has no link inside. */
static double excess_of(const struct mt_runs_origin *origin, int a, int b)
{
    const double between = cost_of(origin, a, b), in_a = cost_of(origin, a, a),
                 in_b = cost_of(origin, b, b);
    const double inside = isnan(in_a) ? in_b : isnan(in_b) ? in_a : (in_a + in_b) / 2;
    const double excess = between - inside;
    return isfinite(excess) ? fmax(excess, 0) : 0;
}

static int add_split(struct mt_posterior *posterior, const struct mt_split *split,
                     struct mt_error *err)
{
    const int status = mt_array_grow(&posterior->splits, posterior->nsplits,
                                     sizeof *posterior->splits, "networks", err);
    if (status == MT_OK)
        posterior->splits[posterior->nsplits++] = *split;
    return status;
}

/* Whether two groups that ran are apart if group `cut` is apart from all others, or
   (cut < 0) if groups of different networks are. */
static bool is_apart(const struct mt_cluster *cluster, int cut, int a, int b)
{
    const char *left = cluster->groups[a].network, *right = cluster->groups[b].network;
    if (cut >= 0)
        return (a == cut) != (b == cut);
    return left && right && strcmp(left, right) != 0;
}

/* Whether a group ran together with others. */
static bool is_mixed(const struct mt_posterior *posterior, int group)
{
    bool mixed = false;
    for (int i = 0; i < posterior->cells.count; i++) {
        const struct mt_configuration *run = &posterior->cells.all[i].configuration;
        mixed |= run->use[group].nodes > 0 && mt_configuration_only_group(run) < 0;
    }
    return mixed;
}

static bool is_known(const struct mt_posterior *posterior, const struct mt_split *split)
{
    for (int i = 0; i < posterior->nsplits; i++) {
        bool same = true;
        for (int a = 0; a < posterior->ngroups; a++)
            for (int b = 0; b < posterior->ngroups; b++)
                same &= posterior->splits[i].apart[a][b] == split->apart[a][b];
        if (same)
            return true;
    }
    return false;
}

int mt_splits_find(struct mt_posterior *posterior, const struct mt_runs_origin *origin,
                   struct mt_error *err)
{
    const struct mt_cluster *cluster = origin->cluster;
    const bool checked = origin->links && origin->links->count > 0;
    int status = MT_OK;
    for (int cut = -1; cut < cluster->ngroups && status == MT_OK; cut++) {
        struct mt_split split = {.mean = checked ? 1 : mt_apart,
                                 .deviation = checked ? mt_checked_sd : mt_apart_sd};
        bool any = false;
        if (cut >= 0 && (checked || !is_mixed(posterior, cut)))
            continue;
        snprintf(split.text, sizeof split.text, "%s%s",
                 checked   ? "links as checked"
                 : cut < 0 ? "networks apart"
                           : cluster->groups[cut].name,
                 cut < 0 ? "" : " apart");
        for (int a = 0; a < cluster->ngroups; a++)
            for (int b = 0; b < cluster->ngroups; b++) {
                const int left = posterior->groups[a], right = posterior->groups[b];
                if (a == b || left < 0 || right < 0)
                    continue;
                split.apart[left][right] =
                    checked ? excess_of(origin, a, b) : is_apart(cluster, cut, a, b);
                any |= split.apart[left][right] > 0;
            }
        if (any && !is_known(posterior, &split))
            status = add_split(posterior, &split, err);
    }
    posterior->checked = checked && posterior->nsplits > 0;
    return status;
}

double mt_split_value(const struct mt_split *split, const struct mt_point *point)
{
    double most = 0;
    for (int i = 0; i < point->nportions; i++)
        for (int k = 0; k < i; k++)
            most = fmax(
                most, split->apart[point->portions[i].group][point->portions[k].group]);
    return most;
}
