/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that drives MPI progress while its rank multiplies. */
#include "attend.h"

#include <time.h>

/* The pause between two progress calls. MPI moves some hundred kilobytes of a message
   in each. */
static const long pause_nanoseconds = 500000;

bool pdgemm_may_attend(void)
{
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level >= MPI_THREAD_SERIALIZED;
}

static void pause_a_little(struct pdgemm_attendant *attendant)
{
    const long second = 1000000000;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += pause_nanoseconds;
    until.tv_sec += until.tv_nsec / second;
    until.tv_nsec %= second;
    pthread_cond_timedwait(&attendant->dismissal, &attendant->lock, &until);
}

static void *attend(void *data)
{
    struct pdgemm_attendant *attendant = data;
    bool is_open = true;
    pthread_mutex_lock(&attendant->lock);
    while (!attendant->is_dismissed && attendant->code == MPI_SUCCESS && is_open) {
        attendant->code = pdgemm_exchange_progress(attendant->exchange, &is_open);
        pause_a_little(attendant);
    }
    pthread_mutex_unlock(&attendant->lock);
    return NULL;
}

static void release(struct pdgemm_attendant *attendant)
{
    pthread_cond_destroy(&attendant->dismissal);
    pthread_mutex_destroy(&attendant->lock);
}

bool pdgemm_attend(struct pdgemm_attendant *attendant, struct pdgemm_exchange *exchange)
{
    pthread_condattr_t attributes;
    *attendant = (struct pdgemm_attendant){.exchange = exchange, .code = MPI_SUCCESS};
    pthread_mutex_init(&attendant->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&attendant->dismissal, &attributes);
    pthread_condattr_destroy(&attributes);
    if (pthread_create(&attendant->thread, NULL, attend, attendant) == 0)
        return true;
    release(attendant);
    return false;
}

int pdgemm_dismiss(struct pdgemm_attendant *attendant)
{
    pthread_mutex_lock(&attendant->lock);
    attendant->is_dismissed = true;
    pthread_cond_signal(&attendant->dismissal);
    pthread_mutex_unlock(&attendant->lock);
    pthread_join(attendant->thread, NULL);
    release(attendant);
    return attendant->code;
}
