/* SPDX-License-Identifier: BSD-3-Clause */
#include "tile.h"

#include "list.h"

#include <math.h>

enum { USES_N = 1 << MT_N, USES_P = 1 << MT_P };

static void fill(struct mt_tile *tile, int slot, double value)
{
    for (int i = 0; i < MT_OPERANDS; i++)
        tile->values[slot][i] = value;
}

/* What does not use P is the same in all columns. */
static void compute(struct mt_tile *tile, int slot,
                    const struct mt_operation *operation)
{
    const enum mt_operator op = (enum mt_operator)operation->op;
    const double *left = tile->values[operation->left];
    const double *right = tile->values[operation->right];
    if (tile->uses[slot] & USES_P)
        mt_operator_values(op, left, right, tile->values[slot]);
    else
        fill(tile, slot, mt_operator_value(op, left[0], right[0]));
}

void mt_tile_begin(struct mt_tile *tile, const struct mt_terms *terms,
                   const double *ranks, int columns)
{
    const struct mt_code *code = &terms->list.code;
    tile->code = code;
    for (int i = 0; i < MT_NVARIABLES; i++)
        tile->uses[i] = (uint8_t)(1 << i);
    for (int i = 0; i < MT_OPERANDS; i++) /* columns beyond the last repeat it */
        tile->values[MT_P][i] = ranks[i < columns ? i : columns - 1];
    fill(tile, MT_M, 1);
    fill(tile, MT_T, NAN);

    int slot = MT_NVARIABLES;
    for (int i = 0; i < code->nconstants; i++, slot++) {
        tile->uses[slot] = 0;
        fill(tile, slot, code->constants[i]);
    }
    for (int i = 0; i < code->noperations; i++, slot++) {
        const struct mt_operation *operation = &code->operations[i];
        tile->uses[slot] = tile->uses[operation->left] | tile->uses[operation->right];
        if (!(tile->uses[slot] & USES_N))
            compute(tile, slot, operation);
    }
}

void mt_tile_row(struct mt_tile *tile, double size)
{
    const struct mt_code *code = tile->code;
    fill(tile, MT_N, size);
    for (int i = 0; i < code->noperations; i++) {
        const int slot = MT_NVARIABLES + code->nconstants + i;
        if (tile->uses[slot] & USES_N)
            compute(tile, slot, &code->operations[i]);
    }
}

const double *mt_tile_values(const struct mt_tile *tile, int i)
{
    return tile->values[tile->code->results[i]];
}
