/* SPDX-License-Identifier: BSD-3-Clause */
#include "vector.h"

/* Whether to go on, with the time charged of `streams` reads and writes of vectors. */
static bool charge(const struct work_node *node, size_t count, int streams)
{
    const double bytes = 8.0 * streams * (double)count;
    return work_run(node, &(struct work){.flops = FEM_VECTOR_FLOPS * (double)count,
                                         .efficiency = 0.1,
                                         .working_set = bytes,
                                         .bytes = bytes});
}

double fem_vector_dot(const struct work_node *node, size_t count, const double *a,
                      const double *b)
{
    double sum = 0;
    if (charge(node, count, 2))
        for (size_t i = 0; i < count; i++)
            sum += a[i] * b[i];
    return sum;
}

void fem_vector_add(const struct work_node *node, size_t count, double factor,
                    const double *a, double *y)
{
    if (charge(node, count, 3))
        for (size_t i = 0; i < count; i++)
            y[i] += factor * a[i];
}

void fem_vector_scale_and_add(const struct work_node *node, size_t count,
                              const double *a, double factor, double *y)
{
    if (charge(node, count, 3))
        for (size_t i = 0; i < count; i++)
            y[i] = a[i] + factor * y[i];
}
