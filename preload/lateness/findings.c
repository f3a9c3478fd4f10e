/* SPDX-License-Identifier: BSD-3-Clause */
/* Derives costs, the worst ranks and nodes, and the verdict from the merged counts. */
#include "findings.h"

#include <stdlib.h>

/* Less waiting than this part of the ranks' time is nothing to speak of. */
static const double speak_of = 0.01;

/* Nor is lacking a core for less than this part of it. */
static const double speak_of_delay = 0.1;

/* Nor that a rank works alone, for less than this part of the waiting. */
static const double speak_of_alone = 0.1;

/* So many calls without a token say what calls take. */
enum { ENOUGH_CALLS = 32 };

static int64_t watched_cost(const struct site *site, int size)
{
    int64_t cost = 0;
    for (int rank = 0; rank < size; rank++)
        cost += site->of[rank].cost;
    return cost;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The most that a call can cost on average: all others wait for whoever is late. */
static double worst_case(const struct site *site, int size)
{
    double lateness = 0;
    for (int rank = 0; rank < size; rank++)
        if (site->of[rank].seen > 0)
            lateness += (double)site->of[rank].sum / (double)site->of[rank].seen;
    return lateness * (size - 1);
}

/*
 * By what the costs in watched calls are multiplied to give those of all calls. A token
 * makes ranks wait for each other, so the calls without one show how much they wait
 * when nobody watches, as far as lateness explains it. When there are few of these, the
 * watched ones have to do.
 */
static double scale_of(const struct site *site, int size)
{
    const double cost = (double)watched_cost(site, size);
    const double unwatched = (double)(site->calls - site->watched);
    if (site->watched == 0 || cost <= 0)
        return 1;
    if (unwatched < ENOUGH_CALLS) {
        const double rest = cost * unwatched / (double)site->watched;
        return 1 + smaller(rest, (double)site->time_unwatched) / cost;
    }
    const double waited = (double)site->waits_unwatched / unwatched;
    return smaller(waited, worst_case(site, size)) * (double)site->calls / cost;
}

int64_t findings_time_at(const struct site *site)
{
    const int64_t unwatched = site->calls - site->watched;
    if (unwatched < ENOUGH_CALLS)
        return site->time;
    return (int64_t)((double)site->time_unwatched * (double)site->calls /
                     (double)unwatched);
}

static void add_site(struct findings *findings, const struct site *site, double scale)
{
    findings->time += findings_time_at(site);
    for (int rank = 0; rank < findings->counts->size; rank++) {
        const struct rank_lateness *here = &site->of[rank];
        struct rank_lateness *all = &findings->of[rank];
        findings->waited += here->waited;
        all->calls += here->calls;
        all->time += here->time;
        all->waited += here->waited;
        all->seen += here->seen;
        all->late += here->late;
        all->sum += here->sum;
        all->max = here->max > all->max ? here->max : all->max;
        all->cost += (int64_t)((double)here->cost * scale);
        all->as_root += (int64_t)((double)here->as_root * scale);
        all->alone += (int64_t)((double)here->alone * scale);
    }
}

static int find_worst_rank(const struct findings *findings)
{
    int worst = -1;
    int64_t most = 0;
    for (int rank = 0; rank < findings->counts->size; rank++)
        if (findings->of[rank].cost > most) {
            worst = rank;
            most = findings->of[rank].cost;
        }
    return worst;
}

static int find_worst_node(struct findings *findings)
{
    const int size = findings->counts->size;
    int64_t *cost = calloc((size_t)size, sizeof *cost);
    if (!cost)
        return -1;
    findings->worst_node = -1;
    for (int rank = 0; rank < size; rank++) {
        const int node = findings->node[rank];
        findings->nodes += node == rank;
        cost[node] += findings->of[rank].cost;
    }
    for (int rank = 0; rank < size; rank++)
        if (cost[rank] > findings->worst_node_cost) {
            findings->worst_node = rank;
            findings->worst_node_cost = cost[rank];
        }
    for (int rank = 0; rank < size; rank++)
        findings->worst_node_ranks += findings->node[rank] == findings->worst_node;
    free(cost);
    return 0;
}

/* In codes in which ranks work alone in turn, as factorisations, none is found. */
static int find_alone(const struct findings *findings)
{
    double all = 0;
    int most = 0;
    for (int rank = 0; rank < findings->counts->size; rank++) {
        all += (double)findings->of[rank].alone;
        if (findings->of[rank].alone > findings->of[most].alone)
            most = rank;
    }
    const double alone = (double)findings->of[most].alone;
    return alone > all / 2 && alone > speak_of_alone * (double)findings->waiting &&
                   alone > speak_of * (double)findings->counts->lifetime
               ? most
               : -1;
}

bool findings_crowded(const struct counts *counts)
{
    return counts->crowd.ranks * 1000 > counts->crowd.millicores;
}

/* Ranks that do not poll while they wait do no harm, and those that never wait. */
static bool lacks_cores(const struct findings *findings)
{
    const struct counts *counts = findings->counts;
    const double lifetime = (double)counts->lifetime;
    if (counts->patient == counts->heard)
        return false;
    return (double)counts->delay > speak_of_delay * lifetime ||
           (findings_crowded(counts) && (double)findings->time > speak_of * lifetime);
}

static enum verdict judge(const struct findings *findings)
{
    const double waiting = (double)findings->waiting;
    double as_root = 0;
    if (lacks_cores(findings))
        return CORES_SHARED;
    const double worth_it = speak_of * (double)findings->counts->lifetime;
    if (findings->worst < 0 || waiting < worth_it)
        return (double)findings->waited < worth_it ? NOBODY_LATE : NOT_KNOWN;
    for (int rank = 0; rank < findings->counts->size; rank++)
        as_root += (double)findings->of[rank].as_root;
    const double rank_cost = (double)findings->of[findings->worst].cost;
    const double node_cost = (double)findings->worst_node_cost;
    if (as_root > waiting / 2)
        return ROOT_LATE;
    if (node_cost > waiting * 2 / 3 && rank_cost < node_cost * 2 / 3 &&
        findings->nodes > 1)
        return NODE_LATE;
    return rank_cost > waiting / 2 ? RANK_LATE : SPREAD;
}

int findings_init(struct findings *findings, const struct counts *counts,
                  const int *node, const char *name)
{
    *findings = (struct findings){.counts = counts, .node = node, .name = name};
    findings->scale = calloc((size_t)counts->sites + 1, sizeof *findings->scale);
    findings->of = calloc((size_t)counts->size, sizeof *findings->of);
    if (!findings->scale || !findings->of) {
        findings_free(findings);
        return -1;
    }
    for (int i = 0; i < counts->sites; i++) {
        findings->scale[i] = scale_of(&counts->site[i], counts->size);
        add_site(findings, &counts->site[i], findings->scale[i]);
    }
    for (int rank = 0; rank < counts->size; rank++)
        findings->waiting += findings->of[rank].cost;
    findings->worst = find_worst_rank(findings);
    findings->alone = find_alone(findings);
    if (find_worst_node(findings)) {
        findings_free(findings);
        return -1;
    }
    findings->verdict = judge(findings);
    return 0;
}

void findings_free(struct findings *findings)
{
    free(findings->scale);
    free(findings->of);
    *findings = (struct findings){0};
}

int64_t findings_waiting_at(const struct findings *findings, int site)
{
    const struct counts *counts = findings->counts;
    if (counts->all_calls) {
        int64_t waited = 0;
        for (int rank = 0; rank < counts->size; rank++)
            waited += counts->site[site].of[rank].waited;
        return waited;
    }
    return (int64_t)((double)watched_cost(&counts->site[site], counts->size) *
                     findings->scale[site]);
}

const char *findings_node_of(const struct findings *findings, int rank)
{
    const char *name = findings->counts->node_name[findings->node[rank]];
    return name ? name : "?";
}
