/* SPDX-License-Identifier: BSD-3-Clause */
#include "passing.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct passing *unused;

struct passing *passing_new(uintptr_t handle_bits, uintptr_t comm, int size)
{
    pthread_mutex_lock(&lock);
    struct passing *passing = unused;
    if (passing)
        unused = passing->next;
    pthread_mutex_unlock(&lock);
    if (!passing && (passing = calloc(1, sizeof(*passing))))
        passing->handle_bits = handle_bits;
    if (!passing)
        return NULL;
    passing->size = size;
    passing->left = 0;
    passing->basic = 0;
    passing->comm = comm & handle_bits;
    return passing;
}

void passing_free(struct passing *passing)
{
    passing->left = 0;
    passing->comm = 0;
    pthread_mutex_lock(&lock);
    passing->next = unused;
    unused = passing;
    pthread_mutex_unlock(&lock);
}
