/* SPDX-License-Identifier: BSD-3-Clause */
/* Where there is no kernel for the processor. */
#include "kernel.h"

#include <stdlib.h>

const struct kernel_kind *mt_kernel_kind(int i)
{
    (void)i;
    return NULL;
}

bool mt_kernel_available(void)
{
    return false;
}

bool mt_kernel_suits(size_t m, size_t n, size_t k)
{
    (void)m, (void)n, (void)k;
    return false;
}

size_t mt_kernel_room(const struct kernel_kind *kind, size_t m, size_t n, size_t k)
{
    (void)kind, (void)m, (void)n, (void)k;
    return 0;
}

void mt_kernel_multiply(const struct kernel_kind *kind, const struct product *product,
                        double alpha, double *workspace)
{
    (void)kind, (void)product, (void)alpha, (void)workspace;
    abort(); /* nobody calls what does not suit */
}
