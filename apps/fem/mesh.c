/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the nodes of a box in reverse Cuthill-McKee order. */
#include "mesh.h"

#include <stdbool.h>
#include <stdlib.h>

static size_t degree(const struct fem_graph *graph, int node)
{
    return graph->starts[node + 1] - graph->starts[node];
}

/* The unreached node of least degree, or -1: a good start, as it is at a corner. */
static int find_start(const struct fem_graph *graph, const bool *reached)
{
    int start = -1;
    for (int node = 0; node < graph->nodes; node++)
        if (!reached[node] && (start < 0 || degree(graph, node) < degree(graph, start)))
            start = node;
    return start;
}

/* Append the unreached neighbours of `node` to the `count` nodes in `order`, by degree;
   returns the new count. */
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

static void graph_clear(struct fem_graph *graph)
{
    free(graph->neighbours);
    free(graph->starts);
    *graph = (struct fem_graph){0};
}

/* The graph of own nodes that share an element, numbered in the box's order. */
static int graph_init(struct fem_graph *graph, const struct fem_box *box)
{
    const size_t own = fem_box_own(box);
    *graph = (struct fem_graph){
        .nodes = (int)own,
        .starts = calloc(own + 1, sizeof *graph->starts),
        .neighbours = calloc(fem_box_own_couplings(box), sizeof *graph->neighbours),
    };
    if (!graph->starts || !graph->neighbours) {
        graph_clear(graph);
        return -1;
    }
    size_t count = 0;
    for (size_t i = 0; i < own; i++) {
        int place[3], other[3];
        fem_box_own_place(box, i, place);
        for (int which = 0; which < FEM_AROUND; which++) {
            fem_box_around(place, which, other);
            if (fem_box_owns(box, other) && fem_box_own_index(box, other) != i)
                graph->neighbours[count++] = (int)fem_box_own_index(box, other);
        }
        graph->starts[i + 1] = count;
    }
    return 0;
}

/* `order`: the own nodes in their new order. */
static void number_nodes(struct fem_mesh *mesh, const int *order)
{
    const size_t own = fem_box_own(&mesh->box), all = fem_box_all(&mesh->box);
    for (size_t i = 0; i < all; i++)
        mesh->number[i] = -1;
    for (size_t i = 0; i < own; i++) {
        int place[3];
        fem_box_own_place(&mesh->box, (size_t)order[i], place);
        mesh->number[fem_box_index(&mesh->box, place)] = (int)i;
    }
    int next = (int)own;
    for (size_t i = 0; i < all; i++)
        if (mesh->number[i] < 0)
            mesh->number[i] = next++;
}

int fem_mesh_init(struct fem_mesh *mesh, const struct fem_box *box)
{
    struct fem_graph graph;
    int status = -1, *order = NULL;
    *mesh = (struct fem_mesh){.box = *box};
    if (graph_init(&graph, box))
        return -1;
    order = calloc(fem_box_own(box), sizeof *order);
    mesh->number = calloc(fem_box_all(box), sizeof *mesh->number);
    if (!order || !mesh->number || fem_order_find(&graph, order))
        goto done;
    number_nodes(mesh, order);
    status = 0;
done:
    if (status)
        fem_mesh_clear(mesh);
    free(order);
    graph_clear(&graph);
    return status;
}

void fem_mesh_clear(struct fem_mesh *mesh)
{
    free(mesh->number);
    *mesh = (struct fem_mesh){.number = NULL};
}

int fem_mesh_number(const struct fem_mesh *mesh, const int place[3])
{
    return mesh->number[fem_box_index(&mesh->box, place)];
}
