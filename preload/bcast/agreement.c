/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks agree to set up a communicator by an MPI_Iallreduce between broadcasts. */
#include "agreement.h"

#include "preload/common/message.h"
#include "preload/tuning.h"

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct agreement *open;

static void enlist(struct agreement *agreement)
{
    pthread_mutex_lock(&lock);
    agreement->before = NULL;
    agreement->behind = open;
    if (open)
        open->before = agreement;
    open = agreement;
    pthread_mutex_unlock(&lock);
}

static void strike_off(struct agreement *agreement)
{
    pthread_mutex_lock(&lock);
    if (agreement->before)
        agreement->before->behind = agreement->behind;
    else
        open = agreement->behind;
    if (agreement->behind)
        agreement->behind->before = agreement->before;
    pthread_mutex_unlock(&lock);
}

void agreement_init(struct agreement *agreement)
{
    *agreement = (struct agreement){
        .next = FIRST_MEETING, .began = now(), .request = MPI_REQUEST_NULL};
}

void agreement_put_off(struct agreement *agreement, int64_t call)
{
    agreement->next = call;
    agreement->timed = agreement->took_long = 0;
}

/* The first call opens the connections, so its time is not noted. */
int64_t agreement_idle_calls(const struct agreement *agreement, int64_t call)
{
    if (agreement->next < 0)
        return INT64_MAX - call;
    const int64_t timed =
        agreement->next > MOST_TIMED ? agreement->next - MOST_TIMED : 1;
    return timed > call ? timed - call : 0;
}

void agreement_note(struct agreement *agreement, int64_t took, size_t bytes)
{
    agreement->timed++;
    agreement->took_long += took > LONG_CALL + LONG_PER_BYTE * (int64_t)bytes;
}

bool agreement_is_content(const struct agreement *agreement)
{
    return 4 * agreement->took_long < agreement->timed || agreement->timed == 0;
}

bool agreement_is_worth_it(const struct agreement *agreement)
{
    return now() - agreement->began > WORTH_A_STATEMENT;
}

enum { ITEMS = sizeof(struct statement) / sizeof(int64_t) };

/* SimGrid's reduction that does not block sends from every rank to every other. */
bool agreement_is_at_once(void)
{
#ifdef SMPI_H
    return true;
#else
    return false;
#endif
}

void agreement_take(struct agreement *agreement, const struct statement *mine,
                    MPI_Comm comm)
{
    agreement->all = (struct statement){.can = 0};
    PMPI_Allreduce(mine, &agreement->all, ITEMS, MPI_INT64_T, MPI_MIN, comm);
}

/* Without this rank's statement the others would wait for it at the end, so it tries
   again if the MPI is short of memory for a moment. */
void agreement_begin(struct agreement *agreement, const struct statement *mine,
                     MPI_Comm comm)
{
    enum { MOST_TRIES = 1000 };
    agreement->mine = *mine;
    agreement->all = (struct statement){.can = 0};
    agreement->open = true;
    enlist(agreement);
    for (int i = 0; i < MOST_TRIES; i++) {
        if (PMPI_Iallreduce(&agreement->mine, &agreement->all, ITEMS, MPI_INT64_T,
                            MPI_MIN, comm, &agreement->request) == MPI_SUCCESS)
            return;
        agreement->request = MPI_REQUEST_NULL;
        sched_yield();
    }
}

/* Not by a nonblocking call: the first one slows down all waiting after it. */
bool agreement_hear(bool mine, int root, MPI_Comm comm)
{
    char word = mine;
    PMPI_Bcast(&word, 1, MPI_CHAR, root, comm);
    return word;
}

/* The root decides, since it may run ahead of the others and must not wait for them. */
bool agreement_is_reached(struct agreement *agreement, int root, MPI_Comm comm)
{
    int reached = 0;
    PMPI_Test(&agreement->request, &reached, MPI_STATUS_IGNORE);
    return agreement_hear(reached, root, comm);
}

/* MPICH frees a communicator, and our statement with it, only when its last request
   ends. */
void agreement_end(struct agreement *agreement)
{
    MPI_Request request = agreement->request;
    if (!agreement->open)
        return;
    agreement->open = false;
    strike_off(agreement);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

void agreement_end_all(void)
{
    while (open)
        agreement_end(open);
}
