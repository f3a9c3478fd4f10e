/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the operands from a seed. */
#include "matrix.h"

#include "apps/common/linear_system.h"
#include "motley/pdgemm.h"

#include <math.h>

/* Products of these integers stay exact in all sums of Strassen's method. */
static double small_integer(double number)
{
    return floor((number + 0.5) * 9) - 4;
}

void strassen_matrix_fill(struct mt_pdgemm_part *part, enum mt_pdgemm_matrix matrix,
                          int seed, bool integers)
{
    if (!part->values)
        return;
    const struct linear_system numbers = {.seed = 2 * (unsigned)seed +
                                                  (matrix == MT_PDGEMM_B)};
    for (int i = 0; i < part->nblocks; i++) {
        const struct mt_pdgemm_block *block = &part->blocks[i];
        for (int column = 0; column < block->columns; column++)
            for (int row = 0; row < block->rows; row++) {
                const double number = linear_system_entry(&numbers, block->row + row,
                                                          block->column + column);
                block->values[(size_t)column * (size_t)block->leading + (size_t)row] =
                    integers ? small_integer(number) : number;
            }
    }
}
