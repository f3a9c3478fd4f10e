/* SPDX-License-Identifier: BSD-3-Clause */
#include "map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many sizes of a row are tried for the best one, and so many rows to see whether a
   number of nodes is valid; and no more than so many numbers of nodes in a column. */
enum { SIZES_OF_ROW = 9, ROWS_TO_TRY = 12, NODES_TO_TRY = 512 };

double mt_span_at(struct mt_span span, double index, int cells)
{
    return span.low * pow(span.high / span.low, index / (cells - 1));
}

double mt_span_cell(struct mt_span span, double value, int cells)
{
    return log(value / span.low) / log(span.high / span.low) * (cells - 1);
}

/* The best efficiency at the whole sizes about a row; NaN: none of them is valid. */
static double best_of_row(const struct mt_surface_map *map,
                          const struct mt_surface *surface, double nodes, double row)
{
    double best = NAN, last = 0;
    for (int i = 0; i < SIZES_OF_ROW; i++) {
        double offset = (double)i / (SIZES_OF_ROW - 1) - 0.5;
        double size = round(mt_span_at(map->sizes, row + offset, map->rows));
        if (size == last || size < map->sizes.low || size > map->sizes.high)
            continue;
        last = size;
        best = fmax(best, mt_surface_at(surface, size, nodes).efficiency);
    }
    return best;
}

static bool any_valid(const struct mt_surface_map *map,
                      const struct mt_surface *surface, double nodes)
{
    for (int i = 0; i < ROWS_TO_TRY; i++) {
        double row =
            (double)(map->rows - 1) * (ROWS_TO_TRY - 1 - i) / (ROWS_TO_TRY - 1);
        if (!isnan(best_of_row(map, surface, nodes, row)))
            return true;
    }
    return false;
}

/* The valid number of nodes that is next to the middle of the column; NaN: it has
   none. */
static double valid_of_column(const struct mt_surface_map *map,
                              const struct mt_surface *surface, int column)
{
    const double low = fmax(mt_span_at(map->nodes, column - 0.5, map->columns), 1);
    const double high = mt_span_at(map->nodes, column + 0.5, map->columns);
    const double middle = round(mt_span_at(map->nodes, column, map->columns));
    for (int i = 0; i < NODES_TO_TRY; i++) {
        const int away = (i + 1) / 2; /* alternate below and above the middle */
        const double nodes = i % 2 ? middle + away : middle - away;
        if (nodes >= low && nodes <= high && nodes >= map->nodes.low &&
            nodes <= map->nodes.high && any_valid(map, surface, nodes))
            return nodes;
        if (middle - away < low && middle + away > high)
            break;
    }
    return NAN;
}

static void find_valid_nodes(struct mt_surface_map *map,
                             const struct mt_surface *surface)
{
    for (int column = 0; column < map->columns; column++) {
        double nodes = valid_of_column(map, surface, column);
        if (!isnan(nodes) && (map->nvalid == 0 || nodes > map->valid[map->nvalid - 1]))
            map->valid[map->nvalid++] = nodes;
    }
}

/* What lies between two values; at the border of what is valid, the nearer of them. */
static double between(double before, double after, double share)
{
    if (isnan(before) || isnan(after))
        return share < 0.5 ? before : after;
    return before + share * (after - before);
}

/* `exact` are the values of the valid numbers of nodes, map->rows of each. */
static void fill_cells(struct mt_surface_map *map, const struct mt_surface *surface,
                       const double *exact)
{
    for (int column = 0, next = 0; column < map->columns; column++) {
        const double nodes = mt_span_at(map->nodes, column, map->columns);
        while (next < map->nvalid - 1 && map->valid[next] < nodes)
            next++;
        const int previous = next > 0 && map->valid[next] > nodes ? next - 1 : next;
        double share = 0;
        if (previous < next)
            share = log(nodes / map->valid[previous]) /
                    log(map->valid[next] / map->valid[previous]);
        for (int row = 0; row < map->rows; row++) {
            double value = best_of_row(map, surface, nodes, row);
            if (isnan(value))
                value = between(exact[previous * map->rows + row],
                                exact[next * map->rows + row], share);
            map->efficiency[row * map->columns + column] = value;
        }
    }
}

static int fill_map(struct mt_surface_map *map, const struct mt_surface *surface,
                    double *exact, struct mt_error *err)
{
    find_valid_nodes(map, surface);
    if (map->nvalid == 0)
        return mt_fail(err, MT_EINVAL,
                       "nothing to draw: no size and number of nodes "
                       "is valid");
    for (int i = 0; i < map->nvalid; i++)
        for (int row = 0; row < map->rows; row++)
            exact[i * map->rows + row] = best_of_row(map, surface, map->valid[i], row);
    fill_cells(map, surface, exact);
    return MT_OK;
}

int mt_surface_map_make(struct mt_surface_map *map, const struct mt_surface *surface,
                        struct mt_error *err)
{
    if (map->nodes.low == map->nodes.high || map->sizes.low == map->sizes.high)
        return mt_fail(err, MT_EINVAL,
                       "a map needs more than one size and number of nodes");
    const size_t cells = (size_t)map->columns * (size_t)map->rows;
    map->efficiency = calloc(cells, sizeof(double));
    map->valid = calloc((size_t)map->columns, sizeof(double));
    double *exact = calloc(cells, sizeof(double));
    int status = MT_OK;
    if (!map->efficiency || !map->valid || !exact)
        status = mt_fail(err, MT_ENOMEM, "no memory for a map");
    if (status == MT_OK)
        status = fill_map(map, surface, exact, err);
    free(exact);
    if (status != MT_OK)
        mt_surface_map_clear(map);
    return status;
}

void mt_surface_map_clear(struct mt_surface_map *map)
{
    free(map->efficiency);
    free(map->valid);
    *map = (struct mt_surface_map){0};
}

double mt_highest_efficiency(const double *efficiency, int count)
{
    double highest = 0;
    for (int i = 0; i < count; i++)
        highest = fmax(highest, efficiency[i]);
    return highest;
}

int mt_efficiency_step(double highest)
{
    static const int steps[] = {20, 10, 5, 2};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (100 * highest > 5.5 * steps[i])
            return steps[i];
    return 1;
}

/* Allocate so many columns and rows. */
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

/* The position of a number in a sorted list, or where it would be inserted. */
static int find_place(const double *sorted, int count, double value)
{
    int i = 0;
    while (i < count && sorted[i] < value)
        i++;
    return i;
}

/* Insert a number unless it is there; returns the new count. */
static int insert(double *sorted, int count, double value)
{
    const int at = find_place(sorted, count, value);
    if (at < count && sorted[at] == value)
        return count;
    memmove(sorted + at + 1, sorted + at, (size_t)(count - at) * sizeof *sorted);
    sorted[at] = value;
    return count + 1;
}

static int fill_mesh(struct mt_mesh *mesh, const struct mt_measured_point *points,
                     int count, struct mt_error *err)
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
        const int row = find_place(mesh->sizes, mesh->rows, points[i].size);
        const int column = find_place(mesh->nodes, mesh->columns, points[i].nodes);
        mesh->efficiency[row * mesh->columns + column] = points[i].efficiency;
    }
    return MT_OK;
}

int mt_mesh_of_points(struct mt_mesh *mesh, const struct mt_measured_point *points,
                      int count, struct mt_error *err)
{
    int status = make_room(mesh, (size_t)count, (size_t)count, err);
    if (status == MT_OK)
        status = fill_mesh(mesh, points, count, err);
    if (status != MT_OK)
        mt_mesh_clear(mesh);
    return status;
}

/* Of ascending numbers, the one whose ratio to the value is nearest to 1. */
static int find_nearest(const double *sorted, int count, double value)
{
    const int after = find_place(sorted, count, value);
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
            find_nearest(mesh->sizes, mesh->rows, mt_span_at(map->sizes, row, rows));
        for (int column = 0; column < columns; column++)
            efficiency[row * columns + column] =
                mesh->efficiency[from * mesh->columns +
                                 find_nearest(mesh->nodes, mesh->columns,
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
