/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of ranks: memory, links, the binomial tree, swapping two ranks; and, for
   reductions, the k-nomial tree (k = 4) with the latest ranks nearest the root. */
#include "tree.h"
#include "preload/tuning.h"

#include <stdlib.h>
#include <string.h>

int tree_init(struct tree *tree, int size)
{
    const size_t count = (size_t)size;
    int *links = malloc(count * (3 * sizeof *links + sizeof *tree->late));
    *tree = (struct tree){0};
    if (!links)
        return -1;
    *tree = (struct tree){
        .size = size,
        .parent = links,
        .first = links + count,
        .next = links + 2 * count,
        .late = (bool *)(links + 3 * count),
    };
    memset(tree->late, 0, count * sizeof *tree->late);
    for (int rank = 0; rank < size; rank++)
        tree->parent[rank] = tree->first[rank] = tree->next[rank] = -1;
    return 0;
}

void tree_free(struct tree *tree)
{
    free(tree->parent);
    *tree = (struct tree){0};
}

void tree_copy(struct tree *tree, const struct tree *from)
{
    const size_t count = (size_t)from->size;
    memcpy(tree->parent, from->parent,
           count * (3 * sizeof *from->parent + sizeof *from->late));
    tree->segment = from->segment;
    tree->cost = from->cost;
}

void tree_link(struct tree *tree, const int *order, int count)
{
    for (int rank = 0; rank < tree->size; rank++)
        tree->first[rank] = tree->next[rank] = -1;
    tree->parent[order[0]] = -1;
    for (int i = count - 1; i > 0; i--) {
        const int child = order[i], parent = tree->parent[child];
        tree->next[child] = tree->first[parent];
        tree->first[parent] = child;
    }
}

void tree_binomial(struct tree *tree, int root, const int *place, int *order)
{
    const int size = tree->size, root_place = place ? place[root] : root;
    for (int rank = 0; rank < size; rank++) { /* the largest subtree comes first */
        const int virtual = ((place ? place[rank] : rank) - root_place + size) % size;
        order[virtual ? size - virtual : 0] = rank;
    }
    for (int i = 1; i < size; i++) {
        const int virtual = size - i, above = virtual & (virtual - 1);
        tree->parent[order[i]] = order[above ? size - above : 0];
    }
    tree_link(tree, order, size);
}

static int latest_first(const void *a, const void *b)
{
    const struct entrant *x = a, *y = b;
    if (x->late != y->late)
        return x->late > y->late ? -1 : 1;
    return x->after_root - y->after_root;
}

/* All but the root. */
static void list_entrants(struct entrant *list, int size, int root,
                          const int64_t *arrival)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int i = 0; i < size; i++) {
        first = arrival[i] < first ? arrival[i] : first;
        last = arrival[i] > last ? arrival[i] : last;
    }
    const int64_t tolerance =
        (last - first) / 8 > least_late ? (last - first) / 8 : least_late;
    for (int i = 1; i < size; i++) {
        const int64_t late = arrival[(root + i) % size] - first;
        list[i - 1] = (struct entrant){late > tolerance ? late : 0, i};
    }
    qsort(list, (size_t)size - 1, sizeof *list, latest_first);
}

/* A place without its last non-zero digit, in base RADIX. */
static int place_above(int place)
{
    int digit = 1;
    while (place / digit % RADIX == 0)
        digit *= RADIX;
    return place - place / digit % RADIX * digit;
}

static int rank_at(const struct entrant *list, int place, int root, int size)
{
    return place ? (root + list[place - 1].after_root) % size : root;
}

void tree_reduce(struct tree *tree, int root, const int64_t *arrival, void *memory)
{
    const int size = tree->size;
    struct entrant *list = memory;
    int *order = (int *)(list + size);
    list_entrants(list, size, root, arrival);
    order[0] = root;
    for (int place = 1; place < size; place++) {
        const int rank = rank_at(list, place, root, size);
        tree->parent[rank] = rank_at(list, place_above(place), root, size);
        order[size - place] = rank;
    }
    tree_link(tree, order, size);
}

/* The rank at the place of `rank` after a and b have changed places. */
static int swapped(int rank, int a, int b)
{
    return rank == a ? b : rank == b ? a : rank;
}

void tree_swap(struct tree *tree, int a, int b)
{
    int *const links[] = {tree->parent, tree->first, tree->next};
    for (int i = 0; i < 3; i++) {
        const int of_a = links[i][a];
        links[i][a] = links[i][b];
        links[i][b] = of_a;
        for (int rank = 0; rank < tree->size; rank++)
            links[i][rank] = swapped(links[i][rank], a, b);
    }
}
