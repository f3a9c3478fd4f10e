/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests.h"

#include "preload/wait/patient.h"

#include <stdlib.h>

MPI_Request *requests_get(struct transfer *transfer, int n)
{
    if (n > transfer->max_requests) {
        const int max = n > 16 ? 2 * n : 32;
        MPI_Request *larger =
            realloc(transfer->requests, (size_t)max * sizeof(MPI_Request));
        if (!larger)
            return NULL;
        transfer->requests = larger;
        transfer->max_requests = max;
    }
    for (int i = 0; i < n; i++)
        transfer->requests[i] = MPI_REQUEST_NULL;
    return transfer->requests;
}

/* One by one: the code of each comes back as such, not as MPI_ERR_IN_STATUS. */
int requests_wait(MPI_Request *requests, int n)
{
    int status = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        int code = patient_Wait(&requests[i], MPI_STATUS_IGNORE);
        if (status == MPI_SUCCESS)
            status = code;
    }
    return status;
}

void requests_cancel(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++) {
        if (requests[i] == MPI_REQUEST_NULL)
            continue;
        PMPI_Cancel(&requests[i]);
        patient_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

void requests_abandon(MPI_Request *requests, int n)
{
    for (int i = 0; i < n; i++) {
        if (requests[i] != MPI_REQUEST_NULL)
            PMPI_Request_free(&requests[i]);
    }
}
