/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates when each rank enters a broadcast, walking down the tree from the root. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* A rank's state on the way down the tree. */
struct sight {
    int64_t message;   /* when its first bytes come, if all ranks above it arrive as
                          estimated */
    int64_t available; /* when it can forward them */
};

struct survey {
    const struct tree *tree;
    const int64_t *waited, *last;
    const int64_t *hop; /* from the time when its parent can send to the time when the
                           rank has the first bytes */
    struct sight *sight;
};

/* A wait hardly longer than a message's time may be just the message. */
static bool waited_long(const struct survey *survey, int rank)
{
    return survey->waited[rank] > survey->hop[rank] * 5 / 4;
}

/*
 * How long after its message a rank came, by its most informative child: a child that
 * arrived at its usual time and had to wait shows when its parent sent. Children that
 * did not wait show nothing.
 */
static bool lateness_seen(const struct survey *survey, int rank, int64_t *lateness)
{
    bool seen = false;
    *lateness = 0;
    for (int c = survey->tree->first[rank]; c >= 0; c = survey->tree->next[c]) {
        const int64_t message = survey->sight[rank].message + survey->hop[c];
        if (!waited_long(survey, c))
            continue;
        const int64_t late = survey->last[c] - (message - survey->waited[c]);
        if (!seen || late > *lateness)
            *lateness = late;
        seen = true;
    }
    if (*lateness < 0)
        *lateness = 0;
    return seen;
}

/* A rank that came in time waits. A late rank waits, too, until it has its message,
   which on a shared core may take long; the ranks below it then wait much longer
   still. */
static bool came_in_time(const struct survey *survey, int rank, int64_t lateness)
{
    return waited_long(survey, rank) && lateness < 8 * survey->waited[rank];
}

static void look_at(const struct survey *survey, int rank, int64_t *ready)
{
    struct sight *sight = &survey->sight[rank];
    const bool known = survey->waited[rank] != ARRIVAL_UNKNOWN;
    const int64_t least = sight->message - survey->waited[rank];
    int64_t lateness;
    const bool seen = lateness_seen(survey, rank, &lateness);
    sight->available = sight->message;
    if (survey->tree->parent[rank] < 0) {
        sight->available = *ready = 0;
    } else if (came_in_time(survey, rank, lateness)) {
        *ready = least;
    } else if (seen) {
        sight->available += lateness;
        if (lateness > survey->hop[rank])
            *ready = sight->available;
        else if (known)
            *ready = least;
        else if (*ready > sight->message)
            *ready = sight->message;
    } else { /* no rank waited for it: it may come as late as expected */
        if (known && *ready < least)
            *ready = least;
        if (sight->available < *ready)
            sight->available = *ready;
    }
}

int planner_init(struct planner *planner, const struct network *network)
{
    const size_t size = (size_t)network->size;
    *planner = (struct planner){
        .arrivals = malloc(size * sizeof *planner->arrivals),
        .waited = malloc(size * sizeof *planner->waited),
        .hop = malloc(size * sizeof *planner->hop),
        .estimate = malloc(size * sizeof *planner->estimate),
        .sight = malloc(size * sizeof *planner->sight),
    };
    if (search_init(&planner->search, network) == 0 &&
        tree_init(&planner->best, network->size) == 0 && planner->arrivals &&
        planner->waited && planner->hop && planner->estimate && planner->sight)
        return 0;
    planner_free(planner);
    return -1;
}

void planner_free(struct planner *planner)
{
    search_free(&planner->search);
    tree_free(&planner->best);
    free(planner->arrivals);
    free(planner->waited);
    free(planner->hop);
    free(planner->estimate);
    free(planner->sight);
    *planner = (struct planner){.sight = NULL};
}

void arrival_estimate(int64_t *ready, const int64_t *waited, const struct tree *tree,
                      struct planner *planner, int root, size_t bytes)
{
    const struct survey survey = {.tree = tree,
                                  .waited = waited,
                                  .last = ready,
                                  .hop = planner->hop,
                                  .sight = planner->sight};
    int *order = planner->search.order; /* from the root downwards */
    int found = 0;
    tree_hops(planner->hop, tree, &planner->search, root, bytes);
    planner->sight[root] = (struct sight){0};
    order[found++] = root;
    for (int i = 0; i < found; i++) {
        const int rank = order[i];
        planner->estimate[rank] = ready[rank];
        look_at(&survey, rank, &planner->estimate[rank]);
        for (int c = tree->first[rank]; c >= 0; c = tree->next[c]) {
            survey.sight[c].message = survey.sight[rank].available + survey.hop[c];
            order[found++] = c;
        }
    }
    memcpy(ready, planner->estimate, (size_t)tree->size * sizeof *ready);
}
