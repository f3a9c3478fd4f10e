/* SPDX-License-Identifier: BSD-3-Clause */
/* strassen_cut.h - how the matrices are cut: as a file says, or equally. */
#ifndef MT_APPS_STRASSEN_CUT_H
#define MT_APPS_STRASSEN_CUT_H

#include "apps/common/work.h"

#include <motley/cut.h>
#include <motley/error.h>

/*
 * The cut in the file at `path`, which rank 0 reads for all; or, if it is NULL, equal
 * blocks in as many levels as are fastest on rank 0's node. `cut` must be empty.
 * Collective; fails on all ranks or on none.
 */
MT_MUST_CHECK int strassen_cut_make(struct mt_cut *cut, const char *path,
                                    const struct mt_cut_product *product,
                                    const struct work_node *node, struct mt_error *err);

#endif
