/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * contours.h - the map that --plot of 'motley surface' draws.
 */
#ifndef MT_CLI_SURFACE_CONTOURS_H
#define MT_CLI_SURFACE_CONTOURS_H

#include "motley/error.h"
#include "motley/surface.h"

#include <stdbool.h>

/* What is drawn, over all that the axes span; all borrowed. */
struct mt_drawing {
    const struct mt_surface *surfaces[2]; /* the second may be NULL */
    const char *labels[2];                /* such as "ap1000 A" */
    const struct mt_axis *sizes, *nodes;
    bool simulated;
};

/* Whether the options for output go together: one of --json, --csv and --plot=term. */
MT_MUST_CHECK int mt_surface_check_output(struct mt_error *err);

/* Draw into the target of --plot, if there is one. */
MT_MUST_CHECK int mt_contours_draw(const struct mt_drawing *drawing,
                                   struct mt_error *err);

#endif
