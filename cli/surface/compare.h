/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * surface_compare.h - what 'motley surface compare' finds out, and its forms.
 */
#ifndef MT_CLI_SURFACE_COMPARE_H
#define MT_CLI_SURFACE_COMPARE_H

#include "axis.h"
#include "text.h"

#include "motley/error.h"
#include "motley/scaling.h"
#include "motley/surface.h"

/* Zeroed is empty. */
struct mt_surface_comparison {
    const struct mt_surface *surfaces[2]; /* borrowed */
    char labels[2][MT_SURFACE_LABEL];     /* as short as tells them apart */
    struct mt_axis sizes, nodes;
    struct mt_crossings *crossings; /* owned, as what is in them; one for each size */
};

MT_MUST_CHECK int mt_surface_comparison_print(
    const struct mt_surface_comparison *comparison, struct mt_error *err);
MT_MUST_CHECK int mt_surface_comparison_print_json(
    const struct mt_surface_comparison *comparison, struct mt_error *err);
/* A line for each change of who is faster. */
void mt_surface_comparison_print_csv(const struct mt_surface_comparison *comparison);

#endif
