/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * partition.h - how the matrices of a product C = A B are cut and given to unequal
 * ranks, and how long the product then takes.
 *
 * A partition says which rank owns which rectangle of C, and which parts of A and B the
 * rank keeps: a tile covers the shares [top, bottom) of the rows and [left, right) of
 * the columns. Its rank has these rows and columns of C (m x n), of A (m x k) and of B
 * (k x n), whatever m, n and k are.
 *
 * The product is made in steps. Step s takes the s-th of `panels` parts of k: a rank
 * gets the rows of its tiles in that part of A, and the columns of its tiles in that
 * part of B, and adds their product to its tiles of C.
 * (On a grid of squares this is BMR: broadcast, multiply, roll.) Tiles of turn 1 are a
 * left-over that was cut again: after those of turn 0 have had a step, the ranks that
 * have them take the step's part of k in `subpanels` parts, synchronised.
 *
 * No MPI, no memory but the tiles. Used by the command and by libmotley-pdgemm.
 */
#ifndef MT_PARTITION_H
#define MT_PARTITION_H

#include "motley/error.h"
#include "motley/strassen_cost.h"

#include <stdbool.h>
#include <stdio.h>

MT_C_BEGIN

enum mt_partition_kind {
    MT_PARTITION_EQUAL,  /* equal blocks, equally many a rank: the papers' "Strassen" */
    MT_PARTITION_GREEDY, /* equal blocks by speed: H-Strassen, algorithms 1 and 2 */
    MT_PARTITION_RECURSIVE, /* and a left-over cut again: H-Strassen-R */
    MT_PARTITION_AUTO       /* rectangles with areas by speed */
};
enum { MT_PARTITION_KINDS = MT_PARTITION_AUTO + 1, MT_PARTITION_MAX_TILES = 1 << 20 };

struct mt_partition_tile {
    int rank;
    int turn;                        /* 0, or 1 for the left-over */
    int levels;                      /* of Strassen, for its products */
    double top, left, bottom, right; /* shares, from 0 to 1 */
};

/* Zeroed is empty; mt_partition_clear() makes it empty again. */
struct mt_partition {
    enum mt_partition_kind kind;
    int ranks;
    struct mt_partition_tile *tiles; /* owned; those of turn 0 first */
    int ntiles;
    int panels;    /* of k; at least 1 */
    int subpanels; /* of a panel, in turn 1; 0: there is no turn 1 */
    bool overlap;  /* the next step's parts are sent while this one is computed, each
                      by its owner; otherwise all ranks wait for each other before they
                      send, and parts pass along trees: see mt_partition_parent() */
    bool rolled; /* each rank begins with another panel, by where its first tile is, so
                    that not all want the same part at once; otherwise all ranks take
                    the panels in order */
};

void mt_partition_clear(struct mt_partition *partition);
/* "equal", "greedy", "recursive", "auto": as in files and options. */
const char *mt_partition_kind_name(enum mt_partition_kind kind);
/* MT_EINVAL lists the words. */
MT_MUST_CHECK int mt_partition_kind_parse(enum mt_partition_kind *kind,
                                          const char *name, struct mt_error *err);
/* Add a tile. */
MT_MUST_CHECK int mt_partition_add(struct mt_partition *partition,
                                   const struct mt_partition_tile *tile,
                                   struct mt_error *err);
/* Whether the tile's numbers are possible in the partition; MT_EINVAL. */
MT_MUST_CHECK int mt_partition_check_tile(const struct mt_partition *partition,
                                          const struct mt_partition_tile *tile,
                                          struct mt_error *err);
/*
 * Whether every place of the square belongs to exactly one tile, and all numbers are
 * possible; otherwise MT_EINVAL says what is wrong and where. A rank may have no tile.
 */
MT_MUST_CHECK int mt_partition_check(const struct mt_partition *partition,
                                     struct mt_error *err);

/* The row or column at which a share begins: round(share * size), so that tiles that
   share an edge share it whatever the size. */
int mt_partition_edge(double share, int size);
/* The panel, from 0 to panels - 1, that the rank takes at the step. */
int mt_partition_panel(const struct mt_partition *partition, int rank, int step);
/*
 * How a part of A or B gets from the rank that owns it to those that need it at once:
 * member 0 is the owner, the others follow in order of rank, and each gets it from its
 * parent. Without overlap that is a binomial tree, as in MPI_Bcast(), whose members
 * send to their last child first; with overlap all get it from the owner.
 *
 * Without overlap, in turn 1, ranks that got all of the part in the step's turn 0, be
 * it in a larger one, get nothing, and the others get it from them instead of the
 * owner: in turn from those among themselves, or else from ranks that have no tile of
 * turn 1, or else from the rest of them.
 */
int mt_partition_parent(const struct mt_partition *partition, int member);
/* The part [first, end) of k of a panel, or of the subpanel of it. */
struct mt_partition_range {
    int first, end;
};
struct mt_partition_range mt_partition_panel_range(const struct mt_partition *partition,
                                                   int panel, int k);
struct mt_partition_range mt_partition_subpanel_range(
    const struct mt_partition *partition, int panel, int subpanel, int k);

/*
 * A partition as text, as motley-cut(5) describes:
 *
 *     motley-cut 1
 *     kind recursive
 *     ranks 8
 *     panels 3
 *     subpanels 2
 *     overlap no
 *     rolled no
 *     tile 0 0 1 0 0 0.33333333333333331 0.33333333333333331
 *     ...
 *
 * These lines in this order, then the tiles, those of turn 0 first: rank, turn, levels,
 * top, left, bottom, right. What follows a # is a comment; lines may be blank. A
 * partition that is written and read again is the same to the last bit.
 * mt_partition_read() wants `partition` empty and checks what it read; its errors name
 * the file (`name`) and the line.
 */
void mt_partition_write(const struct mt_partition *partition, FILE *stream);
MT_MUST_CHECK int mt_partition_read(struct mt_partition *partition, FILE *stream,
                                    const char *name, struct mt_error *err);

/* What the ranks are, and what lies between them. */
struct mt_partition_network {
    double latency;   /* of a message, seconds */
    double bandwidth; /* of a node in one direction, bytes per second */
    double exchange;  /* how much longer it takes to send and receive at once than to
                         send: 1 (both ways at once) to 2 (one after the other) */
    double overlap;   /* what messages that pass while a rank computes save of their
                         time: 1 (all) to 0 (nothing, as the rank computes so much
                         longer); NaN, not known, counts as 0 */
};
struct mt_partition_cluster {
    int ranks;
    const struct mt_strassen_speed *speeds; /* borrowed; of every rank */
    struct mt_partition_network network;
};
/* The product to be made. */
struct mt_partition_product {
    int m, n, k;
};

/* How long a rank computes, sends and receives, and waits for others; seconds. Their
   sum is the time of the whole. With overlap all the time until the rank has ended in
   which it does not compute is communication, that for ranks which are late as well;
   waiting is only what comes after its end. */
struct mt_partition_times {
    double compute, communication, waiting;
};
/* Zeroed is empty. */
struct mt_partition_forecast {
    double seconds;
    struct mt_partition_times *ranks; /* owned; of every rank */
    int nranks;
    double bytes; /* that all ranks receive */
    double bound; /* the least that any partition into rectangles of these areas needs:
                     8 k (sum over ranks of 2 sqrt(s_i m n) - m - n) for shares s_i of
                     the area of C, bytes (Beaumont et al. 2001) */
};
void mt_partition_forecast_clear(struct mt_partition_forecast *forecast);
/* Predict the product. The levels of the tiles count as they are. MT_EINVAL when the
   partition has another number of ranks than the cluster. */
MT_MUST_CHECK int mt_partition_predict(struct mt_partition_forecast *forecast,
                                       const struct mt_partition *partition,
                                       const struct mt_partition_product *product,
                                       const struct mt_partition_cluster *cluster,
                                       struct mt_error *err);

/*
 * The best partition of a kind for the product, by mt_partition_predict(), with the
 * levels of every tile. `partition` must be empty.
 *
 * MT_PARTITION_EQUAL: the smallest g for which the ranks divide g^2; consecutive blocks
 * in the order of rows. MT_PARTITION_GREEDY: g = 1 .. most (algorithm 2), the blocks
 * given out by algorithm 1. MT_PARTITION_RECURSIVE: likewise, and where the loads
 * differ, blocks of the slowest ranks are left over, cut again, and computed by the
 * fast ones together; never worse than MT_PARTITION_GREEDY by the prediction.
 * MT_PARTITION_AUTO: a rectangle a rank, or none for ranks that would cost more than
 * they help, with areas for which all finish together, in 1 .. 64 panels, with overlap
 * or, where messages do not keep all of their speed in it, without; `most` does not
 * count.
 */
MT_MUST_CHECK int mt_partition_choose(struct mt_partition *partition,
                                      enum mt_partition_kind kind,
                                      const struct mt_partition_product *product,
                                      const struct mt_partition_cluster *cluster,
                                      int most, struct mt_error *err);

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

MT_C_END

#endif
