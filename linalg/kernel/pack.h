/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack.h - copies of parts of matrices, in the order in which they are
 * multiplied.
 */
#ifndef MT_STRASSEN_KERNEL_PACK_H
#define MT_STRASSEN_KERNEL_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* What is added to an operand, each times its sign; in storage they lie as it does.
   Only the kernel takes such sums: it makes them as it packs, instead of copies. */
struct terms {
    int count;
    const double *data[3]; /* borrowed */
    double sign[3];        /* 1 or -1 */
};

/* Part of a matrix, seen as `rows` (those of op(A), or the columns of op(B)) by the
   `depth` over which products are summed up. */
struct kernel_part {
    const double *data; /* borrowed */
    size_t rows, depth;
    size_t ld;          /* the distance between what is not adjacent in memory: */
    bool rows_adjacent; /* ... depths, or else rows */
    struct terms more;  /* the same part of what is added */
};

/* The depth of a panel in memory: some more, as packing goes by squares. */
static inline size_t mt_kernel_padded(size_t depth)
{
    const size_t largest_square = 8;
    return (depth + largest_square - 1) / largest_square * largest_square;
}

/*
 * Write the part as panels of `width` rows (a multiple of a vector), one after the
 * other. In a panel the elements of one depth are adjacent. The rows that the last
 * panel lacks are zero. `packed` is aligned for vectors.
 */
typedef void kernel_packer(double *packed, size_t width,
                           const struct kernel_part *part);
kernel_packer mt_kernel_avx512_pack, mt_kernel_avx2_pack;

#endif
