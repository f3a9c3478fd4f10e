/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fem_order.h - the reverse Cuthill-McKee ordering of a graph: neighbours get numbers
 * that are close to each other.
 */
#ifndef MT_APPS_FEM_ORDER_H
#define MT_APPS_FEM_ORDER_H

#include <stddef.h>

/* Node i's neighbours are neighbours[starts[i]] to neighbours[starts[i + 1] - 1]. */
struct fem_graph {
    int nodes;
    size_t *starts;  /* owned; nodes + 1 */
    int *neighbours; /* owned */
};

/* order[i] becomes the node that comes i-th. Returns 0, or -1 when memory is short. */
int fem_order_find(const struct fem_graph *graph, int *order);

#endif
