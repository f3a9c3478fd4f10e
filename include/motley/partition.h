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

#include <stdbool.h>
#include <stdio.h>

MT_C_BEGIN

/*
 * The operations and memory traffic of a product by Strassen's method, and the time
 * they take. Pure arithmetic, shared by the command (which predicts), the simulated
 * programs (which charge time) and the library (which chooses a depth).
 *
 * A product C = A B or C = C + A B of an m x k matrix by a k x n matrix, `levels` times
 * cut in halves (Winograd's variant, 7 products a level), comes to 7^levels products of
 * m/2^l x k/2^l by k/2^l x n/2^l matrices, by the BLAS, and the sums of quarters around
 * them, which are bound by the memory.
 */

enum { MT_STRASSEN_MAX_LEVELS = 8 };

struct mt_strassen_cost {
    double flops;    /* of the products of the lowest level */
    double products; /* how many these are */
    double leaf;     /* the size of square matrices with the same time per operation */
    double bytes;    /* memory traffic of the sums of all levels */
};

/* The cost of a product in `levels` levels; `accumulate`: it is added to C, which takes
   more additions. Sizes >= 0; levels from 0 to MT_STRASSEN_MAX_LEVELS. */
struct mt_strassen_cost mt_strassen_cost(double m, double n, double k, int levels,
                                         bool accumulate);

/*
 * The speed of a processor: products of size s at flops * s / (s + half) operations a
 * second, sums at `bandwidth` bytes a second.
 */
struct mt_strassen_speed {
    double flops;     /* operations a second of a large product by the BLAS */
    double half;      /* the size at half of that speed; >= 0 */
    double bandwidth; /* bytes a second; infinite: sums cost nothing */
};

/* A run on one processor: an n x n product in `levels` levels. */
struct mt_strassen_sample {
    double size, seconds;
    int levels;
};

/* The number of levels, at most `most`, that is fastest. */
int mt_strassen_best_levels(const struct mt_strassen_speed *speed, double m, double n,
                            double k, int most, bool accumulate);

/*
 * The speed that explains the runs best (least squares of relative residuals,
 * non-negative): `half` is 0 unless there are runs without levels at two sizes,
 * `bandwidth` infinite unless there are some with levels. MT_ERANK when no run is
 * without levels; MT_EINVAL for sizes or seconds that are not above 0.
 */
MT_MUST_CHECK int mt_strassen_speed_fit(struct mt_strassen_speed *speed,
                                        const struct mt_strassen_sample *samples,
                                        int count, struct mt_error *err);

enum mt_partition_kind {
    MT_PARTITION_EQUAL,  /* equal blocks, equally many a rank: the papers' "Strassen" */
    MT_PARTITION_GREEDY, /* equal blocks by speed: H-Strassen, algorithms 1 and 2 */
    MT_PARTITION_RECURSIVE, /* and a left-over cut again: H-Strassen-R */
    MT_PARTITION_AUTO       /* rectangles with areas by speed */
};

struct mt_partition_tile {
    int rank;
    int turn;                        /* 0, or 1 for the left-over */
    int levels;                      /* of Strassen, for its products */
    double top, left, bottom, right; /* shares, from 0 to 1 */
};

/* Empty if zeroed; mt_partition_clear() makes it empty again. */
struct mt_partition {
    enum mt_partition_kind kind;
    int ranks;
    struct mt_partition_tile *tiles; /* owned; those of turn 0 first */
    int ntiles;
    int panels;    /* of k; at least 1 */
    int subpanels; /* of a panel, in turn 1; 0: no turn 1 */
    bool overlap;  /* the next step's parts are sent while this one is computed, each
                      by its owner; otherwise all ranks wait for each other before they
                      send, and parts pass along trees: see mt_partition_parent() */
    bool rolled; /* each rank begins with another panel, by where its first tile is, so
                    that not all want the same part at once; otherwise all ranks take
                    the panels in order */
};

void mt_partition_clear(struct mt_partition *partition);
/* Add a tile. */
MT_MUST_CHECK int mt_partition_add(struct mt_partition *partition,
                                   const struct mt_partition_tile *tile,
                                   struct mt_error *err);

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

/*
 * Read a partition from text, as motley-cut(5) describes it:
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
 * top, left, bottom, right. What follows a # is a comment; lines may be blank.
 * `partition` must be empty. What was read is checked; errors name the file (`name`)
 * and the line.
 */
MT_MUST_CHECK int mt_partition_read(struct mt_partition *partition, FILE *stream,
                                    const char *name, struct mt_error *err);

/* The network between ranks. */
struct mt_partition_network {
    double latency;   /* of a message, seconds */
    double bandwidth; /* of a node in one direction, bytes per second */
    double exchange;  /* how much longer it takes to send and receive at once than to
                         send: 1 (both ways at once) to 2 (one after the other) */
    double overlap;   /* the share of a message's time that overlap with computing
                         hides: 1 (all) to 0 (none: the rank computes longer by as
                         much); NaN, not known, counts as 0 */
    double fresh;     /* extra seconds of a received byte whose memory is used for the
                         first time, as in the first steps */
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
   sum is the time of the whole. With overlap, a rank's time before its end is either
   computation or communication, even while it waits for late ranks; waiting is the time
   after its end. */
struct mt_partition_times {
    double compute, communication, waiting;
};

/*
 * The best partition of a kind for the product, by the predicted time, with the levels
 * of every tile. `partition` must be empty.
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

MT_C_END

#endif
