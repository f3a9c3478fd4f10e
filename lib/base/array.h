/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array.h - arrays that grow by one element at a time, and numbers in order.
 */
#ifndef MT_ARRAY_H
#define MT_ARRAY_H

#include "motley/error.h"

#include <stddef.h>

/*
 * Make room for one more element in the array of `count` elements of `size` bytes that
 * the pointer at `array` points to, or NULL. It grows at the powers of two, so that
 * adding many is cheap. Only for arrays that nothing else has allocated. MT_ENOMEM, "no
 * memory for 8 WHAT", leaves it as it was.
 */
MT_MUST_CHECK int mt_array_grow(void *array, int count, size_t size, const char *what,
                                struct mt_error *err);

/* A binary heap of `count` elements, the least first: push the last element into the
   heap; and pop the first one, which moves behind the heap of the others. */
void mt_heap_raise(void *heap, int count, size_t size,
                   int (*compare)(const void *a, const void *b));
void mt_heap_retire(void *heap, int count, size_t size,
                    int (*compare)(const void *a, const void *b));

/* For qsort(): ascending numbers. */
int mt_compare_doubles(const void *a, const void *b);
int mt_compare_ints(const void *a, const void *b);

#endif
