/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_predict.h - what 'motley surface predict' finds out, and its forms.
 */
#ifndef MT_CLI_SURFACE_PREDICT_H
#define MT_CLI_SURFACE_PREDICT_H

#include "axis.h"

#include "motley/error.h"
#include "motley/scaling.h"
#include "motley/surface.h"

#include <stdbool.h>

/* The best size on so many nodes. */
struct mt_ridge_point {
    bool found;
    double size;
    struct mt_surface_point point;
};

/* The speed-ups on so many nodes over one, by kind, and the sizes that they are of. */
struct mt_speedup_row {
    double speedups[MT_NSPEEDUPS], sizes[MT_NSPEEDUPS];
};

/* The sizes on so many nodes that reach an efficiency. */
struct mt_iso_row {
    bool found;
    struct mt_span sizes;
};

/* Zeroed is empty. Pointers are owned but for `surface`. */
struct mt_surface_prediction {
    const struct mt_surface *surface;
    struct mt_axis sizes, nodes;
    struct mt_span span;             /* of sizes, in which the best is sought */
    struct mt_surface_point *points; /* by size, and for each by nodes */
    struct mt_ridge_point *ridge;    /* by nodes */
    struct mt_cliffs cliffs;         /* at all these nodes, then at all these sizes */
    double base;                     /* of the speed-ups; 0: they were not asked for */
    struct mt_speedup_row *speedups; /* by nodes */
    double *levels;                  /* of the iso-efficiency functions */
    int nlevels;
    struct mt_iso_row *isos; /* by level, and for each by nodes */
};

MT_MUST_CHECK int mt_surface_prediction_print(
    const struct mt_surface_prediction *prediction, struct mt_error *err);
MT_MUST_CHECK int mt_surface_prediction_print_json(
    const struct mt_surface_prediction *prediction, struct mt_error *err);
/* A line for each point. */
void mt_surface_prediction_print_csv(const struct mt_surface_prediction *prediction);

#endif
