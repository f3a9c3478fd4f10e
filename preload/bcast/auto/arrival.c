/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan.h"

#include <stdlib.h>

/* What is known of a rank on the way down the tree. */
struct sight {
    int64_t
        message; /* when its first bytes come, if all above it are where they seem */
    int64_t available; /* when it can send them on */
};

struct survey {
    const struct tree *tree;
    const int64_t *waited, *last;
    int64_t *hop; /* from when its parent can send to when a rank has the first bytes */
    struct sight *sight;
    int *order; /* ranks from the root downwards */
};

/* A wait that is not much longer than a message takes may be just that. */
static bool waited_long(const struct survey *survey, int rank)
{
    return survey->waited[rank] > survey->hop[rank] * 5 / 4;
}

/*
 * How long after its message a rank came, by the child that tells most: a child that
 * was there at its usual time and had to wait shows when its parent sent. Children that
 * did not wait tell nothing.
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

/* A rank that came in time waits. So does one that came late, for as long as it takes
   to get at its message, which on a shared core may be long: the ranks below it then
   wait for it much longer still. */
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
    } else { /* nobody waited for it: it may be as late as it was thought to be */
        if (known && *ready < least)
            *ready = least;
        if (sight->available < *ready)
            sight->available = *ready;
    }
}

int arrival_estimate(int64_t *ready, const int64_t *waited, const struct tree *tree,
                     const struct network *network, int root, size_t bytes)
{
    const size_t size = (size_t)tree->size;
    struct survey survey = {.tree = tree,
                            .waited = waited,
                            .last = ready,
                            .hop = malloc(size * sizeof *survey.hop),
                            .sight = calloc(size, sizeof *survey.sight),
                            .order = calloc(size, sizeof *survey.order)};
    int64_t *estimate = malloc(size * sizeof *estimate);
    int status = survey.hop && survey.sight && survey.order && estimate ? 0 : -1;
    if (status == 0)
        status = tree_hops(survey.hop, tree, network, root, bytes);
    if (status == 0) {
        int found = 0;
        survey.order[found++] = root;
        for (int i = 0; i < found; i++) {
            const int rank = survey.order[i];
            estimate[rank] = ready[rank];
            look_at(&survey, rank, &estimate[rank]);
            for (int c = tree->first[rank]; c >= 0; c = tree->next[c]) {
                survey.sight[c].message = survey.sight[rank].available + survey.hop[c];
                survey.order[found++] = c;
            }
        }
        for (int rank = 0; rank < tree->size; rank++)
            ready[rank] = estimate[rank];
    }
    free(estimate);
    free(survey.order);
    free(survey.sight);
    free(survey.hop);
    return status;
}
