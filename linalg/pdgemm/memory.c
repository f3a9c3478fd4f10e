/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 1 << 21 };

void *pdgemm_memory(size_t bytes)
{
    const size_t unit = bytes < LARGE_PAGE ? PDGEMM_LINE : LARGE_PAGE;
    if (bytes > SIZE_MAX - unit)
        return NULL;
    const size_t whole = bytes > 0 ? (bytes + unit - 1) / unit * unit : unit;
    void *memory = aligned_alloc(unit, whole);
    if (memory != NULL && unit == LARGE_PAGE)
        madvise(memory, whole, MADV_HUGEPAGE); /* a wish: it may fail */
    return memory;
}
