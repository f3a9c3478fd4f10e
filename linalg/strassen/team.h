/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * team.h - a product by several threads, each of which makes a part of C by itself.
 * With tasks of the seven products instead, two threads would be idle for an eighth of
 * the time, and wait for each other after each sum.
 */
#ifndef MT_STRASSEN_TEAM_H
#define MT_STRASSEN_TEAM_H

#include "motley/tuning.h"
#include "product.h"

/* How many parts lie along the rows and the columns of C: one each for one thread. */
struct team {
    size_t rows, columns;
};

/* The parts of an m x n matrix that are most nearly square, one a thread. */
struct team mt_strassen_team(size_t m, size_t n, int threads);
/* The largest part's rows or columns, of `size` in all; parts begin where they can be
   halved so often. */
size_t mt_strassen_largest_part(size_t size, size_t parts, int levels);

/* Whether the lowest products of that many levels are the kernel's, by this tuning:
   each thread makes a part of C then. */
bool mt_strassen_by_kernel(const struct mt_strassen_tuning *tuning, int m, int n, int k,
                           int levels);

/* Workspace: `each` doubles a part, the kernel's from `copies` on, if there are any. */
struct team_room {
    double *workspace; /* borrowed */
    size_t each, copies;
};
/* Progress is made by the calling thread. */
void mt_strassen_team_multiply(const struct strassen_call *call,
                               const struct product *product, int levels,
                               struct team team, const struct team_room *room);

#endif
