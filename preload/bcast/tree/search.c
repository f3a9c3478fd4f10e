/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The search for the best tree: heaps of free senders, the orders in which ranks are
 * served, and the best tree so far.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* A binary heap, the earliest event on top. */
struct heap {
    struct event *events;
    int count;
};

struct senders {
    const struct network *network;
    struct heap all; /* may also hold stale events, of ranks that have sent again */
    struct heap *of_node;
    int64_t *free_from; /* [size] of each sender */
    int limited, sends; /* a rank that may still send that many times; -1: none */
    struct event *events;
};

static void sift_up(struct heap *heap, int i)
{
    const struct event event = heap->events[i];
    for (; i > 0 && before(event, heap->events[(i - 1) / 2]); i = (i - 1) / 2)
        heap->events[i] = heap->events[(i - 1) / 2];
    heap->events[i] = event;
}

static void sift_down(struct heap *heap, int i)
{
    const struct event event = heap->events[i];
    for (int child; (child = 2 * i + 1) < heap->count; i = child) {
        if (child + 1 < heap->count &&
            before(heap->events[child + 1], heap->events[child]))
            child++;
        if (!before(heap->events[child], event))
            break;
        heap->events[i] = heap->events[child];
    }
    heap->events[i] = event;
}

static void push(struct heap *heap, struct event event)
{
    heap->events[heap->count] = event;
    sift_up(heap, heap->count++);
}

static void pop(struct heap *heap)
{
    heap->events[0] = heap->events[--heap->count];
    if (heap->count > 0)
        sift_down(heap, 0);
}

struct senders *senders_new(const struct network *network)
{
    const size_t size = (size_t)network->size;
    struct senders *senders = calloc(1, sizeof *senders);
    if (!senders)
        return NULL;
    senders->network = network;
    senders->of_node = calloc(size, sizeof *senders->of_node);
    senders->free_from = calloc(size, sizeof *senders->free_from);
    senders->events = calloc(3 * size, sizeof *senders->events);
    if (!senders->of_node || !senders->free_from || !senders->events) {
        senders_free(senders);
        return NULL;
    }
    /* A rank is in its node's heap once; in the heap of all, it is inserted at the
       start and after each send. */
    senders->all.events = senders->events + size;
    for (int rank = 0; rank < network->size; rank++)
        senders->of_node[node_of(network, rank)].count++;
    struct event *events = senders->events;
    for (int node = 0; node < network->size; node++) {
        senders->of_node[node].events = events;
        events += senders->of_node[node].count;
    }
    senders_clear(senders);
    return senders;
}

void senders_free(struct senders *senders)
{
    if (!senders)
        return;
    free(senders->of_node);
    free(senders->free_from);
    free(senders->events);
    free(senders);
}

void senders_clear(struct senders *senders)
{
    senders->limited = -1;
    senders->all.count = 0;
    for (int node = 0; node < senders->network->size; node++)
        senders->of_node[node].count = 0;
}

void senders_limit(struct senders *senders, int rank, int sends)
{
    senders->limited = rank;
    senders->sends = sends;
}

void senders_add(struct senders *senders, int rank, int64_t free_from)
{
    const struct event event = {free_from, rank};
    senders->free_from[rank] = free_from;
    push(&senders->of_node[node_of(senders->network, rank)], event);
    push(&senders->all, event);
}

/* The first sender to be free; which is also the first of its node. */
static int first_of_all(struct senders *senders)
{
    struct heap *all = &senders->all;
    while (senders->free_from[all->events[0].rank] != all->events[0].time)
        pop(all);
    return all->events[0].rank;
}

/* The wait of `rank`, plus the sender's time to send. */
static int64_t cost_of(const struct senders *senders, int sender,
                       const struct price *price, int64_t ready)
{
    const int64_t arrival = plus(senders->free_from[sender], price->hop);
    return plus(later(plus(arrival, -ready), 0), price->gap);
}

/* The first of all to be free, or the first of the receiver's node. */
static int choose_sender(struct senders *senders, const struct receiver *receiver)
{
    const int any = first_of_all(senders), rank = receiver->rank;
    const struct heap *node = &senders->of_node[node_of(senders->network, rank)];
    if (node->count == 0)
        return any;
    const int neighbour = node->events[0].rank;
    const int64_t ready = receiver->problem->ready[rank];
    return cost_of(senders, neighbour, &receiver->prices->near, ready) <=
                   cost_of(senders, any, &receiver->prices->far, ready)
               ? neighbour
               : any;
}

void senders_serve(struct senders *senders, struct tree *tree,
                   const struct receiver *receiver)
{
    const int rank = receiver->rank;
    const int sender = choose_sender(senders, receiver);
    const struct price *price =
        price_between(receiver->prices, senders->network, sender, rank);
    const int64_t ready = receiver->problem->ready[rank];
    int64_t *free_from = &senders->free_from[sender];
    const int64_t arrival = plus(*free_from, price->hop);
    tree->parent[rank] = sender;
    tree->late[rank] = ready > arrival;

    const bool done = sender == senders->limited && --senders->sends == 0;
    *free_from = done ? FOREVER : plus(*free_from, price->gap);
    struct heap *node = &senders->of_node[node_of(senders->network, sender)];
    node->events[0].time = *free_from;
    sift_down(node, 0);
    if (price->gap > 0)
        push(&senders->all, (struct event){*free_from, sender});
    senders_add(senders, rank, later(arrival, ready));
}

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
