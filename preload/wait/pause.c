/* SPDX-License-Identifier: BSD-3-Clause */
#include "pause.h"

#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>

/*
 * Nanoseconds, and the part of the wait so far that a sleep lasts. Most messages that
 * are on their way arrive while the rank spins. A rendezvous advances only when its
 * ranks look, so it is delayed by no more than the longest sleep, and so is a message
 * that arrives late.
 */
enum { SPIN = 50 * 1000, SHORTEST = 10 * 1000, LONGEST = 300 * 1000, PART = 8 };

int64_t pause_length(int64_t waited)
{
    const int64_t part = waited / PART;
    if (waited < SPIN)
        return 0;
    return part < SHORTEST ? SHORTEST : part > LONGEST ? LONGEST : part;
}

static int64_t clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

/* The kernel may lengthen a sleep, by 50 us unless told otherwise. */
static void sleep_for(int64_t nanoseconds)
{
    static __thread bool exact;
    if (!exact)
        prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    exact = true;
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

void pause_once(struct pause *pause)
{
    const int64_t now = clock_now();
    if (pause->since == 0)
        pause->since = now;
    const int64_t length = pause_length(now - pause->since);
    if (length > 0)
        sleep_for(length);
}
