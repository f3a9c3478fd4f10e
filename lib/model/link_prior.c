/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_prior.h"

#include <math.h>

/* Links that differ by less are as fast as each other: so far two measurements of one
   may be apart. */
static const double same = 1.25;

/* How much longer messages take between two groups than inside. */
struct slowness {
    double messages, bytes; /* times; NaN: not known */
};

/* The slower network inside one of two groups; inside any of all if neither has two
   nodes. */
static struct slowness slowest_inside(const struct mt_cluster *cluster,
                                      const struct mt_link_figures *links, int a, int b)
{
    struct slowness inside = {NAN, NAN}; /* seconds of a message, and of a byte */
    for (int g = 0; g < cluster->ngroups; g++) {
        const char *name = cluster->groups[g].name;
        const struct mt_link_figure *link = mt_link_figures_find(links, name, name);
        if ((g != a && g != b && a >= 0) || !link)
            continue;
        inside.messages = fmax(inside.messages, link->latency);
        inside.bytes = fmax(inside.bytes, 1 / link->bandwidth);
    }
    return isnan(inside.messages) && a >= 0 ? slowest_inside(cluster, links, -1, -1)
                                            : inside;
}

static struct slowness compare_links(const struct mt_cluster *cluster,
                                     const struct mt_link_figures *links, int a, int b)
{
    const struct mt_link_figure *link =
        mt_link_figures_find(links, cluster->groups[a].name, cluster->groups[b].name);
    const struct slowness inside = slowest_inside(cluster, links, a, b);
    if (!link || isnan(inside.messages))
        return (struct slowness){NAN, NAN};
    return (struct slowness){fmax(1, link->latency / inside.messages),
                             fmax(1, 1 / link->bandwidth / inside.bytes)};
}

/* Put the networks of two groups together. */
static void join_groups(struct mt_networks *networks, int ngroups, int a, int b)
{
    const int kept = networks->of[a], gone = networks->of[b];
    if (kept == gone)
        return;
    for (int g = 0; g < ngroups; g++) {
        int *of = &networks->of[g];
        *of = *of == gone ? kept : *of;
        *of -= *of > gone;
    }
    networks->count--;
}

static void find_networks(struct mt_networks *networks,
                          const struct mt_cluster *cluster,
                          const struct mt_link_figures *links)
{
    mt_mixture_networks(&(struct mt_mixture){0}, cluster, networks);
    for (int g = 0; g < cluster->ngroups; g++)
        if (cluster->groups[g].network)
            return;
    for (int b = 1; b < cluster->ngroups; b++)
        for (int a = 0; a < b; a++) {
            const struct slowness link = compare_links(cluster, links, a, b);
            if (link.messages < same && link.bytes < same)
                join_groups(networks, cluster->ngroups, a, b);
        }
}

void mt_link_prior_find(struct mt_link_prior *prior, const struct mt_cluster *cluster,
                        const struct mt_link_figures *links)
{
    *prior = (struct mt_link_prior){0};
    if (!links || links->count == 0)
        return;
    double pairs = 0;
    find_networks(&prior->networks, cluster, links);
    for (int b = 1; b < cluster->ngroups; b++)
        for (int a = 0; a < b; a++) {
            const struct slowness link = compare_links(cluster, links, a, b);
            const double nodes =
                (double)cluster->groups[a].nodes * cluster->groups[b].nodes;
            if (prior->networks.of[a] == prior->networks.of[b] || isnan(link.messages))
                continue;
            pairs += nodes;
            prior->messages += nodes * link.messages;
            prior->bytes += nodes * link.bytes;
        }
    if (pairs == 0)
        return;
    prior->messages /= pairs;
    prior->bytes /= pairs;
    prior->known = prior->messages > 1 || prior->bytes > 1;
}
