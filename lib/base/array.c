/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by one element, binary heaps, and comparison functions for qsort().
 */
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

static void swap(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

void mt_heap_raise(void *heap, int count, size_t size,
                   int (*compare)(const void *a, const void *b))
{
    char *all = heap;
    for (size_t i = (size_t)count - 1, above; i > 0; i = above) {
        above = (i - 1) / 2;
        if (compare(&all[i * size], &all[above * size]) >= 0)
            break;
        swap(&all[i * size], &all[above * size], size);
    }
}

void mt_heap_retire(void *heap, int count, size_t size,
                    int (*compare)(const void *a, const void *b))
{
    char *all = heap;
    const size_t last = (size_t)count - 1;
    swap(all, &all[last * size], size);
    for (size_t i = 0, child = 1; child < last; i = child, child = 2 * i + 1) {
        if (child + 1 < last &&
            compare(&all[(child + 1) * size], &all[child * size]) < 0)
            child++;
        if (compare(&all[child * size], &all[i * size]) >= 0)
            break;
        swap(&all[child * size], &all[i * size], size);
    }
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
