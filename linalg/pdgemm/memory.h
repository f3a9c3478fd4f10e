/* SPDX-License-Identifier: BSD-3-Clause */
/* pdgemm_memory.h - memory for many values. */
#ifndef MT_PDGEMM_MEMORY_H
#define MT_PDGEMM_MEMORY_H

#include <stddef.h>

enum { PDGEMM_LINE = 64 }; /* of the cache, bytes */

/* Begins with a line of the cache; in large pages where the system has them, as making
   many small ones ready takes a hundredth of a large product's time. NULL when memory
   is short; to be released by free(). */
void *pdgemm_memory(size_t bytes);

#endif
