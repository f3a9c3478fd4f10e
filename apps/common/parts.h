/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.h - work that is divided among ranks of unlike speed: whole rows, or boxes of
 * points, whose sizes follow weights.
 * Weights are finite and positive.
 */
#ifndef MT_APPS_PARTS_H
#define MT_APPS_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Divide `total` rows into `count` parts of at least one each, so that the largest
 * quotient of a part and its weight is minimal: if weights are speeds, the last rank
 * finishes as early as possible. With equal weights, parts differ by one at most, and
 * the first ones are larger. `total` must be at least `count`.
 */
void parts_divide(int *parts, int total, const double *weights, int count);

/* Summary of a division. Zeroed means no parts. */
struct parts_summary {
    double smallest, largest, all; /* sizes */
    double weights;                /* of all parts */
    double quotient;               /* the largest, of size and weight */
};
void parts_summarise(struct parts_summary *summary, double size, double weight);
/* The size of the part that is largest for its weight, by its share of all: 1 when all
   have their share. */
double parts_imbalance(const struct parts_summary *summary);
/* A line on stdout: "partition by weights, 3 to 6 points a rank, at most 1.03 times its
   share", where `unit` is "points". */
void parts_print(const struct parts_summary *summary, const char *unit);

/* points[axis] points along each axis, from first[axis] on. */
struct box {
    int first[3], points[3];
};

/*
 * Cut a box of size[0] x size[1] x size[2] points into `count` boxes of at least one
 * each, whose volumes follow the weights as closely as whole points allow. By recursive
 * bisection: the list of boxes is split where both sides have the most equal weights,
 * and the box is cut accordingly across its longest axis. The box must have at least
 * `count` points.
 */
void parts_cut_box(struct box *boxes, const int size[3], const double *weights,
                   int count);

double box_volume(const struct box *box);
/* The box with one layer more on all sides. */
struct box box_grow(const struct box *box);
/* Whether the boxes have points in common, and which. */
bool box_overlap(const struct box *a, const struct box *b, struct box *common);

/* Whether two boxes, which have no points in common, touch, if only by a corner. Then
   `own` are the points of `here` adjacent to `there`, and `halo` those of `there`
   adjacent to `here`; both are counted from the first point of `here`. */
bool box_touch(const struct box *here, const struct box *there, struct box *own,
               struct box *halo);

#endif
