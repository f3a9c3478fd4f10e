/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the library's contexts in an order that all ranks share. */
#include "registry.h"

#include <pthread.h>

enum { most_contexts = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct registered *list; /* sorted */
static int length, last_number;

bool registry_has_room(void)
{
    pthread_mutex_lock(&lock);
    const bool room = length < most_contexts;
    pthread_mutex_unlock(&lock);
    return room;
}

int registry_number(void)
{
    pthread_mutex_lock(&lock);
    const int number = ++last_number;
    pthread_mutex_unlock(&lock);
    return number;
}

static bool is_before(const struct registered *a, const struct registered *b)
{
    if (a->world_rank != b->world_rank)
        return a->world_rank < b->world_rank;
    return a->number < b->number;
}

void registry_add(struct registered *entry)
{
    pthread_mutex_lock(&lock);
    struct registered **place = &list;
    while (*place && is_before(*place, entry))
        place = &(*place)->next;
    entry->next = *place;
    *place = entry;
    length++;
    pthread_mutex_unlock(&lock);
}

void registry_remove(struct registered *entry)
{
    pthread_mutex_lock(&lock);
    struct registered **place = &list;
    while (*place && *place != entry)
        place = &(*place)->next;
    if (*place) {
        *place = entry->next;
        length--;
    }
    pthread_mutex_unlock(&lock);
}

struct registered *registry_first(void)
{
    pthread_mutex_lock(&lock);
    struct registered *first = list;
    pthread_mutex_unlock(&lock);
    return first;
}

void registry_lock(void)
{
    pthread_mutex_lock(&lock);
}

void registry_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void registry_each(void (*function)(struct registered *entry))
{
    pthread_mutex_lock(&lock);
    for (struct registered *entry = list; entry; entry = entry->next)
        function(entry);
    pthread_mutex_unlock(&lock);
}
