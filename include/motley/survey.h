/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * survey.h - an efficiency surface looked at all over: at a grid of sizes and numbers
 * of nodes, with the best sizes, the cliffs, the speed-ups and the sizes of equal
 * efficiency.
 */
#ifndef MT_SURVEY_H
#define MT_SURVEY_H

#include "motley/axis.h"
#include "motley/cliffs.h"
#include "motley/error.h"
#include "motley/scaling.h"
#include "motley/surface.h"

#include <stdbool.h>

/* What is surveyed. Zeroed: all that makes sense on the machine. All borrowed. */
struct mt_survey_request {
    const struct mt_axis *nodes; /* NULL: 1, 2, 4, ... as many as the machine has */
    const struct mt_axis *sizes; /* NULL: round ones that make sense */
    double base;                 /* of the speed-ups: a size; 0: none are wanted */
    const double *levels;        /* efficiencies whose sizes are wanted */
    int nlevels;
};

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
    double efficiency, nodes;
    bool found;
    struct mt_span sizes;
};

/* Zeroed is empty. Pointers are owned but for `surface`. */
struct mt_survey {
    const struct mt_surface *surface;
    struct mt_axis sizes, nodes;
    struct mt_span span;             /* of sizes, in which the best is sought */
    struct mt_surface_point *points; /* by size, and for each by nodes */
    struct mt_ridge_point *ridge;    /* by nodes */
    struct mt_cliffs cliffs;         /* at all these nodes, then at all these sizes */
    double base;                     /* of the speed-ups; 0: they were not asked for */
    struct mt_speedup_row *speedups; /* by nodes */
    struct mt_iso_row *isos;         /* by level, and for each by nodes */
    int nisos;
};

/*
 * Look at the surface, which must outlive the survey. Numbers of nodes that were not
 * asked for, and on which nothing runs, are left out. `survey` must be empty. MT_EINVAL
 * when no sizes were asked for and the machine does not say which make sense.
 */
MT_MUST_CHECK int mt_survey_make(struct mt_survey *survey,
                                 const struct mt_surface *surface,
                                 const struct mt_survey_request *request,
                                 struct mt_error *err);
void mt_survey_clear(struct mt_survey *survey);

#endif
