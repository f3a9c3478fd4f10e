/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dims.h - the function dims(total, count, place): the factors into which
 * MPI_Dims_create() splits a number of processes.
 */
#ifndef MT_EXPR_DIMS_H
#define MT_EXPR_DIMS_H

#include "internal.h"

enum { MT_DIMS_MOST = 3 }; /* factors */

/* The constant that says which of how many factors; the operand `which` of the others.
 */
int mt_dims_pack(int count, int place);
/* How many factors such a constant says. */
int mt_dims_count(double which);
double mt_dims_value(double total, double which);
/* Bounds of the value at the whole numbers of the range. */
struct mt_range mt_dims_range(struct mt_range total, double which);

#endif
