/* SPDX-License-Identifier: BSD-3-Clause */
#include "order.h"

#include <stdlib.h>

/* Few ranks are to wait for others, so trees are flat; but a parent takes its
   children's messages one after another. */
enum { RADIX = 4 };

/* ns; whoever is less late, or less than an eighth of the latest, is not late. */
static const int64_t least_late = 5000;

/* A rank, and by how much it comes after the earliest. */
struct entrant {
    int64_t late;
    int after_root; /* its number, counted from the root */
};

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

int reduce_tree(struct tree *tree, int size, int root, const int64_t *arrival)
{
    struct entrant *list = calloc((size_t)size, sizeof *list);
    int *rank_at = calloc((size_t)size, sizeof *rank_at);
    int *order = calloc((size_t)size, sizeof *order);
    const int status = list && rank_at && order ? tree_init(tree, size) : -1;
    if (status == 0) {
        list_entrants(list, size, root, arrival);
        rank_at[0] = order[0] = root;
        for (int place = 1; place < size; place++)
            rank_at[place] = (root + list[place - 1].after_root) % size;
        for (int place = 1; place < size; place++) {
            tree->parent[rank_at[place]] = rank_at[place_above(place)];
            order[size - place] = rank_at[place];
        }
        tree_link(tree, order, size);
    } else {
        *tree = (struct tree){0};
    }
    free(order);
    free(rank_at);
    free(list);
    return status;
}
