/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - the matrices that strassen multiplies: made from a seed, by each rank its
 * own part, and the same whatever the partition.
 */
#ifndef MT_APPS_STRASSEN_MATRIX_H
#define MT_APPS_STRASSEN_MATRIX_H

#include <motley/pdgemm.h>

#include <stdbool.h>

enum { STRASSEN_MAX_SIZE = (1 << 24) - 1, STRASSEN_MAX_SEED = (1 << 15) - 1 };

/* Fill a part of A or B with numbers in [-0.5, 0.5), or integers from -4 to 4. */
void strassen_matrix_fill(struct mt_pdgemm_part *part, enum mt_pdgemm_matrix matrix,
                          int seed, bool integers);

#endif
