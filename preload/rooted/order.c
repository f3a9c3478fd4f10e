/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction's tree: k-nomial (k = 4), with the latest ranks nearest the root. */
#include "order.h"

#include <stdlib.h>

/* Few ranks are to wait for others, so trees are flat; but a parent takes its
   children's messages one after another. */
enum { RADIX = 4 };

/* ns; whoever is less late, or less than an eighth of the latest, is not late. */
static const int64_t least_late = 5000;

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

/* A place without its last digit that is not 0, in numbers to the base RADIX. */
static int place_above(int place)
{
    int digit = 1;
    while (place / digit % RADIX == 0)
        digit *= RADIX;
    return place - place / digit % RADIX * digit;
}

int ordering_init(struct ordering *ordering, int size)
{
    *ordering = (struct ordering){
        .list = malloc((size_t)size * sizeof *ordering->list),
        .rank_at = malloc((size_t)size * sizeof *ordering->rank_at),
        .order = malloc((size_t)size * sizeof *ordering->order),
    };
    if (ordering->list && ordering->rank_at && ordering->order)
        return 0;
    ordering_free(ordering);
    return -1;
}

void ordering_free(struct ordering *ordering)
{
    free(ordering->list);
    free(ordering->rank_at);
    free(ordering->order);
    *ordering = (struct ordering){.list = NULL};
}

void reduce_tree(struct tree *tree, int root, const int64_t *arrival,
                 const struct ordering *ordering)
{
    const int size = tree->size;
    int *rank_at = ordering->rank_at, *order = ordering->order;
    list_entrants(ordering->list, size, root, arrival);
    rank_at[0] = order[0] = root;
    for (int place = 1; place < size; place++)
        rank_at[place] = (root + ordering->list[place - 1].after_root) % size;
    for (int place = 1; place < size; place++) {
        tree->parent[rank_at[place]] = rank_at[place_above(place)];
        order[size - place] = rank_at[place];
    }
    tree_link(tree, order, size);
}
