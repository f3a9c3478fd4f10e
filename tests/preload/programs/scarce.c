/* SPDX-License-Identifier: BSD-3-Clause */
#include "scarce.h"

#include <stdint.h>

size_t scarce_most_bytes = SIZE_MAX;

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return bytes > scarce_most_bytes ? NULL : __real_malloc(bytes);
}
/* NOLINTEND(bugprone-reserved-identifier) */
