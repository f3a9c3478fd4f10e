/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vector.h - operations on a rank's share of a vector, with their time charged.
 */
#ifndef MT_APPS_FEM_VECTOR_H
#define MT_APPS_FEM_VECTOR_H

#include "apps/common/work.h"

#include <stddef.h>

/* Of each operation on a value of a vector. */
enum { FEM_VECTOR_FLOPS = 2 };

/* The sum of a[i] b[i]. */
double fem_vector_dot(const struct work_node *node, size_t count, const double *a,
                      const double *b);
/* y = y + factor a */
void fem_vector_add(const struct work_node *node, size_t count, double factor,
                    const double *a, double *y);
/* y = a + factor y */
void fem_vector_scale_and_add(const struct work_node *node, size_t count,
                              const double *a, double factor, double *y);

#endif
