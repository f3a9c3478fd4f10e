/* SPDX-License-Identifier: BSD-3-Clause */
#include "search.h"

#include "times.h"

#include <stdlib.h>
#include <string.h>

static int compare_events(const void *a, const void *b)
{
    const struct event *left = a, *right = b;
    return before(*left, *right) ? -1 : before(*right, *left);
}

static void sort(struct search *search)
{
    const struct problem *problem = &search->problem;
    const int size = problem->network->size;
    struct event *entries = search->entries;
    for (int rank = 0; rank < size; rank++)
        entries[rank] = (struct event){problem->ready[rank], rank};
    entries[problem->root].time = INT64_MIN;
    qsort(entries, (size_t)size, sizeof *entries, compare_events);
    for (int i = 0; i < size; i++)
        search->by_readiness[i] = entries[i].rank;
}

void search_free(struct search *search)
{
    tree_free(&search->best);
    tree_free(&search->trial);
    senders_free(search->senders);
    free(search->problem.ready);
    free(search->passage);
    free(search->entries);
    free(search->by_readiness);
    free(search->order);
    free(search->place);
    free(search->busy);
    *search = (struct search){.nodes = 0};
}

int search_init(struct search *search, const struct network *network)
{
    const size_t size = (size_t)network->size;
    *search = (struct search){
        .problem = {.network = network,
                    .ready = malloc(size * sizeof *search->problem.ready)},
        .senders = senders_new(network),
        .passage = malloc(size * sizeof *search->passage),
        .entries = malloc(size * sizeof *search->entries),
        .by_readiness = malloc(size * sizeof *search->by_readiness),
        .order = malloc(size * sizeof *search->order),
        .place = malloc(size * sizeof *search->place),
        .busy = malloc(size * sizeof *search->busy),
    };
    if (tree_init(&search->best, network->size) != 0 ||
        tree_init(&search->trial, network->size) != 0 || !search->problem.ready ||
        !search->senders || !search->passage || !search->entries ||
        !search->by_readiness || !search->order || !search->place || !search->busy) {
        search_free(search);
        return -1;
    }
    for (int rank = 0; rank < network->size; rank++)
        search->nodes += node_of(network, rank) == rank;
    return 0;
}

void search_begin(struct search *search, int root, size_t bytes, const int64_t *ready)
{
    problem_set(&search->problem, root, bytes, ready);
    sort(search);
    search->best.cost = INT64_MAX;
}

int64_t tree_cost(const struct tree *tree, struct search *search, int root,
                  size_t bytes, const int64_t *ready)
{
    problem_set(&search->problem, root, bytes, ready);
    return tree_follow(search->passage, &search->problem, tree);
}

void tree_hops(int64_t *hop, const struct tree *tree, struct search *search, int root,
               size_t bytes)
{
    struct problem *together = &search->problem;
    const struct passage *passage = search->passage;
    for (int rank = 0; rank < tree->size; rank++)
        together->ready[rank] = 0;
    problem_set(together, root, bytes, together->ready);
    tree_follow(search->passage, together, tree);
    for (int rank = 0; rank < tree->size; rank++) {
        const int parent = tree->parent[rank];
        hop[rank] = parent < 0 ? 0 : passage[rank].arrival - passage[parent].start;
    }
}

void search_compare(struct search *search)
{
    search->trial.cost = tree_follow(search->passage, &search->problem, &search->trial);
    if (search->trial.cost < search->best.cost) {
        const struct tree better = search->trial;
        search->trial = search->best;
        search->best = better;
    }
}

void search_order_all(struct search *search)
{
    memcpy(search->order, search->by_readiness,
           (size_t)search->trial.size * sizeof *search->order);
}

void search_order_first_of_nodes(struct search *search)
{
    const struct network *network = search->problem.network;
    int *first = search->place, count = 0;
    for (int node = 0; node < network->size; node++)
        first[node] = -1;
    for (int i = 0; i < network->size; i++) {
        const int rank = search->by_readiness[i], node = node_of(network, rank);
        if (first[node] < 0)
            search->order[count++] = first[node] = rank;
    }
    for (int i = 0; i < network->size; i++) {
        const int rank = search->by_readiness[i];
        if (first[node_of(network, rank)] != rank)
            search->order[count++] = rank;
    }
}

void search_order_nodes(struct search *search, int count)
{
    const struct network *network = search->problem.network;
    int *place = search->place; /* of the node's next rank; before it: minus ranks */
    for (int node = 0; node < network->size; node++)
        place[node] = 0;
    for (int i = 0; i < count; i++)
        place[node_of(network, search->by_readiness[i])]--;
    int next = 0;
    for (int i = 0; i < count; i++) {
        const int rank = search->by_readiness[i], node = node_of(network, rank);
        if (place[node] < 0) {
            const int ranks = -place[node];
            place[node] = next;
            next += ranks;
        }
        search->order[place[node]++] = rank;
    }
}
