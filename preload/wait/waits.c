/* SPDX-License-Identifier: BSD-3-Clause */
#include "yield.h"
#include "yielding.h"

int yield_Wait(MPI_Request *request, MPI_Status *status)
{
    if (!yield_here() || !request)
        return PMPI_Wait(request, status);
    return yield_until_done(request, status);
}

int yield_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
    if (!yield_here() || n < 0 || !requests)
        return PMPI_Waitall(n, requests, statuses);
    struct pause pause = {0};
    for (;;) {
        int done = 0;
        const int status = PMPI_Testall(n, requests, &done, statuses);
        if (status != MPI_SUCCESS || done)
            return status;
        yield_pause(&pause);
    }
}

int yield_Waitany(int n, MPI_Request *requests, int *index, MPI_Status *status)
{
    if (!yield_here() || n < 0 || !requests || !index)
        return PMPI_Waitany(n, requests, index, status);
    struct pause pause = {0};
    for (;;) {
        int done = 0;
        const int code = PMPI_Testany(n, requests, index, &done, status);
        if (code != MPI_SUCCESS || done)
            return code;
        yield_pause(&pause);
    }
}

int yield_Waitsome(int n, MPI_Request *requests, int *ndone, int *indices,
                   MPI_Status *statuses)
{
    if (!yield_here() || n < 0 || !requests || !ndone || !indices)
        return PMPI_Waitsome(n, requests, ndone, indices, statuses);
    struct pause pause = {0};
    for (;;) {
        const int status = PMPI_Testsome(n, requests, ndone, indices, statuses);
        if (status != MPI_SUCCESS || *ndone != 0)
            return status;
        yield_pause(&pause);
    }
}
