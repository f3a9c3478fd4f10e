/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pdgemm.h - libmotley-pdgemm: the product of matrices on the unequal ranks of a
 * communicator, cut as a struct mt_partition says (see partition.h), by Strassen's
 * method within a rank. One build for each MPI.
 *
 * A rank keeps the blocks of its tiles: of C, and the same shares of the rows and
 * columns of A and of B. Values are stored by columns.
 *
 * Calls on a communicator are collective. All ranks learn of an error on any rank
 * before anything is sent: all return the same status, and `err` names a rank.
 */
#ifndef MT_PDGEMM_H
#define MT_PDGEMM_H

#include "motley/error.h"
#include "motley/partition.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

MT_C_BEGIN

/* A rectangle of a matrix. */
struct mt_pdgemm_block {
    int row, column;   /* where it begins in the whole matrix */
    int rows, columns; /* may be 0 */
    double *values;    /* by columns; points into the part's values */
    int leading;       /* distance of columns: `rows`, at least 1 */
};

/* The blocks of a matrix that a rank has, one a tile of its own, in the partition's
   order. Empty if zeroed. */
struct mt_pdgemm_part {
    int rows, columns;              /* of the whole matrix */
    struct mt_pdgemm_block *blocks; /* owned */
    int nblocks;
    double *values; /* owned; NULL: the part has no values, see mt_pdgemm_machine */
};

/*
 * How a rank computes. NULL or zeroed: with mt_strassen_dgemm_with(), in memory of
 * malloc(). A simulated program brings its own functions.
 */
struct mt_pdgemm_machine {
    /* c = c * beta + a b, in `levels` levels; sizes are above 0. */
    void (*multiply)(void *self, int m, int n, int k, double alpha, const double *a,
                     int lda, const double *b, int ldb, double beta, double *c, int ldc,
                     int levels);
    /* Memory for messages; NULL when it is short. */
    void *(*allocate)(void *self, size_t bytes);
    void (*release)(void *self, void *memory);
    void *self;
    bool no_values; /* messages are sent, but with meaningless content: parts have no
                       values */
};

/* How long this rank computed, sent and received (and copied), and waited; seconds. */
struct mt_pdgemm_report {
    struct mt_partition_times times;
    double seconds;  /* of the whole, on this rank */
    double received; /* bytes from other ranks */
};

/* Which of the three matrices a part is of; op(A) is m x k, op(B) k x n, C m x n. */
enum mt_pdgemm_matrix { MT_PDGEMM_A, MT_PDGEMM_B, MT_PDGEMM_C };

/* Make room for the calling rank's blocks, all 0; or for blocks without values, for
   machines with `no_values`. Not collective. MT_ENOMEM. */
MT_MUST_CHECK int mt_pdgemm_part_init(struct mt_pdgemm_part *part,
                                      const struct mt_partition *partition,
                                      const struct mt_partition_product *product,
                                      enum mt_pdgemm_matrix matrix, int rank,
                                      struct mt_error *err);
MT_MUST_CHECK int mt_pdgemm_part_init_empty(struct mt_pdgemm_part *part,
                                            const struct mt_partition *partition,
                                            const struct mt_partition_product *product,
                                            enum mt_pdgemm_matrix matrix, int rank,
                                            struct mt_error *err);
void mt_pdgemm_part_clear(struct mt_pdgemm_part *part);

/* Scatter a matrix that `root` has, stored by columns, to the parts of all ranks, and
   gather it again. `values` and `leading` count on the root only. */
MT_MUST_CHECK int mt_pdgemm_scatter(struct mt_pdgemm_part *part, const double *values,
                                    int leading, int root, MPI_Comm comm,
                                    struct mt_error *err);
MT_MUST_CHECK int mt_pdgemm_gather(const struct mt_pdgemm_part *part, double *values,
                                   int leading, int root, MPI_Comm comm,
                                   struct mt_error *err);

/*
 * C = alpha A B + beta C. The parts must be those of the partition and the product on
 * the calling rank. `report` may be NULL. MT_EINVAL when ranks disagree about the
 * partition, the product, alpha or beta, or when the partition has another number of
 * ranks than the communicator; MT_ENOMEM when a rank has no memory for the panels. C is
 * unchanged then. MT_EIO when MPI fails and the communicator's error handler returns: C
 * is undefined then, and other ranks may hang.
 */
MT_MUST_CHECK int mt_pdgemm(const struct mt_partition *partition,
                            const struct mt_partition_product *product, double alpha,
                            const struct mt_pdgemm_part *a,
                            const struct mt_pdgemm_part *b, double beta,
                            struct mt_pdgemm_part *c,
                            const struct mt_pdgemm_machine *machine, MPI_Comm comm,
                            struct mt_pdgemm_report *report, struct mt_error *err);

/*
 * The largest difference between C t and alpha A (B t) + beta C0 t over the ranks, t a
 * seeded random vector, in units of what rounding may explain; O(n^2) operations. See
 * motley-pdgemm(3). `before` (C0) is NULL where beta is 0.
 */
MT_MUST_CHECK int mt_pdgemm_check(double *difference, double alpha,
                                  const struct mt_pdgemm_part *a,
                                  const struct mt_pdgemm_part *b, double beta,
                                  const struct mt_pdgemm_part *before,
                                  const struct mt_pdgemm_part *c, unsigned seed,
                                  MPI_Comm comm, struct mt_error *err);

MT_C_END

#endif
