/* SPDX-License-Identifier: BSD-3-Clause */
/* The block sizes of one vector width. */
#include "kind.h"

#include "vectors.h"

const struct kernel_kind KIND(kind) = {
    .rows = VECTORS * VECTOR,
    .columns = COLUMNS,
    .most_rows = MOST_ROWS,
    .most_columns = MOST_COLUMNS,
    .most_depth = MOST_DEPTH,
    .pack = KIND(pack),
    .tile = KIND(tile),
};
