/* SPDX-License-Identifier: BSD-3-Clause */
#include "deferred.h"

#include "requests.h"

#include <stdlib.h>

/* Bytes of copies that a transfer keeps at most. */
enum { LIMIT = 64 << 20 };

struct deferred {
    struct deferred *newer;
    size_t bytes; /* of this allocation: the message is behind the requests */
    size_t max_sends, sends, taken;
    MPI_Request send[];
};

struct deferred *deferred_new(struct transfer *transfer, size_t bytes, size_t max_sends)
{
    const size_t all =
        sizeof(struct deferred) + max_sends * sizeof(MPI_Request) + bytes;
    if (transfer->deferred_bytes + all > LIMIT)
        return NULL;
    struct deferred *deferred = malloc(all);
    if (!deferred)
        return NULL;
    *deferred = (struct deferred){.bytes = all, .max_sends = max_sends};

    if (transfer->oldest)
        transfer->newest->newer = deferred;
    else
        transfer->oldest = deferred;
    transfer->newest = deferred;
    transfer->deferred_bytes += all;
    return deferred;
}

char *deferred_data(struct deferred *deferred)
{
    return (char *)&deferred->send[deferred->max_sends];
}

int deferred_send(struct deferred *deferred, size_t offset, int bytes, int child,
                  MPI_Comm comm)
{
    int status = PMPI_Isend(deferred_data(deferred) + offset, bytes, MPI_PACKED, child,
                            TAG_DATA, comm, &deferred->send[deferred->sends]);
    if (status == MPI_SUCCESS)
        deferred->sends++;
    return status;
}

static void release_oldest(struct transfer *transfer)
{
    struct deferred *oldest = transfer->oldest;
    transfer->oldest = oldest->newer;
    transfer->deferred_bytes -= oldest->bytes;
    free(oldest);
}

/* A request that is not yet done ends the search, so that it costs little. */
static bool is_taken(struct deferred *deferred)
{
    while (deferred->taken < deferred->sends) {
        int done = 0;
        if (PMPI_Test(&deferred->send[deferred->taken], &done, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS ||
            !done)
            return false;
        deferred->taken++;
    }
    return true;
}

void transfer_progress(struct transfer *transfer)
{
    while (transfer->oldest && is_taken(transfer->oldest))
        release_oldest(transfer);
}

int transfer_finish(struct transfer *transfer)
{
    int status = MPI_SUCCESS;
    while (transfer->oldest) {
        struct deferred *oldest = transfer->oldest;
        int code = requests_wait(oldest->send, (int)oldest->sends);
        if (status == MPI_SUCCESS)
            status = code;
        release_oldest(transfer);
    }
    free(transfer->requests);
    transfer->requests = NULL;
    transfer->max_requests = 0;
    return status;
}
