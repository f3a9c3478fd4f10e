/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrix.h - the matrices that strassen multiplies: made by a seed, each rank
 * its own part, and the same whatever the partition; or whole, in files.
 */
#ifndef MT_APPS_STRASSEN_MATRIX_H
#define MT_APPS_STRASSEN_MATRIX_H

#include <motley/error.h>
#include <motley/pdgemm.h>

#include <stdbool.h>

enum { STRASSEN_MAX_SIZE = (1 << 24) - 1, STRASSEN_MAX_SEED = (1 << 15) - 1 };

/* Fill a part of A or B with numbers in [-0.5, 0.5), or integers from -4 to 4. */
void strassen_matrix_fill(struct mt_pdgemm_part *part, enum mt_pdgemm_matrix matrix,
                          int seed, bool integers);

/* A whole matrix, by columns. Zeroed is empty. */
struct strassen_matrix {
    int rows, columns;
    double *values; /* owned */
};
void strassen_matrix_clear(struct strassen_matrix *matrix);
/* Bring the parts of all ranks together on rank 0; elsewhere `matrix` stays empty.
   Collective. */
MT_MUST_CHECK int strassen_matrix_gather(struct strassen_matrix *matrix,
                                         const struct mt_pdgemm_part *part,
                                         struct mt_error *err);

/*
 * Files are in the Matrix Market's array format: by columns, real, general. What is
 * wrong in one is said with its name and the line. `matrix` must be empty, and stays so
 * on failure.
 */
MT_MUST_CHECK int strassen_matrix_read(struct strassen_matrix *matrix, const char *path,
                                       struct mt_error *err);
MT_MUST_CHECK int strassen_matrix_write(const struct strassen_matrix *matrix,
                                        const char *path, struct mt_error *err);

/*
 * Whether a product of small integers is exact: the largest difference between C t and
 * A (B t), t a vector of small integers, which is exact in doubles; and, where no size
 * is above 600, between C and the product of A and B as it is defined. Collective; the
 * difference is the same on all ranks.
 */
MT_MUST_CHECK int strassen_matrix_verify(double *difference,
                                         const struct mt_pdgemm_part *a,
                                         const struct mt_pdgemm_part *b,
                                         const struct mt_pdgemm_part *c,
                                         struct mt_error *err);

#endif
