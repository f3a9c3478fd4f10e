/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * columns.h - work on the columns of matrices, shared out among threads.
 */
#ifndef MT_STRASSEN_COLUMNS_H
#define MT_STRASSEN_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum { MT_STRASSEN_MOST_THREADS = 64 };

/* Whether there is a core for each of so many threads, 64 at most: not where the caller
   is bound to fewer, nor where it is one of a team of OpenMP's that use the cores
   already. */
bool mt_strassen_has_cores(int threads);

/* Does some columns. */
typedef void columns_work(const void *data, size_t first, size_t columns);
/* Do `columns` columns, each of so many rows, in one call for each thread; where they
   are too few to be worth that, or threads cannot be had, in the calling thread. */
void mt_strassen_by_columns(int threads, size_t rows, size_t columns,
                            columns_work *work, const void *data);

#endif
