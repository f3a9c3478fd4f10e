/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accuracy.h - how well a surface predicts runs that were measured: the errors of the
 * efficiency, and how far the best sizes are from those that it predicts.
 */
#ifndef MT_ACCURACY_H
#define MT_ACCURACY_H

#include "motley/error.h"
#include "motley/machine_fit.h"
#include "motley/surface.h"

#include <stdbool.h>

MT_C_BEGIN

/* A point of the surface that was measured. */
struct mt_measured_point {
    double size;
    int nodes;
    double seconds, efficiency; /* measured: the median of its repetitions */
    double predicted_seconds, predicted_efficiency;
    double error; /* predicted_efficiency / efficiency - 1 */
    bool fits;    /* into the memory of a node */
};

/* The errors of some points. Zeroed: there are no points. */
struct mt_point_errors {
    int points;
    double mean;                           /* of the absolute values */
    const struct mt_measured_point *worst; /* borrowed; NULL: there are none */
};

/* The best size on some number of nodes, measured and predicted. */
struct mt_measured_ridge {
    bool found; /* false: fewer than three sizes that fit, which are no grid */
    double size, predicted_size;
    int steps;   /* from the one to the other, among the sizes measured there */
    double loss; /* of the efficiency that was measured, at the predicted size */
};

/* The points of one number of nodes. */
struct mt_nodes_accuracy {
    int nodes;
    struct mt_point_errors errors;
    struct mt_measured_ridge ridge;
};

enum { MT_WORST_POINTS = 5 };

/* Zeroed is empty. */
struct mt_accuracy {
    struct mt_measured_point *points; /* owned; by nodes, then sizes */
    int count;                        /* at least 1 */
    int misfits;                      /* points beyond the memory of a node */
    struct mt_point_errors all;
    struct mt_point_errors
        learned;                   /* up to the nodes that the surface was learned on */
    struct mt_point_errors beyond; /* all, when it was not learned */
    struct mt_nodes_accuracy *nodes; /* owned; ascending */
    int nnodes;
    const struct mt_measured_point *worst[MT_WORST_POINTS]; /* the worst first */
    int nworst;
};

/* Compare. There is at least one run; `accuracy` must be empty. */
MT_MUST_CHECK int mt_accuracy_find(struct mt_accuracy *accuracy,
                                   const struct mt_surface *surface,
                                   const struct mt_group_runs *runs,
                                   struct mt_error *err);
void mt_accuracy_clear(struct mt_accuracy *accuracy);

MT_C_END

#endif
