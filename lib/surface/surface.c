/* SPDX-License-Identifier: BSD-3-Clause */
/* The efficiency E(N, P) at a point and over a grid. */
#include "motley/surface.h"

#include "internal.h"
#include "lib/expr/list.h"
#include "lib/machine/elapsed.h"
#include "lib/machine/internal.h"
#include "tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The positions of the shape's expressions in the compiled list. */
enum quantity {
    WORK,
    MEMORY,
    VALID,
    STEPS,
    NEAR_STEPS,
    WORKING_SET,
    IMBALANCE,
    MESSAGES,
    BYTES,
    MEAN_BYTES,
    TOGETHER,
    SHIFT,
    ACROSS,
    NQUANTITIES
};

/* The common part of all points on a number of nodes. */
struct column {
    double nodes;
    struct mt_conditions conditions;
};

struct mt_surface {
    const struct mt_machine *machine;     /* borrowed */
    const struct mt_algorithm *algorithm; /* borrowed */
    struct mt_terms *terms;               /* owned; NQUANTITIES of them */
    struct column *columns; /* owned; a cache for 1, 2, ... nodes; nodes 0: not yet.
                               Counting meetings takes longer than a point */
    int ncolumns;
};

static const char *text_of(const struct mt_expr *expr, const char *otherwise)
{
    return expr ? mt_expr_text(expr) : otherwise;
}

/* The text of the list, with defaults for absent expressions, to be freed by the
   caller. NULL: no memory. */
static char *list_quantities(const struct mt_shape *shape)
{
    char *steps = NULL, *list = NULL;
    if (asprintf(&steps, shape->steps ? "%s" : "(%s) / P",
                 text_of(shape->steps, mt_expr_text(shape->work))) < 0)
        return NULL;
    if (asprintf(&list, "%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s",
                 mt_expr_text(shape->work), text_of(shape->memory, "0"),
                 text_of(shape->valid, "1"), steps, text_of(shape->near_steps, "0"),
                 text_of(shape->working_set, "0"), text_of(shape->imbalance, "1"),
                 text_of(shape->messages, "0"), text_of(shape->bytes, "0"),
                 text_of(shape->mean_bytes, text_of(shape->bytes, "0")),
                 text_of(shape->together, "P"), text_of(shape->shift, "0"),
                 text_of(shape->across, "0")) < 0)
        list = NULL;
    free(steps);
    return list;
}

/* Make room for the cache of columns, if it pays. */
static int make_columns(struct mt_surface *surface, const struct mt_machine *machine,
                        const struct mt_algorithm *algorithm, struct mt_error *err)
{
    const struct mt_components *components = &algorithm->components;
    if (!mt_are_counted(components->bandwidth.contention) && !(components->hop > 0))
        return MT_OK;
    const int count =
        machine->nodes < MT_MOST_MEETING_RANKS ? machine->nodes : MT_MOST_MEETING_RANKS;
    surface->columns = calloc((size_t)count, sizeof *surface->columns);
    if (!surface->columns)
        return mt_fail(err, MT_ENOMEM, "no memory for %d numbers of nodes", count);
    surface->ncolumns = count;
    return MT_OK;
}

int mt_surface_make(struct mt_surface **surface, const struct mt_machine *machine,
                    const struct mt_algorithm *algorithm, struct mt_error *err)
{
    struct mt_surface *made = calloc(1, sizeof *made);
    char *list = list_quantities(&algorithm->shape);
    int status = MT_OK;
    if (!made || !list)
        status = mt_fail(err, MT_ENOMEM, "no memory for the surface of algorithm '%s'",
                         algorithm->name);
    if (status == MT_OK)
        status = mt_terms_parse(&made->terms, list, err);
    if (status == MT_OK)
        status = make_columns(made, machine, algorithm, err);
    if (status == MT_OK) {
        made->machine = machine;
        made->algorithm = algorithm;
        *surface = made;
    } else {
        mt_surface_free(made);
    }
    free(list);
    return status;
}

void mt_surface_free(struct mt_surface *surface)
{
    if (surface) {
        mt_terms_free(surface->terms);
        free(surface->columns);
    }
    free(surface);
}

const struct mt_machine *mt_surface_machine(const struct mt_surface *surface)
{
    return surface->machine;
}

const struct mt_algorithm *mt_surface_algorithm(const struct mt_surface *surface)
{
    return surface->algorithm;
}

/* Whether the quantities are valid; NaN fails every comparison. */
static inline bool makes_sense(const double *const values[NQUANTITIES], int j)
{
    const double valid = values[VALID][j];
    return (valid < 0 || valid > 0) && values[WORK][j] >= 0 && values[MEMORY][j] >= 0 &&
           values[STEPS][j] >= 0 && values[NEAR_STEPS][j] >= 0 &&
           mt_are_steps(values[NEAR_STEPS][j], values[STEPS][j]) &&
           values[WORKING_SET][j] >= 0 && values[IMBALANCE][j] >= 0 &&
           values[MESSAGES][j] >= 0 && values[BYTES][j] >= 0 &&
           values[MEAN_BYTES][j] >= 0 && values[TOGETHER][j] >= 0 &&
           values[SHIFT][j] >= 0 && values[ACROSS][j] >= 0;
}

static void set_nothing(struct mt_surface_point *point)
{
    point->work = point->seconds = point->compute = point->communicate = NAN;
    point->speed = point->efficiency = point->memory = NAN;
}

/* The demand of a point on the network, beyond its steps. */
static struct mt_demand demand_of(const double *const values[NQUANTITIES], int j,
                                  double nodes)
{
    return (struct mt_demand){
        .steps = values[STEPS][j] * values[IMBALANCE][j],
        .near_steps = values[NEAR_STEPS][j] * values[IMBALANCE][j],
        .working_set = values[WORKING_SET][j],
        .messages = values[MESSAGES][j],
        .bytes = values[BYTES][j],
        .mean_bytes = values[MEAN_BYTES][j],
        .together = values[TOGETHER][j],
        .shift = values[SHIFT][j],
        .across = values[ACROSS][j],
        .ranks = nodes,
    };
}

static struct column find_column(const struct mt_surface *surface,
                                 const double *const values[NQUANTITIES], int j,
                                 double nodes)
{
    struct column *kept = NULL;
    if (nodes >= 1 && nodes <= surface->ncolumns && nodes == floor(nodes))
        kept = &surface->columns[(int)nodes - 1];
    if (kept && kept->nodes > 0)
        return *kept;
    const struct mt_demand demand = demand_of(values, j, nodes);
    const struct column found = {
        nodes, mt_find_conditions(&surface->algorithm->components, &demand)};
    if (kept)
        *kept = found;
    return found;
}

/* The points of a row, where values[q][j] is quantity q of point j. */
static void set_points(struct mt_surface_point *points, int count,
                       const struct mt_surface *surface,
                       const double *const values[NQUANTITIES], double size,
                       const struct column *columns)
{
    const struct mt_components *components = &surface->algorithm->components;
    const struct mt_machine *machine = surface->machine;
    const double memory = machine->memory > 0 ? machine->memory : INFINITY;
    const bool mean_differs = surface->algorithm->shape.mean_bytes != NULL;
    for (int j = 0; j < count; j++) {
        struct mt_demand demand = demand_of(values, j, columns[j].nodes);
        if (mean_differs)
            demand.rows = mt_uneven_rows(&demand, size);
        const struct mt_elapsed elapsed =
            mt_components_time_at(components, &demand, &columns[j].conditions);
        struct mt_surface_point *point = &points[j];
        point->fits = !(values[MEMORY][j] > memory);
        point->valid =
            makes_sense(values, j) && elapsed.total > 0 && elapsed.total < INFINITY;
        if (!point->valid) {
            set_nothing(point);
            continue;
        }
        point->work = values[WORK][j];
        point->seconds = elapsed.total;
        point->compute = elapsed.compute;
        point->communicate = elapsed.communicate;
        point->speed = point->work / (columns[j].nodes * elapsed.total);
        point->efficiency = point->speed / machine->speed;
        point->memory = values[MEMORY][j];
    }
}

struct mt_surface_point mt_surface_at(const struct mt_surface *surface, double size,
                                      double nodes)
{
    const double variables[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = nodes, [MT_M] = 1, [MT_T] = NAN};
    double quantities[NQUANTITIES];
    mt_terms_values(surface->terms, variables, quantities);
    const double *values[NQUANTITIES];
    for (int q = 0; q < NQUANTITIES; q++)
        values[q] = &quantities[q];

    struct column column = find_column(surface, values, 0, nodes);
    struct mt_surface_point point;
    column.conditions.roughly = true;
    set_points(&point, 1, surface, values, size, &column);
    return point;
}

void mt_surface_grid(const struct mt_surface *surface, const double *sizes, int nsizes,
                     const double *nodes, int nnodes, struct mt_surface_point *points)
{
    const bool roughly = (double)nsizes * nnodes > MOST_EXACT;
    for (int begin = 0; begin < nnodes; begin += MT_OPERANDS) {
        const int left = nnodes - begin;
        const int count = left < MT_OPERANDS ? left : MT_OPERANDS;
        struct column columns[MT_OPERANDS];
        struct mt_tile tile;
        mt_tile_begin(&tile, surface->terms, nodes + begin, count);
        const double *values[NQUANTITIES];
        for (int q = 0; q < NQUANTITIES; q++)
            values[q] = mt_tile_values(&tile, q);
        for (int j = 0; j < count; j++) {
            columns[j] = find_column(surface, values, j, nodes[begin + j]);
            columns[j].conditions.roughly = roughly;
        }
        for (int i = 0; i < nsizes; i++) {
            mt_tile_row(&tile, sizes[i]);
            set_points(points + (size_t)i * (size_t)nnodes + begin, count, surface,
                       values, sizes[i], columns);
        }
    }
}

static bool fits(const struct mt_surface *surface, double size, double nodes)
{
    const double values[MT_NVARIABLES] = {
        [MT_N] = size, [MT_P] = nodes, [MT_M] = 1, [MT_T] = NAN};
    return mt_expr_value(surface->algorithm->shape.memory, values) <=
           surface->machine->memory;
}

double mt_surface_memory_limit(const struct mt_surface *surface, double nodes,
                               double low, double high)
{
    if (surface->machine->memory == 0 || !surface->algorithm->shape.memory ||
        fits(surface, high, nodes))
        return high;
    if (!fits(surface, low, nodes))
        return NAN;
    while (high - low > 1) { /* low fits, high does not */
        const double middle = floor((low + high) / 2);
        if (fits(surface, middle, nodes))
            low = middle;
        else
            high = middle;
    }
    return low;
}
