/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by one element, and comparison functions for qsort(). */
#include "array.h"

#include <stdlib.h>
#include <string.h>

int mt_array_grow(void *array, int count, size_t size, const char *what,
                  struct mt_error *err)
{
    void *old; /* copied, as `array` may point to a pointer of any type */
    if ((count & (count - 1)) != 0)
        return MT_OK;
    const size_t room = count > 0 ? 2 * (size_t)count : 1;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, room * size);
    if (!grown)
        return mt_fail(err, MT_ENOMEM, "no memory for %zu %s", room, what);
    memcpy(array, &grown, sizeof grown);
    return MT_OK; /* cppcheck-suppress memleak */
}

int mt_compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int mt_compare_ints(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
