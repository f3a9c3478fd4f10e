/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where one surface overtakes another. */
#include "internal.h"
#include "lib/base/array.h"
#include "lib/expr/internal.h"
#include "lib/input/internal.h"

#include <math.h>
#include <stdlib.h>

/* Two surfaces at one size. */
struct pair {
    const struct mt_surface *a, *b;
    double size;
};

/* Move *nodes up to the first number, at most `high`, at which both are valid, and set
   whether b is faster there; false if none. */
static bool compare_pair(const struct pair *pair, double high, double *nodes,
                         bool *b_faster)
{
    const double rounding = 1e-12;
    double n = *nodes;
    while (n <= high) {
        const double a = mt_surface_at(pair->a, pair->size, n).seconds;
        const double b = mt_surface_at(pair->b, pair->size, n).seconds;
        if (!isnan(a) && !isnan(b)) {
            *nodes = n;
            *b_faster = b < a * (1 - rounding);
            return true;
        }
        n = mt_scan_after(n);
    }
    return false;
}

/* The first number after `before` with the same order of a and b as `after`, which
   `before` does not have. */
static double halve_nodes(const struct pair *pair, double before, double after,
                          bool b_faster)
{
    double end = after; /* nothing is valid from here to `after` */
    while (end - before > 1) {
        double middle = floor((before + end) / 2);
        const double begin = middle;
        bool there = b_faster;
        if (compare_pair(pair, after, &middle, &there) && there != b_faster) {
            before = middle;
        } else {
            after = middle;
            end = begin;
        }
    }
    return after;
}

static int add_crossing(struct mt_crossings *crossings, double nodes, bool b_faster,
                        struct mt_error *err)
{
    const int status = mt_array_grow(&crossings->crossings, crossings->count,
                                     sizeof *crossings->crossings, "crossings", err);
    if (status == MT_OK)
        crossings->crossings[crossings->count++] =
            (struct mt_crossing){.nodes = nodes, .b_faster = b_faster};
    return status;
}

static int find_crossings(struct mt_crossings *found, const struct pair *pair,
                          struct mt_span nodes, struct mt_error *err)
{
    double n = nodes.low;
    bool before, b_faster;
    if (!compare_pair(pair, nodes.high, &n, &before))
        return MT_OK;
    int status = add_crossing(found, n, before, err);
    double last = n;
    while (status == MT_OK) {
        n = mt_scan_next(nodes, n);
        if (!compare_pair(pair, nodes.high, &n, &b_faster))
            break;
        if (b_faster != before)
            status = add_crossing(found, halve_nodes(pair, last, n, b_faster), b_faster,
                                  err);
        before = b_faster;
        last = n;
    }
    return status;
}

int mt_crossings_find(struct mt_crossings *crossings, const struct mt_surface *a,
                      const struct mt_surface *b, double size, struct mt_span nodes,
                      struct mt_error *err)
{
    const struct mt_shape *of_a = &mt_surface_algorithm(a)->shape;
    const struct mt_shape *of_b = &mt_surface_algorithm(b)->shape;
    if (!mt_shape_same_work(of_a, of_b))
        return mt_fail(err, MT_EINVAL,
                       "the work is counted in different ways, '%.100s' and '%.100s', "
                       "so that speeds cannot be compared",
                       mt_expr_text(of_a->work), mt_expr_text(of_b->work));

    const struct pair pair = {a, b, size};
    struct mt_crossings found = {0};
    const int status = find_crossings(&found, &pair, nodes, err);
    if (status != MT_OK) {
        mt_crossings_clear(&found);
        return status;
    }
    *crossings = found;
    return MT_OK;
}

void mt_crossings_clear(struct mt_crossings *crossings)
{
    free(crossings->crossings);
    *crossings = (struct mt_crossings){0};
}

static int choose_axes(struct mt_comparison *comparison, const struct mt_axis *nodes,
                       const struct mt_axis *sizes, struct mt_error *err)
{
    const struct mt_surface *const *surfaces = comparison->surfaces;
    const double most = fmin(mt_surface_machine(surfaces[0])->nodes,
                             mt_surface_machine(surfaces[1])->nodes);
    int status = nodes ? mt_axis_copy(&comparison->nodes, nodes, err)
                       : mt_axis_of_nodes(&comparison->nodes, most, err);
    if (status != MT_OK)
        return status;
    if (sizes)
        return mt_axis_copy(&comparison->sizes, sizes, err);
    const double last = mt_axis_span(&comparison->nodes).high;
    status = mt_axis_of_sizes(&comparison->sizes, surfaces[0], last, err);
    if (status == MT_EINVAL)
        status = mt_axis_of_sizes(&comparison->sizes, surfaces[1], last, err);
    return status;
}

int mt_comparison_make(struct mt_comparison *comparison, const struct mt_axis *nodes,
                       const struct mt_axis *sizes, struct mt_error *err)
{
    int status = choose_axes(comparison, nodes, sizes, err);
    const int count = comparison->sizes.count;
    if (status == MT_OK)
        comparison->crossings = calloc((size_t)count, sizeof *comparison->crossings);
    if (status == MT_OK && !comparison->crossings)
        status = mt_fail(err, MT_ENOMEM, "no memory to compare surfaces");
    for (int i = 0; i < count && status == MT_OK; i++)
        status = mt_crossings_find(&comparison->crossings[i], comparison->surfaces[0],
                                   comparison->surfaces[1], comparison->sizes.values[i],
                                   mt_axis_span(&comparison->nodes), err);
    if (status != MT_OK)
        mt_comparison_clear(comparison);
    return status;
}

void mt_comparison_clear(struct mt_comparison *comparison)
{
    for (int i = 0; comparison->crossings && i < comparison->sizes.count; i++)
        mt_crossings_clear(&comparison->crossings[i]);
    free(comparison->crossings);
    mt_axis_clear(&comparison->sizes);
    mt_axis_clear(&comparison->nodes);
    *comparison = (struct mt_comparison){0};
}
