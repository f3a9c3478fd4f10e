/* SPDX-License-Identifier: BSD-3-Clause */
#include "waits.h"

#include "preload/common/call.h"

#include <stdlib.h>

enum {
    FAREWELL = -1, /* the last message of a rank: waits are not negative */
    MARK = 1,      /* put to see whether puts arrive */
};

static const int64_t mark_timeout = 1000000; /* ns that a mark may take to arrive */

static bool is_optimiser(const struct paper_waits *waits)
{
    return waits->context->rank == PAPER_OPTIMISER;
}

/* Puts stay inside one epoch for life, are never flushed, and only tested for: with
   some MPIs unlocking or flushing waits until the optimiser calls the MPI again. */
static int start_put(struct paper_waits *waits, int64_t value)
{
    waits->sending = value;
    return PMPI_Rput(&waits->sending, 1, MPI_INT64_T, PAPER_OPTIMISER,
                     waits->context->rank, 1, MPI_INT64_T, waits->window,
                     &waits->request);
}

static int start_message(struct paper_waits *waits, int64_t value)
{
    waits->sending = value;
    return PMPI_Isend(&waits->sending, 1, MPI_INT64_T, PAPER_OPTIMISER, TAG_PAPER,
                      waits->context->comm, &waits->request);
}

static bool open_window(struct paper_waits *waits)
{
    const int places = is_optimiser(waits) ? waits->context->size : 0;
    void *memory = NULL;
    if (PMPI_Win_allocate(places * (MPI_Aint)sizeof *waits->memory,
                          sizeof *waits->memory, MPI_INFO_NULL, waits->context->comm,
                          &memory, &waits->window) != MPI_SUCCESS)
        return false;
    waits->memory = memory;
    for (int rank = 0; rank < places; rank++)
        waits->memory[rank] = 0;
    return PMPI_Win_set_errhandler(waits->window, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
           PMPI_Win_lock_all(MPI_MODE_NOCHECK, waits->window) == MPI_SUCCESS;
}

static void close_window(struct paper_waits *waits)
{
    PMPI_Wait(&waits->request, MPI_STATUS_IGNORE);
    PMPI_Win_unlock_all(waits->window);
    PMPI_Win_free(&waits->window);
    waits->window = MPI_WIN_NULL;
    waits->memory = NULL;
}

/* At the optimiser: have the marks of all others come? They are wiped out. */
static bool marks_arrive(struct paper_waits *waits)
{
    const int64_t deadline = now() + mark_timeout;
    int marks;
    do {
        marks = 0;
        for (int rank = 0; rank < waits->context->size; rank++)
            marks += waits->memory[rank] == MARK;
        int unused; /* the call is made for the progress that it brings */
        PMPI_Iprobe(MPI_ANY_SOURCE, TAG_PAPER, waits->context->comm, &unused,
                    MPI_STATUS_IGNORE);
    } while (marks < waits->context->size - 1 && now() < deadline);
    for (int rank = 0; rank < waits->context->size; rank++)
        waits->memory[rank] = 0;
    return marks == waits->context->size - 1;
}

/* Some MPIs keep a put back until it is flushed: puts are used where they are seen to
   arrive without that. */
static bool puts_arrive(struct paper_waits *waits)
{
    const bool put = is_optimiser(waits) || start_put(waits, MARK) == MPI_SUCCESS;
    if (!context_agrees(waits->context, put))
        return false;
    return context_agrees(waits->context, !is_optimiser(waits) || marks_arrive(waits));
}

bool paper_waits_init(struct paper_waits *waits, const struct context *context)
{
    *waits = (struct paper_waits){
        .context = context,
        .window = MPI_WIN_NULL,
        .request = MPI_REQUEST_NULL,
    };
    if (!is_optimiser(waits))
        return true;
    waits->heard = calloc((size_t)context->size, sizeof *waits->heard);
    return waits->heard != NULL;
}

/* Open MPI's window over point-to-point messages is not for several threads; that in
   shared memory has a file named by the communicator's number, which communicators
   without a rank in common share. Both say so on stderr, and fail. */
static bool may_have_window(const struct context *context)
{
    int threads = MPI_THREAD_MULTIPLE, ranks = 0;
    PMPI_Query_thread(&threads);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return threads != MPI_THREAD_MULTIPLE && context->size == ranks;
}

void paper_waits_open(struct paper_waits *waits)
{
    if (!context_agrees(waits->context, may_have_window(waits->context)))
        return; /* ranks may have asked for different levels of threads */
    const bool opened = open_window(waits);
    if (!context_agrees(waits->context, opened)) {
        /* Freeing is collective: with a window on some ranks only it would hang. */
        waits->window = MPI_WIN_NULL;
        return;
    }
    if (!puts_arrive(waits))
        close_window(waits);
}

bool paper_waits_send(struct paper_waits *waits, int64_t value)
{
    if (is_optimiser(waits)) {
        waits->heard[PAPER_OPTIMISER] = value;
        return true;
    }
    int ready = 1;
    if (waits->request != MPI_REQUEST_NULL &&
        PMPI_Test(&waits->request, &ready, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return false;
    if (!ready)
        return false;
    const int status = waits->window != MPI_WIN_NULL ? start_put(waits, value)
                                                     : start_message(waits, value);
    return status == MPI_SUCCESS;
}

static void hear_puts(struct paper_waits *waits)
{
    for (int rank = 0; rank < waits->context->size; rank++)
        if (rank != PAPER_OPTIMISER)
            waits->heard[rank] = waits->memory[rank];
}

static void hear_messages(struct paper_waits *waits)
{
    const MPI_Comm comm = waits->context->comm;
    int there = 0;
    MPI_Status from;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, TAG_PAPER, comm, &there, &from) == MPI_SUCCESS &&
           there)
        if (PMPI_Recv(&waits->heard[from.MPI_SOURCE], 1, MPI_INT64_T, from.MPI_SOURCE,
                      TAG_PAPER, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
}

const int64_t *paper_waits_latest(struct paper_waits *waits)
{
    if (waits->window != MPI_WIN_NULL)
        hear_puts(waits);
    else
        hear_messages(waits);
    return waits->heard;
}

/* No message may be left when the communicator is freed. */
static void take_leave(struct paper_waits *waits)
{
    if (!is_optimiser(waits)) {
        PMPI_Wait(&waits->request, MPI_STATUS_IGNORE);
        start_message(waits, FAREWELL);
        PMPI_Wait(&waits->request, MPI_STATUS_IGNORE);
        return;
    }
    int64_t value = 0;
    int left = 0, status = MPI_SUCCESS;
    while (left < waits->context->size - 1 && status == MPI_SUCCESS) {
        status = PMPI_Recv(&value, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG_PAPER,
                           waits->context->comm, MPI_STATUS_IGNORE);
        left += value == FAREWELL;
    }
}

void paper_waits_close(struct paper_waits *waits)
{
    if (waits->window != MPI_WIN_NULL)
        close_window(waits);
    else
        take_leave(waits);
}

void paper_waits_free(struct paper_waits *waits)
{
    free(waits->heard);
    waits->heard = NULL;
}
