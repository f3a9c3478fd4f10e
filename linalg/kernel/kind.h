/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kind.h - what of the kernel depends on the processor's vectors: pack.c and tile.c, as
 * compiled for them, and sizes that suit them.
 */
#ifndef MT_STRASSEN_KERNEL_KIND_H
#define MT_STRASSEN_KERNEL_KIND_H

#include "pack.h"
#include "tile.h"

#include <stddef.h>

struct kernel_kind {
    size_t rows, columns;                       /* of a tile */
    size_t most_rows, most_columns, most_depth; /* packed at a time, of A, B and both */
    kernel_packer *pack;
    kernel_tiler *tile;
};

extern const struct kernel_kind mt_kernel_avx512_kind, mt_kernel_avx2_kind;

#endif
