/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs parts of matrices, or sums of parts, in the order in which they are read. */
#include "pack.h"

#include "vectors.h"

/* Packing goes by squares of this size, which registers can hold and transpose. */
enum { SIDE = VECTOR };

/* Adjacent rows that are read together, through all panels that have them, as each
   depth is on another page of the memory: whole panels of both widths. */
enum { MOST_ADJACENT = 192 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The square that begins at this row and depth, where the part ends with zeros for what
   is beyond it. Of the columns written, `width` lies between one and the next. */
static inline void pack_square(double *packed, size_t width,
                               const struct kernel_part *part, size_t row, size_t depth)
{
    const size_t rows = row < part->rows ? smaller(part->rows - row, SIDE) : 0;
    const size_t depths = smaller(part->depth - depth, SIDE);
    const size_t lines = part->rows_adjacent ? depths : rows;
    const size_t length = part->rows_adjacent ? rows : depths;
    const size_t begin =
        part->rows_adjacent ? row + depth * part->ld : depth + row * part->ld;
    const vector_mask mask = mask_of(length);

    vector square[SIDE]; /* lines of what is adjacent in memory */
#pragma GCC unroll 8
    for (size_t i = 0; i < SIDE; i++)
        square[i] =
            i < lines ? load_some(part->data + begin + i * part->ld, mask) : zero();
    for (int t = 0; t < part->more.count; t++) {
        const double *term = part->more.data[t] + begin;
        const vector sign = spread(part->more.sign[t]);
#pragma GCC unroll 8
        for (size_t i = 0; i < SIDE; i++)
            if (i < lines)
                square[i] =
                    multiply_add(sign, load_some(term + i * part->ld, mask), square[i]);
    }
    if (!part->rows_adjacent)
        transpose(square);
#pragma GCC unroll 8
    for (size_t i = 0; i < SIDE; i++)
        store(packed + i * width, square[i]);
}

void KIND(pack)(double *packed, size_t width, const struct kernel_part *part)
{
    const size_t padded = mt_kernel_padded(part->depth);
    const size_t group = part->rows_adjacent ? MOST_ADJACENT : width;
    for (size_t first = 0; first < part->rows; first += group) {
        const size_t end = smaller(first + group, part->rows);
        for (size_t depth = 0; depth < part->depth; depth += SIDE)
            for (size_t panel = first; panel < end; panel += width)
                for (size_t row = 0; row < width; row += SIDE)
                    pack_square(packed + panel * padded + depth * width + row, width,
                                part, panel + row, depth);
    }
}
