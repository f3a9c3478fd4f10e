/* SPDX-License-Identifier: BSD-3-Clause */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for so many columns and rows, and their crossings. */
static int make_room(struct mt_mesh *mesh, size_t columns, size_t rows,
                     struct mt_error *err)
{
    mesh->nodes = calloc(columns, sizeof(double));
    mesh->sizes = calloc(rows, sizeof(double));
    mesh->efficiency = calloc(columns * rows, sizeof(double));
    return mesh->nodes && mesh->sizes && mesh->efficiency
               ? MT_OK
               : mt_fail(err, MT_ENOMEM, "no memory for a mesh");
}

int mt_mesh_of_map(struct mt_mesh *mesh, const struct mt_surface_map *map,
                   struct mt_error *err)
{
    const size_t columns = (size_t)map->columns, rows = (size_t)map->rows;
    int status = make_room(mesh, columns, rows, err);
    if (status != MT_OK) {
        mt_mesh_clear(mesh);
        return status;
    }
    mesh->columns = map->columns;
    mesh->rows = map->rows;
    for (int i = 0; i < map->columns; i++)
        mesh->nodes[i] = mt_span_at(map->nodes, i, map->columns);
    for (int i = 0; i < map->rows; i++)
        mesh->sizes[i] = mt_span_at(map->sizes, i, map->rows);
    memcpy(mesh->efficiency, map->efficiency, columns * rows * sizeof(double));
    return MT_OK;
}

/* Where a number is, or belongs, in a list. */
static int find(const double *sorted, int count, double value)
{
    int i = 0;
    while (i < count && sorted[i] < value)
        i++;
    return i;
}

/* Insert a number unless it is there; returns the new count. */
static int insert(double *sorted, int count, double value)
{
    const int at = find(sorted, count, value);
    if (at < count && sorted[at] == value)
        return count;
    memmove(sorted + at + 1, sorted + at, (size_t)(count - at) * sizeof *sorted);
    sorted[at] = value;
    return count + 1;
}

static int fill(struct mt_mesh *mesh, const struct mt_measured_point *points, int count,
                struct mt_error *err)
{
    for (int i = 0; i < count; i++) {
        mesh->columns = insert(mesh->nodes, mesh->columns, points[i].nodes);
        mesh->rows = insert(mesh->sizes, mesh->rows, points[i].size);
    }
    if (mesh->columns < 2 || mesh->rows < 2)
        return mt_fail(err, MT_EINVAL,
                       "a surface needs points at more than one size and number of "
                       "nodes");
    for (int i = 0; i < mesh->columns * mesh->rows; i++)
        mesh->efficiency[i] = NAN;
    for (int i = 0; i < count; i++) {
        const int row = find(mesh->sizes, mesh->rows, points[i].size);
        const int column = find(mesh->nodes, mesh->columns, points[i].nodes);
        mesh->efficiency[row * mesh->columns + column] = points[i].efficiency;
    }
    return MT_OK;
}

int mt_mesh_of_points(struct mt_mesh *mesh, const struct mt_measured_point *points,
                      int count, struct mt_error *err)
{
    int status = make_room(mesh, (size_t)count, (size_t)count, err);
    if (status == MT_OK)
        status = fill(mesh, points, count, err);
    if (status != MT_OK)
        mt_mesh_clear(mesh);
    return status;
}

/* Of ascending numbers, the one whose ratio to the value is nearest to 1. */
static int nearest(const double *sorted, int count, double value)
{
    const int after = find(sorted, count, value);
    if (after == 0)
        return 0;
    if (after == count)
        return count - 1;
    return value / sorted[after - 1] < sorted[after] / value ? after - 1 : after;
}

int mt_mesh_to_map(struct mt_surface_map *map, const struct mt_mesh *mesh, int columns,
                   int rows, struct mt_error *err)
{
    double *efficiency = calloc((size_t)columns * (size_t)rows, sizeof *efficiency);
    if (!efficiency)
        return mt_fail(err, MT_ENOMEM, "no memory for a map");
    *map = (struct mt_surface_map){.nodes = mt_mesh_nodes(mesh),
                                   .sizes = mt_mesh_sizes(mesh),
                                   .columns = columns,
                                   .rows = rows,
                                   .efficiency = efficiency};
    for (int row = 0; row < rows; row++) {
        const int from =
            nearest(mesh->sizes, mesh->rows, mt_span_at(map->sizes, row, rows));
        for (int column = 0; column < columns; column++)
            efficiency[row * columns + column] =
                mesh->efficiency[from * mesh->columns +
                                 nearest(mesh->nodes, mesh->columns,
                                         mt_span_at(map->nodes, column, columns))];
    }
    return MT_OK;
}

void mt_mesh_clear(struct mt_mesh *mesh)
{
    free(mesh->nodes);
    free(mesh->sizes);
    free(mesh->efficiency);
    *mesh = (struct mt_mesh){0};
}

struct mt_span mt_mesh_nodes(const struct mt_mesh *mesh)
{
    return (struct mt_span){.low = mesh->nodes[0],
                            .high = mesh->nodes[mesh->columns - 1]};
}

struct mt_span mt_mesh_sizes(const struct mt_mesh *mesh)
{
    return (struct mt_span){.low = mesh->sizes[0], .high = mesh->sizes[mesh->rows - 1]};
}
