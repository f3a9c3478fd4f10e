/* SPDX-License-Identifier: BSD-3-Clause */
#include "patience.h"
#include "patient.h"

int patient_Wait(MPI_Request *request, MPI_Status *status)
{
    if (!patience_here() || !request)
        return PMPI_Wait(request, status);
    return patience_wait(request, status);
}

int patient_Waitall(int n, MPI_Request *requests, MPI_Status *statuses)
{
    if (!patience_here() || n < 0 || !requests)
        return PMPI_Waitall(n, requests, statuses);
    struct patience patience = {0};
    for (;;) {
        int done = 0;
        const int status = PMPI_Testall(n, requests, &done, statuses);
        if (status != MPI_SUCCESS || done)
            return status;
        patience_pause(&patience);
    }
}

int patient_Waitany(int n, MPI_Request *requests, int *index, MPI_Status *status)
{
    if (!patience_here() || n < 0 || !requests || !index)
        return PMPI_Waitany(n, requests, index, status);
    struct patience patience = {0};
    for (;;) {
        int done = 0;
        const int code = PMPI_Testany(n, requests, index, &done, status);
        if (code != MPI_SUCCESS || done)
            return code;
        patience_pause(&patience);
    }
}

int patient_Waitsome(int n, MPI_Request *requests, int *ndone, int *indices,
                     MPI_Status *statuses)
{
    if (!patience_here() || n < 0 || !requests || !ndone || !indices)
        return PMPI_Waitsome(n, requests, ndone, indices, statuses);
    struct patience patience = {0};
    for (;;) {
        const int status = PMPI_Testsome(n, requests, ndone, indices, statuses);
        if (status != MPI_SUCCESS || *ndone != 0)
            return status;
        patience_pause(&patience);
    }
}
