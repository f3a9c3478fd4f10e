/* SPDX-License-Identifier: BSD-3-Clause */
/* The network between groups: which groups share one, and its cost. */
#include "internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void mt_mixture_clear(struct mt_mixture *mixture)
{
    mt_terms_free(mixture->terms);
    free(mixture->terms_text);
    free(mixture->kappa);
    free(mixture->networks);
    *mixture = (struct mt_mixture){0};
}

/* The number of the network that the text gives a group, or -1. */
static int place_in_text(const char *text, const char *group)
{
    const size_t length = strlen(group);
    int network = 0;
    while (*text) {
        const size_t end = strcspn(text, "+,");
        if (end == length && strncmp(text, group, length) == 0)
            return network;
        network += text[end] == ',';
        text += end;
        text += strspn(text, "+, ");
    }
    return -1;
}

/* Which network a group names, by any number; -1: none. */
static int named_network(const struct mt_cluster *cluster, int group)
{
    const char *name = cluster->groups[group].network;
    for (int g = 0; name && g <= group; g++) {
        const char *other = cluster->groups[g].network;
        if (other && strcmp(other, name) == 0)
            return g;
    }
    return -1;
}

static bool names_any(const struct mt_cluster *cluster)
{
    for (int g = 0; g < cluster->ngroups; g++)
        if (cluster->groups[g].network)
            return true;
    return false;
}

/* Number the networks of the groups, by the cluster's names or the text; both are
   numbers of any kind, and -1 where nothing is said. */
static void number_networks(struct mt_networks *networks,
                            const struct mt_cluster *cluster, const char *text)
{
    int numbers[MT_MAX_GROUPS];
    *networks = (struct mt_networks){0};
    for (int g = 0; g < cluster->ngroups; g++) {
        numbers[g] = text ? place_in_text(text, cluster->groups[g].name)
                          : named_network(cluster, g);
        int same = 0;
        while (same < g && (numbers[g] < 0 || numbers[same] != numbers[g]))
            same++;
        networks->of[g] = same < g ? networks->of[same] : networks->count++;
    }
}

void mt_mixture_networks(const struct mt_mixture *mixture,
                         const struct mt_cluster *cluster, struct mt_networks *networks)
{
    number_networks(networks, cluster, names_any(cluster) ? NULL : mixture->networks);
}

bool mt_mixture_current(const struct mt_mixture *mixture,
                        const struct mt_cluster *cluster)
{
    struct mt_networks named, learned;
    if (!mixture->terms || !names_any(cluster))
        return true;
    number_networks(&named, cluster, NULL);
    number_networks(&learned, cluster, mixture->networks ? mixture->networks : "");
    return memcmp(&named, &learned, sizeof named) == 0;
}

double mt_networks_apart(const struct mt_networks *networks,
                         const struct mt_configuration *configuration)
{
    /* of whole numbers: the order of the groups makes no difference */
    int64_t ranks[MT_MAX_GROUPS] = {0}, all = 0, together = 0;
    for (int g = 0; g < MT_MAX_GROUPS; g++) {
        const struct mt_use *use = &configuration->use[g];
        ranks[networks->of[g]] += (int64_t)use->nodes * use->layout.processes;
        all += (int64_t)use->nodes * use->layout.processes;
    }
    for (int i = 0; i < MT_MAX_GROUPS; i++)
        together += ranks[i] * ranks[i];
    return all == 0 ? 0 : (double)(all * all - together) / (double)(all * all);
}

double mt_mixture_between(const struct mt_mixture *mixture, double size, int ranks)
{
    const double values[MT_NVARIABLES] = {[MT_N] = size, [MT_P] = ranks, [MT_M] = 1};
    double row[MT_MAX_TERMS], sum = 0;
    if (!mixture->terms)
        return 0;
    const int count = mt_terms_count(mixture->terms);
    if (count > MT_MAX_TERMS)
        return NAN;
    mt_terms_values(mixture->terms, values, row);
    for (int i = 0; i < count; i++)
        if (mixture->kappa[i] != 0)
            sum += mixture->kappa[i] * row[i];
    return isfinite(sum) ? fmax(0, sum) : NAN;
}

struct mt_range mt_mixture_between_range(const struct mt_mixture *mixture, double size,
                                         int ranks_low, int ranks_high)
{
    const struct mt_range unknown = {NAN, NAN};
    const struct mt_range box[MT_NVARIABLES] = {
        [MT_N] = {size, size}, [MT_P] = {ranks_low, ranks_high}, [MT_M] = {1, 1}};
    struct mt_range row[MT_MAX_TERMS], sum = {0, 0};
    double magnitude = 0;
    if (!mixture->terms)
        return sum;
    const int count = mt_terms_count(mixture->terms);
    if (count > MT_MAX_TERMS)
        return unknown;
    mt_terms_ranges(mixture->terms, box, row);
    for (int i = 0; i < count; i++) {
        const double kappa = mixture->kappa[i];
        if (kappa == 0)
            continue;
        sum.low += kappa * row[i].low;
        sum.high += kappa * row[i].high;
        magnitude += kappa * fmax(fabs(row[i].low), fabs(row[i].high));
    }
    if (!isfinite(sum.low) || !isfinite(sum.high) || !isfinite(magnitude))
        return unknown;
    const double rounding = 4 * DBL_EPSILON * count * magnitude;
    return (struct mt_range){fmax(0, sum.low - rounding), fmax(0, sum.high + rounding)};
}
