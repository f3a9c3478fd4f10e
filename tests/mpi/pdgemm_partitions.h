/* SPDX-License-Identifier: BSD-3-Clause */
/* pdgemm_partitions.h - partitions of all kinds for any number of ranks. */
#ifndef MT_TEST_PDGEMM_PARTITIONS_H
#define MT_TEST_PDGEMM_PARTITIONS_H

#include "motley/partition.h"

enum shape {
    SHAPE_COLUMNS,    /* unequal strips, one a rank */
    SHAPE_ROWS,       /* likewise */
    SHAPE_GRID,       /* 3 x 3 blocks, dealt out */
    SHAPE_LARGE_GRID, /* 4 x 4 blocks: of the ranks that need a block, the third
                         forwards it to the fourth */
    SHAPE_LEFT_OVER,  /* 2 x 2 blocks, of which the last is cut again */
    SHAPE_IDLE,       /* the last rank has all */
    SHAPE_PINWHEEL,   /* five rectangles of which no two share all of a side */
    SHAPE_OTHERS /* three blocks, one of two parts, and the fourth for ranks without */
};
enum { SHAPES = SHAPE_OTHERS + 1 };

extern const char *const partition_names[SHAPES];

/* Ends the program when memory is short. */
void partition_make(struct mt_partition *partition, enum shape shape, int ranks,
                    int levels);

#endif
