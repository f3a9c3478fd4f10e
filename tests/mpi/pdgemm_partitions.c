/* SPDX-License-Identifier: BSD-3-Clause */
#include "pdgemm_partitions.h"

#include <stdio.h>
#include <stdlib.h>

const char *const partition_names[SHAPES] = {
    [SHAPE_COLUMNS] = "columns",       [SHAPE_ROWS] = "rows",
    [SHAPE_GRID] = "dealt blocks",     [SHAPE_LARGE_GRID] = "more blocks",
    [SHAPE_LEFT_OVER] = "a left-over", [SHAPE_IDLE] = "one rank works",
    [SHAPE_PINWHEEL] = "a pinwheel",   [SHAPE_OTHERS] = "a left-over of others",
};

static void add(struct mt_partition *partition, struct mt_partition_tile tile)
{
    struct mt_error err;
    tile.rank %= partition->ranks;
    if (mt_partition_add(partition, &tile, &err) == MT_OK)
        return;
    fprintf(stderr, "%s\n", err.text);
    exit(1);
}

/* The beginning of the i-th of growing strips. */
static double strip(int i, int count)
{
    return (double)i * (i + 1) / ((double)count * (count + 1));
}

/* The blocks of a g x g grid, except the last `less`, in a square. */
static void add_grid(struct mt_partition *partition,
                     const struct mt_partition_tile *square, int g, int less)
{
    const double edge = square->bottom - square->top;
    for (int i = 0; i < g * g - less; i++) {
        struct mt_partition_tile tile = *square;
        tile.rank = i;
        tile.top = square->top + edge * (i / g) / g;
        tile.left = square->left + edge * (i % g) / g;
        tile.bottom = square->top + edge * (i / g + 1) / g;
        tile.right = square->left + edge * (i % g + 1) / g;
        add(partition, tile);
    }
}

static void add_strips(struct mt_partition *partition, bool columns, int levels)
{
    for (int i = 0; i < partition->ranks; i++) {
        const double first = strip(i, partition->ranks),
                     end = strip(i + 1, partition->ranks);
        if (columns)
            add(partition, (struct mt_partition_tile){i, 0, levels, 0, first, 1, end});
        else
            add(partition, (struct mt_partition_tile){i, 0, levels, first, 0, end, 1});
    }
}

static void add_pinwheel(struct mt_partition *partition, int levels)
{
    add(partition, (struct mt_partition_tile){0, 0, levels, 0, 0, 0.3, 0.6});
    add(partition, (struct mt_partition_tile){1, 0, levels, 0, 0.6, 0.7, 1});
    add(partition, (struct mt_partition_tile){2, 0, levels, 0.7, 0.4, 1, 1});
    add(partition, (struct mt_partition_tile){3, 0, levels, 0.3, 0, 1, 0.4});
    add(partition, (struct mt_partition_tile){4, 0, levels, 0.3, 0.4, 0.7, 0.6});
}

/* The left-over's parts of A, which no rank has in turn 0, or only a rank that has a
   block but no part of the left-over. */
static void add_others(struct mt_partition *partition, int levels)
{
    add(partition, (struct mt_partition_tile){0, 0, levels, 0, 0, 0.5, 0.5});
    add(partition, (struct mt_partition_tile){1, 0, levels, 0, 0.5, 0.5, 1});
    add(partition, (struct mt_partition_tile){2, 0, levels, 0.5, 0, 0.7, 0.5});
    add(partition, (struct mt_partition_tile){3, 0, levels, 0.7, 0, 1, 0.5});
    add(partition, (struct mt_partition_tile){4, 1, levels, 0.5, 0.5, 0.75, 0.75});
    add(partition, (struct mt_partition_tile){5, 1, levels, 0.5, 0.75, 0.75, 1});
    add(partition, (struct mt_partition_tile){6, 1, levels, 0.75, 0.5, 1, 1});
}

void partition_make(struct mt_partition *partition, enum shape shape, int ranks,
                    int levels)
{
    const struct mt_partition_tile whole = {0, 0, levels, 0, 0, 1, 1};
    const struct mt_partition_tile last = {0, 1, levels, 0.5, 0.5, 1, 1};
    *partition = (struct mt_partition){.ranks = ranks, .panels = 3};
    switch (shape) {
    case SHAPE_COLUMNS:
    case SHAPE_ROWS:
        add_strips(partition, shape == SHAPE_COLUMNS, levels);
        break;
    case SHAPE_GRID:
        add_grid(partition, &whole, 3, 0);
        break;
    case SHAPE_LARGE_GRID:
        add_grid(partition, &whole, 4, 0);
        break;
    case SHAPE_LEFT_OVER:
        partition->panels = partition->subpanels = 2;
        add_grid(partition, &whole, 2, 1);
        add_grid(partition, &last, 2, 0);
        break;
    case SHAPE_IDLE:
        add(partition, (struct mt_partition_tile){ranks - 1, 0, levels, 0, 0, 1, 1});
        break;
    case SHAPE_PINWHEEL:
        add_pinwheel(partition, levels);
        break;
    case SHAPE_OTHERS:
        partition->subpanels = 2;
        add_others(partition, levels);
        break;
    }
}
