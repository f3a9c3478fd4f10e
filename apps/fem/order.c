/* SPDX-License-Identifier: BSD-3-Clause */
#include "order.h"

#include <stdbool.h>
#include <stdlib.h>

static size_t degree(const struct fem_graph *graph, int node)
{
    return graph->starts[node + 1] - graph->starts[node];
}

/* The node of least degree that has not been reached, or -1: a good one to start from,
   as it is at a corner. */
static int find_start(const struct fem_graph *graph, const bool *reached)
{
    int start = -1;
    for (int node = 0; node < graph->nodes; node++)
        if (!reached[node] && (start < 0 || degree(graph, node) < degree(graph, start)))
            start = node;
    return start;
}

/* Put the neighbours of `node` that have not been reached after the `count` nodes in
   `order`, in order of their degrees; returns the new count. */
static int append_neighbours(const struct fem_graph *graph, int node, bool *reached,
                             int *order, int count)
{
    const int old = count;
    for (size_t i = graph->starts[node]; i < graph->starts[node + 1]; i++) {
        const int next = graph->neighbours[i];
        if (reached[next])
            continue;
        reached[next] = true;
        int at = count++;
        for (; at > old && degree(graph, order[at - 1]) > degree(graph, next); at--)
            order[at] = order[at - 1];
        order[at] = next;
    }
    return count;
}

static void reverse(int *order, int count)
{
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        const int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

int fem_order_find(const struct fem_graph *graph, int *order)
{
    bool *reached = calloc((size_t)graph->nodes, sizeof *reached);
    if (!reached)
        return -1;
    int count = 0;
    for (int done = 0; done < graph->nodes; done++) {
        if (done == count) { /* a part that is not connected to those before */
            order[count] = find_start(graph, reached);
            reached[order[count++]] = true;
        }
        count = append_neighbours(graph, order[done], reached, order, count);
    }
    reverse(order, count);
    free(reached);
    return 0;
}
