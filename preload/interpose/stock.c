/* SPDX-License-Identifier: BSD-3-Clause */
#include "stock.h"

#include "preload/bcast/transfer/packing.h"
#include "preload/wait/patient.h"

#include <limits.h>
#include <stdlib.h>

#if MPI_VERSION < 4
/* MPI 4 has it, which we may run under. */
#pragma weak PMPI_Bcast_c
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                 MPI_Comm comm);
#define patient_Bcast_c PMPI_Bcast_c
#endif

/* Only a call of MPI_Bcast_c counts so far that an int does not hold it; other ranks
   may count the same message in elements of another type. */
static int pass(const struct call *call, MPI_Comm comm)
{
    if (call->count != (int)call->count)
        return patient_Bcast_c(call->buffer, call->count, call->type, call->root, comm);
    return patient_Bcast(call->buffer, (int)call->count, call->type, call->root, comm);
}

#ifdef OPEN_MPI
static int bcast_bytes(const struct call *call, void *bytes, MPI_Comm comm)
{
    return patient_Bcast(bytes, (int)call->bytes, MPI_BYTE, call->root, comm);
}

static int bcast_packed(const struct call *call, char *packed, MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (rank == call->root)
        return packing_pack(call, packed, comm) == MPI_SUCCESS
                   ? bcast_bytes(call, packed, comm)
                   : pass(call, comm);
    const int status = bcast_bytes(call, packed, comm);
    return status == MPI_SUCCESS ? packing_unpack(call, packed, comm) : status;
}

int stock_bcast(const struct call *call, MPI_Comm comm)
{
    if (call->bytes > INT_MAX)
        return pass(call, comm);
    if (packing_is_plain(call->type))
        return bcast_bytes(call, call->buffer, comm);
    char *packed = malloc(call->bytes);
    if (!packed)
        return pass(call, comm);
    const int status = bcast_packed(call, packed, comm);
    free(packed);
    return status;
}
#else
int stock_bcast(const struct call *call, MPI_Comm comm)
{
    return pass(call, comm);
}
#endif
