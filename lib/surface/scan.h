/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.h - which whole numbers of a span are tried: of a short one all, of a
 * long one some in small steps. Surfaces jump, so halving alone would miss what lies
 * between.
 */
#ifndef MT_SURFACE_SCAN_H
#define MT_SURFACE_SCAN_H

#include "motley/surface.h"

/* The next whole number; from 2^53 on, the next double. */
double mt_scan_after(double value);
/* The step from `value` to the next number that is tried: 1, or a quarter of a percent.
 */
double mt_scan_step(struct mt_span span, double value);
/* The next number; beyond span.high when there is none. span.high is tried last. */
double mt_scan_next(struct mt_span span, double value);

/*
 * Move *nodes up to the first number from itself to `high` at which that size is
 * valid and fits, and give the point there; false when there is none. Some
 * algorithms take only squares, which steps would pass over.
 */
bool mt_scan_possible(const struct mt_surface *surface, double size, double high,
                      double *nodes, struct mt_surface_point *point);

#endif
