/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal.h - what the rest of motley uses of partitions beyond the public headers.
 */
#ifndef MT_PARTITION_INTERNAL_H
#define MT_PARTITION_INTERNAL_H

#include "motley/partition.h"

#include <stdbool.h>
#include <stdio.h>

/* Partitions. */

enum { MT_PARTITION_KINDS = MT_PARTITION_AUTO + 1, MT_PARTITION_MAX_TILES = 1 << 20 };
/* "equal", "greedy", "recursive", "auto": as in files and options. */
const char *mt_partition_kind_name(enum mt_partition_kind kind);
/* MT_EINVAL lists the words. */
MT_MUST_CHECK int mt_partition_kind_parse(enum mt_partition_kind *kind,
                                          const char *name, struct mt_error *err);
/* Check that the tile's numbers are valid in the partition; MT_EINVAL. */
MT_MUST_CHECK int mt_partition_check_tile(const struct mt_partition *partition,
                                          const struct mt_partition_tile *tile,
                                          struct mt_error *err);

/*
 * Check that the tiles cover the square exactly once, and that all numbers are valid;
 * MT_EINVAL: the reason names the fault and its place. A rank may have no tile.
 */
MT_MUST_CHECK int mt_partition_check(const struct mt_partition *partition,
                                     struct mt_error *err);

/* The row or column at which a share begins: round(share * size), so that neighbouring
   tiles share an edge at any size. */
int mt_partition_edge(double share, int size);
/* The panel, from 0 to panels - 1, that the rank takes at the step. */
int mt_partition_panel(const struct mt_partition *partition, int rank, int step);
/* The part [first, end) of k of a panel, or of the subpanel of it. */
struct mt_partition_range {
    int first, end;
};

struct mt_partition_range mt_partition_panel_range(const struct mt_partition *partition,
                                                   int panel, int k);
struct mt_partition_range mt_partition_subpanel_range(
    const struct mt_partition *partition, int panel, int subpanel, int k);

/* Write a partition as mt_partition_read() reads it; the same to the last bit. */
void mt_partition_write(const struct mt_partition *partition, FILE *stream);
/* Empty if zeroed. */
struct mt_partition_forecast {
    double seconds;
    struct mt_partition_times *ranks; /* owned; of every rank */
    int nranks;
    double bytes; /* that all ranks receive */
    double bound; /* lower bound for any partition into rectangles of these areas: 8 k
                     (sum over ranks of 2 sqrt(s_i m n) - m - n) for shares s_i of the
                     area of C, bytes (Beaumont et al. 2001) */
};

void mt_partition_forecast_clear(struct mt_partition_forecast *forecast);
/* Predict the product. The tiles keep their levels. MT_EINVAL when the partition has
   another number of ranks than the cluster. */
MT_MUST_CHECK int mt_partition_predict(struct mt_partition_forecast *forecast,
                                       const struct mt_partition *partition,
                                       const struct mt_partition_product *product,
                                       const struct mt_partition_cluster *cluster,
                                       struct mt_error *err);

/*
 * Rectangles in the unit square, one a rank, with the given shares of its area, for
 * which the sum of (height + width) is small: the best of columns (by dynamic
 * programming, Beaumont et al. 2001) and of recursive cuts by straight lines. `tiles`
 * has room for `count`; shares are above 0 and add up to 1. Fills rank, top, left,
 * bottom, right.
 */
MT_MUST_CHECK int mt_partition_rectangles(struct mt_partition_tile *tiles,
                                          const double *shares, int count,
                                          struct mt_error *err);

/* Products by Strassen's method. */

/* Seconds of a product. */
double mt_strassen_seconds(const struct mt_strassen_speed *speed, double m, double n,
                           double k, int levels, bool accumulate);

#endif
