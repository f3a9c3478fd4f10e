/* SPDX-License-Identifier: BSD-3-Clause */
#include "ready_list.h"

#include <pthread.h>

enum { most_contexts = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct comm_state *list; /* sorted */
static int length, last_number;

bool ready_list_has_room(void)
{
    pthread_mutex_lock(&lock);
    const bool room = length < most_contexts;
    pthread_mutex_unlock(&lock);
    return room;
}

int ready_list_number(void)
{
    pthread_mutex_lock(&lock);
    const int number = ++last_number;
    pthread_mutex_unlock(&lock);
    return number;
}

static bool is_before(const struct comm_order *a, const struct comm_order *b)
{
    if (a->world_rank != b->world_rank)
        return a->world_rank < b->world_rank;
    return a->number < b->number;
}

void ready_list_add(struct comm_state *state)
{
    pthread_mutex_lock(&lock);
    struct comm_state **place = &list;
    while (*place && is_before(&(*place)->order, &state->order))
        place = &(*place)->next;
    state->next = *place;
    *place = state;
    length++;
    pthread_mutex_unlock(&lock);
}

void ready_list_remove(struct comm_state *state)
{
    pthread_mutex_lock(&lock);
    struct comm_state **place = &list;
    while (*place && *place != state)
        place = &(*place)->next;
    if (*place) {
        *place = state->next;
        length--;
    }
    pthread_mutex_unlock(&lock);
}

struct comm_state *ready_list_first(void)
{
    pthread_mutex_lock(&lock);
    struct comm_state *first = list;
    pthread_mutex_unlock(&lock);
    return first;
}

void ready_list_each(void (*function)(struct comm_state *state))
{
    pthread_mutex_lock(&lock);
    for (struct comm_state *state = list; state; state = state->next)
        function(state);
    pthread_mutex_unlock(&lock);
}
